// What the conditions of rules can refer to (`messages.md` §3.1): the envelope of an event, and the fields of its payload.

import { IN_GROUPS } from '../../../../shared/conflicts/pair-words.ts'
import { textsIn } from '../../../../shared/narrow.ts'
import type { SubjectOf } from '../../../../shared/predicates/language.ts'
import { wallOf, weekdayOf } from '../../../../shared/time.ts'
import { ROLES } from '../../../base/actor.ts'
import type { Id } from '../../../base/ids.ts'
import { type EventField, type EventKind, type EventRow, fieldsOf } from '../../events/domain.ts'

type ConditionField = SubjectOf<Conditioned, never>['fields'][number]

/** An event, as conditions see it: with the groups that its records are in, of those that conditions ask about. */
export type Conditioned = EventRow & { group_ids: readonly string[] }

/** Returns the subject name of an event kind. */
export const subjectName = (kind: string): string => `event:${kind}`

const placed = (event: Conditioned, key: string): unknown => event.place?.[key] ?? null

const ENVELOPE: readonly ConditionField[] = [
  { path: 'actor_id', type: 'id', label: 'the person who caused the event', refers: 'user', get: event => event.actor_id },
  { path: 'actor_role', type: 'enum', values: ROLES, label: 'the role of the person who caused the event', get: event => event.actor_role },
  { path: 'subject_kind', type: 'code', label: 'the kind of record', get: event => event.subject_kind },
  { path: 'contractor_ids', type: 'set of id', label: 'the contractors', refers: 'contractor', get: event => event.contractor_ids },
  { path: 'building_id', type: 'id', label: 'the building', refers: 'reference_feature', get: event => placed(event, 'building_id') },
  { path: 'level_index', type: 'integer', label: 'the level', get: event => placed(event, 'level_index') },
  {
    path: 'zone_ids',
    type: 'set of id',
    label: 'the zones',
    refers: 'reference_feature',
    get: event => [placed(event, 'zone_id')].filter(id => id !== null),
  },
  { path: 'work_date', type: 'work_date', label: 'the site day', get: event => event.work_date },
  { path: 'weekday', type: 'weekday', label: 'the weekday', get: event => weekdayOf(event.work_date) },
  { path: 'local_time', type: 'local_time', label: 'the time on site', get: (event, { timezone }) => wallOf(timezone, event.at).time },
]

/** What the records that an event is about are called. */
const SELECTED = { permit: 'the permit', entity: 'what the event is about' } as const

/** Returns the field for the smart groups of the records of an event; none for an event whose records no group can select. */
function groupsField({ selects }: EventKind): ConditionField[] {
  if (selects === undefined) return []
  return [
    {
      path: 'group_ids',
      type: 'set of id',
      label: SELECTED[selects.subject],
      wording: IN_GROUPS,
      refers: 'smart_group',
      groups: selects.subject,
      operators: ['overlaps', 'contains', 'contains_all', 'disjoint'],
      get: event => event.group_ids,
    },
  ]
}

/** Returns the records of an event that smart groups can select. */
export function selectedOf({ selects }: EventKind, event: EventRow): Id[] {
  if (selects === undefined) return []
  return selects.ids === undefined ? [event.subject_id] : textsIn(event.payload[selects.ids])
}

const TYPES = {
  text: 'text',
  number: 'number',
  minutes: 'minutes',
  flag: 'boolean',
  instant: 'instant',
  date: 'work_date',
  id: 'id',
  ids: 'set of id',
  texts: 'set of code',
} as const

/** Returns what an id or code in a payload refers to: a contractor, a person in the event, or permit types. */
function refersTo(name: string, kind: EventKind): string | null {
  if (/^contractor_ids?$/.test(name)) return 'contractor'
  if (name === 'categories') return 'permit_type'
  return Object.values(kind.identities ?? {}).includes(name) ? 'user' : null
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Returns what a sentence calls a field: "the requestor". A flag is a whole clause already, and a remark after a semicolon is only for people who write a rule. */
function inSentence({ says, type }: EventField): string {
  const name = lowered(says.split(/[;:]/)[0] ?? says)
  return type === 'flag' || /^(the|a|an|its|what|why|how) /.test(name) ? name : `the ${name}`
}

function conditionOn(name: string, field: EventField, kind: EventKind): ConditionField | null {
  if (field.type === 'json' || ENVELOPE.some(known => known.path === name)) return null
  const type = field.values !== undefined && field.type === 'text' ? 'enum' : TYPES[field.type]
  const refers = refersTo(name, kind)
  return {
    path: name,
    type,
    label: inSentence(field),
    ...(field.otherwise === undefined ? {} : { otherwise: lowered(field.otherwise) }),
    ...(field.clause === undefined ? {} : { clause: field.clause }),
    ...(type === 'enum' ? { values: field.values } : {}),
    ...(refers === null ? {} : { refers }),
    get: event => event.payload[name] ?? null,
  }
}

/** Makes the subject of an event kind. A condition sees nothing but the event, and the groups of its records. */
export const eventSubject = (kind: EventKind): SubjectOf<Conditioned, never> => ({
  name: subjectName(kind.kind),
  label: 'events',
  in_memory: true,
  fields: [
    ...ENVELOPE,
    ...groupsField(kind),
    ...Object.entries(fieldsOf(kind)).flatMap(([name, field]) => conditionOn(name, field, kind) ?? []),
  ],
  sentence: clause => clause,
})
