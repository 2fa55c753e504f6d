// Compiles a condition to SQL that gives the same result as in memory. Paths map to the subject's own expressions, and literals are parameters; no text
// of the caller reaches the statement.

import type { RawBuilder } from 'kysely'
import { itemsIn } from '../../../shared/narrow.ts'
import {
  type AnyField,
  type AnySubject,
  type Field,
  fieldOf,
  isSet,
  type Leaf,
  type Member,
  type Moment,
  memberOf,
  nodeOf,
  type Operator,
  type Predicate,
  type Scalar,
} from '../../../shared/predicates/language.ts'
import { formOf, meant } from '../../../shared/predicates/literals.ts'
import { TIME_PATHS, type TimePath } from '../../../shared/predicates/times.ts'
import { type Db, sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import { wallSql } from '../../base/walls.ts'

/** A piece of SQL with its parameters. */
export type Expression = RawBuilder<unknown>
/** A condition in SQL. */
export type Condition = RawBuilder<boolean>

const TRUE = sql<boolean>`true`
const FALSE = sql<boolean>`false`

/** Compiles a condition to a boolean expression that is never NULL. The condition must have no faults. */
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
  if (field === undefined) throw new Error(`A condition uses the field ${path}, which doesn’t exist.`)
  if (field.sql === undefined) throw new Error(`The field ${path} has no SQL: it is evaluated in memory, or has to be expanded first.`)
  const expression = field.sql(at)
  if (!isExpression(expression)) throw new Error(`The field ${path} has something else instead of SQL.`)
  return { field, expression }
}

const isExpression = (value: unknown): value is Expression => typeof value === 'object' && value !== null && 'isRawBuilder' in value

const NUMBERS: readonly (Scalar | Member)[] = ['integer', 'number', 'minutes', 'metres']

/** Returns an expression in the form in which it is compared: numbers as JavaScript has them, text folded. */
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

/** Makes a comparison with an absent value false; for a bare column in a way that still allows its index to be used. */
const certain = (field: AnyField, expression: Expression, condition: Expression): Condition =>
  field.column ? sql<boolean>`(${condition} and ${expression} is not null)` : sql<boolean>`coalesce(${condition}, false)`

function leafSql(subject: AnySubject, leaf: Leaf, at: Moment): Condition {
  const { op } = leaf
  const { field, expression } = expressionOf(subject, leaf.field, at)
  if (op === 'is_set') return sql<boolean>`((${expression}) is not null)`
  if (op === 'is_not_set') return sql<boolean>`((${expression}) is null)`
  const sign = SIGNS[op]
  if (leaf.ref !== undefined) {
    const { type } = field
    const other = expressionOf(subject, leaf.ref, at).expression
    if (sign === undefined || isSet(type)) throw new Error(`${op} can’t compare two fields.`)
    return sql<boolean>`coalesce(${comparable(type, expression)} ${sign} ${comparable(type, other)}, false)`
  }
  const { form, type } = formOf(field, op)
  const cast = CASTS[type]
  const literals = (form === 'list' || form === 'range' ? itemsIn(leaf.value) : [leaf.value]).map(v =>
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
    if (made === undefined) throw new Error(`The operator ${op} can’t be used with a set.`)
    return certain(field, expression, made)
  }
  const value = comparable(type, expression)
  if (op === 'in' || op === 'not_in') {
    if (literals.length === 0) return op === 'in' ? FALSE : sql<boolean>`((${expression}) is not null)` // every set value differs from an empty list
    const list = sql`${literals}::${cast}[]`
    return certain(field, expression, op === 'in' ? sql`${value} = any(${list})` : sql`${value} <> all(${list})`)
  }
  if (first === undefined) throw new Error('A comparison has no literal.')
  if (sign !== undefined) return certain(field, expression, sql`${value} ${sign} ${first}`)
  if (op === 'contains') return certain(field, expression, sql`strpos(${value}, ${first}) > 0`)
  if (op === 'starts_with') return certain(field, expression, sql`starts_with(${value}, ${first})`)
  if (op !== 'between' || second === undefined) throw new Error(`${op} isn’t a comparison with a single value.`)
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

type Sql = Pick<Field<never, Expression>, 'sql' | 'column'>

/** Returns the SQL of a field of a start and an end; undefined for any other field. `alias`: that of the relation that the expressions use. */
export function timeSql(path: string, alias: string): Sql | undefined {
  const start = sql.ref(`${alias}.start_at`)
  const end = sql.ref(`${alias}.end_at`)
  const known: Record<TimePath, Sql> = {
    start_at: { sql: () => start, column: true },
    end_at: { sql: () => end, column: true },
    // Milliseconds are whole numbers, so that the division gives the same last digit on both sides.
    duration_minutes: { sql: () => sql`(extract(epoch from ${end} - ${start}) * 1000)::double precision / 60000` },
    weekday: { sql: at => sql`extract(isodow from ${wallSql(at.timezone, start)})::integer` },
    starts_local: { sql: at => sql`to_char(${wallSql(at.timezone, start)}, 'HH24:MI')` },
  }
  const found = TIME_PATHS.find(one => one === path)
  return found === undefined ? undefined : known[found]
}

/** Returns the records of a subject as one relation. */
export function together(relations: readonly Expression[], columns: readonly string[]): Expression {
  const [only, ...more] = relations
  if (only === undefined) throw new Error('No kind of record belongs to this subject.')
  if (more.length === 0) return only
  const named = sql.join(columns.map(column => sql.ref(`r.${column}`)))
  return sql`(${sql.join(
    relations.map(one => sql`select ${named} from ${one} r`),
    sql` union all `,
  )})`
}

/** Returns which of these conditions each record of a relation meets, in their order. */
export async function metBy(db: Db, members: Expression, conditions: readonly Condition[]): Promise<Map<Id, boolean[]>> {
  const { rows } = await sql<{
    id: Id
    met: boolean[]
  }>`select m.id, array[${sql.join(conditions)}]::boolean[] as met from ${members} m`.execute(db)
  return new Map(rows.map(row => [row.id, row.met]))
}
