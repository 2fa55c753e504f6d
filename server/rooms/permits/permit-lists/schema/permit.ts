import {
  anything,
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  optional,
  orNull,
  record,
  ref,
  shape,
  text,
} from '../../../../base/schema.ts'
import { Place } from '../../../../kernel/placed/schema.ts'
import { ACTIVITIES, SEVERITIES } from '../../../messages/alerts/domain.ts'
import { GATES, STATUSES } from '../../kit/domain/facts.ts'
import { ACTION_WORDS, STEPS } from '../../kit/domain/flags.ts'
import { Signature } from '../../permit-signatures/schema.ts'
import { code } from '../../permit-types/schema.ts'
import { conflictFields } from './conflicts.ts'
import { Advice, Attachment, CheckAnswer, Extension, LastDecision, StampedControls, Warning } from './parts.ts'

const number_ = orNull(text('Permit number, unique on the site; null before the first submission', { max: 100, example: 'PTW-000123' }))
export const status = oneOf(STATUSES, 'Status')

/** A permit's actions; a response says for each whether the caller can take it now, and if not, why. */
export const PERMIT_ACTIONS = ['edit', 'delete', 'attach', 'revalidate', ...STEPS, 'approve_extension', 'reject_extension'] as const

export const PermitPermissions = shape(
  'PermitPermissions',
  'Actions on the permit; for each, whether the caller can take it and, if not, why',
  {
    ...(flags(PERMIT_ACTIONS, ACTION_WORDS) as unknown as { properties: Record<string, ReturnType<typeof flag>> }).properties,
  },
)

const Named = object(
  { id: id('Contractor'), name: text('Name', { max: 500, example: 'Acme Scaffolding Ltd' }) },
  'Permit’s contractor; null for the main contractor',
)
const Parent = object({ id: id('Permit'), permit_number: number_, status }, 'Parent permit; null if there is none')

const core = {
  id: id('Permit'),
  site_id: id('Site'),
  permit_number: number_,
  status,
  source: oneOf(['requested', 'imported'], 'Source'),
  title: orNull(text('Title; null if there is none', { max: 200, example: 'Weld handrails, stair 3' })),
  categories: list(code('Permit type'), 'Codes of the permit’s types', { max: 20, unique: true }),
  contractor_id: orNull(id('Permit’s contractor; null for the main contractor')),
  contractor: orNull(Named),
  requestor_id: orNull(id('Requestor; null for an imported permit')),
  receiver_id: orNull(id('Receiver, the only person who can countersign; null if none is named')),
  issuer_id: orNull(id('Person who signed as issuer; null if no issuer’s signature counts')),
  parent_id: orNull(id('Parent permit; null if there is none')),
  location: orNull(text('Location in words; null if there is none', { max: 500, example: 'Block A, level 3, stair 3' })),
  place: orNull(ref(Place, 'Place on the map; null if none is set')),
  start_at: orNull(instant('Start of the work window, UTC; null if none is set')),
  end_at: orNull(instant('End of the work window, UTC; null if none is set')),
  single_stage: flag('Whether the permit goes through one review'),
  awaiting_countersign: flag('Whether the issuer has signed and the receiver hasn’t'),
  next_gate: orNull(oneOf(GATES, 'Next gate; null if no gate comes next')),
  soon: flag('Whether the permit is live and ends within the warning lead time'),
  handed_back_at: orNull(
    instant('Time when the issued or expired permit was handed back; null if it wasn’t, and after a failed walk-down'),
  ),
  set_id: orNull(id('Last import that contained the permit; null for a permit that was requested, or whose import was deleted')),
  submitted_at: orNull(instant('Time of the first submission; null until then')),
  approved_at: orNull(instant('Time of the approval; null until then, and again after a resubmission')),
  issued_at: orNull(instant('Time when the permit reached `issued`, by its last signature or by the import; null until then')),
  closed_at: orNull(instant('Time of the close-out; null until then')),
  last_decision: orNull(LastDecision),
  stopped_by_alert: orNull(
    object(
      {
        id: id('Alert'),
        title: text('Title', { max: 120, example: 'Crane off: gusts' }),
        severity: oneOf(SEVERITIES, 'Severity'),
        activities: list(oneOf(ACTIVITIES, 'Activity'), 'Activities that it stops', { max: ACTIVITIES.length }),
        start_at: instant('Start'),
      },
      'The alert that stops work at the permit’s place now; null if none does. The permit itself stays as it is',
    ),
  ),
  stopped: list(
    object({
      stop_id: id('Area stop'),
      alert_id: id('Alert of the stop'),
      reason: text('Reason of the stop', { max: 500, example: 'Smell of gas' }),
      stopped_at: instant('Time since which the permit is stopped'),
      lifted: flag('Whether the stop has been lifted; the permit stays stopped until it is revalidated'),
    }),
    'Area stops for which the live permit hasn’t been revalidated, oldest first; an empty list if work can go on. The status stays as it is',
    { max: 1000 },
  ),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
  version: integer('Version'),
}

/** A permit on the board and the map. */
export const PermitCard = shape('PermitCard', 'A permit as a card', { ...core, permissions: ref(PermitPermissions) })

