// Where the configuration comes from, and where it is stored. This file imports only types, because it runs before the app has loaded.
import type { components } from '../../contract/api.gen.ts'

/** What the service tells the app before anyone has signed in. */
export type Config = components['schemas']['ClientConfig']

/** The URL of the configuration. */
export const CONFIG_URL = '/api/diag/client-config'
const KEPT = 'walkdown.config'

/** Returns the configuration stored on the device; null when there is none, or none that can be read. */
export function keptConfig(): Config | null {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? 'null') // as it was stored
  } catch {
    return null
  }
}
/** Stores it for the next time the app opens. */
export const keepConfig = (config: Config): void => localStorage.setItem(KEPT, JSON.stringify(config))
