import { flag, id, instant, integer, list, object, oneOf, optional, orNull, ref, type Static, shape, text } from '../../../base/schema.ts'
import { GivenPlace } from '../../reference-features/schema.ts'
import { CHECKLIST } from '../domain/facts.ts'
import { code, Presence, SteppedPermit, status } from './permit.ts'

const onSite = { site_id: optional(id('Site; only checked to match')) }

const Answer = object({
  code: text('Code of the check', { max: 60 }),
  answer: optional(orNull(oneOf(['yes', 'no', 'not_applicable'], 'Answer; null takes it back'))),
  comment: optional(orNull(text('Comment', { max: 2000 }))),
})

const editable = {
  categories: optional(list(code('Permit type'), 'Codes of its types', { max: 20, unique: true })),
  contractor_id: optional(orNull(id('Firm; left out by somebody of a firm: that firm'))),
  receiver_id: optional(orNull(id('The named receiver'))),
  parent_id: optional(orNull(id('Permit above it'))),
  title: optional(orNull(text('Title', { max: 200, example: 'Weld handrails, stair 3' }))),
  description: optional(orNull(text('The work'))),
  controls: optional(orNull(text('Controls'))),
  location: optional(orNull(text('Where, in words', { max: 500 }))),
  place: optional(orNull(ref(GivenPlace))),
  start_at: optional(orNull(instant('Begin of the window'))),
  end_at: optional(orNull(instant('End; left out: begin plus the shortest default duration of its types'))),
  hazards: optional(list(text('Hazard', { max: 200 }), 'Hazards', { max: 100 })),
  ppe: optional(list(text('Item', { max: 200 }), 'Protective equipment', { max: 100 })),
  limitations: optional(orNull(text('Limits of the work'))),
  pre_checks: optional(list(Answer, 'Answers to checks', { max: 300 })),
  rams_document_ids: optional(list(id('Method statement'), 'Method statements', { max: 50, unique: true })),
}

export const NewPermit = shape('NewPermit', 'A draft; it may be incomplete, submit says what is missing', {
  site_id: id('Site'),
  ...editable,
})
export const PermitChange = shape('PermitChange', 'Changes of a draft', { ...onSite, ...editable })
export const FamilyMember = object(editable, 'A draft of a family')
export const NewFamily = shape('NewFamily', 'A parent and its children, all drafts, or none of them', {
  site_id: id('Site'),
  parent: optional(FamilyMember),
  parent_id: optional(id('Or a permit that is there already')),
  children: list(FamilyMember, 'Children', { min: 1, max: 50 }),
})
export const Family = shape('PermitFamily', 'A parent and its children', {
  parent: ref(SteppedPermit),
  children: list(ref(SteppedPermit), 'Children, each with its warnings', { max: 50 }),
})

const note = optional(orNull(text('Note')))
const seen = {
  content_hash: optional(orNull(text('content_hash that was on the screen: what is signed must be what was shown', { max: 64 }))),
}

export const Submission = shape('SubmitPermit', 'Submit', { ...onSite })
export const Withdrawal = shape('WithdrawPermit', 'Withdraw', { ...onSite, reason: optional(orNull(text('Why'))) })
export const Endorsement = shape('EndorsePermit', 'Endorse', {
  ...onSite,
  stage1_controls: optional(orNull(text('Controls added at endorsement'))),
  note,
  ...seen,
})
export const Approval = shape('ApprovePermit', 'Approve', {
  ...onSite,
  stage2_controls: optional(orNull(text('Controls added at approval'))),
  note,
  red_conflict_reason: optional(orNull(text('Why it may go ahead despite red conflicts: it is the acknowledgement'))),
  acknowledge_red_conflicts: optional(flag('An explicit false refuses')),
  ...seen,
})
export const Rejection = shape('RejectPermit', 'Reject', {
  ...onSite,
  reason: text('Why', { min: 1, example: 'The method does not suit the structure' }),
})
export const Corrections = shape('RequestCorrections', 'Send back for corrections', {
  ...onSite,
  note: text('What to put right', { min: 1, example: 'Name the fire watch' }),
})
export const HandBack = shape('HandBackPermit', 'Hand back', {
  ...onSite,
  note: optional(orNull(text('Why; required from approved, where the walk-down failed'))),
  work_complete: optional(flag('Whether the work is complete; default true', { example: true })),
  fire_watch_minutes: optional(integer('From now on the fire is watched for so many minutes', { min: 0, max: 1440, example: 60 })),
  ...seen,
})
export const FieldSignature = shape('SignPermit', 'Sign at the work front', {
  ...onSite,
  note,
  presence: optional(orNull(Presence)),
  ...seen,
})

