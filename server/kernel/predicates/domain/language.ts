// The predicate language (`conflict-and-planning.md` §0.4): its types, operators and limits, and what a subject says of itself.
import type { Instant } from '../../../../shared/time.ts'

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
/** Types that a set can be of. */
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

/** The type of a set's members; null for a type that is no set. */
export const memberOf = (type: FieldType): Member | null => (type.startsWith('set of ') ? (type.slice(7) as Member) : null) // the words after 'set of' name a member

/** Operators of a field: those of its type, or fewer where the field says so; each can be asked whether it is there. */
export function operatorsOf(field: Pick<AnyField, 'type' | 'operators'>): readonly Operator[] {
  const all = BY_TYPE[memberOf(field.type) === null ? (field.type as Scalar) : 'set'] // no set: a scalar
  const own = field.operators
  return [...(own === undefined ? all : all.filter(op => own.includes(op))), 'is_set', 'is_not_set']
}

/** Operators that compare two fields. */
export const BETWEEN_FIELDS: readonly Operator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'before', 'after']

/** How large a predicate may be. */
export const LIMITS = { depth: 8, nodes: 200, literals: 500, bytes: 32 * 1024, text: 200 } as const

/** A condition as it is written and saved. */
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

/** When and where a condition is judged: nothing else in it depends on the clock. */
export type Moment = { now: Instant; timezone: string }

/** A field of a subject. `Sql`: the type of its expression, which only queries know. */
export type Field<Row, Sql = unknown> = {
  /** Its name in a condition; for pairs with `a.`, `b.` or `pair.` before it. */
  path: string
  type: FieldType
  /** Words for it in a sentence: "the contractor". For a boolean the whole clause: "it lifts people". */
  label: string
  /** The clause when a boolean is false: "it doesn’t lift people". */
  otherwise?: string
  /** Words that an enum can have. */
  values?: readonly string[]
  /** What an id or code names, as rooms register it. A literal that doesn't exist is a fault (id) or a warning (code). */
  refers?: string
  /** Fewer operators than those of its type. */
  operators?: readonly Operator[]
  /** Replaced by other conditions before anything is evaluated (membership in a smart group). */
  expanded?: true
  /** The value in memory: text as instants are (`2026-03-29T00:30:00.000Z`), numbers as numbers, sets as arrays; null when it is absent. */
  get?(row: Row, at: Moment): unknown
  /** The same in SQL: `timestamptz`, `date`, `uuid`, `text`, numbers, arrays; a local time as text. */
  sql?(at: Moment): Sql
  /** The expression is a bare column: it may then be found by its index. */
  column?: true
}

/** A named predicate: exactly what its arguments stand for. */
export type Named = {
  name: string
  /** What its arguments are, for the reader of a fault: "a number of metres". */
  takes: string
  /** The condition that it stands for; null when the arguments are of another form. */
  expand(args: unknown): Predicate | null
}

/** What conditions can speak of: typed fields and named predicates. */
export type SubjectOf<Row, Sql> = {
  name: string
  /** Things of it in words: "permits". */
  label: string
  fields: readonly Field<Row, Sql>[]
  named?: readonly Named[]
  /** There is no SQL for it: things of it are only ever judged one by one (events). */
  in_memory?: true
  /** The sentence around the clause, where "permits where …" is not the best one. */
  sentence?(clause: string): string
}

/** A field, whatever it is read from. */
// biome-ignore lint/suspicious/noExplicitAny: a condition knows fields by name; what row they read is the subject's own matter.
export type AnyField = Field<any, unknown>
/** A subject, whatever its rows are. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnySubject = SubjectOf<any, unknown>

/** What may be wrong with a condition. */
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
/** A fault: where, what, and the same in words. */
export type PredicateFault = { path: string; code: FaultCode; message: string }
/** What is worth a second look, but no reason to refuse. */
export type PredicateWarning = { path: string; code: 'always_true' | 'always_false' | 'code_not_on_site'; message: string }

/**
 * What the site has of what a condition names: by what fields refer to, labels of the ids that are there, and all codes. A name that is in neither
 * is not checked.
 */
export type Refs = { ids: ReadonlyMap<string, ReadonlyMap<string, string>>; codes: ReadonlyMap<string, readonly string[]> }
/** Nothing is known of the site: ids and codes are taken as they are. */
export const NO_REFS: Refs = { ids: new Map(), codes: new Map() }

/** Whether a value is an object with keys, no list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsBySubject = new WeakMap<AnySubject, Map<string, AnyField>>()

/** The field of this path. */
export function fieldOf(subject: AnySubject, path: unknown): AnyField | undefined {
  let fields = fieldsBySubject.get(subject)
  if (fields === undefined) {
    fields = new Map(subject.fields.map(field => [field.path, field]))
    fieldsBySubject.set(subject, fields)
  }
  return typeof path === 'string' ? fields.get(path) : undefined
}

/** The named predicate that a node is, with its arguments; null for any other node. */
export function namedIn(subject: AnySubject, node: unknown): { named: Named; args: unknown } | null {
  if (!isObject(node)) return null
  const [key, ...more] = Object.keys(node)
  if (key === undefined || more.length > 0) return null
  const named = subject.named?.find(one => one.name === key)
  return named === undefined ? null : { named, args: node[key] }
}

/** A condition taken apart by one step, named predicates written out. */
export type Node =
  | { is: 'constant'; value: boolean }
  | { is: 'leaf'; leaf: Leaf }
  | { is: 'all' | 'any'; parts: Predicate[] }
  | { is: 'not'; inner: Predicate }

/** Takes a condition apart by one step. It must be free of faults, which is what the casts rest on. */
export function nodeOf(subject: AnySubject, predicate: Predicate): Node {
  if (typeof predicate === 'boolean') return { is: 'constant', value: predicate }
  if ('field' in predicate) return { is: 'leaf', leaf: predicate as Leaf }
  if ('all' in predicate) return { is: 'all', parts: predicate.all as Predicate[] }
  if ('any' in predicate) return { is: 'any', parts: predicate.any as Predicate[] }
  if ('not' in predicate) return { is: 'not', inner: predicate.not as Predicate }
  const found = namedIn(subject, predicate)
  const written = found?.named.expand(found.args) ?? null
  if (written === null) throw new Error('A condition with faults was used.')
  return nodeOf(subject, written)
}

/** The condition with each comparison that `replace` answers for put in its place, named predicates written out. It must be free of faults. */
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
