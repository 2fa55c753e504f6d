// Warnings that refuse nothing (`permits-decisions.md` §2, Warnings). A permit shows them before the step, and the response to the step repeats them.
import { isOneOf } from '../../../../../shared/narrow.ts'
import { listed } from '../../../../../shared/text.ts'
import { spoken } from '../../../../../shared/time.ts'
import { outsideParent } from './extensions.ts'
import { type CheckAnswer, type Facts, nameOf, SPOKEN } from './facts.ts'
import { examinationsSaid } from './machines.ts'
import { servicesSaid } from './services.ts'
import { weatherSaid } from './weather.ts'

/** A warning in a response. */
export type Warning = { code: string; detail: string; ids: string[] }

const STEPS = [
  'submit',
  'endorse',
  'approve',
  'issue',
  'countersign',
  'hand_back',
  'close_out',
  'request_extension',
  'approve_extension',
] as const
type Step = (typeof STEPS)[number]
const isWarned = (step: string): step is Step => isOneOf(STEPS, step)

const warn = (code: string, detail: string, ids: string[] = []): Warning => ({ code, detail, ids })

/** Steps that declare the work front ready, so that unconfirmed pre-checks matter there. */
const BEFORE_LIVE: readonly Step[] = ['submit', 'endorse', 'approve', 'issue', 'countersign']
const WALK_DOWN: readonly Step[] = ['issue', 'countersign']

/** Returns whether an answer confirms nothing: "no", or "not applicable" without a reason (`permits-decisions.md` §3, `prechecks_confirmed`). */
export const isUnconfirmed = (check: CheckAnswer): boolean =>
  check.answer === 'no' || (check.answer === 'not_applicable' && (check.comment ?? '').trim() === '')

const labels = (checks: readonly CheckAnswer[]) =>
  listed(
    checks.map(check => check.label),
    5,
  )

/** Returns what speaks against a step without forbidding it; nothing for a step without advice. */
export function warningsAt(step: string, f: Facts): Warning[] {
  if (step === 'revalidate') return revalidationWarnings(f)
  if (!isWarned(step)) return []
  const arrivals = isOneOf(WALK_DOWN, step) ? arrivalWarnings(f) : []
  const stops = [...arrivals, ...alertWarnings(step, f).filter(one => !arrivals.some(({ ids }) => ids.includes(one.ids[0] ?? '')))]
  return [...stops, ...[...aboutContent(step, f), ...aboutTime(step, f), ...aboutPeople(step, f)].filter(w => w !== false)]
}

/** Returns warnings about what is missing on the permit itself. */
function aboutContent(step: Step, f: Facts): (Warning | false)[] {
  const { permit } = f
  const ends = step === 'hand_back' || step === 'close_out'
  const unanswered = permit.pre_checks.filter(check => check.answer === null && !check.carried_forward)
  const unconfirmed = permit.pre_checks.filter(check => !check.carried_forward && isUnconfirmed(check))
  const submit = step === 'submit'
  const services = servicesSaid(f.services_near ?? [])
  return [
    !ends && !permit.has_place && warn('no_place', 'No place is set for this permit.'),
    !ends &&
      f.expects_rams.length > 0 &&
      permit.rams_document_ids.length === 0 &&
      warn('rams_missing', `This permit lists no method statement, although these types need one: ${listed(f.expects_rams)}.`),
    BEFORE_LIVE.includes(step) && services !== null && warn('services_near', services.detail, services.ids),
    BEFORE_LIVE.includes(step) &&
      f.contractor_left != null &&
      warn('contractor_left', `${f.contractor_left} has left the site. Check which contractor does the work.`),
    submit && permit.receiver_id === null && warn('receiver_missing', 'No receiver is named, so no one can countersign.'),
    submit && !permit.description && warn('description_missing', 'The work isn’t described.'),
    submit && !permit.controls && warn('controls_missing', 'No controls are listed.'),
    BEFORE_LIVE.includes(step) &&
      unanswered.length > 0 &&
      warn(
        'prechecks_unanswered',
        `${unanswered.length === 1 ? 'This pre-check hasn’t' : 'These pre-checks haven’t'} been answered: ${labels(unanswered)}.`,
      ),
    BEFORE_LIVE.includes(step) &&
      unconfirmed.length > 0 &&
      warn(
        'prechecks_unconfirmed',
        `${unconfirmed.length === 1 ? 'This pre-check has' : 'These pre-checks have'} been answered “no”, or “not applicable” without a reason: ${labels(unconfirmed)}.`,
      ),
    !ends &&
      permit.pre_checks.some(check => check.carried_forward) &&
      warn('prechecks_carried_forward', 'Some pre-check answers were copied from an earlier permit and haven’t been confirmed.'),
  ]
}

