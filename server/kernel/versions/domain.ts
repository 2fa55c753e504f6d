// The state of a record at any time: versions with half-open validity that follow each other without a gap (conventions §3, versions).
import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** A period of validity; `valid_to` null: no end. */
export type Span = { valid_from: Instant; valid_to: Instant | null }
/** A version, reduced to its period and a digest of its content. Equal digests mean identical content. */
export type Version = Span & { id: Id; number: number; digest: string }

/** Returns whether an instant is within a period. */
export const during = (span: Span, at: Instant): boolean => span.valid_from <= at && (span.valid_to === null || at < span.valid_to)

/** Returns whether a period has no length, because another version replaced it at the same instant. */
export const empty = (span: Span): boolean => span.valid_to !== null && span.valid_to <= span.valid_from

/** Sorts versions from the first to the last. */
export const inOrder = <V extends Version>(versions: readonly V[]): V[] =>
  [...versions].sort((a, b) => (a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : a.number - b.number))

/** Where an instant is in the history of a record: in a version, before the first one, or after the end. */
export type Falls<V> = { where: 'in'; version: V } | { where: 'before'; first: Instant } | { where: 'after'; ended_at: Instant }

/** Finds an instant in the history of a record. */
export function falling<V extends Version>(versions: readonly V[], at: Instant): Falls<V> {
  const found = versions.find(version => during(version, at))
  if (found !== undefined) return { where: 'in', version: found }
  const first = beginOf(versions)
  return at < first ? { where: 'before', first } : { where: 'after', ended_at: endOf(versions) ?? first }
}

/** Returns when a record began. */
export const beginOf = (versions: readonly Span[]): Instant =>
  versions.reduce((least, v) => (v.valid_from < least ? v.valid_from : least), '9999')

/** Returns when a record ended; null if it did not. */
export function endOf(versions: readonly Span[]): Instant | null {
  let last: Instant | null = ''
  for (const { valid_to } of versions) last = last === null || valid_to === null ? null : valid_to > last ? valid_to : last
  return last
}

/** Returns the version that is active at an instant; otherwise the last one, or the first one in the future. */
export function shownVersion<V extends Version>(versions: readonly V[], at: Instant): { version: V; ended: boolean } | null {
  const lasting = versions.filter(version => !empty(version))
  const ordered = inOrder(lasting.length > 0 ? lasting : versions)
  const found = falling(ordered, at)
  if (found.where === 'in') return { version: found.version, ended: false }
  const version = found.where === 'before' && lasting.length > 0 ? ordered[0] : ordered.at(-1)
  return version === undefined ? null : { version, ended: found.where === 'after' }
}

/** The whole period of consecutive versions with identical content, and the number of the first: responses show it for each of these versions. */
export type Stretch = { shown_from: Instant; shown_to: Instant | null; shown_number: number }

/** Groups consecutive versions with the same content; versions without length are left out. */
function runs<V extends Version>(versions: readonly V[]): V[][] {
  const out: V[][] = []
  for (const version of inOrder(versions.filter(v => !empty(v)))) {
    const last = out.at(-1)
    if (last !== undefined && last[0]?.digest === version.digest) last.push(version)
    else out.push([version])
  }
  return out
}

/** Returns the whole period of each version. */
export function stretches(versions: readonly Version[]): Map<Id, Stretch> {
  const found = new Map<Id, Stretch>()
  for (const v of versions.filter(empty)) found.set(v.id, { shown_from: v.valid_from, shown_to: v.valid_to, shown_number: v.number })
  for (const run of runs(versions)) {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) continue
    for (const v of run) found.set(v.id, { shown_from: first.valid_from, shown_to: last.valid_to, shown_number: first.number })
  }
  return found
}

/** The result of tidying a record's versions: some are removed, and the first of each group lasts until the group's end. */
export type Tidied = { removed: Id[]; joined: { keep: Id; gone: Id[]; valid_to: Instant | null }[] }

/** Removes versions without length (the last one stays if there is no other) and joins neighbours with identical content. */
export function tidied(versions: readonly Version[]): Tidied {
  const brief = inOrder(versions.filter(empty))
  const removed = (brief.length === versions.length ? brief.slice(0, -1) : brief).map(v => v.id)
  const joined = runs(versions).flatMap(run => {
    const [keep, ...gone] = run
    return keep === undefined || gone.length === 0
      ? []
      : [{ keep: keep.id, gone: gone.map(v => v.id), valid_to: run.at(-1)?.valid_to ?? null }]
  })
  return { removed, joined }
}
