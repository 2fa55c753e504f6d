import { isOneOf, keysOf } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import type { Item } from '../../../base/outbox.ts'
import type { StepName } from './steps.ts'

const SIGNED: Partial<Record<StepName, Schemas['PermitSignature']['kind']>> = {
  endorse: 'stage1_approve',
  approve: 'stage2_approve',
  issue: 'issue',
  countersign: 'countersign',
  revalidate: 'revalidate',
  hand_back: 'hand_back',
  close_out: 'close_out',
}

type Shown = Pick<Schemas['Permit'], 'attachments' | 'signatures' | 'extensions'>

/** Returns whether a permit shows the effect of an item in the outbox. */
export function shows(permit: Shown, { file, step, body }: Pick<Item, 'file' | 'step' | 'body'>): boolean {
  if (file !== undefined) return permit.attachments.some(one => one.sha256 === file.sha256 && one.filename === file.name)
  if (step === 'request_extension') return permit.extensions.some(one => one.requested_end_at === body?.requested_end_at)
  const kind = isOneOf(keysOf(SIGNED), step) ? SIGNED[step] : undefined
  return (
    kind !== undefined &&
    permit.signatures.some(one => one.kind === kind && one.content_hash === body?.content_hash && one.voided_at === null)
  )
}
