// Compiles rules once, so that each pair costs little (`conflict-and-planning.md` §4.3: the compiled rules). Pure.
import { SIDE_KINDS, type SideKind } from '../predicates/entity.ts'
import { judgeOf } from '../predicates/evaluate.ts'
import { MINUTE } from '../time.ts'
import { type Classes, classesOf } from './classes.ts'
import { type Applied, type Compiled, type CompiledMatrix, KINDS } from './compiled.ts'
import { resolved } from './matrix.ts'
import { type PairRow, pairSubject } from './pair.ts'
import { reachOf } from './reach.ts'
import { isMatrix, type MatrixOutcome, mostLevels, type Rule, weightOf } from './rules.ts'

/** All rules that are switched on, by the kinds that they compare. */
export type RuleSet = {
  matrices: readonly CompiledMatrix[]
  /** For two kinds by their numbers (first × 5 + second): the rules for them. */
  applied: readonly (readonly Applied[])[]
  /** How far apart two sides can be and still clash. */
  classes: Classes
  /** The farthest that each kind has to be looked for; -1 if no rule compares it. */
  reaches: Float64Array
  /** Whether a rule looks for each kind by zone. */
  zones: readonly boolean[]
  /** The longest time buffer. */
  buffer: number
}

/** Returns the number of a kind. */
export const kindNumber = (kind: SideKind): number => SIDE_KINDS.indexOf(kind)

/** No code has this form, so it stands for every type without a cell of its own. */
const ANY_OTHER = '\u0000'

function compileMatrix({ cells, default_distance_m }: MatrixOutcome, levels: Rule['levels']): CompiledMatrix {
  const codes = [ANY_OTHER, ...new Set(Object.keys(cells).flatMap(key => key.split('|')))].filter(code => code !== '*')
  const size = codes.length
  const weights = new Uint8Array(size * size)
  const distances = new Float64Array(size * size)
  const gaps = new Float64Array(size * size)
  const keys: (string | null)[] = []
  const types: (readonly [string, string] | null)[] = []
  for (const [i, x] of codes.entries())
    for (const [j, y] of codes.entries()) {
      const cell = resolved(cells, x, y, { default_distance_m, levels })
      weights[i * size + j] = weightOf(cell.outcome)
      distances[i * size + j] = cell.distance_m
      gaps[i * size + j] = mostLevels(cell.levels)
      keys.push(cell.key)
      types.push(i === 0 || j === 0 ? null : [x, y])
    }
  return { numbers: new Map(codes.map((code, i) => [code, i])), size, weights, distances, gaps, keys, types }
}

/** Compiles one rule. It must have no faults. */
function compiledOf(rule: Rule, matrix_at: number): Compiled {
  const { reach, faults } = reachOf(rule)
  if (reach === null) throw new Error(`The rule ${rule.name} isn’t limited: ${faults.map(fault => fault.path).join(', ')}.`)
  return {
    rule,
    reach,
    buffer: rule.time_buffer_minutes * MINUTE,
    least: rule.min_overlap_minutes * MINUTE,
    levels: mostLevels(rule.levels),
    judge: rule.when === true ? null : judgeOf<PairRow>(pairSubject, rule.when),
    weight: isMatrix(rule.outcome) ? 2 : rule.outcome.severity === 'red' ? 2 : 1,
    matrix: isMatrix(rule.outcome) ? compileMatrix(rule.outcome, rule.levels) : null,
    matrix_at,
  }
}

/** Compiles all rules that are switched on. Rules must have no faults (`checkRule`). */
export function compileRules(rules: readonly Rule[]): RuleSet {
  const all: Compiled[] = []
  const matrices: CompiledMatrix[] = []
  for (const rule of rules.filter(one => one.enabled)) {
    const compiled = compiledOf(rule, matrices.length)
    if (compiled.matrix !== null) matrices.push(compiled.matrix)
    all.push(compiled)
  }
  const reaches = new Float64Array(KINDS).fill(-1)
  const zones = SIDE_KINDS.map(() => false)
  const applied = SIDE_KINDS.flatMap(first =>
    SIDE_KINDS.map(second =>
      all.flatMap(compiled => {
        const { a, b } = compiled.rule
        const straight = a.kinds.includes(first) && b.kinds.includes(second)
        const turned = a.kinds.includes(second) && b.kinds.includes(first)
        if (!straight && !turned) return []
        for (const kind of [kindNumber(first), kindNumber(second)]) {
          reaches[kind] = Math.max(reaches[kind] ?? -1, compiled.reach.metres ?? 0)
          if (compiled.reach.zone) zones[kind] = true
        }
        return [{ compiled, straight, turned }]
      }),
    ),
  )
  return { matrices, applied, classes: classesOf(applied), reaches, zones, buffer: Math.max(0, ...all.map(one => one.buffer)) }
}
