// Clash rules as people write them: their form, what differs between versions, and what is shown of the matrix (`conflict-and-planning.md` §1). Pure.

import { changeWords } from '../../../../shared/conflicts/change-words.ts'
import { mirrorOf, resolved } from '../../../../shared/conflicts/matrix.ts'
import {
  type Cell,
  type Cells,
  isMatrix,
  type LevelRule,
  OUTCOMES,
  type RuleContent,
  SEVERITIES,
} from '../../../../shared/conflicts/rules.ts'
import { fieldsIn, isOneOf } from '../../../../shared/narrow.ts'
import type { Reader } from '../../../../shared/predicates/explain.ts'
import { isPredicate } from '../../../../shared/predicates/language.ts'
import { canonicalJson } from '../../../../shared/proof/canonical.ts'
import type { FieldFault } from '../../../base/errors.ts'

/** Everything of a rule that a version keeps. */
export type RuleState = { name: string; description: string; enabled: boolean; content: RuleContent }

/** The parts of a rule's content as a body has them. */
export type GivenContent = {
  a: RuleContent['a']
  b: RuleContent['b']
  when: unknown
  levels: { mode: 'same' | 'within' | 'any'; max_gap?: number }
  time_buffer_minutes: number
  min_overlap_minutes: number
  outcome: unknown
}

/** Returns whether two values are equal as JSON. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)

/** The most cells of a matrix that a rule stores: 70 types with each other, both ways. */
export const MOST_CELLS = 5000
const MOST_GAP = 50
const MOST_METRES = 500

/** Reads levels; null with a fault at this path. */
function levelsOf(given: unknown, path: string, faults: FieldFault[]): LevelRule {
  const { mode, max_gap, ...others } = fieldsIn(given)
  const isGap = typeof max_gap === 'number' && Number.isInteger(max_gap) && max_gap >= 1 && max_gap <= MOST_GAP
  if (Object.keys(others).length === 0 && mode === 'within' && isGap) return { mode, max_gap }
  if (Object.keys(others).length === 0 && (mode === 'same' || mode === 'any') && max_gap === undefined) return { mode }
  faults.push({ path, message: `must be {"mode": "same"}, {"mode": "any"} or {"mode": "within", "max_gap": 1 to ${MOST_GAP}}.` })
  return { mode: 'same' }
}

/** Reads a cell of the matrix. */
function cellOf(given: unknown, path: string, faults: FieldFault[]): Cell {
  if (isOneOf(OUTCOMES, given)) return given
  const { outcome, distance_m, levels, ...others } = fieldsIn(given)
  const isFar = distance_m !== undefined && !(typeof distance_m === 'number' && distance_m >= 0 && distance_m <= MOST_METRES)
  if (!isOneOf(OUTCOMES, outcome) || isFar || Object.keys(others).length > 0) {
    faults.push({
      path,
      message: `must be off, amber, red, or an object with outcome, and possibly distance_m (0 to ${MOST_METRES}) and levels.`,
    })
    return 'off'
  }
  return {
    outcome,
    ...(typeof distance_m === 'number' ? { distance_m } : {}),
    ...(levels === undefined ? {} : { levels: levelsOf(levels, `${path}.levels`, faults) }),
  }
}

/** Reads the cells of the matrix; `null` stays, because a change removes a cell with it. */
export function cellsOf(given: unknown, faults: FieldFault[]): Record<string, Cell | null> {
  const entries = Object.entries(fieldsIn(given))
  if (entries.length > MOST_CELLS) {
    faults.push({ path: 'outcome.cells', message: `has more than ${MOST_CELLS} cells.` })
    return {}
  }
  return Object.fromEntries(
    entries.map(([key, value]) => [key, value === null ? null : cellOf(value, `outcome.cells.${key}`, faults)] as const),
  )
}

