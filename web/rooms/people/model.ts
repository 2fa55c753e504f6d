// How people and contractors are searched and named.

/** Every role, the weightiest first. */
export const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const
/** Roles that a link or poster can give: none that has rights over others. */
export const LINK_ROLES = ['member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const

/** Rows of which every typed word is somewhere in what is said of them. */
export function narrowed<R>(rows: readonly R[], typed: string, told: (row: R) => readonly (string | null | undefined)[]): R[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter(row => {
    const text = told(row)
      .filter(part => part != null)
      .join(' ')
      .toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** What a person is responsible for. */
export type Duties = { issues: readonly (string | null)[]; nominee: boolean; deputy: boolean; receives: readonly string[] }

/** Whether something must be given to another when the person leaves. */
export const hasDuties = (duties: Duties): boolean =>
  duties.issues.length > 0 || duties.nominee || duties.deputy || duties.receives.length > 0

/** Words between commas, each once. */
export const wordsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== ''),
  ),
]
