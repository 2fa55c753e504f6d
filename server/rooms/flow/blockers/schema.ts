import { BLOCKER_CATEGORIES, EFFECTS } from '../../../../shared/blockers.ts'
import { flag, flags, id, instant, integer, list, object, oneOf, optional, orNull, type Static, shape, text } from '../../../base/schema.ts'
import { ORIGINS, STATUSES } from './domain.ts'

/** Category of a blocker. */
export const category = oneOf(BLOCKER_CATEGORIES, 'Category of the cause', { example: 'access_space' })
/** What a person says of a stop. */
export const description = text('What stops the work; required for the category `other`', {
  max: 4000,
  example: 'The crane lifts over the slab',
})

const pointer = (says: string) =>
  object(
    {
      kind: text('Kind of record', { max: 60, example: 'clash_episode' }),
      id: orNull(id('Record; null if the caller can’t see it')),
      label: orNull(text('Name or number; null if the caller can’t see it, or if it no longer exists', { max: 300 })),
      hidden: flag('Whether the caller can’t see it'),
    },
    says,
  )

const permissions = flags(['resolve', 'delete'], { resolve: 'say that work goes on again' })

const entry = object({
  id: id('Entry'),
  contractor_id: id('Contractor whose work it is'),
  tokens: list(
    object({
      kind: oneOf(['worker', 'plant'], 'Kind'),
      lineage_id: id('What stays the same when it repeats or moves'),
    }),
    'Gangs and machines that are named; empty if none are',
    { max: 500 },
  ),
  effect: oneOf(EFFECTS, 'What it means for the work'),
  loss_share_percent: integer('Part of the time that is lost, percent', { min: 0, max: 100, example: 100 }),
  from_at: instant('Start'),
  to_at: orNull(instant('End (exclusive); null while it goes on')),
  restart_reason: orNull(text('Why work went on later than the cause was cleared; null if it didn’t', { max: 500 })),
  origin: oneOf(ORIGINS, 'declared: it was declared with the blocker; claimed: its contractor joined; added: a coordinator added it'),
  self_caused: flag('Whether its own contractor can clear the cause'),
})

const shared = {
  id: id('Blocker'),
  number: text('Number, unique on the site', { max: 20, example: 'BLK-000012' }),
  status: oneOf(STATUSES, 'State'),
  category,
  description,
  started_at: instant('Start of the stop'),
  cleared_at: orNull(instant('When the cause was cleared; null while it is open')),
}

export const Blocker = shape('Blocker', 'Something that stops or slows work', {
  ...shared,
  site_id: id('Site'),
  version: integer('Version', { min: 1 }),
  title: text('Title: category and place', { max: 400, example: 'Access and space, Block A, Level 2' }),
  running: oneOf(['ahead', 'stopping', 'over'], 'Whether it is still to come, stops work now, or is over'),
  source: pointer('What it was declared from'),
  pointers: list(pointer('A record'), 'What was pointed at when it was declared', { max: 50 }),
  responsible: orNull(
    object(
      {
        kind: oneOf(['contractor', 'nobody'], 'Whether it is a contractor, or nobody can clear it'),
        contractor_id: orNull(id('Contractor; null if there is none, or if the caller can’t see who it is')),
        hidden: flag('Whether the caller can’t see which contractor it is'),
      },
      'Who can clear it; null if nobody has said so',
    ),
  ),
  place: object(
    {
      building_id: orNull(id('Building')),
      level_index: orNull(integer('Level', { min: -100 })),
      zone_id: orNull(id('Zone')),
    },
    'Place, as far as it is known',
  ),
  cleared_how: orNull(text('How the cause was cleared; null while it is open', { max: 2000 })),
  prevented: flag('Whether it was cleared before it began'),
  declared_by: orNull(id('Person who declared it')),
  declared_at: instant('When it was declared'),
  late_minutes: orNull(integer('Time from its start until it was declared, minutes; null if it was declared ahead')),
  affected: list(entry, 'Whose work it stops, in the order in which they were named', { max: 200 }),
  permissions,
})

/** A blocker, as the record shows it that it was declared from. */
export const DeclaredBlocker = shape('DeclaredBlocker', 'A blocker, as the record shows it that it was declared from', {
  ...shared,
  contractor_ids: list(id('Contractor'), 'Contractors whose work it stops', { max: 200 }),
  permissions,
})

const restart = object({
  affected_id: id('Entry that is still running'),
  to_at: instant('When its work goes on, at most 24 hours after the cause was cleared'),
  reason: text('Reason why it takes longer', { min: 1, max: 500, example: 'The gang was sent to another block' }),
})
export const ResolveBlocker = shape('ResolveBlocker', 'How and when the cause was cleared', {
  cleared_at: optional(instant('When the cause was cleared; default now')),
  how: text('How it was cleared', { min: 1, max: 2000, example: 'The lift is finished' }),
  restart: optional(list(restart, 'Work that goes on later than the cause was cleared', { max: 200 })),
})
export type ResolveBlocker = Static<typeof ResolveBlocker>
