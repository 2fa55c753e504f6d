// The person who is signed in, as the OpenID Connect library stores them on the device. Read without the library, because that loads after the first screen.
import type { Config } from './config-kept.ts'

/** The fields that are read. `expires_at` is in seconds since 1970. */
export type Kept = { access_token: string; expires_at: number; id_token?: string; profile: { sub: string } }

/** Returns the name under which it is stored. */
export const userKey = ({ issuer, client_id }: Pick<Config, 'issuer' | 'client_id'>): string => `walkdown.user.user:${issuer}:${client_id}`

/** Returns the person stored on this device; null when there is none, or none that can be read. */
export const keptUser = (config: Config): Kept | null => keptOf(localStorage.getItem(userKey(config)))

/** Returns for how many more seconds the token is valid. */
export const secondsLeft = ({ expires_at }: Kept): number => expires_at - Date.now() / 1000

/** Returns what was stored; null when there is nothing, or nothing that can be read. */
export function keptOf(text: string | null): Kept | null {
  try {
    const read = JSON.parse(text ?? 'null')
    const sound = typeof read?.access_token === 'string' && typeof read.expires_at === 'number' && typeof read.profile?.sub === 'string'
    return sound ? read : null
  } catch {
    return null
  }
}
