import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  object,
  optional,
  orNull,
  type Static,
  shape,
  text,
  wallTime,
  workDate,
} from '../../../base/schema.ts'

const Pause = object({ start_time: wallTime('Start', { example: '12:00' }), end_time: wallTime('End', { example: '12:30' }) })

const fields = {
  name: text('Name, unique among the active shifts of the site or contractor', { min: 1, max: 60, example: 'Day' }),
  contractor_id: orNull(id('Contractor of the shift; null for a shift of the whole site')),
  start_time: wallTime('Start, site time'),
  end_time: wallTime('End, site time; an end before the start is on the next site day; at most 16 hours after the start', {
    example: '17:30',
  }),
  weekdays: orNull(
    list(integer('ISO weekday', { min: 1, max: 7 }), 'Weekdays; null for every working day', {
      min: 1,
      max: 7,
      unique: true,
    }),
  ),
  breaks: list(Pause, 'Unpaid breaks within the shift, not overlapping', { max: 4 }),
  valid_from: workDate('First site day'),
}

export const Shift = shape('Shift', 'The working hours of a site, or of one of its contractors', {
  id: id('Shift'),
  site_id: id('Site'),
  ...fields,
  valid_to: orNull(workDate('First site day on which the shift no longer applies; null if no end is set')),
  minutes: integer('Working minutes on a day without a clock change'),
  next_start_at: orNull(instant('Next start; null if the shift doesn’t start again')),
  next_end_at: orNull(instant('End of the shift that starts next; null if the shift doesn’t start again')),
  warnings: optional(
    list(
      object({ date: workDate('Site day on which the shift starts'), minutes: integer('Working minutes on that day') }),
      'Days within the next 60 days on which a clock change makes the shift longer or shorter',
      { max: 10 },
    ),
  ),
  permissions: flags(['end']),
  version: integer('Version'),
  created_at: instant('Creation time'),
  updated_at: instant('Time of the last change'),
})

export const NewShift = shape('NewShift', 'A shift', {
  site_id: id('Site'),
  name: fields.name,
  contractor_id: optional(fields.contractor_id),
  start_time: fields.start_time,
  end_time: fields.end_time,
  weekdays: optional(fields.weekdays),
  breaks: optional(fields.breaks),
  valid_from: optional(workDate('First site day; default today, at most 31 days back')),
  replaces: optional(orNull(id('Shift that ends when this one starts; null for none'))),
})

export const ShiftFilter = object({
  site_id: id('Site'),
  work_date: optional(workDate('Site day; shifts that ended before that day are left out; default today')),
  contractor_id: optional(
    list(text('Contractor, or "none" for the site’s shifts', { max: 36, example: 'none' }), 'Contractors', { max: 100 }),
  ),
  include_ended: optional(flag('Whether to include ended shifts; default false')),
  id: optional(list(id('Shift'), 'Ids', { max: 200 })),
})

export const EndShift = object({
  effective_on: optional(workDate('First site day on which the shift no longer applies; default tomorrow')),
})

export type NewShift = Static<typeof NewShift>
export type ShiftFilter = Static<typeof ShiftFilter>
