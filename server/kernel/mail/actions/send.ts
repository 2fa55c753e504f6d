import { type Instant, later } from '../../../../shared/time.ts'
import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { givenUp, refuse } from '../../../base/errors.ts'
import { type Id, PLATFORM } from '../../../base/ids.ts'
import { type Delivery, sendMail } from '../../../base/mail.ts'
import type { JobKind, Running } from '../../jobs/door.ts'
import { addressKey, bounceOf, nextTry } from '../domain/bounce.ts'
import { type Said, written } from '../domain/letter.ts'
import { wordsFor } from '../domain/words.ts'
import { suppressionOf } from '../queries.ts'
import { takeReport } from './reports.ts'

/** An email that is ready to send. */
export type Letter = { to: { name: string | null; address: string }; locale: string | null; said: Said }

/** A kind of email, as its room defines it. */
export type MailKind = {
  kind: string
  /** One sentence for the person on call. */
  says: string
  /**
   * Makes the email at the moment of sending, and again for each attempt: secrets are created here, so that neither the queue nor the database ever
   * contains one in clear text. Null: the email is no longer wanted.
   */
  letter(house: House, input: Record<string, unknown>): Promise<Letter | null>
  /** Called if the address doesn't accept email: it was permanently refused, or is suppressed. */
  refused?(house: House, input: Record<string, unknown>): Promise<void>
}

const kinds = new Map<string, MailKind>()

/** Registers the emails of all rooms, once, at startup. */
export function plugMail(all: readonly MailKind[]): void {
  kinds.clear()
  for (const one of all) {
    if (kinds.has(one.kind)) throw new Error(`Two rooms have an email ${one.kind}.`)
    kinds.set(one.kind, one)
  }
}

/** Queues an email in this transaction. The input names records by id, and contains no address and no secret. */
export function queueMail(
  ctx: Ctx,
  kind: string,
  input: Record<string, unknown>,
  site_id: Id = PLATFORM,
  after: Instant = ctx.now,
): Promise<Id> {
  if (!kinds.has(kind)) throw new Error(`No room has an email ${kind}.`)
  return ctx.enqueue('mail', { ...input, mail: kind }, { site_id, after })
}

async function send(job: Running): Promise<Record<string, unknown>> {
  const { house, input } = job
  const kind = kinds.get(String(input.mail))
  if (kind === undefined) throw new Error(`No room has an email ${String(input.mail)}.`)
  const letter = await kind.letter(house, input)
  if (letter === null) return { outcome: 'not_wanted' }
  if ((await suppressionOf(house.database.db, addressKey(letter.to.address))) !== null) {
    await kind.refused?.(house, input)
    return { outcome: 'suppressed' }
  }
  const { lang } = wordsFor(letter.locale)
  const { subject } = letter.said
  const delivery = await sendMail(house, { kind: kind.kind, id: job.run_id, to: letter.to, subject, ...written(letter.said, lang) })
  return delivery.outcome === 'refused' ? refused(job, kind, letter, delivery) : { outcome: delivery.outcome }
}

async function refused(
  job: Running,
  kind: MailKind,
  letter: Letter,
  { stage, reply, status, diagnostic }: Delivery & { outcome: 'refused' },
): Promise<Record<string, unknown>> {
  const { house, input } = job
  const bounce = bounceOf(status, reply)
  const report = () =>
    writing(house, { actor: jobActor('mail'), cause: 'mail.bounce' }, ctx =>
      takeReport(ctx, {
        event_id: `rcpt ${job.run_id}`,
        type: 'bounce',
        email: letter.to.address,
        status,
        reply,
        at: ctx.now,
        message_id: null,
        diagnostic,
      }),
    )
  if (stage === 'rcpt' && bounce === 'hard') {
    await report()
    await kind.refused?.(house, input)
    return { outcome: 'bounced', status }
  }
  // A refusal at connection or sign-in is our fault, not that of the address: it suppresses nobody, and it may be temporary.
  const tries = typeof input.tries === 'number' ? input.tries : 0
  const wait = reply === null || bounce === 'soft' ? nextTry(tries) : null
  house.log.warn({ mail: kind.kind, stage, reply, status, tries }, 'an email was not accepted')
  // A mailbox that was full on every attempt counts as a soft bounce; a relay that refuses us does not.
  if (wait === null && stage === 'rcpt' && bounce === 'soft') await report()
  if (wait === null) {
    const code = status ?? reply
    const why = code === null ? 'The mail relay couldn’t be reached or didn’t respond.' : `The mail relay refused the email (${code}).`
    return refuse(givenUp(why, { tries: tries + 1 }))
  }
  const after = later(house.clock.now(), wait)
  await writing(house, { actor: jobActor('mail'), cause: 'mail.defer' }, ctx =>
    ctx.enqueue('mail', { ...input, tries: tries + 1 }, { site_id: job.site_id, after }),
  )
  return { outcome: 'deferred', until: after }
}

/** The one job that sends mail. */
export const mailJob: JobKind = {
  kind: 'mail',
  says: 'Sends an email, unless its address is suppressed.',
  concurrency: 4,
  run: send,
}
