import { EFFECTS } from '../../../../shared/blockers.ts'
import { AFFECTED } from '../../../../shared/conflicts/consequences.ts'
import { END_REASONS } from '../../../../shared/conflicts/episodes.ts'
import { SEVERITIES } from '../../../../shared/conflicts/rules.ts'
import { BASES } from '../../../../shared/conflicts/sides.ts'
import { LAPSE_REASONS, STANCES } from '../../../../shared/conflicts/stances.ts'
import { SIDE_KINDS } from '../../../../shared/predicates/entity.ts'
import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  onSite,
  optional,
  orNull,
  paging,
  ref,
  type Static,
  shape,
  text,
  workDate,
} from '../../../base/schema.ts'
import { category, DeclaredBlocker, description } from '../../flow/blockers/schema.ts'

const severity = (says: string) => oneOf(SEVERITIES, says)
const side = (says: string) =>
  object(
    {
      kind: oneOf(SIDE_KINDS, 'Kind'),
      id: orNull(id('Record; null for a permit that the caller can’t see')),
      label: orNull(text('Name or number; null for a permit that the caller can’t see', { max: 300 })),
      title: orNull(
        text(
          'What is done under a permit: its title, or else its description; null for everything else, and for a permit that the caller can’t see',
          {
            max: 200,
            example: 'Weld handrails, stair 3',
          },
        ),
      ),
      contractor_id: orNull(id('Contractor; null if there is none, or for a permit that the caller can’t see')),
      lineage_id: orNull(id('What stays the same when it repeats or moves; null for a permit that the caller can’t see')),
      basis: orNull(oneOf(BASES, 'How well its place is known; null for a permit that the caller can’t see')),
      types: list(text('Permit type', { max: 60, example: 'HW' }), 'Types of a permit; empty for everything else', { max: 50 }),
      hidden: flag('Whether it is a permit that the caller can’t see'),
      planned_later: flag('Whether it came later into the plan than the other side'),
    },
    says,
  )
const place = object(
  {
    building_id: orNull(id('Building')),
    level_index: orNull(integer('Level', { min: -100 })),
    zone_id: orNull(id('Zone')),
  },
  'Place, as far as it is known',
)
const reason = object({
  severity: severity('Severity that it gives'),
  distance_m: number('Least distance while it applied, metres', { min: 0 }),
  types: orNull(list(text('Permit type', { max: 60, example: 'HW' }), 'Types of side a and side b; null without a matrix', { max: 2 })),
  cell: orNull(text('Cell of the matrix that decided; null for a rule without a matrix', { max: 60, example: 'HW|CSE' })),
  within_m: orNull(number('Distance that the cell asks for, metres; null for a rule without a matrix', { min: 0 })),
  sentence: orNull(text('The rule in words, as it was when it found this; null for a rule with a matrix', { max: 10_000 })),
})
const point = object({ lon: number('Longitude', { min: -180, max: 180 }), lat: number('Latitude', { min: -90, max: 90 }) })

export const Clash = shape('Clash', 'Two things that a rule doesn’t allow together, for one unbroken time', {
  id: id('Clash'),
  episode_id: id('Episode that people decide on'),
  rule_id: id('Rule'),
  rule_name: text('Name of the rule', { max: 200 }),
  rule_version: integer('Version of the rule that found it', { min: 1 }),
  severity: severity('Severity'),
  from_at: instant('Start'),
  to_at: orNull(instant('End (exclusive); null while it is open')),
  status: oneOf(['upcoming', 'current', 'past'], 'Whether it is ahead, is there now, or is over'),
  a: side('Side a of the rule'),
  b: side('Side b of the rule'),
  distance_m: number('Least distance, metres; rounded up to 5 m if a side is hidden', { min: 0 }),
  level_gap: orNull(integer('How many levels are between them; 0 if a level isn’t known; null if a side is hidden', { min: 0 })),
  nearest: orNull(list(point, 'The closest points of side a and side b; null if a side is hidden', { max: 2 })),
  reasons: list(reason, 'Why the two clash, the worst first', { max: 2500 }),
  place,
  stance: orNull(oneOf(STANCES, 'Decision that is active; null if there is none')),
  due_at: orNull(instant('Time by which someone resolves it; null if nobody does')),
  detected_at: instant('When it was found'),
})

const stance = {
  id: id('Decision'),
  episode_id: id('Episode'),
  kind: oneOf(
    STANCES,
    'accepted: the work goes on under controls; not_a_clash: the rule is wrong here; resolving: someone will move or retime it',
  ),
  reason: text('Reason', { max: 2000 }),
  controls: text('Controls that keep people safe', { max: 2000 }),
  owner_user_id: orNull(id('Person who resolves it; null if it is a contractor')),
  owner_contractor_id: orNull(id('Contractor who resolves it; null if it is a person')),
  due_at: orNull(instant('Time by which it is resolved; null if it is settled')),
  covers_until: orNull(instant('End of the clashes that it covers; null if they have no end')),
  accepted_severity: severity('Severity that was decided on'),
  accepted_distance_m: number('Least distance that was decided on, metres', { min: 0 }),
  set_at: instant('Time of the decision'),
  set_by: orNull(id('Person who decided')),
  lapsed_at: orNull(instant('When it lapsed; null while it is active')),
  lapse_reason: orNull(
    oneOf(
      LAPSE_REASONS,
      'Why it lapsed: the clash is worse, nearer or longer than what was decided on, or a contractor has changed; null while it is active',
    ),
  ),
}
export const ClashStance = shape('ClashStance', 'What a person decided about an episode', stance)