/** A permit with everything about it. */
export const Permit = shape('Permit', 'A permit in full', {
  ...core,
  parent: orNull(Parent),
  description: orNull(text('Work description; null if there is none')),
  controls: orNull(text('Controls; null if there are none')),
  hazards: list(text('Hazard', { max: 200, example: 'sparks' }), 'Hazards', { max: 100 }),
  ppe: list(text('Item', { max: 200, example: 'welding mask' }), 'Protective equipment', { max: 100 }),
  limitations: orNull(text('Limits of the work; null if there are none')),
  pre_checks: list(CheckAnswer, 'Pre-checks of all the permit’s types', { max: 300 }),
  expected_attachments: list(
    object({
      key: text('Key', { max: 60, example: 'rams' }),
      label: text('Label', { max: 200, example: 'RAMS' }),
      required: flag('Whether a type of the permit requires the document before submission'),
      filled: flag('Whether a file is attached for the document'),
    }),
    'Required documents of all the permit’s types',
    { max: 200 },
  ),
  requires_parent: flag('Whether the permit needs a parent permit'),
  is_extendable: flag('Whether all the permit’s types can be extended'),
  extension_latest_at: orNull(instant('Latest end that an extension can request now; null if the permit isn’t live')),
  advice: record(Advice, 'Advice by step, for each step that the caller can take now'),
  rams_document_ids: list(id('Method statement'), 'Method statements named on the permit', { max: 50 }),
  rams: list(anything('Pinned revision'), 'Revisions of the method statements when the permit was last submitted', { max: 50 }),
  stage1_controls: orNull(StampedControls),
  stage2_controls: orNull(StampedControls),
  approval_note: orNull(text('Approval note; null if there is none')),
  reissued_from_id: orNull(id('Permit that this one was reissued from; null if it wasn’t reissued')),
  workflow_definition_id: id('Workflow of the permit'),
  workflow_version: integer('Workflow version, fixed from the first submission', { min: 1 }),
  endorsed_at: orNull(instant('Time of the endorsement; null until then, and again after a resubmission')),
  issue_signed_at: orNull(instant('Time of the issuer’s signature; null if no issuer’s signature counts')),
  expired_at: orNull(instant('Time when the permit expired; null if it hasn’t')),
  handed_back_complete: orNull(flag('Whether the work was complete at the hand-back; null if `handed_back_at` is null')),
  fire_watch_until: orNull(instant('End of the fire watch; null if there is none')),
  expiring_warned_at: orNull(instant('Time of the expiry warning; null until then, and again after an extension')),
  content_hash: text(
    'SHA-256 of the content that a signature would cover now; send it with a signature so that the signed content is the one shown',
    { max: 64 },
  ),
  document: orNull(
    object(
      { sha256: text('SHA-256', { max: 64 }), made_at: instant('Creation time'), url: text('Download URL', { max: 300 }) },
      'The newest snapshot of the document; null if there is none',
    ),
  ),
  ...conflictFields,
  attachments: list(ref(Attachment), 'Files', { max: 1000 }),
  signatures: list(ref(Signature), 'Signature chain, with voided signatures', { max: 1000 }),
  extensions: list(ref(Extension), 'Extension requests, oldest first', { max: 1000 }),
  children: list(
    object({
      id: id('Permit'),
      permit_number: number_,
      status,
      awaiting_countersign: flag('Whether the issuer has signed and the receiver hasn’t'),
      start_at: orNull(instant('Start of the child’s work window, UTC; null if none is set')),
      end_at: orNull(instant('End of the child’s work window, UTC; null if none is set')),
      handed_back_at: orNull(
        instant('Time when the issued or expired child was handed back; null if it wasn’t, and after a failed walk-down'),
      ),
    }),
    'Open child permits that the caller can see',
    { max: 1000 },
  ),
  permissions: ref(PermitPermissions),
})

/** A permit as the response to a step shows it. */
export const SteppedPermit = shape('SteppedPermit', 'A permit after a step, with advice', {
  ...Permit.properties,
  warnings: optional(list(Warning, 'Advice that doesn’t prevent a step', { max: 100 })),
})

/** A permit as a phone stores it in the wallet. */
export const WalletPermit = shape('WalletPermit', 'A permit in the wallet', {
  ...Permit.properties,
  awaiting_my_action: flag('Whether the caller must act'),
  declare_blocker_available: flag('Whether the caller can declare a blocker on the permit now'),
  qr_payload: orNull(
    text('QR code content: the URL of the verify page with the signed statement; null for an imported permit', { max: 2000 }),
  ),
})

/** A stop on the close-out round. */
export const CloseOutStop = shape('CloseOutStop', 'A stop on the close-out round', {
  building_id: orNull(id('Building; null for permits without a building')),
  level_index: orNull(integer('Level; null for permits without a level', { min: -50, max: 300 })),
  permits: list(
    object({
      ...PermitCard.properties,
      releases: list(
        object({ id: id('Permit'), permit_number: number_ }),
        'Approved permits that this overdue close-out keeps from being issued',
        {
          max: 1000,
        },
      ),
    }),
    'Permits to close out at this stop',
    { max: 5000 },
  ),
})

const count = (description: string) => orNull(integer(`${description}; null if there are more than 1,000`, { min: 0, max: 1000 }))

/** The numbers of a site. */
export const PermitCounts = shape('PermitCounts', 'Numbers of permits that the caller can see', {
  live: count('Live permits inside their window that aren’t handed back'),
  soon: count('Live permits that end within the warning lead time'),
  awaiting_countersign: count('Permits waiting for the receiver’s countersignature'),
  in_review: count('Permits waiting for endorsement or approval'),
  expired: count('Expired permits that aren’t handed back'),
  handed_back: count('Permits that were handed back and aren’t closed out'),
  stopped: count('Live permits that an area stop has stopped and that haven’t been revalidated'),
  under_way: count('Permits that aren’t closed out, rejected or withdrawn'),
  changed: optional(count('Permits that have changed since `updated_since`; absent without it')),
})
