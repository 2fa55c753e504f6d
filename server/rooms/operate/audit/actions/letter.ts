import { itemsIn } from '../../../../../shared/narrow.ts'
import { isHead } from '../../../../../shared/proof/heads.ts'
import type { House } from '../../../../base/ctx.ts'
import { PLATFORM } from '../../../../base/ids.ts'
import { type Letter, momentIn, wordsFor } from '../../../../kernel/mail/door.ts'
import { namesOfSites, personTold } from '../queries/heads.ts'

/** Makes the email with the heads of the logs that a person is responsible for; none if the person no longer has an address. */
export async function headsLetter(house: House, input: Record<string, unknown>): Promise<Letter | null> {
  const person = await personTold(house.database.db, String(input.user_id))
  if (person === null) return null
  const heads = itemsIn(input.heads).filter(isHead)
  const names = await namesOfSites(
    house.database.db,
    heads.map(head => head.site_id),
  )
  const lines = heads.map(
    ({ site_id, seq, hash }) => `${site_id === PLATFORM ? 'Platform' : (names.get(site_id) ?? 'Erased site')} (${site_id}): ${seq};${hash}`,
  )
  const at = momentIn(person.locale ?? 'en-GB', 'UTC', String(input.at))
  const said = wordsFor(person.locale).words.audit_heads({
    name: person.name,
    at,
    heads: lines.join('\n'),
    url: `${house.settings.public_url}/`,
  })
  return { to: { name: person.name, address: person.email }, locale: person.locale, said }
}