const happened = object({
  kind: oneOf(['opened', 'worsened', 'eased', 'ended', 'reopened'], 'What happened'),
  at: instant('When'),
  severity: severity('Severity then'),
  distance_m: number('Least distance then, metres', { min: 0 }),
  reason: orNull(oneOf(END_REASONS, 'Why it ended; null for another event')),
})
export const ClashEpisode = shape('ClashEpisode', 'The clashes of one rule between the same two things: what people decide on once', {
  id: id('Episode'),
  key: orNull(text('Rule and the two things; null if a side is hidden', { max: 200 })),
  version: integer('Version, which changes with its facts and with what is decided about it', { min: 1 }),
  rule_id: id('Rule'),
  rule_name: text('Name of the rule', { max: 200 }),
  status: oneOf(['open', 'ended'], 'Status'),
  severity: severity('Severity of what is there now or ahead'),
  peak_severity: severity('Worst severity so far'),
  least_distance_m: number('Least distance of what is there now or ahead, metres', { min: 0 }),
  first_at: instant('Start of the first clash'),
  last_at: orNull(instant('End of the last clash; null while it is open')),
  next_at: orNull(instant('Start of the clash that is there now or is next; null if it has ended')),
  clash_count: integer('Number of clashes', { min: 0 }),
  elapsed_minutes: number('Time that has passed in clash, minutes', { min: 0 }),
  opened_at: instant('When it was found'),
  ended_at: orNull(instant('When it ended; null while it is open')),
  end_reason: orNull(oneOf(END_REASONS, 'Why it ended; null while it is open')),
  reopened_count: integer('How often it came back', { min: 0 }),
  a: side('Side a'),
  b: side('Side b'),
  place,
  stance: orNull(ref(ClashStance, 'Decision that is active; null if there is none')),
  in_hand: flag('Whether someone is resolving it, and isn’t late'),
  overdue: flag('Whether someone was to resolve it by now'),
  consequence: object(
    {
      effect: oneOf(EFFECTS, 'What it means for the work'),
      affected: oneOf(AFFECTED, 'Which side gives way'),
      task_lead_hours: orNull(
        integer('Hours before the start at which people are asked to settle it; null: nobody is asked', { min: 0, max: 720 }),
      ),
      instruction: text('What people must do', { max: 2000 }),
    },
    'What it means for the work',
  ),
  blocker_ids: list(id('Blocker'), 'Blockers that were declared from it and that the caller sees, the oldest first', { max: 100 }),
  blockers: list(ref(DeclaredBlocker), 'These blockers', { max: 100 }),
  stoppable: list(oneOf(['a', 'b'], 'Side'), 'Sides whose work the caller can say has stopped', { max: 2 }),
  events: optional(list(happened, 'What happened to it, oldest first; with include=events', { max: 10_000 })),
  clashes: optional(list(ref(Clash), 'Its clashes by start; with include=clashes', { max: 10_000 })),
  updated_at: instant('Time of the last change'),
  permissions: flags(['settle', 'resolve', 'declare_blocker'], {
    settle: 'accept it, or say that it isn’t a clash',
    resolve: 'say who resolves it',
    declare_blocker: 'say that work of one of its sides has stopped',
  }),
})

const sides = optional(
  list(text('Kind and id', { min: 1, max: 80, example: 'worker:01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e' }), 'Only with one of these sides', {
    max: 100,
  }),
)
const ids = (description: string) => optional(list(id(description), description, { max: 100 }))
const some = <const T extends readonly string[]>(values: T, description: string) =>
  optional(list(oneOf(values, description), description, { max: values.length }))
