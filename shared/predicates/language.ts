// The predicate language (`conflict-and-planning.md` §0.4): its types, operators and limits, and the description of a subject.
import { isOneOf, isRecord, itemsIn } from '../narrow.ts'
import type { Instant } from '../time.ts'

/** Types of single values. */
export type Scalar =
  | 'enum'
  | 'code'
  | 'id'
  | 'text'
  | 'integer'
  | 'number'
  | 'minutes'
  | 'metres'
  | 'boolean'
  | 'instant'
  | 'work_date'
  | 'local_time'
  | 'weekday'
/** Types that the members of a set can have. */
export type Member = 'enum' | 'code' | 'id' | 'integer'
/** Type of a field. */
export type FieldType = Scalar | `set of ${Member}`

/** Every operator. */
export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'between',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'before',
  'after',
  'overlaps',
  'contains_all',
  'disjoint',
  'is_empty',
  'is_set',
  'is_not_set',
] as const
/** An operator. */
export type Operator = (typeof OPERATORS)[number]
/** Operators in words, each with its negation; `one`: that a set includes a value. */
export type Wording = Partial<Record<Operator | 'one', readonly [string, string]>>

const WORDS = ['eq', 'ne', 'in', 'not_in'] as const
const NUMBERS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between'] as const
const BY_TYPE: Record<Scalar | 'set', readonly Operator[]> = {
  enum: WORDS,
  code: WORDS,
  id: WORDS,
  text: ['eq', 'ne', 'contains', 'starts_with'],
  integer: NUMBERS,
  number: NUMBERS,
  minutes: NUMBERS,
  metres: NUMBERS,
  boolean: ['eq'],
  instant: ['before', 'after', 'between'],
  work_date: ['eq', 'ne', 'before', 'after', 'between'],
  local_time: ['between'],
  weekday: ['in', 'not_in'],
  set: ['overlaps', 'contains_all', 'disjoint', 'is_empty', 'contains'],
}

/** Types of sets, with the type of their members. */
export const SETS = { 'set of enum': 'enum', 'set of code': 'code', 'set of id': 'id', 'set of integer': 'integer' } as const

/** Returns whether a type is that of a set. */
export const isSet = (type: FieldType): type is keyof typeof SETS => type in SETS

/** Returns the type of a set's members; null for a type that isn't a set. */
export const memberOf = (type: FieldType): Member | null => (isSet(type) ? SETS[type] : null)

/** Returns the operators of a field: those of its type, or fewer if the field says so. Every field can be tested for whether it is set. */
export function operatorsOf(field: Pick<AnyField, 'type' | 'operators'>): readonly Operator[] {
  const { type, operators: own } = field
  const all = BY_TYPE[isSet(type) ? 'set' : type]
  return [...(own === undefined ? all : all.filter(op => own.includes(op))), 'is_set', 'is_not_set']
}

/** Operators that compare two fields. */
export const BETWEEN_FIELDS: readonly Operator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'before', 'after']

/** Limits of a predicate. */
export const LIMITS = { depth: 8, nodes: 200, literals: 500, bytes: 32 * 1024, text: 200 } as const

/** A condition in the form in which it is written and stored. */
export type Predicate =
  | boolean
  | { all: Predicate[] }
  | { any: Predicate[] }
  | { not: Predicate }
  | Leaf
  /** A named predicate of the subject, with its arguments. */
  | { [name: string]: unknown }

/** A comparison of one field. */
export type Leaf = { field: string; op: Operator; value?: unknown; ref?: string }

/** The moment and time zone for which a condition is evaluated: nothing else in it depends on the clock. */
export type Moment = { now: Instant; timezone: string }

/** What smart groups can select. */
export const GROUP_SUBJECTS = ['entity', 'permit'] as const
export type GroupSubject = (typeof GROUP_SUBJECTS)[number]

/** A field of a subject. `Sql`: the type of its SQL expression, which only the queries know. */
export type Field<Row, Sql = unknown> = {
  /** Its name in a condition; for pairs with `a.`, `b.` or `pair.` before it. */
  path: string
  type: FieldType
  /** Its name in a sentence: "the contractor". For a boolean the whole clause: "the plant lifts people". */
  label: string
  /** The clause when a boolean is false: "it doesn’t lift people". */
  otherwise?: string
  /** A whole clause for some comparisons, which says them as people do: "they are within 5 m of each other". Null for any other comparison. */
  clause?(leaf: Leaf, denied: boolean): string | null
  /** Verbs of its own, and their negations, if those of the operators don't fit: “is in” for groups. */
  wording?: Wording
  /** Values of an enum. */
  values?: readonly string[]
  /** What an id or code refers to, as rooms register it. A literal that doesn't exist is a fault (id) or a warning (code). */
  refers?: string
  /** For ids of smart groups: the subject of those groups. */
  groups?: GroupSubject
  /** Fewer operators than those of its type. */
  operators?: readonly Operator[]
  /** Replaced by other conditions before anything is evaluated (membership in a smart group). */
  expanded?: true
  /** Reads the value in memory: instants as text (`2026-03-29T00:30:00.000Z`), numbers as numbers, sets as arrays; null if it is absent. */
  get?(row: Row, at: Moment): unknown
  /** The value as an SQL expression: `timestamptz`, `date`, `uuid`, `text`, numbers, arrays; a local time as text. */
  sql?(at: Moment): Sql
  /** The expression is a bare column, so its index can be used. */
  column?: true
}

