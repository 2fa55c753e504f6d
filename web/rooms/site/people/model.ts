// Roles, duties and lists of names of people and contractors.

/** Every role, highest first. */
export const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const
/** Roles that a link or poster can give: none with rights over other people. */
export const LINK_ROLES = ['member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const

/** The responsibilities of a person. */
export type Duties = {
  issues: readonly (string | null)[]
  nominee: boolean
  deputy: boolean
  receives: readonly string[]
  resolves: number
}

/** Returns whether anything must be reassigned when the person leaves. */
export const hasDuties = (duties: Duties): boolean =>
  duties.issues.length > 0 || duties.nominee || duties.deputy || duties.receives.length > 0 || duties.resolves > 0

/** A contractor in the tree of oversight. `again`: those below it were listed further up, because it has another overseer, too. */
export type Branch = { id: string; name: string; under: Branch[]; again: boolean }
type Pair = { overseer_id: string; overseer_name: string; subordinate_id: string; subordinate_name: string }

/** Returns which contractor oversees which, as trees: those that nobody oversees first, each with those below it. */
export function branchesOf(pairs: readonly Pair[]): Branch[] {
  const below = Map.groupBy(pairs, pair => pair.overseer_id)
  const overseen = new Set(pairs.map(pair => pair.subordinate_id))
  const shown = new Set<string>()
  const branch = (id: string, name: string): Branch => {
    const own = below.get(id) ?? []
    const again = own.length > 0 && shown.has(id)
    shown.add(id)
    return { id, name, again, under: again ? [] : own.map(pair => branch(pair.subordinate_id, pair.subordinate_name)) }
  }
  const tops = new Map(pairs.filter(pair => !overseen.has(pair.overseer_id)).map(pair => [pair.overseer_id, pair.overseer_name]))
  return [...tops].map(([id, name]) => branch(id, name))
}

/** Returns the words of a text separated by commas, without duplicates. */
export const wordsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== ''),
  ),
]
