// Heads are sent to another system. Once a day the platform's log notes the head of every log, the heads are signed and sent to the witness, and administrators
// get theirs by email: a person who rewrites a whole log can't rewrite these.
import { HEADS_FORM, headsText, type LogHead, type SignedHeads } from '../../../../../shared/proof/heads.ts'
import { jobActor } from '../../../../base/actor.ts'
import { type House, writing } from '../../../../base/ctx.ts'
import { ids, PLATFORM } from '../../../../base/ids.ts'
import { sendToWitness } from '../../../../base/witness.ts'
import { HEADS } from '../../../../kernel/audit/door.ts'
import { queueMail } from '../../../../kernel/mail/door.ts'
import { signerOf } from '../../../../kernel/statements/door.ts'
import { headsNow, peopleToTell } from '../queries/heads.ts'

/** Notes, signs and sends the heads of all logs. If a witness doesn't accept them, the run fails; the next run sends newer heads. */
export async function witnessHeads(house: House): Promise<Record<string, unknown>> {
  const work = { actor: jobActor('audit_witness'), cause: 'audit.witness' }
  const noted = (await headsNow(house.database.db)).filter(head => head.site_id !== PLATFORM)
  await writing(house, work, async ctx => {
    ctx.trail.entries.push({
      site_id: PLATFORM,
      entity_type: HEADS,
      entity_id: ids.next(),
      entity_label: 'Heads of the audit logs',
      note: { action: 'create' },
      changes: [{ path: 'heads', before: null, after: noted }],
    })
  })
  const signed = await signHeads(house, await headsNow(house.database.db))
  const people = await peopleToTell(house.database.db)
  await writing(house, work, async ctx => {
    for (const { user_id, site_ids } of people) {
      const own = signed.heads.filter(head => site_ids === null || site_ids.includes(head.site_id))
      await queueMail(ctx, 'audit_heads', { user_id, at: signed.at, heads: own.slice(0, 50) })
    }
  })
  const { audit_witness_url } = house.settings
  if (audit_witness_url !== null)
    await sendToWitness(house.settings, audit_witness_url, `audit-heads-${signed.at.replace(/[:.]/g, '-')}.json`, JSON.stringify(signed))
  return { logs: signed.heads.length, people: people.length, sent: audit_witness_url !== null }
}

/** Signs heads with the platform's key. */
export async function signHeads(house: House, heads: LogHead[]): Promise<SignedHeads> {
  const signer = await signerOf(house, PLATFORM)
  const unsigned = { form: HEADS_FORM, at: house.clock.now(), heads }
  return { ...unsigned, kid: signer.kid, signature: signer.sign(headsText(unsigned)) }
}
