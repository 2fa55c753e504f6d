import {
  flag,
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
} from '../../base/schema.ts'

const Pause = object({ start_time: wallTime('Begin', { example: '12:00' }), end_time: wallTime('End', { example: '12:30' }) })

const fields = {
  name: text('Name, unique among those in force in its scope', { min: 1, max: 60, example: 'Day' }),
  contractor_id: orNull(id('Firm whose own shift it is; null: the site’s')),
  start_time: wallTime('Begin, site time'),
  end_time: wallTime('End, site time; at or before the begin it is on the next site day; at most 16 hours', { example: '17:30' }),
  weekdays: orNull(
    list(integer('ISO weekday', { min: 1, max: 7 }), 'Weekdays on which it runs; null: every working day', {
      min: 1,
      max: 7,
      unique: true,
    }),
  ),
  breaks: list(Pause, 'Unpaid breaks inside of it, not overlapping', { max: 4 }),
  valid_from: workDate('First site day'),
}

export const Shift = shape('Shift', 'When the site, or one firm on it, works', {
  id: id('Shift'),
  site_id: id('Site'),
  ...fields,
  valid_to: orNull(workDate('Day from which it no longer runs; null: still in force')),
  minutes: integer('Working minutes of it on an ordinary day'),
  next_start_at: orNull(instant('When it begins next')),
  next_end_at: orNull(instant('When that one ends')),
  warnings: optional(
    list(
      object({ date: workDate('Site day on which the clocks change'), minutes: integer('Minutes that the shift has then') }),
      'Changes of clocks within 60 days',
      { max: 10 },
    ),
  ),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
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
  replaces: optional(orNull(id('Shift that ends when this one begins'))),
})

export const ShiftFilter = object({
  site_id: id('Site'),
  work_date: optional(workDate('In force on this site day or later; default today')),
  contractor_id: optional(text('Firm, or "none" for the site’s', { max: 36, example: 'none' })),
  include_ended: optional(flag('Ended ones, too')),
  id: optional(list(id('Shift'), 'Only these', { max: 200 })),
})

export const EndShift = object({ effective_on: optional(workDate('From this site day it no longer runs; default tomorrow')) })

export type NewShift = Static<typeof NewShift>
export type ShiftFilter = Static<typeof ShiftFilter>
