import { jobActor } from '../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../base/ctx.ts'
import { ids, PLATFORM } from '../../../base/ids.ts'
import { SettingsError } from '../../../base/settings.ts'
import { unwrapped, wrapped } from '../../../base/wrapped.ts'
import { allSecrets, insertSecret, replaceSecret, secretDigests, secretNamed } from '../queries.ts'

/** Kind of the platform's audit entries about secrets. */
export const SECRET = 'platform_secret'

const about = (name: string) => `platform_secret ${name}`

/** Decrypts a secret as it is stored. `present`: it is stored as SECRETS_KEY says now. Throws if no key fits. */
function opened({ settings }: House, name: string, stored: unknown): { value: unknown; present: boolean } {
  const found = unwrapped(settings, about(name), stored)
  if (found !== null) return found
  throw new SettingsError([
    settings.secrets_keys.length === 0
      ? 'SECRETS_KEY isn’t set, but the secrets of this installation are encrypted with it. Set it to the same value as before.'
      : 'SECRETS_KEY isn’t the key with which the secrets of this installation were encrypted. Set it to the same value as before, or add the earlier key after a comma.',
  ])
}

/** Records the digest of a secret in the platform's audit log, so that a replaced one is found. */
async function recordDigest(ctx: Ctx, name: string, action: 'create' | 'update'): Promise<void> {
  const digest = (await secretDigests(ctx.db)).get(name)
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: SECRET,
    entity_id: ids.next(),
    entity_label: name,
    note: { action },
    changes: [{ path: 'secrets', before: null, after: { [name]: digest } }],
  })
}

/**
 * Returns a secret of the installation, made once: the first of several processes wins, and all read the same one. With SECRETS_KEY it is stored encrypted.
 * It is never called within a transaction, because making a secret is a write of its own.
 */
export async function platformSecret(house: House, name: string, make: () => Promise<unknown>): Promise<unknown> {
  const known = await secretNamed(house.database.db, name)
  if (known !== undefined) return opened(house, name, known.value).value
  const value = wrapped(house.settings, about(name), await make())
  await writing(house, { actor: jobActor('keys'), cause: 'platform_secret.create' }, async ctx => {
    if (await insertSecret(ctx.db, name, value, ctx.now)) await recordDigest(ctx, name, 'create')
  })
  return opened(house, name, (await secretNamed(house.database.db, name))?.value).value
}

/**
 * Encrypts the secrets of the installation with the present SECRETS_KEY and cipher, if they aren't yet. Throws a `SettingsError` if they are encrypted with a key
 * that isn't set, so that a process without it doesn't start.
 */
export async function encryptSecrets(house: House): Promise<void> {
  for (const { name, value: was } of await allSecrets(house.database.db)) {
    const { value, present } = opened(house, name, was)
    if (present) continue
    await writing(house, { actor: jobActor('keys'), cause: 'platform_secret.encrypt' }, async ctx => {
      if (await replaceSecret(ctx.db, name, was, wrapped(house.settings, about(name), value))) await recordDigest(ctx, name, 'update')
    })
  }
}
