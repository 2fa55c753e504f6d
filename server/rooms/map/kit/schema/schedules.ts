import {
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
  recordId,
  ref,
  shape,
  text,
  wallTime,
  workDate,
} from '../../../../base/schema.ts'
import { linkedPermit, permitOfNew } from '../../../../kernel/covers/schema.ts'
import { type Fields, shapesOf } from '../../../../kernel/resource/domain.ts'

const days = (description: string) => optional(list(workDate(description), description, { max: 730 }))
const times = {
  start_time: wallTime('Start, site time'),
  end_time: wallTime('End, site time; if it isn’t later than the start, it is on the next day'),
}
const rest = {
  start_date: workDate('First site day'),
  end_date: workDate('Last site day'),
  weekdays: optional(
    list(
      integer('Weekday: 1 is Monday, 7 is Sunday', { min: 1, max: 7, example: 1 }),
      'Weekdays on which it starts; by default Monday to Friday',
      { max: 7 },
    ),
  ),
  extra_dates: days('Days that are added, whatever their weekday'),
  skip_dates: days('Days that are left out'),
  overrides: optional(
    list(
      object({ date: workDate('Site day'), start_time: optional(times.start_time), end_time: optional(times.end_time) }),
      'Other times on single days',
      { max: 366 },
    ),
  ),
}

/** When a schedule repeats, in site time. */
export const SchedulePattern = shape(
  'SchedulePattern',
  'When something repeats, in site time: it keeps its time of day when the clocks change',
  {
    ...rest,
    ...times,
  },
)
/** The pattern of a single record that becomes a schedule. */
export const ConversionPattern = shape('ConversionPattern', 'When a single record repeats from now on; by default at its own time of day', {
  ...rest,
  start_time: optional(times.start_time),
  end_time: optional(times.end_time),
})

const warnings = list(
  object({
    date: workDate('Site day'),
    kind: oneOf(
      ['clock_forward', 'clock_back', 'no_length'],
      'What the clock change does: the hour that is skipped, the hour that occurs twice, or nothing left of the time',
    ),
    elapsed_minutes: integer('Minutes from start to end', { min: 0, example: 420 }),
    copied_from_id: optional(id('Record that was copied')),
  }),
  'What a clock change touches',
  { max: 4000 },
)
const occurrence = { id: id('Occurrence'), occurrence_date: workDate('Site day on which it starts') }
const dated = (description: string) => list(object(occurrence), description, { max: 366 })
const copy = object({
  id: orNull(id('Copy; null for one that was skipped')),
  copied_from_id: id('Record that was copied'),
  start_at: instant('Start of the copy'),
  end_at: orNull(instant('End of the copy; null if it has no end')),
})
const dry_run = optional(flag('Whether to return what would happen, and change nothing'))

/** The query of a list of future occurrences. */
export const Future = object({ from: optional(instant('Returns what starts after this; default now')) })
/** The query of a deletion of a schedule. */
export const Removal = object({
  finish_running: optional(flag('Whether the occurrence that is there now ends now; by default it continues to its end')),
  scope: optional(oneOf(['future', 'all'], '`all` removes what has ended, too; requires map_entity_purge')),
})
/** The body of an early finish. */
export const Finish = shape('FinishSchedule', 'When the work of a schedule is done', {
  at: optional(instant('When the work was done; default now')),
  reason: optional(text('Reason, for the history', { max: 500, example: 'Slab poured a day early' })),
})
/** The body of a reconciliation. */
export const Reconcile = shape('ReconcileSchedule', 'When a schedule repeats from now on', {
  pattern: ref(SchedulePattern, 'Pattern'),
  restore_dates: days('Days whose occurrence a person has removed, and that come back'),
  dry_run,
})
/** The body of a copy. */
export const CopyRange = shape('CopyFromRange', 'What to copy: what starts on some site days, moved by whole days', {
  site_id: id('Site'),
  from_date: workDate('First site day that is copied'),
  to_date: workDate('Last site day that is copied; at most 31 days'),
  target_date: workDate('Site day on which the first day lands'),
  ids: optional(list(id('Record'), 'Only these records', { max: 2000, unique: true })),
  contractor_id: optional(recordId('contractor', 'Only this contractor’s; contractors copy only their own')),
  building_id: optional(id('Only in this building')),
  zone_id: optional(id('Only in this zone')),
  skip_duplicates: optional(flag('Whether to leave out copies that are already there; true by default')),
  dry_run,
})
/** The response of a copy. */
export const Copied = shape('CopiedFromRange', 'What was copied', {
  created: list(copy, 'Copies', { max: 2000 }),
  skipped_duplicates: list(copy, 'Copies that are already there', { max: 20_000 }),
  permits_dropped: list(
    object({ id: id('Permit'), permit_number: orNull(text('Permit number; null for a draft', { max: 40, example: 'PTW-000123' })) }),
    'Permits that the copies don’t have, because they are over or their window doesn’t contain the copy; only those that the caller sees',
    { max: 2000 },
  ),
  warnings,
  fill_members: optional(integer('Parts of fills on these days, which aren’t copied; only for active areas', { min: 0, example: 3 })),
})

