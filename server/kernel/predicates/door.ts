// One condition language for the whole service (`conflict-and-planning.md` §0.4): a room registers a subject, and the same few functions check its
// conditions, explain them, evaluate them in memory and compile them to SQL.

import { type Checked, checked, namesIn } from '../../../shared/predicates/check.ts'
import { type Judge, judgeOf } from '../../../shared/predicates/evaluate.ts'
import { type Reader, sentenceOf } from '../../../shared/predicates/explain.ts'
import {
  type AnySubject,
  type Moment,
  memberOf,
  NO_REFS,
  type Predicate,
  type Refs,
  type SubjectOf,
} from '../../../shared/predicates/language.ts'
import type { Nested } from '../../../shared/predicates/nested.ts'
import type { Instant } from '../../../shared/time.ts'
import type { Ctx } from '../../base/ctx.ts'
import type { Id } from '../../base/ids.ts'
import { type Condition, type Expression, sqlOf } from './queries.ts'

export type { Checked } from '../../../shared/predicates/check.ts'
export { sizeOf } from '../../../shared/predicates/check.ts'
export type { Judge } from '../../../shared/predicates/evaluate.ts'
export type { Reader } from '../../../shared/predicates/explain.ts'
export {
  isPredicate,
  type Moment,
  NO_REFS,
  type Predicate,
  type Refs,
} from '../../../shared/predicates/language.ts'
export { type Condition, type Expression, metBy, timeSql, together } from './queries.ts'

/** A subject as a room registers it: every field has SQL, unless the subject is `in_memory`. */
export type Subject<Row = unknown> = SubjectOf<Row, Expression>

/**
 * Looks up what the ids or codes in conditions refer to. For ids: those that exist, with the labels that the caller can see; for codes: all of the
 * site's.
 */
