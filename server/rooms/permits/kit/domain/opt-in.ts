// Optional guards that a site can add to its own workflow (`permits-decisions.md` §3). Each refuses with its own name as `gate`.
import { listed } from '../../../../../shared/text.ts'
import { spoken } from '../../../../../shared/time.ts'
import { gate, type Verdict } from '../../../../base/errors.ts'
import { type Facts, nameOf, SPOKEN } from './facts.ts'
import { isUnconfirmed } from './warnings.ts'

type Rule = (facts: Facts) => Verdict

/** Returns which required documents are missing, and when they must be attached. */
export const documentsMissing = (labels: readonly string[], when: string): string =>
  labels.length === 1
    ? `This required document is missing: ${listed(labels)}. Attach it ${when}.`
    : `These required documents are missing: ${listed(labels)}. Attach them ${when}.`

/** Requires every mandatory pre-check to be answered "yes", or "not applicable" with a reason, and no answer to be only carried forward. */
const prechecks_confirmed: Rule = f => {
  const open = f.permit.pre_checks.filter(
    check => check.required && (check.answer === null || check.carried_forward || isUnconfirmed(check)),
  )
  const names = listed(open.map(check => check.label))
  return open.length === 0
    ? null
    : gate(
        'precheck_unconfirmed',
        open.length === 1
          ? `This pre-check hasn’t been confirmed: ${names}. Confirm it first (“not applicable” needs a reason).`
          : `These pre-checks haven’t been confirmed: ${names}. Confirm them first (“not applicable” needs a reason).`,
        { missing_labels: open.map(check => check.label) },
      )
}

const required_documents_present: Rule = f =>
  f.missing_labels.length === 0
    ? null
    : gate('required_documents_present', documentsMissing(f.missing_labels, 'first'), {
        missing_labels: f.missing_labels,
      })

const receiver_named: Rule = f =>
  f.permit.receiver_id === null
    ? gate(
        'receiver_named',
        'No receiver is named on this permit, and this site’s workflow requires one. The requestor must name a receiver first.',
      )
    : null

const place_known: Rule = f =>
  f.permit.has_place
    ? null
    : gate(
        'place_known',
        'This permit has no place on the map, and this site’s workflow requires one. The requestor must set the place first.',
      )

const parent_live: Rule = f =>
  f.parent === null || f.parent.status === 'issued'
    ? null
    : gate('parent_live', `The parent permit ${nameOf(f.parent)} is ${SPOKEN[f.parent.status]}. It must be live first.`, {
        permit_numbers: f.parent.permit_number === null ? [] : [f.parent.permit_number],
        ids: [f.parent.id],
      })

const fire_watch_over: Rule = f =>
  f.permit.fire_watch_until === null || f.permit.fire_watch_until <= f.now
    ? null
    : gate('fire_watch_over', `The fire watch runs until ${spoken(f.timezone, f.permit.fire_watch_until)}. Wait until it is over.`, {
        fire_watch_until: f.permit.fire_watch_until,
      })

const issuer_is_not_receiver: Rule = f => {
  const issuer = f.permit.issuer_id ?? f.me.id
  return issuer !== null && issuer === f.permit.receiver_id
    ? gate(
        'issuer_is_not_receiver',
        'On this site the issuer and the receiver must be different people. Ask another appointed issuer to sign this permit.',
      )
    : null
}

const approver_is_not_requestor: Rule = f =>
  f.me.id !== null && f.me.id === f.permit.requestor_id
    ? gate('approver_is_not_requestor', 'On this site you can’t approve a permit that you requested. Ask another approver to approve it.')
    : null

/** Guards whose facts exist, by name. */
export const optIn = {
  prechecks_confirmed,
  required_documents_present,
  receiver_named,
  place_known,
  parent_live,
  fire_watch_over,
  issuer_is_not_receiver,
  approver_is_not_requestor,
} satisfies Record<string, Rule>

/**
 * Guards of the specification whose facts no area of this installation provides yet. They aren't offered, and a graph with one is refused
 * (`unavailable_primitive`). Each moves to the list above with the area that provides its facts.
 */
export const WITHOUT_SOURCE = [
  'rams_accepted',
  'receiver_briefed',
  'crew_briefed',
  'no_open_serious_observation',
  'inspections_in_date',
] as const

/** These guards as rules, for graphs that were published earlier: they refuse nothing, and the advice of the step says that nothing was checked. */
export const withoutSource: Readonly<Record<string, Rule>> = Object.fromEntries(WITHOUT_SOURCE.map(name => [name, () => null]))
