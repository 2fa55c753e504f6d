// Sides of one kind with the same permit types are a class: the same rules and cells can apply to all of them, so how far apart two of them can clash is computed
// once for each two classes (`conflict-and-planning.md` §4.3). Most pairs on a busy site are too far apart, and are left out before anything else of them is read.
// Pure.
import { type Applied, farthestCell, KINDS, typesIn } from './compiled.ts'
import { num } from './shapes.ts'

/** The classes of the sides that are compared by one set of rules. */
export type Classes = {
  /** Returns the number of the class of a kind with permit types, which are numbered for each matrix. */
  numberOf(kind: number, types: readonly Int32Array[]): number
  /** Returns how close two sides must be for any rule to apply, in metres: -1 if none can, Infinity if one doesn’t ask. */
  limit(a: number, b: number): number
}

/** A site with more classes than this is compared without the limits of those that came last. */
const MOST = 128

/** Makes the classes for rules by the kinds that they compare. */
export function classesOf(applied: readonly (readonly Applied[])[]): Classes {
  const numbers = new Map<string, number>()
  const all: { kind: number; types: readonly Int32Array[] }[] = []
  // One row for each class that has been compared: rules are also compiled for a single question, such as while a request is typed.
  const limits: Float64Array[] = []
  const computed = (a: number, b: number): number => {
    const [one, two] = [all[a], all[b]]
    if (one === undefined || two === undefined) return Infinity
    let most = -1
    for (const { compiled } of applied[one.kind * KINDS + two.kind] ?? []) {
      const { matrix, matrix_at, reach } = compiled
      if (reach.zone) return Infinity
      const metres =
        matrix === null ? (reach.metres ?? -1) : farthestCell(matrix, typesIn(one.types, matrix_at), typesIn(two.types, matrix_at), 0)
      most = Math.max(most, metres)
    }
    return most
  }
  return {
    numberOf(kind, types) {
      const key = `${kind} ${types.map(list => list.join(',')).join(' ')}`
      const found = numbers.get(key)
      if (found !== undefined) return found
      if (all.length === MOST) return MOST
      numbers.set(key, all.length)
      return all.push({ kind, types }) - 1
    },
    limit(a, b) {
      if (a === MOST || b === MOST) return Infinity
      const row = limits[a] ?? new Float64Array(MOST).fill(Number.NaN)
      const known = num(row, b)
      if (!Number.isNaN(known)) return known
      const limit = computed(a, b)
      limits[a] = row
      row[b] = limit
      return limit
    },
  }
}
