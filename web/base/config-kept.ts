// Where the configuration comes from, and where it is kept. Nothing is imported here: it is read before the app is there.
import type { components } from '../../contract/api.gen.ts'

/** What the service tells the app before anybody has signed in. */
export type Config = components['schemas']['ClientConfig']

/** Where it comes from. */
export const CONFIG_URL = '/api/diag/client-config'
const KEPT = 'walkdown.config'

/** The configuration as the device keeps it; null where it keeps none, or none that can be read. */
export function keptConfig(): Config | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? 'null') // as it was kept
  } catch {
    return null
  }
}
/** Keeps it for the next opening. */
export const keepConfig = (config: Config): void => localStorage.setItem(KEPT, JSON.stringify(config))
