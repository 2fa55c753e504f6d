// Advice that refuses nothing (`permits-decisions.md` §2, Warnings).
import { listed } from '../../../../shared/text.ts'
import { type Facts, nameOf } from './facts.ts'

/** A warning of an answer. */
export type Warning = { code: string; detail: string; ids: string[] }

type Step = 'submit' | 'endorse' | 'approve' | 'issue' | 'countersign' | 'request_extension' | 'approve_extension'

const warn = (code: string, detail: string, ids: string[] = []): Warning => ({ code, detail, ids })

/** What stands against a permit at a step, without forbidding it. */
export function warningsAt(step: Step, f: Facts): Warning[] {
  const { permit } = f
  const found: (Warning | false)[] = [
    !permit.has_place && warn('no_place', 'No place is named, so conflicts with other permits cannot be checked.'),
    f.expects_rams.length > 0 &&
      permit.rams_document_ids.length === 0 &&
      warn('rams_missing', `${listed(f.expects_rams)} expects a method statement; none is named.`),
    step === 'submit' && permit.receiver_id === null && warn('receiver_missing', 'No receiver is named: nobody can countersign.'),
    step === 'submit' && !permit.description && warn('description_missing', 'The work is not described.'),
    step === 'submit' && !permit.controls && warn('controls_missing', 'No controls are written.'),
    step === 'submit' && permit.end_at !== null && permit.end_at <= f.now && warn('window_past', 'The window is over already.'),
    ['submit', 'endorse', 'approve', 'issue'].includes(step) &&
      permit.pre_checks.some(c => c.answer === null && !c.carried_forward) &&
      warn(
        'prechecks_unanswered',
        `Not answered: ${listed(
          permit.pre_checks.filter(c => c.answer === null && !c.carried_forward).map(c => c.label),
          5,
        )}.`,
      ),
    permit.pre_checks.some(c => c.carried_forward) &&
      warn('prechecks_carried_forward', 'Answers to checks were copied from the permit before and not confirmed.'),
    step === 'submit' &&
      outsideParent(f) &&
      f.parent !== null &&
      warn('outside_parent_window', `The window does not lie inside that of its parent ${nameOf(f.parent)}.`, [f.parent.id]),
    step === 'approve' &&
      f.me.id !== null &&
      f.me.id === permit.requestor_id &&
      warn('approver_is_requestor', 'You approve what you asked for yourself.'),
    step === 'issue' &&
      permit.end_at !== null &&
      permit.end_at <= f.now &&
      warn('window_ended', 'The window has ended: it will expire at once.'),
    step === 'issue' &&
      f.me.id !== null &&
      f.me.id === permit.receiver_id &&
      warn('issuer_is_receiver', 'You issue a permit of which you are the receiver.'),
  ]
  return found.filter(w => w !== false)
}

function outsideParent(f: Facts): boolean {
  const { parent, permit } = f
  if (parent === null || permit.start_at === null || permit.end_at === null) return false
  return (parent.start_at !== null && permit.start_at < parent.start_at) || (parent.end_at !== null && permit.end_at > parent.end_at)
}
