// A condition in the form: groups of lines, each a field, an operator, and a value. It is read from the saved condition and
// written back; nobody has to type the condition language.
import { isRecord } from '../../../../shared/narrow.ts'
import { dateOn, instant, type WorkDate } from '../../../../shared/time.ts'
import type { Schemas } from '../../../base/api.ts'

/** An event that rules can use. */
export type EventSchema = Schemas['EventSchema']
/** A field of an event that conditions can use. */
export type Field = EventSchema['fields'][number] & {
  /** Private smart groups of the person can be used too: this is the condition of a group. */
  own_groups?: true
}
/** An operator for a field. */
export type Operator = Field['operators'][number]

/** One comparison. `ref` is another field to compare with, which only the API can write. */
export type Line = { id: number; is: 'line'; field: string; op: Operator | ''; value?: unknown; ref?: string }
/** Lines and groups, of which all, any or none must be true. */
export type Group = { id: number; is: 'group'; match: Match; parts: Part[] }
export type Part = Line | Group
export const MATCHES = ['all', 'any', 'none'] as const
export type Match = (typeof MATCHES)[number]

let ids = 0
/** An empty group: it is always true. */
export const newGroup = (parts: Part[] = [], match: Match = 'all'): Group => ({ id: ++ids, is: 'group', match, parts })
/** A line where nothing has been chosen yet. */
export const newLine = (): Line => ({ id: ++ids, is: 'line', field: '', op: '' })

function partOf(said: unknown): Part | null {
  if (!isRecord(said)) return null
  if (typeof said.field === 'string') {
    const { field, op, value, ref } = said
    return { id: ++ids, is: 'line', field, op: op as Operator, value, ...(typeof ref === 'string' ? { ref } : {}) } // it was saved, so it is one
  }
  for (const match of ['all', 'any'] as const) {
    const list = said[match]
    if (!Array.isArray(list)) continue
    const parts = list.map(partOf)
    return parts.every(part => part !== null) ? newGroup(parts, match) : null
  }
  const inner = 'not' in said ? partOf(said.not) : null
  if (inner === null) return null
  return newGroup(inner.is === 'group' && inner.match === 'any' ? inner.parts : [inner], 'none')
}

/** Reads a saved condition as a group; returns null when the form can't show it. */
export function readCondition(said: unknown): Group | null {
  if (said === true) return newGroup()
  const part = partOf(said)
  return part === null || part.is === 'group' ? part : newGroup([part])
}

const written = (part: Part): unknown => {
  if (part.is === 'line') {
    const { field, op, value, ref } = part
    return { field, op, ...(ref !== undefined ? { ref } : value === undefined ? {} : { value }) }
  }
  const parts = part.parts.map(written)
  return part.match === 'none' ? { not: { any: parts } } : { [part.match]: parts }
}

/** Returns a group as the service stores it; an empty one is always true. */
export const writeCondition = (group: Group): unknown => (group.parts.length === 0 ? true : written(group))

/** The paths of a group's parts in the saved condition, which the service uses to locate faults. */
export const pathOf = (group: Group, at: string, i: number): string => `${at}.${group.match === 'none' ? 'not.any' : group.match}[${i}]`

/** Returns the group with one part, however deep, replaced; null removes it, and with it any group that becomes empty. */
export function replaced(group: Group, id: number, by: Part | null): Group {
  const parts = group.parts.flatMap((part): Part[] => {
    if (part.id === id) return by === null ? [] : [by]
    if (part.is === 'line') return [part]
    const next = replaced(part, id, by)
    return next.parts.length === 0 && part.parts.length > 0 ? [] : [next]
  })
  return { ...group, parts }
}

/** Lists every line of a group. */
export const linesOf = (group: Group): Line[] => group.parts.flatMap(part => (part.is === 'line' ? [part] : linesOf(part)))

/** What the value of a comparison looks like. */
export type Form = 'none' | 'truth' | 'list' | 'range' | 'one'

/** Returns the form of the value for an operator on a field. */
export function formOf(field: Pick<Field, 'type'>, op: Operator | ''): Form {
  if (op === '' || op === 'is_set' || op === 'is_not_set') return 'none'
  if (op === 'is_empty' || field.type === 'boolean') return 'truth'
  if (field.type.startsWith('set of ')) return op === 'contains' ? 'one' : 'list'
  return op === 'between' ? 'range' : op === 'in' || op === 'not_in' ? 'list' : 'one'
}

