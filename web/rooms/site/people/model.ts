// Roles, duties and lists of names of people and contractors.

/** Every role, highest first. */
export const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const
/** Roles that a link or poster can give: none with rights over other people. */
export const LINK_ROLES = ['member', 'contractor_hse', 'commercial', 'client', 'viewer'] as const

/** The responsibilities of a person. */
export type Duties = { issues: readonly (string | null)[]; nominee: boolean; deputy: boolean; receives: readonly string[] }

/** Returns whether anything must be reassigned when the person leaves. */
export const hasDuties = (duties: Duties): boolean =>
  duties.issues.length > 0 || duties.nominee || duties.deputy || duties.receives.length > 0

/** Returns the words of a text separated by commas, without duplicates. */
export const wordsOf = (typed: string): string[] => [
  ...new Set(
    typed
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== ''),
  ),
]
