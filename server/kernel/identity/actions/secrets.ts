import { jobActor } from '../../../base/actor.ts'
import { type House, writing } from '../../../base/ctx.ts'
import { ids, PLATFORM } from '../../../base/ids.ts'
import { insertSecret, secretDigests, secretNamed } from '../queries.ts'

/** Kind of the platform's audit entries about secrets. */
export const SECRET = 'platform_secret'

/**
 * Returns a secret of the installation, made once: the first of several processes wins, and all read the same one. The platform's audit log stores its
 * digest, so that a replaced secret is found. It is never called within a transaction, because making a secret is a write of its own.
 */
export async function platformSecret(house: House, name: string, make: () => Promise<unknown>): Promise<unknown> {
  const known = await secretNamed(house.database.db, name)
  if (known !== undefined) return known.value
  const value = await make()
  await writing(house, { actor: jobActor('keys'), cause: 'platform_secret.create' }, async ctx => {
    if (!(await insertSecret(ctx.db, name, value, ctx.now))) return
    const digest = (await secretDigests(ctx.db)).get(name)
    ctx.trail.entries.push({
      site_id: PLATFORM,
      entity_type: SECRET,
      entity_id: ids.next(),
      entity_label: name,
      note: { action: 'create' },
      changes: [{ path: 'secrets', before: null, after: { [name]: digest } }],
    })
  })
  return (await secretNamed(house.database.db, name))?.value
}