const filters = {
  id: optional(list(id('Id'), 'Ids', { max: 500 })),
  severity: some(SEVERITIES, 'Severity'),
  rule_id: ids('Rule'),
  side: sides,
  contractor_id: ids('Contractor of one of the sides'),
  stance: some(['none', ...STANCES], 'Decision that is active; none: without one'),
}
const ofClashes = {
  ...filters,
  status: some(['upcoming', 'current', 'past'], 'Whether they are ahead, are there now, or are over'),
  kind: some(SIDE_KINDS, 'Kind of one of the sides'),
  building_id: ids('Building of one of the sides'),
  level_index: optional(list(integer('Level', { min: -100 }), 'Levels; one of the sides is on one of them', { max: 100 })),
  zone_id: ids('Zone of one of the sides'),
  permit_only: optional(flag('Whether both sides must be permits')),
}
const period = {
  from: optional(instant('Start of the period; default now')),
  to: optional(instant('End of the period; default 7 days after its start, at most 92')),
}
export const ClashFilter = object({ ...onSite, ...period, ...ofClashes, ...paging })
export type ClashFilter = Static<typeof ClashFilter>
export const AtTimeFilter = object({ ...onSite, at: instant('Point in time'), ...ofClashes })
export type AtTimeFilter = Static<typeof AtTimeFilter>
export const EpisodesFilter = object({
  ...onSite,
  ...filters,
  from: optional(instant('Only those with clashes after this point in time')),
  to: optional(instant('Only those with clashes before this point in time')),
  severity: some(SEVERITIES, 'Worst severity so far'),
  status: some(['open', 'ended'], 'Status'),
  has_blocker: optional(flag('Whether a blocker was declared from it that the caller sees')),
  end_reason: some(END_REASONS, 'Why it ended'),
  owner_user_id: optional(list(id('Person'), 'People who resolve it', { max: 200 })),
  updated_since: optional(instant('Only what has changed since then')),
  include: optional(list(oneOf(['events', 'clashes'], 'Part'), 'Parts that are added: events, clashes', { max: 2, unique: true })),
  ...paging,
})
export type EpisodesFilter = Static<typeof EpisodesFilter>
const unresolved = {
  ...onSite,
  id: filters.id,
  severity: filters.severity,
  rule_id: filters.rule_id,
  contractor_id: filters.contractor_id,
  horizon_days: optional(integer('How many days ahead they begin at most; default 14', { min: 1, max: 90, example: 14 })),
}
export const UnresolvedFilter = object(unresolved)
export type UnresolvedFilter = Static<typeof UnresolvedFilter>
export const UnresolvedList = object({
  ...unresolved,
  limit: optional(integer('Rows per page; default: the whole list, up to 5,000 rows', { min: 1, max: 1000, example: 50 })),
  cursor: paging.cursor,
})
export type UnresolvedList = Static<typeof UnresolvedList>

const counts = { red: integer('Red ones'), amber: integer('Amber ones') }
export const UnresolvedSummary = shape('UnresolvedClashes', 'How much has to be settled', {
  ...counts,
  in_hand: integer('Those that someone is resolving'),
  overdue: integer('Those that someone was to resolve by now'),
  current: integer('Those that are there now'),
  by_rule: list(object({ rule_id: id('Rule'), rule_name: text('Name', { max: 200 }), ...counts }), 'Counts of each rule', { max: 1000 }),
  by_contractor: list(
    object({ contractor_id: id('Contractor'), ...counts }),
    'Counts of each contractor; an episode counts for both of its contractors',
    {
      max: 1000,
    },
  ),
  by_day: list(object({ date: workDate('Site day'), ...counts }), 'Counts of each site day on which the next clash is', { max: 100 }),
  oldest_opened_at: orNull(instant('When the oldest of them was found; null if there are none')),
  unplaced_permits: list(
    object({
      permit_id: id('Permit'),
      permit_number: orNull(text('Number', { max: 60 })),
      title: orNull(text('What is done under it: its title, or else its description; null if it has neither', { max: 200 })),
    }),
    'Permits that can’t be checked, because they have no place',
    { max: 500 },
  ),
})

const given = {
  episode_id: id('Episode'),
  kind: stance.kind,
  reason: optional(text('Reason; required to settle it', { max: 2000 })),
  controls: optional(text('Controls that keep people safe; required to accept a red clash', { max: 2000 })),
  owner_user_id: optional(orNull(id('Person who resolves it'))),
  owner_contractor_id: optional(orNull(id('Contractor who resolves it'))),
  due_at: optional(orNull(instant('Time by which it is resolved: at the latest its start, or within 24 hours if it is there now'))),
  covers_until: optional(orNull(instant('End of the clashes that it covers; default the end of the last clash that is known'))),
  episode_version: optional(integer('Version of the episode that was seen; another one is refused', { min: 1 })),
}
const item = object(given)
export type OneStance = Static<typeof item>
export const SetStance = shape('SetClashStance', 'A decision about an episode', { ...onSite, ...given })
export const SetStances = shape('SetClashStances', 'Decisions about several episodes: all are stored, or none is', {
  ...onSite,
  items: list(item, 'Decisions', { min: 1, max: 500 }),
})
export const WithdrawQuery = object({ ...onSite, episode_id: id('Episode') })
export const DeclareBlocker = shape('DeclareBlockerOfClash', 'Work that has stopped because of a clash', {
  ...onSite,
  episode_id: id('Episode'),
  affected: oneOf(['a', 'b'], 'Side whose work has stopped'),
  started_at: optional(instant('Start of the stop; default the start of the clash that is there now, or of the last one')),
  description: optional(description),
  category: optional(category),
  responsible_contractor_id: optional(id('Contractor that can clear it; default that of the other side')),
})
export type DeclareBlocker = Static<typeof DeclareBlocker>
