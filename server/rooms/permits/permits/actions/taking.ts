// A step that is being taken on a permit: what came with it, and what its effects have collected so far.
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Judged } from '../../kit/actions/facts.ts'
import type { OnBehalfOf, SignatureKind } from '../../kit/domain/content.ts'
import type { Input, Status } from '../../kit/domain/facts.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import type { Signing } from '../../permit-signatures/door.ts'
import type { PermitSet } from '../queries/permits.ts'

/** Steps that `act` takes. */
export type Action =
  | 'submit'
  | 'withdraw'
  | 'endorse'
  | 'approve'
  | 'reject'
  | 'request_corrections'
  | 'hand_back'
  | 'issue'
  | 'countersign'
  | 'close_out'
  | 'expire'
  | 'request_extension'
  | 'approve_extension'
  | 'reject_extension'

/** What comes with a step in addition to what the rules check. */
export type Given = Input & {
  stage1_controls?: string | null | undefined
  stage2_controls?: string | null | undefined
  presence?: unknown
  work_complete?: boolean | undefined
  content_hash?: string | null | undefined
  bulk?: boolean
  /** The extension request that is decided on or made. */
  extension_id?: Id
  requested_by_id?: Id
}

/** A step while it is being taken: what its effects add up to. */
export type Taking = {
  ctx: Ctx
  permit: PermitRow
  judged: Judged
  action: Action
  to: Status
  given: Given
  set: PermitSet
  sign: SignatureKind | null
  signing: Signing
  on_behalf_of: OnBehalfOf | null
  more: (() => Promise<unknown>)[]
  events: string[]
  payload: Record<string, unknown>
  /** What the person wrote, as the audit log and `last_decision` have it. */
  reason: string | null
  /** Whether the next gate's task is updated even though the state stays. */
  gates: boolean
}

/** Returns a step before any of its effects. */
export const taking = (of: Pick<Taking, 'ctx' | 'permit' | 'judged' | 'action' | 'to' | 'given'>): Taking => ({
  ...of,
  set: {},
  sign: null,
  signing: {
    note: of.given.note ?? null,
    presence: of.given.presence ?? null,
    seen_hash: of.given.content_hash ?? null,
  },
  on_behalf_of: null,
  more: [],
  events: [],
  payload: {},
  reason: of.given.reason ?? of.given.note ?? null,
  gates: false,
})
