import {
  flag,
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
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'
import { GivenPlace } from '../../../kernel/placed/schema.ts'
import { CHECKLIST, CHECKLIST_WORDS } from '../kit/domain/facts.ts'
import { acknowledgement, fieldSigned, note, onSite, seen } from '../kit/schema.ts'
import { SteppedPermit } from '../permit-lists/schema/permit.ts'
import { code } from '../permit-types/schema.ts'

const Answer = object({
  code: text('Pre-check code', { max: 60 }),
  answer: optional(orNull(oneOf(['yes', 'no', 'not_applicable'], 'Answer; null clears it'))),
  comment: optional(orNull(text('Comment; null for none', { max: 2000 }))),
})

const editable = {
  categories: optional(list(code('Permit type'), 'Codes of the permit’s types', { max: 20, unique: true })),
  contractor_id: optional(orNull(id('Contractor; null for the main contractor; default: the caller’s own, if any'))),
  receiver_id: optional(orNull(id('Receiver; null for none'))),
  parent_id: optional(orNull(id('Parent permit; null for none'))),
  title: optional(orNull(text('Title; null for none', { max: 200, example: 'Weld handrails, stair 3' }))),
  description: optional(orNull(text('Work description; null for none'))),
  controls: optional(orNull(text('Controls; null for none'))),
  location: optional(orNull(text('Location in words; null for none', { max: 500 }))),
  place: optional(orNull(ref(GivenPlace, 'Place on the map; null for none'))),
  start_at: optional(orNull(instant('Start of the work window, UTC; null for none'))),
  end_at: optional(
    orNull(
      instant('End of the work window, UTC; null for none; default: the start plus the shortest default duration of the permit’s types'),
    ),
  ),
  hazards: optional(list(text('Hazard', { max: 200 }), 'Hazards', { max: 100 })),
  ppe: optional(list(text('Item', { max: 200 }), 'Protective equipment', { max: 100 })),
  limitations: optional(orNull(text('Limits of the work; null for none'))),
  pre_checks: optional(list(Answer, 'Answers to pre-checks', { max: 300 })),
  rams_document_ids: optional(list(id('Method statement'), 'Method statements', { max: 50, unique: true })),
}

export const NewPermit = shape(
  'NewPermit',
  'A draft, which can be incomplete; it can be submitted only with at least one permit type and a window',
  {
    site_id: id('Site'),
    ...editable,
  },
)
export const PermitChange = shape('PermitChange', 'Changes to a draft or to a permit returned for corrections', { ...onSite, ...editable })
export const FamilyMember = object(editable, 'New parent permit, created as a draft, instead of `parent_id`')
const { parent_id: _parent, ...ofChild } = editable
export const FamilyChild = object(ofChild, 'A child permit, created as a draft')
export const NewFamily = shape('NewFamily', 'Child permits to create as drafts, with a new or existing parent permit', {
  site_id: id('Site'),
  parent: optional(FamilyMember),
  parent_id: optional(id('Existing parent permit, instead of `parent`')),
  children: list(FamilyChild, 'Children', { min: 1, max: 50 }),
})
export const Family = shape('PermitFamily', 'A parent permit and its child permits', {
  parent: ref(SteppedPermit),
  children: list(ref(SteppedPermit), 'Child permits, each with its warnings', { max: 50 }),
})

export const Submission = shape('SubmitPermit', 'Submission of a permit', { ...onSite })
export const Withdrawal = shape('WithdrawPermit', 'Withdrawal of a permit', {
  ...onSite,
  reason: optional(orNull(text('Reason for the withdrawal; null for none'))),
})
export const Endorsement = shape('EndorsePermit', 'Endorsement of a permit', {
  ...onSite,
  stage1_controls: optional(orNull(text('Controls added at endorsement; null for none'))),
  note,
  ...seen,
})
export const Approval = shape('ApprovePermit', 'Approval of a permit', {
  ...onSite,
  stage2_controls: optional(orNull(text('Controls added at approval; null for none'))),
  note,
  ...acknowledgement,
  ...seen,
})
export const Rejection = shape('RejectPermit', 'Rejection of a permit', {
  ...onSite,
  reason: text('Reason for the rejection', { min: 1, example: 'The method does not suit the structure' }),
})
export const Corrections = shape('RequestCorrections', 'Return of a permit for corrections', {
  ...onSite,
  note: text('Corrections to make', { min: 1, example: 'Name the fire watch' }),
})
export const HandBack = shape('HandBackPermit', 'Hand-back of a permit', {
  ...onSite,
  note: optional(orNull(text('Reason why the walk-down failed, or why the receiver didn’t sign; null for none'))),
  work_complete: optional(flag('Whether the work is complete; default true', { example: true })),
  fire_watch_minutes: optional(integer('Length of the fire watch from now, minutes', { min: 0, max: 1440, example: 60 })),
  ...seen,
})

export const FieldSignature = shape('SignPermit', 'A signature at the work front', { ...onSite, ...fieldSigned })

export const Checklist = object(
  Object.fromEntries(CHECKLIST.map(item => [item, optional(flag(`Confirmation: ${CHECKLIST_WORDS[item]}`, { example: true }))])) as {
    [K in (typeof CHECKLIST)[number]]: ReturnType<typeof optional<ReturnType<typeof flag>>>
  },
  'Close-out checklist; all three items must be true',
)
export const CloseOut = shape('CloseOutPermit', 'Close-out of a permit', { ...onSite, checklist: optional(Checklist), note, ...seen })
export const BulkCloseOut = shape('BulkCloseOut', 'Close-out of several permits', {
  site_id: id('Site'),
  permit_ids: list(id('Permit'), 'Permits; child permits are closed out before their parents', { min: 1, max: 500, unique: true }),
  content_hashes: optional(
    record(
      text('`content_hash` of the permit when the person read it', { max: 64 }),
      '`content_hash` of the permits when the person read them, by permit id; a permit that has changed since is refused, and a permit without a hash isn’t compared',
    ),
  ),
  checklist: optional(Checklist),
  note,
})
export const BulkClosed = shape('BulkClosed', 'Result for each permit', {
  closed: list(
    object({ permit_id: id('Permit'), permit_number: orNull(text('Permit number', { max: 100 })) }),
    'Permits that were closed out',
    {
      max: 500,
    },
  ),
  refused: list(
    object({
      permit_id: id('Permit'),
      permit_number: orNull(text('Permit number; null for a draft or an unknown permit', { max: 100 })),
      code: text('Gate, guard or error code', { max: 60, example: 'open_children' }),
      detail: text('Reason for the refusal', { max: 4000 }),
    }),
    'Permits that weren’t closed out',
    { max: 500 },
  ),
})

export const AttachmentFields = shape('NewAttachment', 'A file for a permit', {
  ...onSite,
  slot: optional(orNull(text('Key or label of the required document; null for any other file', { max: 200, example: 'RAMS' }))),
})
export const DownloadQuery = object({
  ...onSite,
  variant: optional(oneOf(['original', 'preview', 'thumb'], 'Size of a picture; default original')),
})

export type NewPermit = Static<typeof NewPermit>
export type PermitChange = Static<typeof PermitChange>
export type FamilyMember = Static<typeof FamilyMember>