/** A field as it is read in memory; the server adds its SQL. */
export type FieldInMemory<Row> = Omit<Field<Row>, 'sql' | 'column'>

/** A named predicate, an abbreviation for another condition. */
export type Named = {
  name: string
  /** A description of its arguments, for the message of a fault: "a number of metres". */
  takes: string
  /** Returns the condition that it abbreviates; null if the arguments have another form. */
  expand(args: unknown): Predicate | null
}

/** What conditions can refer to: typed fields and named predicates. */
export type SubjectOf<Row, Sql> = {
  name: string
  /** The plural noun for its records, such as "permits". */
  label: string
  fields: readonly Field<Row, Sql>[]
  named?: readonly Named[]
  /** It has no SQL, because its records are only evaluated one by one (events). */
  in_memory?: true
  /** The sentence around the clause, if "permits where …" doesn't fit. */
  sentence?(clause: string): string
}

/** A field of any kind of row. */
export type AnyField = Field<unknown, unknown>
/** A subject with any kind of row. */
export type AnySubject = SubjectOf<unknown, unknown>

/** Kinds of fault in a condition. */
export type FaultCode =
  | 'unknown_field'
  | 'unknown_operator'
  | 'wrong_type'
  | 'unknown_value'
  | 'missing_value'
  | 'too_deep'
  | 'too_large'
  | 'dead_reference'
  | 'circular_reference'
  | 'unbounded_reach'
/** A fault: its path, its code, and a message. */
export type PredicateFault = { path: string; code: FaultCode; message: string }
/** A warning, which refuses nothing. */
export type PredicateWarning = { path: string; code: 'always_true' | 'always_false' | 'code_not_on_site'; message: string }

/**
 * What the site knows about the names in a condition: for ids, the labels of those that exist; for codes, all of them. A name that is in neither isn't
 * checked.
 */
export type Refs = { ids: ReadonlyMap<string, ReadonlyMap<string, string>>; codes: ReadonlyMap<string, readonly string[]> }
/** Nothing is known about the site: ids and codes are accepted without a check. */
export const NO_REFS: Refs = { ids: new Map(), codes: new Map() }

const fieldsBySubject = new WeakMap<AnySubject, Map<string, AnyField>>()

/** Returns the field with this path. */
export function fieldOf(subject: AnySubject, path: unknown): AnyField | undefined {
  let fields = fieldsBySubject.get(subject)
  if (fields === undefined) {
    fields = new Map(subject.fields.map(field => [field.path, field]))
    fieldsBySubject.set(subject, fields)
  }
  return typeof path === 'string' ? fields.get(path) : undefined
}

/** Returns the named predicate that a node uses, with its arguments; null for any other node. */
export function namedIn(subject: AnySubject, node: unknown): { named: Named; args: unknown } | null {
  if (!isRecord(node)) return null
  const [key, ...more] = Object.keys(node)
  if (key === undefined || more.length > 0) return null
  const named = subject.named?.find(one => one.name === key)
  return named === undefined ? null : { named, args: node[key] }
}

/** A condition analysed one level deep, with named predicates replaced. */
export type Node =
  | { is: 'constant'; value: boolean }
  | { is: 'leaf'; leaf: Leaf }
  | { is: 'all' | 'any'; parts: Predicate[] }
  | { is: 'not'; inner: Predicate }

/** Returns whether a value is a condition as far as one level shows: true, false, or an object. */
export const isPredicate = (value: unknown): value is Predicate => typeof value === 'boolean' || isRecord(value)

const isLeaf = (value: { field?: unknown; op?: unknown; ref?: unknown }): value is Leaf =>
  typeof value.field === 'string' && isOneOf(OPERATORS, value.op) && (value.ref === undefined || typeof value.ref === 'string')

const faulty = (): never => {
  throw new Error('A condition with faults was used.')
}
const soundPart = (value: unknown): Predicate => (isPredicate(value) ? value : faulty())

/** Analyses a condition one level deep. It must have no faults. */
export function nodeOf(subject: AnySubject, predicate: Predicate): Node {
  if (typeof predicate === 'boolean') return { is: 'constant', value: predicate }
  if ('field' in predicate) return isLeaf(predicate) ? { is: 'leaf', leaf: predicate } : faulty()
  if ('all' in predicate) return { is: 'all', parts: itemsIn(predicate.all).map(soundPart) }
  if ('any' in predicate) return { is: 'any', parts: itemsIn(predicate.any).map(soundPart) }
  if ('not' in predicate) return { is: 'not', inner: soundPart(predicate.not) }
  const found = namedIn(subject, predicate)
  const written = found?.named.expand(found.args) ?? null
  return written === null ? faulty() : nodeOf(subject, written)
}

/** Returns a condition in which `replace` may change each comparison and named predicates are replaced. It must have no faults. */
export function expandPredicate(subject: AnySubject, predicate: Predicate, replace: (leaf: Leaf) => Predicate | null): Predicate {
  const node = nodeOf(subject, predicate)
  const walk = (part: Predicate) => expandPredicate(subject, part, replace)
  switch (node.is) {
    case 'constant':
      return node.value
    case 'leaf':
      return replace(node.leaf) ?? node.leaf
    case 'all':
      return { all: node.parts.map(walk) }
    case 'any':
      return { any: node.parts.map(walk) }
    case 'not':
      return { not: walk(node.inner) }
  }
}