/** What an area says so that its shapes can be made. */
export type Described = {
  shape: string
  noun: string
  fields: Fields
  record: ReturnType<typeof shapesOf>['record']
  covered: boolean
  /** Whether a change says where else the same gang is at the same time. */
  gangs: boolean
  defaults: Readonly<Record<string, unknown>>
}

/** The computed fields of what can be an occurrence. */
export const occurrenceFields = {
  schedule_group_id: orNull(id('Schedule that it belongs to; null if it doesn’t repeat')),
  occurrence_date: orNull(workDate('Site day of the schedule on which it starts; null if it doesn’t repeat')),
  edited: flag('Whether a person has changed this occurrence, so that it no longer follows its schedule'),
  copied_from_id: orNull(id('Record that it was copied from; null if it wasn’t copied')),
}
/** The field that only a change can send. */
export const editedField = { edited: flag('`false` makes an occurrence follow its schedule again') }

/** Makes the shapes of an area's schedules. */
export function scheduleShapes({ shape: name, noun, fields, record, covered, gangs, defaults }: Described) {
  const { start_at: _start, end_at: _end, ...template } = fields
  const whole = shapesOf({
    shape: `${name}Template`,
    says: `What each occurrence of a ${noun}’s schedule has`,
    fields: template,
    defaults,
    path: '/sites/:site_id/x',
  })
  const Template = shape(`${name}Template`, `What each occurrence of a ${noun}’s schedule has`, whole.create.properties)
  const Group = shape(`${name}Schedule`, `A schedule of a ${noun}`, {
    id: id('Id'),
    site_id: id('Site'),
    name: text('Name', { max: 200, example: 'Steel fixers' }),
    contractor_id: orNull(id('Contractor; null for the main contractor’s own')),
    template: ref(Template, 'What each occurrence has'),
    pattern: ref(SchedulePattern, 'When it repeats'),
    removed_dates: list(workDate('Site day'), 'Days whose occurrence a person has removed', { max: 1000 }),
    counts: object({
      past: integer('Occurrences that have ended', { min: 0 }),
      running: integer('Occurrences that are there now', { min: 0 }),
      future: integer('Occurrences that are still ahead', { min: 0 }),
      edited: integer('Occurrences that no longer follow the schedule', { min: 0 }),
    }),
    next_start_at: orNull(instant('Start of the next occurrence; null if there is none')),
    permits: list(linkedPermit, 'Permits that cover occurrences, as far as the caller can see them', { max: 500 }),
    permissions: flags(['change', 'delete']),
    ...(gangs
      ? {
          double_booked: optional(
            list(
              id('Worker or gang'),
              'The same gang (contractor and name) at another place at the time of an occurrence that was changed; after a change',
              {
                max: 40_000,
              },
            ),
          ),
        }
      : {}),
    version: integer('Version'),
    created_at: instant('Creation time'),
    created_by: orNull(id('Person who created it; null if no person did')),
    updated_at: instant('Time of the last change'),
    updated_by: orNull(id('Person who last changed it; null if no person did')),
  })
  const done = {
    group: ref(Group, 'The schedule'),
    occurrences: list(ref(record), 'Its occurrences, by start', { max: 366 }),
    warnings,
    outside_permit_window: list(
      id('Occurrence'),
      'Occurrences that the permit doesn’t cover, because a part of their time is outside its window',
      { max: 366 },
    ),
  }
  return {
    Template,
    Group,
    Create: shape(`New${name}Schedule`, `A schedule of a ${noun}, to be created`, {
      site_id: id('Site'),
      template: ref(Template, 'What each occurrence has'),
      pattern: ref(SchedulePattern, 'When it repeats'),
      ...(covered ? { permit_id: optional(permitOfNew.permit_id) } : {}),
    }),
    Created: shape(`${name}ScheduleCreated`, `A new schedule of a ${noun}`, done),
    Convert: shape(`Convert${name}`, `Makes a schedule of a single ${noun}`, { pattern: ref(ConversionPattern, 'When it repeats') }),
    Change: shape(`${name}ScheduleChange`, `A schedule of a ${noun}: fields to change in future occurrences`, {
      ...Object.fromEntries(Object.entries(template).map(([field, schema]) => [field, optional(schema)])),
      include_running: optional(flag('Whether the occurrence that is there now is changed, too')),
    }),
    Reconciled: shape(`${name}ScheduleReconciled`, `What a new pattern has changed in a schedule of a ${noun}`, {
      group: ref(Group, 'The schedule'),
      created: dated('Occurrences that were created'),
      changed: dated('Occurrences that have other times'),
      removed: dated('Occurrences that were removed'),
      kept: list(
        object({ ...occurrence, why: oneOf(['edited', 'started'], 'Why it stays as it is') }),
        'Occurrences that stay as they are',
        { max: 366 },
      ),
      warnings,
    }),
    Finished: shape(`${name}ScheduleFinished`, `What an early finish has changed in a schedule of a ${noun}`, {
      group: ref(Group, 'The schedule'),
      ended: list(id('Occurrence'), 'Occurrences that ended then', { max: 366 }),
      removed: list(id('Occurrence'), 'Occurrences that were removed', { max: 366 }),
    }),
  }
}