/** Returns warnings about the time, and about the permits around it. */
function aboutTime(step: Step, f: Facts): (Warning | false)[] {
  const { permit, parent, now } = f
  const over = permit.end_at !== null && permit.end_at <= now
  const weather = weatherSaid(f.weather_ahead ?? [], f.timezone)
  // An extension is about the requested end: the one in the body, or that of the open request.
  const end_at = (step.endsWith('_extension') ? (f.input?.requested_end_at ?? f.open_extension) : null) ?? permit.end_at
  const examinations = examinationsSaid(f.machines ?? [], end_at, now, f.timezone)
  const ends = step === 'hand_back' || step === 'close_out'
  const blockers = (f.blockers ?? []).filter(({ started_at }) => permit.end_at === null || started_at < permit.end_at)
  return [
    !ends && examinations !== null && warn('examination_expired', examinations.detail, examinations.ids),
    BEFORE_LIVE.includes(step) &&
      blockers.length > 0 &&
      warn(
        'blockers_open',
        `Work that this permit covers, or at its place, is stopped or slowed. ${blockers.length === 1 ? 'This blocker is' : 'These blockers are'} open: ${listed(
          blockers.map(({ number, title }) => `${number} (${title})`),
          5,
        )}.`,
        blockers.map(({ id }) => id),
      ),
    BEFORE_LIVE.includes(step) && weather !== null && warn('weather_limit', weather),
    step === 'submit' && over && warn('window_past', 'The permit window has already ended.'),
    step === 'submit' &&
      parent !== null &&
      outsideParent(parent, permit.start_at, permit.end_at) &&
      warn('outside_parent_window', `The permit window isn’t inside the window of the parent permit ${nameOf(parent)}.`, [parent.id]),
    WALK_DOWN.includes(step) && over && warn('window_ended', 'The permit window has ended: the permit will expire as soon as it is live.'),
    WALK_DOWN.includes(step) &&
      parent !== null &&
      parent.status !== 'issued' &&
      warn('parent_not_live', `The parent permit ${nameOf(parent)} isn’t live: it is ${SPOKEN[parent.status]}.`, [parent.id]),
    step === 'close_out' &&
      permit.fire_watch_until !== null &&
      permit.fire_watch_until > now &&
      warn('fire_watch_running', `The fire watch runs until ${spoken(f.timezone, permit.fire_watch_until)}.`),
  ]
}

/** Returns warnings about people: one who signs on behalf of another, and missing reasons. */
function aboutPeople(step: Step, f: Facts): (Warning | false)[] {
  const { permit, me } = f
  const forReceiver = step === 'hand_back' && permit.status !== 'approved' && permit.receiver_id !== null && me.id !== permit.receiver_id
  const noteIsDue = step === 'hand_back' && (permit.status === 'approved' || forReceiver)
  return [
    step === 'approve' &&
      me.id !== null &&
      me.id === permit.requestor_id &&
      warn('approver_is_requestor', 'You’re approving a permit that you requested.'),
    step === 'issue' &&
      me.id !== null &&
      me.id === permit.receiver_id &&
      warn('issuer_is_receiver', 'You’re issuing a permit on which you are the receiver.'),
    step === 'countersign' &&
      f.issuer_uncovered.length > 0 &&
      warn('appointment_ended', `The issuer is no longer appointed to issue ${listed(f.issuer_uncovered)} permits.`),
    forReceiver &&
      warn(
        'handed_back_for_receiver',
        `You’re handing this permit back on behalf of ${f.receiver_name ?? 'its receiver'}, the named receiver. The signature will say so.`,
        permit.receiver_id === null ? [] : [permit.receiver_id],
      ),
    noteIsDue &&
      f.input !== null &&
      (f.input.note ?? '').trim() === '' &&
      warn(
        'reason_missing',
        forReceiver ? 'You haven’t said why the receiver isn’t signing.' : 'You haven’t given a reason for the hand-back.',
      ),
  ]
}

const stoppedHere = (detail: string, ids: string[]): Warning => warn('stopped_by_alert', detail, ids)

/** Returns the warnings of a revalidation: the stop is still active, or the receiver signs. */
function revalidationWarnings({ stopped = [], me, permit }: Facts): Warning[] {
  const active = stopped.filter(stop => !stop.lifted)
  return [
    ...active.map(({ reason, alert_id }) =>
      stoppedHere(`The area stop “${reason}” hasn’t been lifted. Only the work under this permit can go on.`, [alert_id]),
    ),
    ...(me.id !== null && me.id === permit.receiver_id
      ? [warn('issuer_is_receiver', 'You’re revalidating a permit on which you are the receiver.')]
      : []),
  ]
}

/** Returns the warning about an alert that stops work at the place of a permit that isn’t live yet, or whose window is to be extended (`site-and-people.md` §16). */
const alertWarnings = (step: Step, { stopped_by_alert: alert = null }: Facts): Warning[] =>
  alert === null || step === 'hand_back' || step === 'close_out'
    ? []
    : [stoppedHere(`“${alert.title}” stops work at the place of this permit. Look at the place before anyone works there.`, [alert.id])]

/** Returns the warnings of a step that ends the walk-down inside an area stop. */
const arrivalWarnings = ({ area_stops = [] }: Facts): Warning[] =>
  area_stops.map(({ id, title }) =>
    stoppedHere(`“${title}” covers the place of this permit. As soon as the permit is live, it is stopped until it is revalidated.`, [id]),
  )
