import type { Schemas } from '../../../base/api.ts'
import type { Permit } from './steps.ts'

/** The part of a signature that says on whose behalf it was signed. */
export type Signed = Pick<Permit['signatures'][number], 'kind' | 'signed_at' | 'on_behalf_of'>

/**
 * Returns the name of the absent receiver on whose behalf a permit was handed back at this time; undefined if the receiver signed it. The step and its signature
 * have the same time, so this is also known for a hand-back that was signed before the history showed the receiver.
 */
export const absentReceiver = (signatures: readonly Signed[], at: string): string | undefined =>
  signatures.find(one => one.kind === 'hand_back' && one.signed_at === at)?.on_behalf_of?.name

/** Returns the name of the absent receiver on whose behalf an entry of the history handed the permit back. */
export const handedBackFor = (entry: Pick<Schemas['AuditEntry'], 'cause' | 'at'>, signatures: readonly Signed[]): string | undefined =>
  entry.cause.split('.').at(-1) === 'hand_back' ? absentReceiver(signatures, entry.at) : undefined
