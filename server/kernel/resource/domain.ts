// The shapes of a plain area, made from its fields. Pure.
import {
  flags,
  id,
  instant,
  integer,
  loose,
  oneOf,
  optional,
  optionals,
  orNull,
  partial,
  REFERS,
  shape,
  type TSchema,
  text,
} from '../../base/schema.ts'
import { evidenceField } from '../evidence/schema.ts'

/** Fields of an area, by the name of their column. */
export type Fields = Readonly<Record<string, TSchema>>

/** Whether a schema allows null. */
const nullable = (schema: TSchema): boolean => {
  const { type, anyOf } = loose(schema)
  return (Array.isArray(type) && type.includes('null')) || (anyOf?.some(one => one.type === 'null') ?? false)
}

/** The schema of a state. */
export const statusOf = (states: readonly { key: string; label: string }[]) =>
  oneOf(
    states.map(state => state.key),
    `State: ${states.map(state => `\`${state.key}\` ${state.label.toLowerCase()}`).join(', ')}`,
  )

/** What the shapes of an area are made from. */
export type Shaped = {
  /** Name of the shape in the API document: `Gate`. */
  shape: string
  /** Description of one record: “A gate of the site”. */
  says: string
  fields: Fields
  /** Fields that are given at creation and never changed. */
  fixed?: readonly string[]
  /** Values of fields that are left out at creation. */
  defaults?: Readonly<Record<string, unknown>>
  /** Further fields of the response: columns that the area writes itself, and what `shown` computes. */
  computed?: Fields
  /** Further fields of a body that creates a record, which are no columns: the area reads them. */
  with_create?: Fields
  /** Further fields of a body that changes a record, which the area reads. */
  with_change?: Fields
  /** Prefix of its numbers (`SN` gives SN-000123), with a column `number`. */
  number?: string
  /** Path of the list: `/sites/:site_id/gates`, or `/materials/`, where the site is in the query of the list and in the body that creates one. */
  path: string
  /** Whether deleted records stay, in the column `deleted_at`. With `kept`, the area says itself which list shows them. */
  bin?: boolean | 'kept'
  /** The endpoint that returns records without flags, if there is one: `GET /pois/at-time`. */
  bare_in?: string
  /** Lets records hold files (`kernel/evidence`). */
  evidence?: object
  /** Its lifecycle, as far as shapes need it: the states, and the actions with a flag. */
  lifecycle?: {
    graph: { states: readonly { key: string; label: string }[] }
    steps: Readonly<Record<string, { past: string; by_clock?: true }>>
    column?: string
  }
}

/** The shapes of an area: what is returned, what is sent to create a record, and what is sent to change one. */
export function shapesOf(given: Shaped) {
  const { shape: name, says, fields, fixed = [], defaults = {}, computed = {}, with_create = {}, with_change = {} } = given
  const actions = [
    'change',
    'delete',
    ...(given.bin === true ? ['restore'] : []),
    ...(given.evidence ? ['add_evidence'] : []),
    ...Object.entries(given.lifecycle?.steps ?? {}).flatMap(([action, step]) => (step.by_clock ? [] : [action])),
  ]
  const states = given.lifecycle?.graph.states ?? []
  const left_out = (field: string, schema: TSchema) => nullable(schema) || field in defaults
  return {
    record: shape(name, says, {
      id: id('Id'),
      site_id: id('Site'),
      ...(given.number === undefined ? {} : { number: text('Number, unique on the site', { max: 40, example: `${given.number}-000123` }) }),
      ...(states.length === 0 ? {} : { [given.lifecycle?.column ?? 'status']: statusOf(states) }),
      ...fields,
      ...computed,
      ...(given.evidence ? { evidence: evidenceField } : {}),
      ...(given.bin ? { deleted_at: orNull(instant('Time of deletion; null if the record isn’t deleted')) } : {}),
      permissions:
        given.bare_in === undefined
          ? flags(actions, { add_evidence: 'attach files' })
          : optional(
              flags(actions, {}, `Actions available to the caller; ${given.bare_in} returns them only if \`include\` asks for them`),
            ),
      version: integer('Version'),
      created_at: instant('Creation time'),
      created_by: orNull(id('Person who created the record; null if no person did')),
      updated_at: instant('Time of the last change'),
      updated_by: orNull(id('Person who last changed the record; null if no person did')),
    }),
    create: shape(`New${name}`, `${says}, to be created`, {
      ...(given.path.includes(':site_id') ? {} : { site_id: id('Site') }),
      ...Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, left_out(field, schema) ? optional(schema) : schema])),
      ...optionals(with_create),
    }),
    change: partial(`${name}Change`, `${says}: fields to change`, {
      ...Object.fromEntries(Object.entries(fields).filter(([field]) => !fixed.includes(field))),
      ...with_change,
    }),
  }
}

/** Lists the fields that refer to other records, with the kind that they refer to. */
export const referencesIn = (fields: Fields): { field: string; kind: string }[] =>
  Object.entries(fields).flatMap(([field, schema]) => {
    const { [REFERS]: kind } = loose(schema)
    return kind === undefined ? [] : [{ field, kind }]
  })
