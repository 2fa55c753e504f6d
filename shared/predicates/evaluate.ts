// Evaluates a condition in memory. A comparison with an absent value is false, and `not` of it is true. The SQL gives the same result (a property test checks it).
import { itemsIn } from '../narrow.ts'
import { folded } from '../text.ts'
import {
  type AnyField,
  type AnySubject,
  fieldOf,
  type Leaf,
  type Moment,
  memberOf,
  nodeOf,
  type Operator,
  type Predicate,
} from './language.ts'
import { formOf, meant, moves, plainIn, type Value } from './literals.ts'

/** Returns whether a row meets a condition at a moment. */
export type Judge<Row> = (row: Row, at: Moment) => boolean

type Compare = (actual: Value, given: readonly Value[]) => boolean

/** Compiles a condition to a function. It must have no faults. */
export function judgeOf<Row>(subject: AnySubject, predicate: Predicate): Judge<Row> {
  const node = nodeOf(subject, predicate)
  switch (node.is) {
    case 'constant':
      return () => node.value
    case 'leaf':
      return leafJudge(subject, node.leaf)
    case 'all': {
      const parts = node.parts.map(part => judgeOf<Row>(subject, part))
      return (row, at) => parts.every(part => part(row, at))
    }
    case 'any': {
      const parts = node.parts.map(part => judgeOf<Row>(subject, part))
      return (row, at) => parts.some(part => part(row, at))
    }
    case 'not': {
      const inner = judgeOf<Row>(subject, node.inner)
      return (row, at) => !inner(row, at)
    }
  }
}

/** Returns the reader of a field that has one. */
function reader(field: AnyField | undefined, path: string): (row: unknown, at: Moment) => unknown {
  if (field === undefined) throw new Error(`A condition uses the unknown field ${path}.`)
  const { get } = field
  if (get === undefined) throw new Error(`The field ${path} has to be expanded before it is evaluated.`)
  return get
}

const absent = (value: unknown): value is null | undefined => value === null || value === undefined

function leafJudge<Row>(subject: AnySubject, leaf: Leaf): Judge<Row> {
  const { op } = leaf
  const field = fieldOf(subject, leaf.field)
  const read = reader(field, leaf.field)
  if (op === 'is_set') return (row, at) => !absent(read(row, at))
  if (op === 'is_not_set') return (row, at) => absent(read(row, at))
  if (field === undefined) throw new Error('The field has no reader, although the check requires one.')
  const compare = COMPARE[op]
  if (leaf.ref !== undefined) {
    const other = reader(fieldOf(subject, leaf.ref), leaf.ref)
    const plain = (value: unknown): Value =>
      field.type === 'text' ? folded(String(value)) : field.type === 'id' ? String(value).toLowerCase() : plainIn(value)
    return (row, at) => {
      const a = read(row, at)
      const b = other(row, at)
      return !absent(a) && !absent(b) && compare(plain(a), [plain(b)])
    }
  }
  const { form, type } = formOf(field, op)
  const whole = leaf.value
  const literals = form === 'one' || form === 'truth' ? [whole] : itemsIn(whole)
  const fixed = form === 'truth' ? [whole === true] : moves(whole) ? null : literals.map(v => meant(type, v, { now: '', timezone: 'UTC' }))
  const given = (at: Moment) => fixed ?? literals.map(v => meant(type, v, at))
  if (memberOf(field.type) !== null) {
    const held = SETS[op]
    const lower = type === 'id'
    return (row, at) => {
      const set = read(row, at)
      return !absent(set) && held(new Set(itemsIn(set).map(v => (lower ? String(v).toLowerCase() : plainIn(v)))), given(at))
    }
  }
  const actual =
    field.type === 'text' ? (v: unknown) => folded(String(v)) : field.type === 'id' ? (v: unknown) => String(v).toLowerCase() : plainIn
  const test = field.type === 'local_time' ? inClock : field.type === 'instant' && op === 'between' ? halfOpen : compare
  return (row, at) => {
    const value = read(row, at)
    return !absent(value) && test(actual(value), given(at))
  }
}

const of = (given: readonly Value[], i = 0): Value => {
  const value = given[i]
  if (value === undefined) throw new Error('A comparison has no literal.')
  return value
}

/** From the first value up to, but not including, the second. */
const halfOpen: Compare = (a, given) => a >= of(given) && a < of(given, 1)

/** Times of day, past midnight if the end is before the start; nothing if both are the same. */
const inClock: Compare = (a, given) => (of(given) <= of(given, 1) ? halfOpen(a, given) : a >= of(given) || a < of(given, 1))

const never = (): boolean => {
  throw new Error('This type doesn’t have this operator.')
}

const COMPARE: Record<Operator, Compare> = {
  eq: (a, given) => a === of(given),
  ne: (a, given) => a !== of(given),
  lt: (a, given) => a < of(given),
  lte: (a, given) => a <= of(given),
  gt: (a, given) => a > of(given),
  gte: (a, given) => a >= of(given),
  before: (a, given) => a < of(given),
  after: (a, given) => a > of(given),
  between: (a, given) => a >= of(given) && a <= of(given, 1),
  in: (a, given) => given.includes(a),
  not_in: (a, given) => !given.includes(a),
  contains: (a, given) => String(a).includes(String(of(given))),
  starts_with: (a, given) => String(a).startsWith(String(of(given))),
  overlaps: never,
  contains_all: never,
  disjoint: never,
  is_empty: never,
  is_set: never,
  is_not_set: never,
}

const SETS: Record<Operator, (set: ReadonlySet<Value>, given: readonly Value[]) => boolean> = {
  overlaps: (set, given) => given.some(v => set.has(v)),
  contains_all: (set, given) => given.every(v => set.has(v)),
  disjoint: (set, given) => !given.some(v => set.has(v)),
  contains: (set, given) => set.has(of(given)),
  is_empty: (set, given) => (set.size === 0) === of(given),
  eq: never,
  ne: never,
  lt: never,
  lte: never,
  gt: never,
  gte: never,
  before: never,
  after: never,
  between: never,
  in: never,
  not_in: never,
  starts_with: never,
  is_set: never,
  is_not_set: never,
}
