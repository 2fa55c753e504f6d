// The nearest windows without a red conflict (`conflict-and-planning.md` §4.6, `clean_windows`): found by sweeping the blocked stretches, not by trial. Pure.
import { DAY, dateOn, type Instant, instant, instantOf, ms, plusDays, type WallTime, type WorkDate, wallOf } from '../time.ts'
import { type Court, type Hit, judgePieces } from './judge.ts'
import { type Piece, type Prepared, prepared } from './pieces.ts'
import type { Side } from './sides.ts'
import type { SideIndex } from './sweep.ts'

/** How far from the given window others are looked for. */
const FARTHEST = 7 * DAY
/** How many windows are returned. */
const MOST = 3

/** What is looked for. */
export type WindowSearch = {
  /** The other sides and the rules; the side itself, if it is there, is left out. */
  index: SideIndex
  /** The permit with its place and categories, which need not be saved, in its window. */
  side: Side
  start_at: Instant
  end_at: Instant
  now: number
  isWorkingDay(date: WorkDate): boolean
  /** The hours that the window must lie within, past midnight if they end before they start; without them, the time of day stays the same. */
  hours?: { from: WallTime; to: WallTime }
}

export type CleanWindow = { start_at: Instant; end_at: Instant }
type Span = { from: number; to: number }

/**
 * Returns up to three windows of the same length that have no red conflict, nearest to the given one first: within 7 days of it, not before now, on working
 * days and within the same hours. Each is the nearest of its stretch of clean starts.
 */
export function cleanWindows(search: WindowSearch): CleanWindow[] {
  const { index, side, now } = search
  const [start, length] = [ms(search.start_at), ms(search.end_at) - ms(search.start_at)]
  const own = prepared(side, index.rules, index.plane)
  const court: Court = { rules: index.rules, site: index.site, moment: { now: instant(now), timezone: index.site.timezone }, hit: null }
  const limits = { from: Math.max(start - FARTHEST, now), to: start + FARTHEST }
  const blocked = merged(blockedStarts(court, index, own, start, limits))
  const starts = allowedStarts(search, length, limits)
    .flatMap(span => without(span, blocked))
    .map(span => Math.min(Math.max(start, span.from), span.to))
    .toSorted((a, b) => Math.abs(a - start) - Math.abs(b - start) || a - b)
  const clean: CleanWindow[] = []
  for (const from of new Set(starts)) {
    if (clean.length === MOST) break
    // A condition can depend on the time itself; so the few that remain are checked as they are.
    if (!hasRed(court, index, movedBy(own, from - start))) clean.push({ start_at: instant(from), end_at: instant(from + length) })
  }
  return clean
}

/** Returns the starts that the calendar and the hours allow, as spans of which both ends count. */
function allowedStarts({ index, start_at, isWorkingDay, hours }: WindowSearch, length: number, limits: Span): Span[] {
  const zone = index.site.timezone
  const { time, seconds } = wallOf(zone, start_at)
  const first = dateOn(zone, start_at)
  const spans: Span[] = []
  for (let day = -8; day <= 8; day++) {
    const date = plusDays(first, day)
    if (!isWorkingDay(date)) continue
    const span =
      hours === undefined
        ? { from: ms(instantOf(zone, date, time, seconds)), to: ms(instantOf(zone, date, time, seconds)) }
        : {
            from: ms(instantOf(zone, date, hours.from)),
            to: ms(instantOf(zone, hours.to > hours.from ? date : plusDays(date, 1), hours.to)) - length,
          }
    const within = { from: Math.max(span.from, limits.from), to: Math.min(span.to, limits.to) }
    if (within.from <= within.to) spans.push(within)
  }
  return spans
}

/** Returns the starts at which something red is in the way, as open spans: for each piece nearby, all starts at which the two times would overlap. */
function blockedStarts(court: Court, index: SideIndex, own: Prepared, start: number, limits: Span): Span[] {
  const blocked: Span[] = []
  const { buffer } = court.rules
  for (const piece of own.pieces)
    index.around(piece, other => {
      if (other.of.side.id === own.side.id) return
      const [lead, tail] = [other.from - piece.to - 2 * buffer, other.to - piece.from + 2 * buffer]
      if (start + tail <= limits.from || start + lead >= limits.to) return
      judgePieces(court, atTimeOf(piece, other), other, hit => {
        if (hit.weight === 2) blocked.push(blockOf(hit, piece, other, start))
      })
    })
  return blocked
}

/** Returns a piece moved into the time of another as far as possible, so that only their places and types are compared. */
function atTimeOf(piece: Piece, other: Piece): Piece {
  const moved: Piece = { ...piece, from: other.from, to: other.from + (piece.to - piece.from) }
  moved.of = { ...piece.of, pieces: [moved] }
  return moved
}

function blockOf({ compiled: { buffer, least } }: Hit, piece: Piece, other: Piece, start: number): Span {
  return {
    from: start + other.from - piece.to - 2 * buffer + least,
    to: start + other.to - piece.from + 2 * buffer - least,
  }
}

/** Joins spans that overlap; two that only touch stay apart, because the instant between them is free. */
function merged(spans: Span[]): Span[] {
  const joined: Span[] = []
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from < last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}

/** Returns what is left of a span, whose ends count, without open spans in order. */
function without(span: Span, blocked: readonly Span[]): Span[] {
  const left: Span[] = []
  let { from } = span
  for (const one of blocked) {
    if (one.to <= from) continue
    if (one.from >= span.to && one.from !== from) break
    if (one.from >= from) left.push({ from, to: Math.min(one.from, span.to) })
    from = one.to
    if (from > span.to) return left
  }
  if (from <= span.to) left.push({ from, to: span.to })
  return left
}

function movedBy(own: Prepared, by: number): Prepared {
  const moved: Prepared = { ...own, pieces: [] }
  moved.pieces = own.pieces.map(piece => ({ ...piece, of: moved, from: piece.from + by, to: piece.to + by }))
  return moved
}

function hasRed(court: Court, index: SideIndex, own: Prepared): boolean {
  let red = false
  for (const piece of own.pieces)
    index.around(piece, other => {
      if (red || other.of.side.id === own.side.id) return
      judgePieces(court, piece, other, hit => {
        red ||= hit.weight === 2
      })
    })
  return red
}
