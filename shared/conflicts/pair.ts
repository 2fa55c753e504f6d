// What conditions can ask about a pair (`conflict-and-planning.md` §0.4, fields and named predicates of `pair`). Pure: a pair is evaluated in memory, by the same
// code on the server and in the browser.
import { isOneOf, itemsIn } from '../narrow.ts'
import { type EntityFacts, entityFields } from '../predicates/entity.ts'
import { type AnySubject, expandPredicate, type Named, type Predicate, type SubjectOf } from '../predicates/language.ts'
import {
  aboveWords,
  containmentClause,
  contractorClause,
  distanceClause,
  ofSide,
  overlapClause,
  type Sides,
  UNNAMED,
} from './pair-words.ts'

export const CONTAINMENTS = ['none', 'a_in_b', 'b_in_a', 'overlap'] as const
export type Containment = (typeof CONTAINMENTS)[number]
export const CONTRACTOR_RELATIONS = ['same', 'different', 'a_oversees_b', 'b_oversees_a', 'unknown'] as const
export type ContractorRelation = (typeof CONTRACTOR_RELATIONS)[number]

/** What is between two sides, while both exist. */
export type PairFacts = {
  readonly distance_m: number
  readonly vertical_gap_m: number | null
  readonly level_gap: number
  readonly same_level: boolean
  readonly a_above_b: boolean
  readonly same_building: boolean
  readonly same_zone: boolean
  readonly containment: Containment
  readonly overlap_minutes: number
  readonly contractor_relation: ContractorRelation
  readonly same_work_line: boolean
  readonly shares_permit: boolean
  readonly dependency_linked: boolean
}

/** A pair as conditions see it. */
export type PairRow = { a: EntityFacts; b: EntityFacts; pair: PairFacts }

const read = <K extends keyof PairFacts>(path: K) => ({ path: `pair.${path}` as const, get: (row: PairRow) => row.pair[path] })
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const codesIn = (side: 'a' | 'b'): Named => ({
  name: `permit_type_in_${side}`,
  takes: 'a list of permit types',
  expand: codes => (Array.isArray(codes) ? { field: `${side}.permit_types`, op: 'overlaps', value: codes } : null),
})

const INSIDE = { a_in_b: ['a_in_b'], b_in_a: ['b_in_a'], either: ['a_in_b', 'b_in_a'] }
const INSIDE_NAMES = ['a_in_b', 'b_in_a', 'either'] as const

const NAMED: readonly Named[] = [
  codesIn('a'),
  codesIn('b'),
  {
    name: 'within_m',
    takes: 'a number of metres',
    expand: metres => (isNumber(metres) ? { field: 'pair.distance_m', op: 'lte', value: metres } : null),
  },
  {
    name: 'same_level',
    takes: 'true or false',
    expand: same => (typeof same === 'boolean' ? { field: 'pair.same_level', op: 'eq', value: same } : null),
  },
  {
    name: 'overlaps_minutes',
    takes: 'a whole number of minutes',
    expand: minutes => (Number.isSafeInteger(minutes) ? { field: 'pair.overlap_minutes', op: 'gte', value: minutes } : null),
  },
  {
    name: 'contractor_relation',
    takes: `one of ${CONTRACTOR_RELATIONS.join(', ')}, or a list of them`,
    expand: given => {
      const list = Array.isArray(given) ? itemsIn(given) : [given]
      return list.every(one => isOneOf(CONTRACTOR_RELATIONS, one))
        ? { field: 'pair.contractor_relation', op: 'in', value: [...list] }
        : null
    },
  },
  {
    name: 'inside',
    takes: `one of ${INSIDE_NAMES.join(', ')}`,
    expand: which => (isOneOf(INSIDE_NAMES, which) ? { field: 'pair.containment', op: 'in', value: INSIDE[which] } : null),
  },
]

/** Returns pairs as the subject of conditions, with names for their two sides. */
export const pairSubjectOf = (names: Sides): SubjectOf<PairRow, never> => ({
  name: 'pair',
  label: 'pairs',
  in_memory: true,
  fields: [
    ...entityFields<PairRow>(row => row.a, 'a.').map(field => ofSide(field, names.a)),
    ...entityFields<PairRow>(row => row.b, 'b.').map(field => ofSide(field, names.b)),
    { ...read('distance_m'), type: 'metres', label: 'the distance between them', clause: distanceClause },
    { ...read('vertical_gap_m'), type: 'metres', label: 'the gap between their heights' },
    { ...read('level_gap'), type: 'integer', label: 'the number of levels between them' },
    { ...read('same_level'), type: 'boolean', label: 'they are on the same level', otherwise: 'they are on different levels' },
    { ...read('a_above_b'), type: 'boolean', ...aboveWords(names) },
    { ...read('same_building'), type: 'boolean', label: 'they are in the same building', otherwise: 'they aren’t in the same building' },
    { ...read('same_zone'), type: 'boolean', label: 'they are in the same zone', otherwise: 'they aren’t in the same zone' },
    {
      ...read('containment'),
      type: 'enum',
      values: CONTAINMENTS,
      label: 'the way one is inside the other',
      clause: containmentClause(CONTAINMENTS, names),
    },
    { ...read('overlap_minutes'), type: 'minutes', label: 'the time that both are there', clause: overlapClause },
    {
      ...read('contractor_relation'),
      type: 'enum',
      values: CONTRACTOR_RELATIONS,
      label: 'the relation of their contractors',
      clause: contractorClause(CONTRACTOR_RELATIONS, names),
    },
    { ...read('same_work_line'), type: 'boolean', label: 'they are on the same work line', otherwise: 'they aren’t on the same work line' },
    { ...read('shares_permit'), type: 'boolean', label: 'they share a permit', otherwise: 'they share no permit' },
    {
      ...read('dependency_linked'),
      type: 'boolean',
      label: 'the work of one depends on the other',
      otherwise: 'neither depends on the work of the other',
    },
  ],
  named: NAMED,
  sentence: clause => (clause === 'always' ? 'always' : clause === 'never' ? 'never' : clause),
})

/** Pairs as the subject of conditions, whatever their two sides are. */
export const pairSubject = pairSubjectOf(UNNAMED)

/** Returns a condition on things as a condition on one side of a pair, such as the condition of a smart group in a rule. */
export const onSide = (subject: AnySubject, predicate: Predicate, side: 'a' | 'b'): Predicate =>
  expandPredicate(subject, predicate, leaf => ({
    ...leaf,
    field: `${side}.${leaf.field}`,
    ...(leaf.ref === undefined ? {} : { ref: `${side}.${leaf.ref}` }),
  }))
