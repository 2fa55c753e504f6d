// A condition in SQL: the same answer as in memory. Paths map to the subject's own expressions, literals are parameters; no text of the caller reaches
// the statement.
import type { RawBuilder } from 'kysely'
import { sql } from '../../base/db.ts'
import {
  type AnyField,
  type AnySubject,
  fieldOf,
  type Leaf,
  type Member,
  type Moment,
  memberOf,
  nodeOf,
  type Operator,
  type Predicate,
  type Scalar,
} from './domain/language.ts'
import { formOf, meant } from './domain/literals.ts'

/** A piece of SQL with its parameters. */
export type Expression = RawBuilder<unknown>
/** A condition in SQL. */
export type Condition = RawBuilder<boolean>

const TRUE = sql<boolean>`true`
const FALSE = sql<boolean>`false`

/** The condition as a boolean expression, never NULL. It must be free of faults. */
export function sqlOf(subject: AnySubject, predicate: Predicate, at: Moment): Condition {
  const node = nodeOf(subject, predicate)
  switch (node.is) {
    case 'constant':
      return node.value ? TRUE : FALSE
    case 'leaf':
      return leafSql(subject, node.leaf, at)
    case 'all':
    case 'any': {
      if (node.parts.length === 0) return node.is === 'all' ? TRUE : FALSE
      const parts = node.parts.map(part => sqlOf(subject, part, at))
      return sql<boolean>`(${sql.join(parts, node.is === 'all' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql<boolean>`not ${sqlOf(subject, node.inner, at)}`
  }
}

function expressionOf(subject: AnySubject, path: string, at: Moment): { field: AnyField; expression: Expression } {
  const field = fieldOf(subject, path)
  if (field === undefined) throw new Error(`A condition names the field ${path}, which is not there.`)
  if (field.sql === undefined) throw new Error(`The field ${path} has no SQL: it is judged in memory, or has to be expanded before.`)
  return { field, expression: field.sql(at) as Expression } // subjects come in by the door, whose type says so
}

const NUMBERS: readonly (Scalar | Member)[] = ['integer', 'number', 'minutes', 'metres']

/** An expression in the form in which it is compared: numbers as JavaScript has them, text folded. */
const comparable = (type: Scalar | Member, expression: Expression): Expression =>
  NUMBERS.includes(type) ? sql`(${expression})::double precision` : type === 'text' ? sql`fold_text(${expression})` : expression

const CASTS: Record<Scalar | Member, Expression> = {
  enum: sql`text`,
  code: sql`text`,
  id: sql`uuid`,
  text: sql`text`,
  integer: sql`double precision`,
  number: sql`double precision`,
  minutes: sql`double precision`,
  metres: sql`double precision`,
  boolean: sql`boolean`,
  instant: sql`timestamptz`,
  work_date: sql`date`,
  local_time: sql`text`,
  weekday: sql`integer`,
}

const SIGNS: Partial<Record<Operator, Expression>> = {
  eq: sql`=`,
  ne: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
  before: sql`<`,
  after: sql`>`,
}

/** What is absent compares as false: a bare column says so in a way that leaves its index in use. */
const certain = (field: AnyField, expression: Expression, condition: Expression): Condition =>
  field.column ? sql<boolean>`(${condition} and ${expression} is not null)` : sql<boolean>`coalesce(${condition}, false)`

function leafSql(subject: AnySubject, leaf: Leaf, at: Moment): Condition {
  const { op } = leaf
  const { field, expression } = expressionOf(subject, leaf.field, at)
  if (op === 'is_set') return sql<boolean>`((${expression}) is not null)`
  if (op === 'is_not_set') return sql<boolean>`((${expression}) is null)`
  const sign = SIGNS[op]
  if (leaf.ref !== undefined) {
    const type = field.type as Scalar // sets are never compared with each other
    const other = expressionOf(subject, leaf.ref, at).expression
    if (sign === undefined) throw new Error(`${op} does not compare two fields.`)
    return sql<boolean>`coalesce(${comparable(type, expression)} ${sign} ${comparable(type, other)}, false)`
  }
  const { form, type } = formOf(field, op)
  const cast = CASTS[type]
  const literals = (form === 'list' || form === 'range' ? (leaf.value as unknown[]) : [leaf.value]).map(v =>
    form === 'truth' ? v : meant(type, v, at),
  ) // free of faults
  const [first, second] = literals.map(v => sql`${v}::${cast}`)
  if (memberOf(field.type) !== null) {
    const list = sql`${literals}::${type === 'integer' ? sql`integer` : cast}[]`
    const condition: Partial<Record<Operator, () => Expression>> = {
      overlaps: () => sql`(${expression}) && ${list}`,
      contains_all: () => sql`(${expression}) @> ${list}`,
      contains: () => sql`(${expression}) @> ${list}`,
      disjoint: () => sql`not ((${expression}) && ${list})`,
      is_empty: () => sql`(cardinality(${expression}) = 0) = ${leaf.value}::boolean`,
    }
    const made = condition[op]?.()
    if (made === undefined) throw new Error(`A set cannot be asked by ${op}.`)
    return certain(field, expression, made)
  }
  const value = comparable(type, expression)
  if (op === 'in' || op === 'not_in') {
    if (literals.length === 0) return op === 'in' ? FALSE : sql<boolean>`((${expression}) is not null)` // NULL is unequal to all of nothing
    const list = sql`${literals}::${cast}[]`
    return certain(field, expression, op === 'in' ? sql`${value} = any(${list})` : sql`${value} <> all(${list})`)
  }
  if (first === undefined) throw new Error('A comparison without its literal.')
  if (sign !== undefined) return certain(field, expression, sql`${value} ${sign} ${first}`)
  if (op === 'contains') return certain(field, expression, sql`strpos(${value}, ${first}) > 0`)
  if (op === 'starts_with') return certain(field, expression, sql`starts_with(${value}, ${first})`)
  if (op !== 'between' || second === undefined) throw new Error(`${op} is no comparison of a single value.`)
  if (type === 'local_time') {
    const over = String(literals[0]) > String(literals[1])
    return certain(
      field,
      expression,
      over ? sql`(${value} >= ${first} or ${value} < ${second})` : sql`(${value} >= ${first} and ${value} < ${second})`,
    )
  }
  return certain(
    field,
    expression,
    type === 'instant' ? sql`(${value} >= ${first} and ${value} < ${second})` : sql`${value} between ${first} and ${second}`,
  )
}
