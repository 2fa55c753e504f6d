// What the engine does on each step of a permit, by name and in this order. One table for all graphs: a site chooses who can take a step and what must be
// true first, but never whether the step is signed, numbered or notified. The service performs exactly this list; the workflow editor shows it.

/** The name of everything that a step can do. */
export const EFFECTS = [
  'mint_number',
  'pin_types',
  'void_review_signatures',
  'void_issue_signature',
  'sign_stage1',
  'sign_stage2',
  'sign_issue',
  'sign_countersign',
  'sign_hand_back',
  'sign_close_out',
  'sign_extension',
  'move_end',
  'rearm_warning',
  'close_out_due_now',
  'tell',
  'ask_next_gate',
] as const
export type EffectName = (typeof EFFECTS)[number]

const BY_ACTION: Readonly<Record<string, readonly EffectName[]>> = {
  submit: ['mint_number', 'pin_types', 'void_review_signatures', 'tell', 'ask_next_gate'],
  endorse: ['sign_stage1', 'tell', 'ask_next_gate'],
  approve: ['sign_stage2', 'tell', 'ask_next_gate'],
  request_corrections: ['tell', 'ask_next_gate'],
  reject: ['tell', 'ask_next_gate'],
  withdraw: ['tell', 'ask_next_gate'],
  issue: ['sign_issue', 'tell', 'ask_next_gate'],
  countersign: ['sign_countersign', 'tell', 'ask_next_gate'],
  expire: ['tell', 'ask_next_gate'],
  close_out: ['sign_close_out', 'tell', 'ask_next_gate'],
  request_extension: ['tell', 'ask_next_gate'],
  approve_extension: ['sign_extension', 'move_end', 'rearm_warning', 'tell', 'ask_next_gate'],
  reject_extension: ['tell', 'ask_next_gate'],
}

/** Returns the effects of a step. A hand-back at the walk-down voids the issuer's signature; a hand-back of a live or expired permit is itself signed. */
export function effectsOf(step: { action: string; from: string }): readonly EffectName[] {
  if (step.action !== 'hand_back') return BY_ACTION[step.action] ?? []
  return step.from === 'approved'
    ? ['void_issue_signature', 'tell', 'ask_next_gate']
    : ['sign_hand_back', 'close_out_due_now', 'tell', 'ask_next_gate']
}