export type Reference = { name: string } & (
  | { ids(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<ReadonlyMap<Id, string>> }
  | { codes(ctx: Ctx, site_id: Id): Promise<readonly string[]> }
)

/**
 * The records of a subject, as a relation that the subject's expressions call `m`. It has the columns `id`, `kind` and `label`, and contains what
 * exists at an instant. It is limited to what the caller can see, except `whole`, for rules that are evaluated for the whole site. `places` returns
 * where some of these records are at that instant, as the API shows places; the caller asks only for what they can see.
 */
export type Members = {
  subject: string
  at(ctx: Ctx, site_id: Id, at: Instant, whole: boolean): Promise<Expression>
  /** These records, whenever they exist, with what is known of them at an instant; for rules, so for the whole site. */
  of(ctx: Ctx, site_id: Id, at: Instant, ids: readonly Id[]): Promise<Expression>
  places?(ctx: Ctx, site_id: Id, at: Instant, ids: readonly Id[]): Promise<ReadonlyMap<Id, Record<string, unknown>>>
}

/** Something that uses a stored condition (a rule that uses a smart group), with its name. */
export type ConditionUser = { used_id: Id; id: Id; name: string }
/**
 * How an area uses conditions that another area stores. `permission`: a person who changes the condition also changes this area's record, so they need
 * this permission. `seen_with`: the permission to see its records.
 */
export type ConditionUse = {
  of: string
  kind: string
  permission: string
  seen_with: string
  by(ctx: Ctx, site_id: Id, ids: readonly Id[]): Promise<ConditionUser[]>
}

/** Returns the smart groups of a site that rules can refer to: the shared ones. */
export type GroupsOfRules = (ctx: Ctx, site_id: Id) => Promise<ReadonlyMap<Id, Nested>>

const members: Members[] = []
const users: ConditionUse[] = []
let groups: GroupsOfRules = async () => new Map()

/** Registers the members of subjects and the users of stored conditions, once, at startup. */
export function plugMembers(all: readonly Members[], uses: readonly ConditionUse[]): void {
  members.splice(0, members.length, ...all)
  users.splice(0, users.length, ...uses)
}

/** Registers where the smart groups of rules come from, once, at startup. */
export function plugGroups([source]: readonly GroupsOfRules[]): void {
  if (source !== undefined) groups = source
}

/** Returns the smart groups of a site that rules can refer to. */
export const groupsOfRules: GroupsOfRules = (ctx, site_id) => groups(ctx, site_id)

/** Returns the members of a subject: one relation for each room that has records of it. */
export const membersOf = (subject: string): Members[] => members.filter(one => one.subject === subject)
/** Returns every area that uses conditions of this kind. */
export const usersOf = (kind: string): ConditionUse[] => users.filter(one => one.of === kind)

const subjects = new Map<string, Subject>()
const references = new Map<string, Reference>()

/** Registers the subjects of all rooms, and what their ids and codes refer to, once, at startup. */
export function plugSubjects(all: readonly Subject[], refer: readonly Reference[] = []): void {
  subjects.clear()
  references.clear()
  for (const one of refer) {
    if (references.has(one.name)) throw new Error(`Two rooms register the reference ${one.name}.`)
    references.set(one.name, one)
  }
  for (const subject of all) {
    if (subjects.has(subject.name)) throw new Error(`Two rooms have conditions on ${subject.name}.`)
    const flaw = flawOf(subject)
    if (flaw !== null) throw new Error(`The subject ${subject.name}: ${flaw}`)
    subjects.set(subject.name, subject)
  }
}

/** Returns what a subject lacks; null if it is complete. */
function flawOf(subject: AnySubject): string | null {
  const paths = new Set<string>()
  for (const field of subject.fields) {
    if (paths.has(field.path)) return `two fields are called ${field.path}.`
    paths.add(field.path)
    if (field.expanded ? field.get !== undefined || field.sql !== undefined : field.get === undefined)
      return `${field.path} can be either read or expanded, not both.`
    if (!field.expanded && subject.in_memory !== true && field.sql === undefined) return `${field.path} has no SQL.`
    if (((memberOf(field.type) ?? field.type) === 'enum') !== (field.values !== undefined))
      return `${field.path}: only an enum has values, and it must have some.`
  }
  const taken = subject.named?.find(named => ['all', 'any', 'not', 'field'].includes(named.name))
  return taken === undefined ? null : `a named predicate can’t be called ${taken.name}.`
}

/** Returns the subject of this name; undefined if no room registered one. */
export const subjectNamed = (name: string): Subject | undefined => subjects.get(name)

/** Returns the subject of this name, which a room has registered. */
export function subjectOf(name: string): Subject {
  const subject = subjects.get(name)
  if (subject === undefined) throw new Error(`No room has the subject ${name}.`)
  return subject
}

/** Maximum number of parts of conditions in one statement, so that its parameters fit. */
const PARTS = 4000

/** Splits conditions into batches that fit into one statement each. */
export function batched<T extends { size: number }>(conditions: readonly T[]): T[][] {
  const out: T[][] = []
  let left = 0
  for (const one of conditions) {
    if (out.length === 0 || one.size > left) {
      out.push([])
      left = PARTS
    }
    out.at(-1)?.push(one)
    left -= one.size
  }
  return out
}

function known(subject: string | Subject): AnySubject {
  const found = typeof subject === 'string' ? subjects.get(subject) : subject
  if (found === undefined) throw new Error(`No room has conditions on ${String(subject)}.`)
  return found
}

/**
 * Checks a condition as it was entered. Without faults, `predicate` is the input, to be stored as written; with faults it is null, and every fault
 * gives its path under `at`. `refs`: what the site knows about the ids and codes (`refsFor`).
 */
export const checkPredicate = (subject: string | Subject, value: unknown, refs: Refs = NO_REFS, at = 'predicate'): Checked =>
  checked(known(subject), value, refs, at)

/** Returns what the site knows about the names in conditions, with their labels. Accepts any values; one that isn't a condition contains no names. */
export async function refsFor(
  ctx: Ctx,
  site_id: Id,
  conditions: readonly { subject: string | Subject; predicate: unknown }[],
): Promise<Refs> {
  const named = new Map<string, Set<string>>()
  for (const { subject, predicate } of conditions)
    for (const [name, { values }] of namesIn(known(subject), predicate)) named.set(name, new Set([...(named.get(name) ?? []), ...values]))
  const ids = new Map<string, ReadonlyMap<string, string>>()
  const codes = new Map<string, readonly string[]>()
  for (const [name, values] of named) {
    const reference = references.get(name)
    if (reference === undefined) continue
    if ('ids' in reference) ids.set(name, await reference.ids(ctx, site_id, [...values]))
    else codes.set(name, await reference.codes(ctx, site_id))
  }
  return { ids, codes }
}

/** Compiles a condition to a function of a row and a moment. It must have no faults. */
export const compilePredicate = <Row>(subject: string | Subject<Row>, predicate: Predicate): Judge<Row> =>
  judgeOf<Row>(known(subject), predicate)

/** Compiles a condition to a boolean expression over the relation that the subject's expressions use; it is never NULL. The condition must have no faults. */
export function predicateSql(subject: string | Subject, predicate: Predicate, at: Moment): Condition {
  const found = known(subject)
  if (found.in_memory) throw new Error(`Conditions on ${found.name} are evaluated in memory only.`)
  return sqlOf(found, predicate, at)
}

/** Explains a condition in one sentence. It must have no faults. */
export const explainPredicate = (subject: string | Subject, predicate: Predicate, reader: Reader = {}): string =>
  sentenceOf(known(subject), predicate, reader)
