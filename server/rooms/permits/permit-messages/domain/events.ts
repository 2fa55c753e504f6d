// The events of permits (`messages.md` §0.3): one payload that all of them have, and what each event adds.
import { isClause } from '../../../../../shared/conflicts/pair-words.ts'
import { type EventField, type EventKind, field } from '../../../../kernel/events/domain.ts'
import { GATES, type Gate, type Status } from '../../kit/domain/facts.ts'

/** What a permit waits for before its next step. */
const WAITING: Record<Gate, string> = {
  endorse: 'waiting to be endorsed',
  approve: 'waiting to be approved',
  issue: 'waiting to be issued',
  close_out: 'waiting to be closed out',
}

/** What a permit is in a status. */
const IN_STATUS: Record<Status, string> = {
  draft: 'a draft',
  requested: 'requested',
  endorsed: 'endorsed',
  approved: 'approved',
  issued: 'live',
  expired: 'expired',
  closed: 'closed out',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  corrections_requested: 'returned for corrections',
}

const SOURCES: Record<string, string> = { requested: 'requested on the site', imported: 'imported from a register' }

/** A field of which conditions are said of the permit: “the permit is waiting to be issued”. */
const ofPermit = (says: string, words: Readonly<Record<string, string>>, verbs?: readonly [string, string]): EventField => ({
  ...field.text(says, Object.keys(words)),
  clause: isClause('the permit', value => words[value] ?? value, verbs),
})

const BASE: Record<string, string | EventField> = {
  permit_id: 'Permit',
  permit_number: 'Number',
  title: 'Title',
  source: ofPermit('Source: requested on the site, or imported', SOURCES, ['was', 'wasn’t']),
  status: ofPermit('Status', IN_STATUS),
  from_status: ofPermit('Previous status', IN_STATUS, ['was', 'wasn’t']),
  categories: field.texts('Types'),
  single_stage: field.flag('The permit goes through one review', 'The permit goes through two reviews'),
  contractor_id: 'Contractor',
  parent_id: 'Parent permit',
  requestor_id: 'Requestor',
  receiver_id: 'Receiver',
  issuer_id: 'Issuer',
  nominee_user_id: 'Nominee at the time of the event',
  deputy_nominee_user_id: 'Deputy nominee at the time of the event',
  start_at: 'Start of the work window, UTC',
  end_at: 'End of the work window, UTC',
  workflow_definition_id: 'Workflow of the permit',
  workflow_version: field.number('Workflow version'),
  next_gate: ofPermit('Next step', WAITING),
  awaiting_countersign: field.flag('The permit is waiting for a countersignature', 'The permit isn’t waiting for a countersignature'),
}

const SAMPLE = {
  permit_number: 'PTW-000123',
  title: 'Weld handrails',
  source: 'requested',
  status: 'requested',
  from_status: 'draft',
  categories: ['HW'],
  start_at: '2026-03-16T10:00:00.000Z',
  end_at: '2026-03-16T18:00:00.000Z',
  requested_end_at: '2026-03-16T20:00:00.000Z',
  minutes_left: 60,
}

const IDENTITIES = {
  requestor: 'requestor_id',
  receiver: 'receiver_id',
  issuer: 'issuer_id',
  nominee: 'nominee_user_id',
  deputy_nominee: 'deputy_nominee_user_id',
}

const happened = (
  more: Record<string, string | EventField>,
  said: Record<string, string>,
  beside: { private?: boolean; identities?: Record<string, string>; sometimes?: readonly string[] } = {},
): EventKind[] =>
  Object.entries(said).map(([verb, says]) => ({
    kind: `permit.${verb}`,
    says,
    payload: { ...BASE, ...more },
    contractors: { own: 'contractor_id' },
    sample: SAMPLE,
    selects: { subject: 'permit' },
    ...beside,
    identities: { ...IDENTITIES, ...beside.identities },
  }))

const BY_GATE = field.text('Step that returned the permit', ['endorse', 'approve', 'hand_back'])
const asker = { identities: { asker: 'requested_by_id' } }

