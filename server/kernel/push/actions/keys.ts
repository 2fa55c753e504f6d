// VAPID keys (RFC 8292): the one that is given to devices now, those that older subscriptions use, and the tokens that they sign.
import { createECDH, createHash, ECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { HOUR, type Instant, later, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { outside } from '../../../base/db.ts'
import { type KeyRow, keepKey, keysOf } from '../queries.ts'

/** Returns the name of a key: the first characters of its hash. */
const nameOf = (public_key: string): string => createHash('sha256').update(public_key).digest('base64url').slice(0, 16)

type Ring = { current: KeyRow; all: Map<string, KeyRow> }
const rings = new WeakMap<House, Promise<Ring>>()

/**
 * Returns this installation's keys: made once and stored in the database, which every node shares, or set by VAPID_PUBLIC_KEY and
 * VAPID_PRIVATE_KEY. Older keys are kept, because devices keep using theirs until the app renews them.
 */
export function keyRing(house: House): Promise<Ring> {
  let ring = rings.get(house)
  if (ring === undefined) {
    ring = outside(() => readRing(house)).catch(error => {
      rings.delete(house)
      throw error
    })
    rings.set(house, ring)
  }
  return ring
}

async function readRing(house: House): Promise<Ring> {
  const { db } = house.database.apart
  const { vapid } = house.settings
  const now = house.clock.now()
  if (vapid.keys !== null) {
    const { public_key, private_key } = vapid.keys
    await keepKey(db, { id: nameOf(public_key), public_key, private_key, made_at: now }, false)
  } else if ((await keysOf(db)).length === 0) {
    const pair = createECDH('prime256v1')
    const public_key = pair.generateKeys().toString('base64url')
    await keepKey(
      db,
      { id: nameOf(public_key), public_key, private_key: pair.getPrivateKey().toString('base64url').padStart(43, 'A'), made_at: now },
      true,
    )
  }
  const rows = await keysOf(db)
  const named = vapid.keys === null ? null : nameOf(vapid.keys.public_key)
  const current = named === null ? rows[0] : rows.find(row => row.id === named)
  if (current === undefined) throw new Error('The key that was just saved is missing.')
  return { current, all: new Map(rows.map(row => [row.id, row])) }
}

/** Returns the key with this name; looks it up if another node has made it since. */
export async function keyNamed(house: House, id: string): Promise<{ key: KeyRow | null; current: boolean }> {
  const ring = await keyRing(house)
  const known = ring.all.get(id)
  if (known !== undefined) return { key: known, current: known.id === ring.current.id }
  const found = (await outside(() => keysOf(house.database.apart.db))).find(row => row.id === id)
  if (found !== undefined) ring.all.set(id, found)
  return { key: found ?? null, current: false }
}

const LIVES = 12 * HOUR
const tokens = new WeakMap<House, Map<string, { header: string; until: Instant }>>()

/** Returns the `Authorization` header for a push service: a token of 12 hours, which is used again while at least half of that time is left. */
export async function vapidHeader(house: House, key: KeyRow, origin: string): Promise<string> {
  const known = tokens.get(house) ?? new Map<string, { header: string; until: Instant }>()
  tokens.set(house, known)
  const name = `${key.id} ${origin}`
  const now = house.clock.now()
  const kept = known.get(name)
  // After the system clock moves backwards, a token would be valid for longer than 24 hours, and push services refuse that.
  if (kept !== undefined && later(now, LIVES / 2) < kept.until && kept.until <= later(now, LIVES)) return kept.header
  const until = later(now, LIVES)
  const header = `vapid t=${await signed(key, origin, house.settings.vapid.subject, until)}, k=${key.public_key}`
  if (known.size > 1000) known.clear()
  known.set(name, { header, until })
  return header
}

async function signed(key: KeyRow, aud: string, sub: string, until: Instant): Promise<string> {
  const point = Buffer.from(key.public_key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: key.private_key,
  }
  return new SignJWT({ aud, sub, exp: Math.floor(ms(until) / 1000) })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .sign(await importJWK(jwk, 'ES256'))
}

/** Returns whether text is base64url of an uncompressed point of the curve P-256, 65 bytes. */
export function isCurvePoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (!/^[A-Za-z0-9_-]+=*$/.test(text) || bytes.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1', undefined, undefined, 'compressed')
    return true
  } catch {
    return false
  }
}

/** Returns whether text is base64url of this many bytes. */
export const isBytes = (text: string, length: number): boolean =>
  /^[A-Za-z0-9_-]+=*$/.test(text) && Buffer.from(text, 'base64url').length === length
