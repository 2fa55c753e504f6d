// Checks the content of a rule (`conflict-and-planning.md` §1): every fault at once, each with its path, and warnings that refuse nothing. Pure.
import { checked } from '../predicates/check.ts'
import { NO_REFS, type Refs } from '../predicates/language.ts'
import { type CellNote, cellFaults, mirrored } from './matrix.ts'
import { pairSubject } from './pair.ts'
import { type Reach, reachOf } from './reach.ts'
import { isMatrix, type RuleContent } from './rules.ts'

/** A rule with its cells mirrored, how far it reaches, and what people should know; without a rule if it has faults. */
export type CheckedRule = { content: RuleContent | null; reach: Reach | null; faults: CellNote[]; warnings: CellNote[] }

/** Checks a rule whose fields have the right form. `refs`: what the site knows about ids and codes in it. */
export function checkRule(content: RuleContent, refs: Refs = NO_REFS): CheckedRule {
  const faults: CellNote[] = []
  for (const side of ['a', 'b'] as const)
    if (content[side].kinds.length === 0)
      faults.push({ path: `${side}.kinds`, code: 'missing_value', message: 'must contain at least one kind.' })
  const condition = checked(pairSubject, content.when, refs, 'when')
  faults.push(...condition.faults)
  const { outcome, levels } = content
  if (isMatrix(outcome)) {
    faults.push(...cellFaults(outcome.cells))
    if (!onlyPermits(content))
      faults.push({
        path: 'outcome.matrix',
        code: 'wrong_type',
        message: 'is only for rules between permits: both sides must be exactly ["permit"].',
      })
  }
  if (faults.length > 0) return { content: null, reach: null, faults, warnings: [] }
  const { reach, faults: far } = reachOf(content)
  if (reach === null) return { content: null, reach: null, faults: far, warnings: [] }
  if (!isMatrix(outcome)) return { content, reach, faults: [], warnings: condition.warnings.filter(isNotDefault(content)) }
  const { default_distance_m } = outcome
  const both = mirrored(outcome.cells, { default_distance_m, levels }, refs.codes.get('permit_type') ?? null)
  return {
    content: { ...content, outcome: { ...outcome, cells: both.cells } },
    reach,
    faults: [],
    warnings: [...condition.warnings.filter(isNotDefault(content)), ...both.warnings],
  }
}

/** The default condition, `true`, matches everything on purpose. */
const isNotDefault =
  ({ when }: RuleContent) =>
  (warning: CellNote): boolean =>
    when !== true || warning.code !== 'always_true'

const onlyPermits = ({ a, b }: RuleContent): boolean => [a, b].every(side => side.kinds.length === 1 && side.kinds[0] === 'permit')
