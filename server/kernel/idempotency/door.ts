import { hkdfSync } from 'node:crypto'
import { DAY, type Instant, later } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import type { Kept } from '../../base/edge.ts'
import type { KeyScope } from '../../base/edge-options.ts'
import { decrypted, encrypted } from '../../base/encrypt.ts'
import { conflict, refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { claimKey, keepAnswer, keptUnder } from './queries.ts'

// A response may contain a secret that is shown only once (the token of an invitation). It is therefore encrypted with the key that the caller chose,
// and only the hash of that key is stored: nobody can decrypt it with the database alone.

const sealKey = (scope: KeyScope) => new Uint8Array(hkdfSync('sha256', scope.key, scope.owner, 'walkdown kept answer', 32))

// The fingerprint is that of a body that may contain a password. It includes the caller's key, so that the database doesn't help to guess the body either.
const hashed = (scope: KeyScope): KeyScope => ({
  ...scope,
  key: sha256(`${scope.owner} ${scope.key}`),
  fingerprint: sha256(`${scope.key} ${scope.fingerprint}`),
})

/**
 * Returns the first response under this key (conventions §1, Idempotency): the same key with the same body gets it again for 24 hours, and a different
 * body is refused. Null: the key was free and is now claimed, and the response will be stored. Only successful responses are stored, because a refusal
 * changed nothing.
 */
export async function replayKey(ctx: Ctx, scope: KeyScope): Promise<Kept | null> {
  return openKept(scope, await claimKey(ctx.db, hashed(scope), ctx.now, later(ctx.now, -DAY)))
}

/** Returns the same without claiming the key, for work before the transaction. */
export const recallKey = async (db: Db, scope: KeyScope, now: Instant): Promise<Kept | null> =>
  openKept(scope, await keptUnder(db, hashed(scope), later(now, -DAY)))

function openKept(scope: KeyScope, there: { fingerprint: string; kept: Kept | null } | null): Kept | null {
  if (there === null) return null
  if (there.fingerprint !== hashed(scope).fingerprint) {
    refuse(conflict('idempotency_key_reused', 'This Idempotency-Key was used for a different request. Use a new key for a new request.'))
  }
  const { kept } = there
  return kept === null || kept.payload === null ? kept : { ...kept, payload: decrypted(sealKey(scope), kept.payload).toString('utf8') }
}

/** Stores a response for a repeated request. */
export const keepKey = (ctx: Ctx, scope: KeyScope, kept: Kept): Promise<void> =>
  keepAnswer(ctx.db, hashed(scope), {
    ...kept,
    payload: kept.payload === null ? null : encrypted(sealKey(scope), Buffer.from(kept.payload, 'utf8')),
  })

export { dropOldKeys } from './queries.ts'
