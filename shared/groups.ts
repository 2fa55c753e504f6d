// The groups of rooms whose pages a site can leave out of its navigation (setting `groups`, decision 1024).

/**
 * These alone: people need the others every day (permits, messages, their account), or couldn’t switch the group on again (site), or the app has no page of
 * theirs yet.
 */
export const SWITCHABLE_GROUPS = ['map', 'conflicts'] as const

/** A group that a site can switch off. */
export type SwitchableGroup = (typeof SWITCHABLE_GROUPS)[number]
