// What the settings would change, before they are saved.

export type Regime = 'major_hazard' | 'generic_cdm'

/** The highest permit type: the parent of all others on a major-hazard site. */
const ABOVE_ALL = 'GEN'

type Known = { code: string; requires_parent: boolean }

/** What a regime would change: types that gain or lose a parent permit, and the mark of work without a permit; null if it stays. */
type Changes = { gain: string[]; lose: string[]; marks: boolean | null }

/** Lists what a regime would change on this site as it is now. */
export function regimeChanges(regime: Regime, types: readonly Known[], marked: boolean): Changes {
  const marks = regime === 'major_hazard'
  const wants = (type: Known) => regime === 'major_hazard' && type.code !== ABOVE_ALL
  return {
    gain: types.filter(type => wants(type) && !type.requires_parent).map(type => type.code),
    lose: types.filter(type => !wants(type) && type.requires_parent).map(type => type.code),
    marks: marks === marked ? null : marks,
  }
}

/** A pre-check or a required document in an ordered list; `key` is the key under which it is stored, null before it is saved. */
export type Line = { id: string; key: string | null; label: string; required: boolean }

/** Makes a line for a list on screen. Its id stays the same when the list is opened again. */
export const lineOf = (from: { key: string | null; label: string; required: boolean }): Line => ({
  id: from.key ?? crypto.randomUUID(),
  ...from,
})

/** Returns the list with a line moved by one; unchanged at the ends. */
export function moved(lines: readonly Line[], at: number, by: -1 | 1): Line[] {
  const to = at + by
  const [line, other] = [lines[at], lines[to]]
  if (line === undefined || other === undefined) return [...lines]
  return lines.map((one, i) => (i === at ? other : i === to ? line : one))
}

/** Returns the lines that aren't empty, as they are sent. */
export const said = (lines: readonly Line[]): Omit<Line, 'id'>[] =>
  lines.filter(line => line.label.trim() !== '').map(({ key, label, required }) => ({ key, label: label.trim(), required }))

/** Groups active appointments by person, each with the types that they cover; all-types first. */
export function byPerson<A extends { user_id: string; user_name: string; permit_type_code: string | null; revoked: boolean }>(
  rows: readonly A[],
): { user_id: string; name: string; rows: A[] }[] {
  const people = Map.groupBy(
    rows.filter(row => !row.revoked),
    row => row.user_id,
  )
  return [...people]
    .map(([user_id, own]) => ({
      user_id,
      name: own[0]?.user_name ?? '',
      rows: own.toSorted((a, b) => (a.permit_type_code ?? '').localeCompare(b.permit_type_code ?? '')),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Lists the types that nobody can issue: no active appointment of a present member covers them. */
export function uncovered(
  types: readonly { id: string; code: string; active: boolean }[],
  rows: readonly { permit_type_id: string | null; revoked: boolean; absent: boolean }[],
): string[] {
  const standing = rows.filter(row => !row.revoked && !row.absent)
  if (standing.some(row => row.permit_type_id === null)) return []
  const reached = new Set(standing.map(row => row.permit_type_id))
  return types.filter(type => type.active && !reached.has(type.id)).map(type => type.code)
}
