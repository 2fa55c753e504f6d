const LAST = 'walkdown.last_site'

/** Remembers the last site that the person visited, by its id. */
export const rememberSite = (site_id: string): void => localStorage.setItem(LAST, site_id)

/** Returns the last site that was visited on this device. */
export const lastSite = (): string | null => localStorage.getItem(LAST)