/** Returns the type of each literal in a value. */
export const literalOf = (type: string): string => type.replace('set of ', '')

const BY_NUMBER = ['integer', 'number', 'minutes', 'metres']

const FIRST: Record<string, unknown> = { instant: { now: 'PT0S' }, work_date: { today: 0 }, local_time: '' }
const firstOf = (field: Field): unknown => {
  const type = literalOf(field.type)
  if (BY_NUMBER.includes(type)) return null
  return FIRST[type] ?? field.values?.[0] ?? ''
}

/** Returns the value of a new line. */
export function firstValue(field: Field, op: Operator | ''): unknown {
  const form = formOf(field, op)
  if (form === 'none') return undefined
  if (form === 'truth') return true
  if (form === 'list') return []
  return form === 'range' ? [firstOf(field), firstOf(field)] : firstOf(field)
}

/** Returns the day that a comparison with a fixed day or time starts with: today on site, whatever day it is on the device. */
export const fixedDay = (zone: string, now = Date.now()): WorkDate => dateOn(zone, instant(now))

/** Returns a line with another field, and its first operator. */
export function withField(line: Line, field: Field): Line {
  const op = operatorsFor(field)[0] ?? ''
  return { id: line.id, is: 'line', field: field.path, op, value: firstValue(field, op) }
}

/** Returns a line with another operator; the value stays where it still fits. */
export function withOperator(line: Line, field: Field, op: Operator): Line {
  const same = formOf(field, op) === formOf(field, line.op) && line.ref === undefined
  return { id: line.id, is: 'line', field: line.field, op, value: same ? line.value : firstValue(field, op) }
}

/** For ids of records that can't be listed, only presence can be checked. */
const BARE: readonly Operator[] = ['is_set', 'is_not_set', 'is_empty']

/** Returns the smart groups that a condition can ask about: those of the field’s subject, and private ones only in the condition of a group. */
export const groupsFor = <G extends { subject: string; visibility: string }>(
  field: Pick<Field, 'groups' | 'own_groups'>,
  groups: readonly G[],
): G[] => groups.filter(one => one.subject === field.groups && (field.own_groups === true || one.visibility === 'shared'))

/** Lists the operators that a form offers for a field. */
export const operatorsFor = (field: Field): Operator[] =>
  literalOf(field.type) === 'id' && field.refers === undefined ? field.operators.filter(op => BARE.includes(op)) : field.operators

const isSaid = (value: unknown): boolean => value !== '' && value !== null && value !== undefined

/** Returns whether a line is complete. */
export function isWhole(line: Line, field: Field | undefined): boolean {
  if (field === undefined || line.op === '') return false
  const form = formOf(field, line.op)
  if (form === 'none' || line.ref !== undefined) return true
  if (form === 'list' || form === 'range') return Array.isArray(line.value) && line.value.length > 0 && line.value.every(isSaid)
  return isSaid(line.value)
}

const DURATION = /^(-?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/

/** Returns the hours between an offset and the event: negative before it. Null when the form can't show the offset. */
export function hoursOf(value: unknown): number | null {
  const parts = isRecord(value) && typeof value.now === 'string' ? DURATION.exec(value.now) : null
  if (parts === null) return null
  const [, sign, ...given] = parts
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = given.map(part => Number(part ?? 0))
  const length = weeks * 168 + days * 24 + hours + minutes / 60 + seconds / 3600
  return length === 0 ? 0 : sign === '-' ? -length : length
}

/** Returns the offset for a number of hours from the event. */
export function hoursFrom(hours: number): { now: string } {
  const minutes = Math.round(Math.abs(hours) * 60)
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60]
  const said = `${whole > 0 ? `${whole}H` : ''}${rest > 0 ? `${rest}M` : ''}` || '0S'
  return { now: `${hours < 0 && minutes > 0 ? '-' : ''}PT${said}` }
}

/** Returns the group with only the fields that an event has: fields of the same name and type stay. */
export function keptFor(group: Group, before: readonly Field[], after: readonly Field[]): Group {
  const typeIn = (fields: readonly Field[], path: string) => fields.find(field => field.path === path)?.type
  const stays = (line: Line) => typeIn(after, line.field) !== undefined && typeIn(before, line.field) === typeIn(after, line.field)
  return linesOf(group).reduce((kept, line) => (stays(line) ? kept : replaced(kept, line.id, null)), group)
}
