import type { Static } from 'typebox'
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
  paging,
  shape,
  text,
  workDate,
} from '../../../../base/schema.ts'
import { role } from './sites.ts'

export const Member = shape('Member', 'A member of the site', {
  membership_id: id('Membership'),
  user_id: id('Person'),
  name: text('Name', { max: 200, example: 'Ana Ruiz' }),
  initials: text('Initials', { max: 4, example: 'AR' }),
  role: role('Role'),
  rank: integer('Role rank; a higher number outranks a lower one', { min: 0, max: 4 }),
  contractor_id: orNull(id('Contractor; null for the main contractor')),
  status: oneOf(['pending', 'active', 'ended'], 'Membership state'),
  since: instant('Start of the membership; for a pending one, the time of the request'),
  email: optional(orNull(text('Email address, for people who manage members; null if unknown', { max: 320, example: 'ana@example.com' }))),
  version: integer('Version of the membership, for If-Match'),
})
export const MemberFilter = object({
  role: optional(list(role('Role'), 'Roles', { max: 9 })),
  contractor_id: optional(list(id('Contractor'), 'Contractors', { max: 200 })),
  status: optional(list(oneOf(['pending', 'active', 'ended'], 'State'), 'Statuses; default active', { max: 3 })),
  can: optional(
    text('Permission; returns only people who have it', {
      max: 60,
      pattern: ['^[a-z0-9_]+$', 'must be the name of a permission, such as permit_approve_stage1.'],
      example: 'permit_approve_stage1',
    }),
  ),
  id: optional(list(id('Person'), 'People', { max: 200 })),
  q: optional(text('Text to search for in names', { max: 200 })),
  ...paging,
})
export const SnapshotRevision = shape('SnapshotRevision', 'Revisions of the map layers', {
  revision: integer('Map revision, which increases with each write that changes the map'),
  layers: object({
    reference: integer('Revision of areas, buildings, zones and the boundary'),
    areas: integer('Revision of active areas'),
    tokens: integer('Revision of workers, plant and deliveries'),
    annotations: integer('Revision of labels, points of interest and alerts'),
    plans: integer('Revision of floor plans'),
    site_map: integer('Revision of the site map'),
    overlays: integer('Revision of geodata overlays'),
  }),
})
export const Stretch = object({
  shift_id: orNull(id('Shift; null for the default working hours of a site without shifts')),
  name: text('Shift name', { max: 60, example: 'Day' }),
  start_at: instant('Start'),
  end_at: instant('End'),
})
export const WorkingPeriod = shape('WorkingPeriod', 'The working day at a point in time', {
  work_date: workDate('Site day on which the current shift started; between shifts, the calendar day'),
  working_day: flag('Whether the day is a working day'),
  because: oneOf(['weekday', 'weekend', 'holiday', 'extra'], 'Reason why the day is or isn’t a working day'),
  name: optional(text('Name of the holiday or extra day', { max: 100 })),
  state: oneOf(['before', 'working', 'break', 'between', 'after', 'none'], 'Where the point in time falls in the working day'),
  start_at: orNull(instant('Start of the first shift; null on a day without shifts')),
  end_at: orNull(instant('End of the last shift; null on a day without shifts')),
  intervals: list(Stretch, 'Working time without breaks', { max: 200 }),
  working_minutes: integer('Total working time, minutes'),
  previous_work_date: orNull(workDate('Previous working day; null if there is none')),
  next_work_date: orNull(workDate('Next working day; null if there is none')),
})
export const PeriodQuery = object({
  at: optional(instant('Point in time; default now')),
  work_date: optional(workDate('Site day')),
  contractor_id: optional(id('Contractor whose shifts are used')),
})
export const PublicSite = shape('PublicSite', 'A site as shown publicly', {
  id: id('Site'),
  code: text('Code', { max: 12, example: 'RIV-1' }),
  name: text('Name', { max: 200, example: 'Riverside Quarter' }),
  locality: orNull(text('Town; null if none is set', { max: 200 })),
  country_code: orNull(text('Country, ISO 3166-1 alpha-2; null if none is set', { max: 2, example: 'GB' })),
  timezone: text('Site time zone', { max: 60, example: 'Europe/London' }),
  main_contractor: orNull(
    object(
      { name: text('Name', { max: 500 }), colour: text('Colour, #rrggbb', { max: 7, example: '#128189' }) },
      'Main contractor; null if none is set',
    ),
  ),
  invite: optional(
    object({
      inviter_name: orNull(text('Inviter’s name; null if they have been erased', { max: 200, example: 'Max Manager' })),
      kind: oneOf(['email', 'link'], 'Kind of invitation'),
      role: role('Role given by the invitation'),
      contractor_name: orNull(
        text('Name of the contractor that the person joins; null for the main contractor, or if the person chooses', { max: 500 }),
      ),
      contractor_choice: flag('Whether the person chooses their contractor'),
      approval: oneOf(['none', 'required'], 'Whether someone must approve the new member'),
      expires_at: instant('Expiry'),
      email_masked: orNull(
        text('Masked address that the invitation was sent to; null for a link', { max: 320, example: 'a***@example.com' }),
      ),
      state: oneOf(['open', 'accepted', 'used_up', 'expired', 'revoked', 'bounced'], 'State'),
    }),
  ),
})
export const PublicQuery = object({ token: optional(text('Token of an invitation', { max: 100 })) })

export type MemberFilter = Static<typeof MemberFilter>
