import { jobActor } from '../../../../base/actor.ts'
import type { House } from '../../../../base/ctx.ts'
import { type Id, secretToken, sha256 } from '../../../../base/ids.ts'
import { momentIn, wordsFor } from '../../../../kernel/mail/domain/words.ts'
import type { Letter } from '../../../../kernel/mail/door.ts'
import { writingOn } from '../../../../kernel/site/door.ts'
import { statusOf } from '../domain.ts'
import { addToken, inviteRow, letterFacts, replaceToken, saveInvite } from '../queries.ts'
import { joinUrl, tell } from './manage.ts'

const actor = jobActor('mail')

/**
 * Returns the email of an invitation, with a token created now, because nothing that waits in the queue can contain one. Null if the invitation was
 * revoked, used or resent in the meantime.
 */
export async function invitationLetter(house: House, site_id: Id, id: Id, send: number): Promise<Letter | null> {
  const token = secretToken()
  return writingOn(house, { actor, cause: 'invite.send' }, site_id, async ctx => {
    const held = await inviteRow(ctx.db, site_id, id, true)
    const facts = held === null ? null : await letterFacts(ctx.db, site_id, id)
    if (facts === null || facts.email === null || facts.sends !== send || statusOf(facts, ctx.now) !== 'open') return null
    // Without a mail server the inviter passes a link on by hand (decision 680). That link stays valid, as does the one in the stored file.
    if (house.settings.smtp_url === null) await addToken(ctx.db, facts, sha256(token))
    else await replaceToken(ctx.db, facts, sha256(token))
    const { words } = wordsFor(facts.locale)
    return {
      to: { name: facts.name, address: facts.email },
      locale: facts.locale,
      said: words.invitation({
        name: facts.name,
        site: facts.site_name,
        inviter: facts.inviter ?? facts.site_name,
        role: facts.role,
        contractor: facts.contractor_name,
        message: facts.message,
        until: momentIn(facts.locale, facts.timezone, facts.expires_at),
        url: joinUrl(house.settings.public_url, token),
      }),
    }
  })
}

/** Notifies the inviter that the email of an invitation bounced, or that its address doesn't accept email. */
export const mailCameBack = (house: House, site_id: Id, id: Id): Promise<void> =>
  writingOn(
    house,
    { actor, cause: 'invite.bounce' },
    site_id,
    async ctx => {
      const invite = await inviteRow(ctx.db, site_id, id, true)
      if (invite === null || statusOf(invite, ctx.now) !== 'open') return
      await saveInvite(ctx.db, site_id, id, { bounced_at: ctx.now })
      tell(ctx, 'bounced', invite)
    },
    { passes_lock: true },
  )
