import type { Adapter, AdapterPayload } from 'oidc-provider'
import { later, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { sha256 } from '../../../base/ids.ts'
import { consumeItem, dropGrant, dropItem, grantOf, itemBy, keepItem } from '../../accounts/door.ts'

/** Hashes the id of a grant. Access tokens contain this hash, which identifies their family. */
export const grantHash = (grant_id: string): string => sha256(grant_id)

/** Returns the grant of an item: its own, the one it was issued under, or (for a session) that of our only client. */
function grantIdOf(kind: string, id: string, payload: AdapterPayload): string | null {
  if (kind === 'Grant') return id
  if (typeof payload.grantId === 'string') return payload.grantId
  return kind === 'Session' ? (Object.values(payload.authorizations ?? {})[0]?.grantId ?? null) : null
}

/**
 * Stores the provider's sessions, codes, refresh tokens and grants: one table, under the hash of their ids, because an id is what its
 * holder shows. An item that has already been used ends its family, even if it is used twice at the same time.
 */
export function adapterOf(house: House, kind: string): Adapter {
  const { db } = house.database
  const now = () => house.clock.now()
  const shown = (row: { payload: Record<string, unknown>; consumed_at: string | null } | null, id?: string): AdapterPayload | undefined =>
    row === null
      ? undefined
      : {
          ...row.payload,
          ...(id === undefined ? {} : { jti: id }),
          ...(row.consumed_at === null ? {} : { consumed: Math.floor(ms(row.consumed_at) / 1000) }),
        }
  return {
    async upsert(id, payload, expires_in) {
      const { jti: _secret, ...rest } = payload
      const grant = grantIdOf(kind, id, payload)
      await keepItem(db, {
        kind,
        id_hash: sha256(id),
        uid_hash: typeof payload.uid === 'string' ? sha256(payload.uid) : null,
        grant_hash: grant === null ? null : grantHash(grant),
        // A sign-in whose session hasn't begun yet ends with the sessions of its person, too.
        account_id: payload.accountId ?? payload.result?.login?.accountId ?? null,
        payload: rest,
        expires_at: later(now(), (expires_in ?? 3600) * 1000),
      })
    },
    find: async id => shown(await itemBy(db, 'id_hash', kind, sha256(id), now()), id),
    findByUid: async uid => shown(await itemBy(db, 'uid_hash', kind, sha256(uid), now())),
    findByUserCode: async () => undefined, // there are no device codes here
    async consume(id) {
      if (await consumeItem(db, kind, sha256(id), now())) return
      const grant = await grantOf(db, kind, sha256(id))
      if (grant !== null) await dropGrant(db, grant)
      const { errors } = await import('oidc-provider') // the library loads slowly, and every start would wait for it
      throw new errors.InvalidGrant('it has already been used')
    },
    async destroy(id) {
      await dropItem(db, kind, sha256(id))
    },
    revokeByGrantId: grant_id => dropGrant(db, grantHash(grant_id), kind),
  }
}

/** Returns the seconds since 1970, as the provider counts. */
export const epochOf = (house: House): number => Math.floor(ms(house.clock.now()) / 1000)