export const Checklist = object(
  Object.fromEntries(CHECKLIST.map(item => [item, optional(flag(item.replaceAll('_', ' '), { example: true }))])) as {
    [K in (typeof CHECKLIST)[number]]: ReturnType<typeof optional<ReturnType<typeof flag>>>
  },
  'The three items, all to be confirmed',
)
export const CloseOut = shape('CloseOutPermit', 'Close out', { ...onSite, checklist: optional(Checklist), note, ...seen })
export const BulkCloseOut = shape('BulkCloseOut', 'Close out several', {
  site_id: id('Site'),
  permit_ids: list(id('Permit'), 'Permits; children are closed before parents', { min: 1, max: 500, unique: true }),
  checklist: optional(Checklist),
  note,
})
export const BulkClosed = shape('BulkClosed', 'What was closed, and what was not, with why', {
  closed: list(object({ permit_id: id('Permit'), permit_number: orNull(text('Number', { max: 100 })) }), 'Closed', { max: 500 }),
  refused: list(
    object({
      permit_id: id('Permit'),
      permit_number: orNull(text('Number', { max: 100 })),
      code: text('Gate, guard or code', { max: 60, example: 'open_children' }),
      detail: text('In words', { max: 4000 }),
    }),
    'Not closed',
    { max: 500 },
  ),
})

const window = {
  from: optional(instant('Window ends after this')),
  to: optional(instant('Window begins before this')),
}

export const PermitFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Permit'), 'Only these', { max: 1000 })),
  status: optional(list(status, 'Statuses', { max: 10 })),
  category: optional(list(code('Permit type'), 'Holds one of these types', { max: 20 })),
  contractor_id: optional(list(id('Firm'), 'Of these firms', { max: 200 })),
  parent_id: optional(list(id('Permit'), 'Under these', { max: 200 })),
  source: optional(oneOf(['requested', 'imported'], 'How it came here')),
  set_id: optional(list(id('Set'), 'Imported with these', { max: 200 })),
  requestor_id: optional(list(id('Person'), 'Written by these', { max: 200 })),
  receiver_id: optional(list(id('Person'), 'Received by these', { max: 200 })),
  building_id: optional(list(id('Building'), 'In these buildings', { max: 200 })),
  level_index: optional(list(integer('Level', { min: -50, max: 300 }), 'On these levels', { max: 100 })),
  zone_id: optional(list(id('Zone'), 'In these zones', { max: 200 })),
  bbox: optional(text('minlon,minlat,maxlon,maxlat', { max: 100, example: '-0.1,51.4,0.1,51.6' })),
  ...window,
  soon: optional(flag('Ends within the warning lead, or not')),
  awaiting_countersign: optional(flag('Waits for the receiver, or not')),
  handed_back: optional(flag('Handed back and not closed, or not')),
  q: optional(text('Text in number, title, description or location', { max: 200, example: 'stair 3' })),
  updated_since: optional(instant('Changed at or after this')),
  limit: optional(integer('Rows of a page; without it the whole list, up to 5,000', { min: 1, max: 1000, example: 50 })),
  cursor: optional(text('Where the next page begins', { max: 500 })),
})

/** As the other lists of permits, and shorter where nobody reads reasons. */
export const CardFilter = object({
  ...PermitFilter.properties,
  reasons: optional(
    flag('false: `permissions` say what is allowed, and `because` stays empty: a third of the answer less to read for a board'),
  ),
})

export const SiteQuery = object({ site_id: id('Site') })
export const MatchQuery = object({ site_id: optional(id('Site; only checked to match')) })
export const WalletQuery = object({ site_id: optional(id('Site; without it all sites of the caller')) })
export const RoundQuery = object({ site_id: id('Site') })
export const AttachmentFields = shape('NewAttachment', 'A file for a permit', {
  ...onSite,
  slot: optional(orNull(text('Key or label of the slot that it fills', { max: 200, example: 'RAMS' }))),
})
export const DownloadQuery = object({
  ...onSite,
  variant: optional(oneOf(['original', 'preview', 'thumb'], 'Size of a picture; default original')),
})

export type NewPermit = Static<typeof NewPermit>
export type PermitChange = Static<typeof PermitChange>
export type PermitFilter = Static<typeof PermitFilter>
export type CardFilter = Static<typeof CardFilter>
export type FamilyMember = Static<typeof FamilyMember>
