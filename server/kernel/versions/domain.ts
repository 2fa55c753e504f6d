// What a thing was when: versions with half-open validity that follow each other without a gap (conventions §3, versions).
import type { Instant } from '../../../shared/time.ts'
import type { Id } from '../../base/ids.ts'

/** From when until when; null: with no end. */
export type Span = { valid_from: Instant; valid_to: Instant | null }
/** A version, as far as its place in time goes. Equal digests: equal content. */
export type Version = Span & { id: Id; number: number; digest: string }

/** Whether an instant lies within a span. */
export const during = (span: Span, at: Instant): boolean => span.valid_from <= at && (span.valid_to === null || at < span.valid_to)

/** Whether a span has no length: it was overtaken by another version at the same instant. */
export const empty = (span: Span): boolean => span.valid_to !== null && span.valid_to <= span.valid_from

/** Versions from the first to the last. */
export const inOrder = <V extends Version>(versions: readonly V[]): V[] =>
  [...versions].sort((a, b) => (a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : a.number - b.number))

/** Where an instant falls on a thing's time: in a version, before the first one, or after the end. */
export type Falls<V> = { where: 'in'; version: V } | { where: 'before'; first: Instant } | { where: 'after'; ended_at: Instant }

/** Where an instant falls. */
export function falling<V extends Version>(versions: readonly V[], at: Instant): Falls<V> {
  const found = versions.find(version => during(version, at))
  if (found !== undefined) return { where: 'in', version: found }
  const first = beginOf(versions)
  return at < first ? { where: 'before', first } : { where: 'after', ended_at: endOf(versions) ?? first }
}

/** When a thing began. */
export const beginOf = (versions: readonly Span[]): Instant =>
  versions.reduce((least, v) => (v.valid_from < least ? v.valid_from : least), '9999')

/** When a thing ended; null when it did not. */
export function endOf(versions: readonly Span[]): Instant | null {
  let last: Instant | null = ''
  for (const { valid_to } of versions) last = last === null || valid_to === null ? null : valid_to > last ? valid_to : last
  return last
}

/** The version in force at an instant; else the last one there was, or the first that will be. */
export function shownVersion<V extends Version>(versions: readonly V[], at: Instant): { version: V; ended: boolean } | null {
  const lasting = versions.filter(version => !empty(version))
  const ordered = inOrder(lasting.length > 0 ? lasting : versions)
  const found = falling(ordered, at)
  if (found.where === 'in') return { version: found.version, ended: false }
  const version = found.where === 'before' && lasting.length > 0 ? ordered[0] : ordered.at(-1)
  return version === undefined ? null : { version, ended: found.where === 'after' }
}

/** A stretch of equal versions, and the number of its first one: what answers show of each version in it. */
export type Stretch = { shown_from: Instant; shown_to: Instant | null; shown_number: number }

/** Runs of versions that follow each other with the same content; those without length stand alone. */
function runs<V extends Version>(versions: readonly V[]): V[][] {
  const out: V[][] = []
  for (const version of inOrder(versions.filter(v => !empty(v)))) {
    const last = out.at(-1)
    if (last !== undefined && last[0]?.digest === version.digest) last.push(version)
    else out.push([version])
  }
  return out
}

/** The stretch of each version. */
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

/** What cleaning up one thing's versions does: some go, each keeper of a stretch runs to its end. */
export type Tidied = { removed: Id[]; joined: { keep: Id; gone: Id[]; valid_to: Instant | null }[] }

/** Versions without length go (the last one stays where there is no other), equal neighbours become one. */
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
