// What a change of a rule would find, and how it is said. Pure.
import type { RuleContent } from '../../../../shared/conflicts/rules.ts'
import type { SideKind } from '../../../../shared/predicates/entity.ts'
import type { Schemas } from '../../../base/api.ts'

/** What the service says that a rule would find. */
export type Preview = Schemas['ClashRulePreview']
/** A clash that a rule would find. */
export type Match = Preview['matches']['sample'][number]

/** How many days ahead a rule can be tried. */
export const PERIODS = [7, 14, 31] as const

/** How what a rule would find is compared with what it finds now: not at all if it is new, and with nothing if it is off. */
export type Against =
  | { kind: 'new' }
  | { kind: 'off' }
  | { kind: 'same' }
  | { kind: 'differs'; added: number; removed: number; changed: number }

/** Returns how a preview compares with the saved rule. */
export function againstOf(rule: { enabled: boolean } | null, { against_current }: Pick<Preview, 'against_current'>): Against {
  if (rule === null) return { kind: 'new' }
  if (!rule.enabled) return { kind: 'off' }
  const { added, removed, changed } = against_current
  return added + removed + changed === 0 ? { kind: 'same' } : { kind: 'differs', added, removed, changed }
}

/** Returns what keeps a preview from being complete: `partial` if not the whole period was looked at, `unplaced` if permits that the rule compares have no place. */
export function limitsOf(
  preview: Pick<Preview, 'partial'>,
  content: Pick<RuleContent, 'a' | 'b'>,
  unplaced: number,
): ('partial' | 'unplaced')[] {
  const comparesPermits = [content.a, content.b].some(side => side.kinds.includes('permit'))
  return [...(preview.partial ? (['partial'] as const) : []), ...(comparesPermits && unplaced > 0 ? (['unplaced'] as const) : [])]
}

/** How many examples there are: those shown at first, those that can be shown, and all that were found. */
export function examplesOf({ matches }: Pick<Preview, 'matches'>, first: number): { first: Match[]; more: Match[]; beyond: number } {
  const { sample, red, amber } = matches
  return { first: sample.slice(0, first), more: sample.slice(first), beyond: red + amber - sample.length }
}

/** Why a rule finds nothing although everything was looked at: nothing of some kinds is there, only one thing is, or what is there doesn't clash. */
export type Nothing = { kind: 'none'; kinds: SideKind[] } | { kind: 'one' } | { kind: 'no_clash' }

/** Returns why a rule finds nothing. */
export function nothingOf({ compared }: Pick<Preview, 'compared'>, { a, b }: Pick<RuleContent, 'a' | 'b'>): Nothing {
  const empty = [...(compared.a === 0 ? a.kinds : []), ...(compared.b === 0 ? b.kinds : [])]
  if (empty.length > 0) return { kind: 'none', kinds: [...new Set(empty)] }
  return compared.all === 1 ? { kind: 'one' } : { kind: 'no_clash' }
}

/** Returns the key of the line of a match, which all matches at the same places share; null if it has none. */
export function lineKeyOf({ nearest }: Pick<Match, 'nearest'>): string | null {
  return nearest === null ? null : nearest.map(({ lon, lat }) => `${lon},${lat}`).join(' ')
}

/** A line between the closest points of the two things of a clash. */
type Line = { key: string; severity: Match['severity']; from: readonly [number, number]; to: readonly [number, number] }

/** Returns the lines of examples on the map, and how many have none, because one of the two things is hidden. */
export function linesOf({ matches }: Pick<Preview, 'matches'>): { lines: Line[]; without: number } {
  const lines = matches.sample.flatMap((match): Line[] => {
    const [from, to] = match.nearest ?? []
    const key = lineKeyOf(match)
    return key === null || from === undefined || to === undefined
      ? []
      : [{ key, severity: match.severity, from: [from.lon, from.lat], to: [to.lon, to.lat] }]
  })
  return { lines, without: matches.sample.length - lines.length }
}
