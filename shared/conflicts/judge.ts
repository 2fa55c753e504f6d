// Applies the compiled rules to two pieces of ground (`conflict-and-planning.md` §1, §4.3). Pure.
import type { Moment } from '../predicates/language.ts'
import type { Reason } from './clashes.ts'
import type { RuleSet } from './compile.ts'
import { type Applied, type Compiled, type CompiledMatrix, farthestCell, KINDS, typesIn } from './compiled.ts'
import { factsOf, shareZone } from './facts.ts'
import { type Contact, measureGap, newContact, ROUNDING_M, toMillimetres } from './gap.ts'
import { commonTime, gapOfLevels, type Piece } from './pieces.ts'
import { boxGap, num } from './shapes.ts'
import { canClash, type SiteFacts } from './sides.ts'

/**
 * A rule that applies to two pieces. `turned`: the second piece is a. A sweep writes all of its hits into one object, because most are made into a clash at once
 * and a busy site has tens of thousands: one that is kept for later is copied first (`copyOf`).
 */
export type Hit = {
  compiled: Compiled
  first: Piece
  second: Piece
  turned: boolean
  from: number
  to: number
  weight: 1 | 2
  distance_m: number
  level_gap: number
  contact: Contact
  reasons: readonly Reason[]
}

/** What all comparisons of a sweep have in common. */
export type Court = {
  rules: RuleSet
  site: SiteFacts
  moment: Moment
  /** The object that hits are written into; null before the first. */
  hit: Hit | null
}

/** Returns a copy of a hit, to keep it until after the next one. */
export const copyOf = (hit: Hit): Hit => ({ ...hit, contact: { ...hit.contact } })

const contact = newContact()

/** Finds the rules that apply to two pieces, in either order of the two. */
export function judgePieces(court: Court, p: Piece, q: Piece, hit: (one: Hit) => void): void {
  const { rules } = court
  const x = p.kind
  const y = q.kind
  const box = boxGap(p.shape, q.shape) - ROUNDING_M
  if (box > num(rules.reaches, x) && !rules.zones[x]) return
  const start = Math.max(p.from, q.from)
  const end = Math.min(p.to, q.to)
  if (!(start - rules.buffer < end + rules.buffer)) return
  const isFirst = p.id < q.id
  const applied = isFirst ? rules.applied[x * KINDS + y] : rules.applied[y * KINDS + x]
  if (applied === undefined || applied.length === 0) return
  const first = isFirst ? p : q
  const second = isFirst ? q : p
  let checked = false
  let measured = -1
  for (const one of applied) {
    const { compiled } = one
    const from = start - compiled.buffer
    const to = end + compiled.buffer
    if (!(from < to)) continue
    const level_gap = gapOfLevels(first, second)
    const limit = limitOf(compiled, first, second, level_gap)
    if (box > limit) continue
    if (!checked && !canClash(first.of.side, second.of.side)) return
    checked = true
    if (measured < limit) {
      measureGap(first.shape, second.shape, limit + ROUNDING_M, contact)
      measured = limit
    }
    const distance_m = toMillimetres(contact.d)
    if (distance_m > limit) continue
    const order = orderOf(court, one, first, second, from, to, distance_m)
    if (order === NEITHER) continue
    const turned = order === TURNED
    const reasons =
      compiled.matrix === null
        ? [{ severity: severityOf(compiled.weight), distance_m, types: null, cell: null, within_m: null }]
        : cellReasons(compiled.matrix, compiled.matrix_at, turned ? second : first, turned ? first : second, distance_m, level_gap)
    const [worst] = reasons
    if (worst === undefined) continue
    const weight = worst.severity === 'red' ? 2 : 1
    court.hit ??= { compiled, first, second, turned, from, to, weight, distance_m, level_gap, contact, reasons }
    const made = court.hit
    made.compiled = compiled
    made.first = first
    made.second = second
    made.turned = turned
    made.from = from
    made.to = to
    made.weight = weight
    made.distance_m = distance_m
    made.level_gap = level_gap
    made.reasons = reasons
    hit(made)
  }
}

/** Returns how close two pieces must be for a rule; -1 if it can’t apply. */
function limitOf(compiled: Compiled, first: Piece, second: Piece, level_gap: number): number {
  const { matrix, matrix_at, reach } = compiled
  if (matrix !== null) return farthestCell(matrix, typesIn(first.types, matrix_at), typesIn(second.types, matrix_at), level_gap)
  if (level_gap > compiled.levels) return -1
  if (reach.zone && shareZone(first, second)) return Number.POSITIVE_INFINITY
  return reach.metres ?? -1
}

const NEITHER = -1
const STRAIGHT = 0
const TURNED = 1

/** Returns in which order a rule applies to two pieces, after its shortest time and its condition: with the first as a, or else the other way round. */
function orderOf(
  court: Court,
  { compiled, straight, turned }: Applied,
  first: Piece,
  second: Piece,
  from: number,
  to: number,
  distance_m: number,
): number {
  const { judge, least } = compiled
  const overlap = judge === null && least === 0 ? to - from : commonTime(first.of, second.of, from, compiled.buffer)
  if (overlap < least) return NEITHER
  if (judge === null) return straight ? STRAIGHT : TURNED
  const holds = (a: Piece, b: Piece) =>
    judge({ a: a.of.side.facts, b: b.of.side.facts, pair: factsOf(a, b, distance_m, overlap, court.site) }, court.moment)
  return straight && holds(first, second) ? STRAIGHT : turned && holds(second, first) ? TURNED : NEITHER
}

const severityOf = (weight: number) => (weight === 2 ? ('red' as const) : ('amber' as const))

/** Returns every cell that applies (§1, several categories), red first, then by types. */
function cellReasons(matrix: CompiledMatrix, at: number, a: Piece, b: Piece, distance_m: number, level_gap: number): readonly Reason[] {
  let reasons: Reason[] | null = null
  const mine = typesIn(a.types, at)
  const theirs = typesIn(b.types, at)
  for (let i = 0; i < mine.length; i++)
    for (let j = 0; j < theirs.length; j++) {
      const cell = (mine[i] ?? 0) * matrix.size + (theirs[j] ?? 0)
      const weight = matrix.weights[cell] ?? 0
      const within_m = num(matrix.distances, cell)
      if (weight === 0 || level_gap > num(matrix.gaps, cell) || distance_m > within_m) continue
      const types = matrix.types[cell] ?? ([a.of.side.facts.permit_types[i] ?? '', b.of.side.facts.permit_types[j] ?? ''] as const)
      const reason = { severity: severityOf(weight), distance_m, types, cell: matrix.keys[cell] ?? null, within_m }
      // A list that begins with its only reason takes a fifth of the memory of an empty one that grows.
      if (reasons === null) reasons = [reason]
      else putInOrder(reasons, reason)
    }
  return reasons ?? NO_REASONS
}

/** Puts a reason into a list in order. There are two or three: a sort takes a hundred times the memory of the list. */
function putInOrder(reasons: Reason[], reason: Reason): void {
  let at = reasons.push(reason) - 1
  for (; at > 0; at--) {
    const before = reasons[at - 1]
    if (before === undefined || worstFirst(before, reason) <= 0) break
    reasons[at] = before
  }
  reasons[at] = reason
}

const NO_REASONS: readonly Reason[] = []

/** Orders reasons: red first, then by types. */
export function worstFirst(a: Reason, b: Reason): number {
  if (a.severity !== b.severity) return a.severity === 'red' ? -1 : 1
  const [x, y] = [a.types?.join('|') ?? '', b.types?.join('|') ?? '']
  return x < y ? -1 : x > y ? 1 : 0
}
