// Who is signed in, as the library for OpenID Connect keeps it on the device: read without the library, for it comes later than the first screen.
import type { Config } from './config-kept.ts'

/** What is read of it. `expires_at` in seconds since 1970. */
export type Kept = { access_token: string; expires_at: number; id_token?: string; profile: { sub: string } }

/** Under which name it is kept. */
export const userKey = ({ issuer, client_id }: Pick<Config, 'issuer' | 'client_id'>): string => `walkdown.user.user:${issuer}:${client_id}`

/** Who is kept on this device; null: nobody, or nobody that can be read. */
export const keptUser = (config: Config): Kept | null => keptOf(localStorage.getItem(userKey(config)))

/** For how many seconds his token still holds. */
export const secondsLeft = ({ expires_at }: Kept): number => expires_at - Date.now() / 1000

/** What was kept; null where nothing was, or nothing that can be read. */
export function keptOf(text: string | null): Kept | null {
  try {
    const read = JSON.parse(text ?? 'null')
    const sound = typeof read?.access_token === 'string' && typeof read.expires_at === 'number' && typeof read.profile?.sub === 'string'
    return sound ? read : null
  } catch {
    return null
  }
}
