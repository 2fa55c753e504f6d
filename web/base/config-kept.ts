// Where the configuration comes from, and where it is kept. Nothing is imported here: it is read before the app is there.
import type { components } from '../../contract/api.gen.ts'

/** What the service tells the app before anybody has signed in. */
export type Config = components['schemas']['ClientConfig']

/** Where it comes from. */
export const CONFIG_URL = '/api/diag/client-config'
/** Under which name the device keeps it. */
export const CONFIG_KEPT = 'walkdown.config'