/** Every event of permits. */
export const permitEvents: readonly EventKind[] = [
  ...happened(
    { fields: field.texts('Changed fields') },
    { created: 'A draft was created', edited: 'A draft was changed' },
    { private: true },
  ),
  ...happened(
    { fields: field.texts('Changed fields'), entity_ids: 'Workers, plant or deliveries that it covered' },
    { deleted: 'A draft was deleted' },
    { private: true },
  ),
  ...happened(
    { resubmission: field.flag('The permit was resubmitted after corrections', 'The permit was submitted for the first time') },
    { submitted: 'A permit was submitted' },
  ),
  ...happened(
    { signature_id: 'Signature', controls_added: field.flag('Controls were added', 'No controls were added') },
    { endorsed: 'A permit was endorsed' },
  ),
  ...happened(
    {
      signature_id: 'Signature',
      red_conflicts: field.number('Number of red conflicts'),
      amber_conflicts: field.number('Number of amber conflicts'),
      controls_added: field.flag('Controls were added', 'No controls were added'),
    },
    { approved: 'A permit was approved' },
  ),
  ...happened({ by_gate: BY_GATE, note: 'Note' }, { corrections_requested: 'A permit was returned for corrections' }),
  ...happened(
    { by_gate: field.text('Step at which the permit was rejected', GATES), reason: 'Reason' },
    { rejected: 'A permit was rejected' },
  ),
  ...happened({}, { withdrawn: 'A permit was withdrawn' }),
  ...happened(
    { signature_id: 'Signature', window_ended: field.flag('The window had ended', 'The window hadn’t ended') },
    { issue_signed: 'A permit was signed by its issuer' },
  ),
  ...happened(
    { by: field.text('Step that made the permit live', ['countersign', 'issue']), signature_id: 'Signature' },
    { issued: 'A permit was issued, with all its signatures' },
    { sometimes: ['signature_id'] },
  ),
  ...happened(
    {
      work_complete: field.flag('The work is complete', 'The work isn’t complete'),
      by_receiver: field.flag('The receiver signed', 'Someone else signed'),
      note: 'Note',
    },
    { handed_back: 'A live or expired permit was handed back' },
  ),
  ...happened(
    {
      extension_request_id: 'Request',
      requested_by_id: 'Person who requested the extension',
      requested_end_at: 'Requested end',
      reason: 'Reason',
    },
    { extension_requested: 'An extension was requested' },
    asker,
  ),
  ...happened(
    {
      extension_request_id: 'Request',
      requested_by_id: 'Person who requested the extension',
      new_end_at: 'End of the window after the decision',
      reason: 'Reason',
      signature_id: 'Signature',
    },
    { extension_approved: 'An extension was approved', extension_rejected: 'An extension was rejected' },
    { ...asker, sometimes: ['signature_id'] },
  ),
  ...happened(
    {
      extension_request_id: 'Request',
      requested_by_id: 'Person who requested the extension',
      requested_end_at: 'Requested end',
      lapse_reason: 'Reason why the request lapsed',
    },
    { extension_lapsed: 'An extension request lapsed, because its permit is no longer live or a register changed its window' },
    asker,
  ),
  ...happened(
    {
      lead_hours: field.number('Warning lead time of the site, hours'),
      minutes_left: 'Minutes left until the end of the permit window',
    },
    { expiring_soon: 'A permit is about to end' },
  ),
  ...happened(
    {
      handed_back: field.flag('The permit was handed back', 'The permit wasn’t handed back'),
      fire_watch_until: 'End of the fire watch',
      backdated: field.flag('The permit was imported after its window had ended', 'The permit wasn’t imported after its window had ended'),
    },
    { expired: 'A permit has expired and isn’t closed out' },
  ),
  ...happened(
    {
      signature_id: 'Signature',
      bulk: field.flag('The permit was closed out together with others', 'The permit was closed out on its own'),
    },
    { closed: 'A permit was closed out' },
  ),
  ...happened(
    {
      red: field.number('Number of other permits with a red conflict'),
      amber: field.number('Number of other permits with an amber conflict'),
      red_before: field.number('Number of red conflicts before'),
      amber_before: field.number('Number of amber conflicts before'),
      red_rose: field.flag('There are more red conflicts than before', 'There aren’t more red conflicts than before'),
    },
    { conflicts_changed: 'A permit conflicts with more or fewer permits than before' },
  ),
  ...happened({ stop_id: 'Area stop', reason: 'Reason' }, { stopped: 'An area stop has stopped the work under a live permit' }),
  ...happened(
    { stop_id: 'Area stop', reason: 'Note', signature_id: 'Signature' },
    { revalidated: 'A permit was revalidated after an area stop, so its work can go on' },
  ),
  ...happened(
    {
      entity_type: field.text('Kind of work', ['worker', 'plant', 'delivery']),
      entity_ids: 'Workers, plant or deliveries',
      after_issue: field.flag('The permit is already issued', 'The permit isn’t issued yet'),
    },
    { linked: 'Work on the map was linked to a permit', unlinked: 'Work on the map was unlinked from a permit' },
  ),
  ...happened({ new_permit_id: 'The new draft' }, { reissued: 'A permit was reissued as a new draft' }),
  // Its subject is the work, which may have no permit at all, so it has none of what the others have.
  {
    kind: 'permit.activation_gap',
    says: 'No live permit covers work on the map that starts soon or has begun',
    payload: {
      entity_kind: field.text('Kind of work', ['worker', 'plant', 'delivery']),
      entity_id: 'Worker, machine or delivery',
      entity_label: 'Its name',
      entity_contractor_id: 'Its contractor',
      entity_start_at: 'Start of the work, UTC',
      state: {
        ...field.text('Whether the work has begun', ['approaching', 'open']),
        clause: isClause('the work', state => (state === 'open' ? 'under way' : 'about to begin')),
      },
      linked_permits: { says: 'Permits that are linked to it', type: 'ids' },
    },
    contractors: { entity: 'entity_contractor_id' },
    selects: { subject: 'entity' },
    sample: { entity_label: 'Welders', state: 'approaching' },
  },
]
