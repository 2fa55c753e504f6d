// The keys with which a site signs the statements on its printed permits (`permits-decisions.md` §4.2). The private key is encrypted with a key in the
// data directory, so that nobody can sign with a copy or backup of the database. If a node's data directory has a different key, the node creates its own
// signing keys; all of them are published.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeIn } from '../../../shared/narrow.ts'
import { curveOf, SIGNATURES } from '../../../shared/proof/algorithms.ts'
import type { PublicKey } from '../../../shared/proof/statement.ts'
import { DAY, later } from '../../../shared/time.ts'
import { jobActor } from '../../base/actor.ts'
import { type Ctx, type House, writing } from '../../base/ctx.ts'
import { decrypted, encrypted } from '../../base/encrypt.ts'
import { type Id, ids, PLATFORM, sha256 } from '../../base/ids.ts'
import { kind } from '../records/door.ts'
import { writingOn } from '../site/door.ts'
import { endKey, insertKey, type KeyRow, keysOf, lockKeys } from './queries.ts'

/** A signing key as a record: the audit log shows that it was created, ended or revoked, but never the encrypted private key. */
export const signingKey = kind<KeyRow>({
  name: 'signing_key',
  label: row => `Signing key ${row.kid}`,
  secret: ['sealed'],
  revert: 'ledger',
})

/** How long a key is used for signing before the next one is made. Its signatures stay valid. */
const SIGNS_DAYS = 366

const encryptionKeys = new Map<string, Promise<Buffer>>()

/** Returns the key in the data directory that encrypts the private keys; creates it if it doesn't exist. */
function encryptionKeyOf(data_dir: string): Promise<Buffer> {
  const known = encryptionKeys.get(data_dir)
  if (known !== undefined) return known
  const path = join(data_dir, 'keys', 'seal.key')
  const made = (async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const half = `${path}.${ids.next()}`
    await writeFile(half, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    // Written completely or not at all, and never over an existing file.
    await link(half, path).catch(error => {
      if (codeIn(error) !== 'EEXIST') throw error
    })
    await rm(half, { force: true })
    const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')
    if (key.length !== 32) throw new Error(`${path} doesn’t contain a key of 32 bytes.`)
    return key
  })()
  made.catch(() => encryptionKeys.delete(data_dir))
  encryptionKeys.set(data_dir, made)
  return made
}

const fingerprint = (encryption_key: Buffer) => sha256(encryption_key).slice(0, 16)

/** A key that can sign. */
export type Signer = { kid: string; sign(text: string): string }

/**
 * Returns the key with which a site, or the platform, signs now; makes one if there is none that this node can decrypt. It is never called within a transaction, because
 * making a key is a write of its own.
 */
export async function signerOf(house: House, site_id: Id): Promise<Signer> {
  const now = house.clock.now()
  const encryption_key = await encryptionKeyOf(house.data_dir)
  const found = await decryptable(house, site_id, encryption_key)
  if (found !== null) return found
  const work = { actor: jobActor('signing_keys'), cause: 'signing_key.create' }
  const make = async (ctx: Ctx) => {
    if ((await usable(ctx, site_id, encryption_key)) === null) await addKey(ctx, site_id, encryption_key, now)
  }
  // Alone, so that only one key is made if two requests come at the same time.
  if (site_id === PLATFORM) await writing(house, work, async ctx => lockKeys(ctx.db).then(() => make(ctx)))
  else await writingOn(house, work, site_id, make, { passes_lock: true, alone: true })
  const made = await decryptable(house, site_id, encryption_key)
  if (made === null) throw new Error('A new signing key can’t be decrypted.')
  return made
}

async function usable(ctx: Pick<Ctx, 'db' | 'now'>, site_id: Id, encryption_key: Buffer): Promise<KeyRow | null> {
  const rows = await keysOf(ctx.db, site_id)
  return (
    rows.findLast(
      row =>
        row.revoked_at === null && row.signs_from <= ctx.now && row.signs_until > ctx.now && row.sealed_by === fingerprint(encryption_key),
    ) ?? null
  )
}

async function decryptable(house: House, site_id: Id, encryption_key: Buffer): Promise<Signer | null> {
  const row = await usable({ db: house.database.db, now: house.clock.now() }, site_id, encryption_key)
  if (row === null) return null
  const der = decrypted(encryption_key, row.sealed, `${row.site_id} ${row.kid}`)
  return signerWith(row.kid, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

const signerWith = (kid: string, key: KeyObject): Signer => ({
  kid,
  sign: text =>
    (key.asymmetricKeyType === 'ec'
      ? sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
      : sign(null, Buffer.from(text), key)
    ).toString('base64url'),
})

async function addKey(ctx: Ctx, site_id: Id, encryption_key: Buffer, now: string): Promise<void> {
  const { signing_keys, key_cipher } = ctx.house.settings.algorithms
  const { publicKey, privateKey } =
    signing_keys === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const kid = Buffer.from(sha256(Buffer.from(x, 'base64url')), 'hex')
    .toString('base64url')
    .slice(0, 8)
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  await insertKey(ctx.db, {
    site_id,
    id: ids.next(),
    kid,
    public_key: signing_keys === 'Ed25519' ? x : `${signing_keys}.${x}.${y}`,
    sealed: encrypted(encryption_key, der, `${site_id} ${kid}`, key_cipher),
    sealed_by: fingerprint(encryption_key),
    signs_from: now,
    signs_until: later(now, SIGNS_DAYS * DAY),
  })
}

/** Returns a public key as it is published. A stored key without a label is on Ed25519; others are written as CURVE.X.Y. */
function jwkOf(stored: string): PublicKey['jwk'] {
  const [crv = '', x, y] = stored.split('.')
  const curve = x === undefined ? null : curveOf(crv)
  return curve === null || x === undefined || y === undefined
    ? { kty: 'OKP', crv: 'Ed25519', x: stored }
    : { kty: SIGNATURES[curve].kty, crv, x, y }
}

/** Lists a site's public keys with their validity, oldest first, including revoked ones. */
export const publicKeys = async (ctx: Pick<Ctx, 'db'>, site_id: Id): Promise<PublicKey[]> =>
  (await keysOf(ctx.db, site_id)).map(({ kid, public_key, signs_from, signs_until, revoked_at }) => ({
    kid,
    site_id,
    jwk: jwkOf(public_key),
    signs_from,
    signs_until,
    revoked_at,
  }))

/**
 * Creates the next key. The present keys stop signing, and their signatures stay valid. With a reason they are revoked, and nothing that they signed is
 * trusted from then on.
 */
export async function rotateKeys(house: House, site_id: Id, revoke_reason: string | null): Promise<{ ended: string[]; kid: string }> {
  const ended = await writingOn(
    house,
    { actor: jobActor('signing_keys'), cause: 'signing_key.rotate' },
    site_id,
    async ctx => {
      const rows = (await keysOf(ctx.db, site_id)).filter(row => row.revoked_at === null)
      const touched = revoke_reason === null ? rows.filter(row => row.signs_until > ctx.now) : rows
      for (const row of touched)
        await endKey(ctx.db, row, {
          ...(row.signs_until > ctx.now ? { signs_until: ctx.now } : {}),
          ...(revoke_reason === null ? {} : { revoked_at: ctx.now, revoke_reason }),
        })
      return touched.map(row => row.kid)
    },
    { passes_lock: true },
  )
  return { ended, kid: (await signerOf(house, site_id)).kid }
}