/** Reads an outcome. Cells that are null are left out. */
function outcomeOf(given: unknown, faults: FieldFault[]): RuleContent['outcome'] {
  const { severity, matrix, default_distance_m, cells, ...others } = fieldsIn(given)
  const alone = Object.keys(others).length === 0
  if (alone && matrix === undefined && isOneOf(SEVERITIES, severity)) return { severity }
  if (alone && severity === undefined && matrix === 'permit_type' && typeof default_distance_m === 'number') {
    if (default_distance_m < 0 || default_distance_m > MOST_METRES)
      faults.push({ path: 'outcome.default_distance_m', message: `must be from 0 to ${MOST_METRES}.` })
    const kept = Object.entries(cellsOf(cells, faults)).flatMap(([key, cell]) => (cell === null ? [] : [[key, cell] as const]))
    return { matrix, default_distance_m, cells: Object.fromEntries(kept) }
  }
  faults.push({
    path: 'outcome',
    message: 'must be {"severity": "amber" or "red"}, or {"matrix": "permit_type", "default_distance_m": …, "cells": {…}}.',
  })
  return { severity: 'amber' }
}

/** Reads the content of a rule, with the faults of its form. */
export function contentOf(given: GivenContent): { content: RuleContent; faults: FieldFault[] } {
  const faults: FieldFault[] = []
  const { a, b, when, time_buffer_minutes, min_overlap_minutes } = given
  const levels = levelsOf(given.levels, 'levels', faults)
  const outcome = outcomeOf(given.outcome, faults)
  // Its parts are checked against the language afterwards.
  if (!isPredicate(when)) faults.push({ path: 'when', message: 'must be true, false or an object.' })
  const condition = isPredicate(when) ? when : true
  return { content: { a, b, when: condition, levels, time_buffer_minutes, min_overlap_minutes, outcome }, faults }
}

/** One difference between two versions. */
export type Difference = { path: string; before: unknown; after: unknown; in_words: string }

/** Returns what differs between two versions: each field once, and each cell of the matrix once with its mirror. `reader`: names for the words. */
export function differences(before: RuleState, after: RuleState, reader: Reader = {}): Difference[] {
  const [one, two] = [partsOf(before), partsOf(after)]
  const paths = [...new Set([...one.keys(), ...two.keys()])]
  return paths
    .filter(path => !isSame(one.get(path) ?? null, two.get(path) ?? null))
    .map(path => {
      const [was, is] = [one.get(path) ?? null, two.get(path) ?? null]
      return { path, before: was, after: is, in_words: changeWords(path, was, is, reader) }
    })
}

function partsOf({ name, description, enabled, content }: RuleState): Map<string, unknown> {
  const { outcome, ...rest } = content
  const parts = new Map<string, unknown>(Object.entries({ name, description, enabled, ...rest }))
  if (!isMatrix(outcome)) return parts.set('outcome', outcome)
  parts.set('outcome.matrix', outcome.matrix).set('outcome.default_distance_m', outcome.default_distance_m)
  for (const [key, cell] of Object.entries(outcome.cells)) if (key <= mirrorOf(key)) parts.set(`outcome.cells.${key}`, cell)
  return parts
}

/** A pair of types with what the matrix gives them. */
export type ResolvedPair = { x: string; y: string; outcome: Cell; distance_m: number; levels: LevelRule; key: string | null }

/** Returns what the matrix gives every two active types; each pair once. */
export function resolvedPairs(content: RuleContent, codes: readonly string[]): ResolvedPair[] {
  const { outcome, levels } = content
  if (!isMatrix(outcome)) return []
  const defaults = { default_distance_m: outcome.default_distance_m, levels }
  return codes.flatMap((x, i) => codes.slice(i).map(y => ({ x, y, ...resolved(outcome.cells, x, y, defaults) })))
}

/** Returns the worst that a rule can give; null if it can't give anything. */
export function worstOf(content: RuleContent): 'amber' | 'red' | null {
  const { outcome } = content
  if (!isMatrix(outcome)) return outcome.severity
  const all = cellOutcomes(outcome.cells)
  return all.has('red') ? 'red' : all.has('amber') ? 'amber' : null
}

const cellOutcomes = (cells: Cells): Set<string> =>
  new Set(Object.values(cells).map(cell => (typeof cell === 'string' ? cell : cell.outcome)))
