import { CONFIG_URL, type Config, keepConfig, keptConfig } from './config-kept.ts'
import { takeEarly } from './early.ts'

export type { Config } from './config-kept.ts'

let known: Config | null = null

async function ask(): Promise<void> {
  const early = await takeEarly(CONFIG_URL)?.catch(() => null)
  const answer = early?.ok ? early : await fetch(CONFIG_URL, { signal: AbortSignal.timeout(4000) })
  if (!answer.ok) throw new Error(String(answer.status))
  const now: Config = await answer.json() // as the API document defines it
  known ??= now
  keepConfig(now)
}

/**
 * Loads the configuration. Once it is stored on this device, the app opens with it, even offline; a newer one applies from the next time the app
 * opens.
 */
export async function loadConfig(): Promise<Config> {
  known = keptConfig() ?? known
  const asking = ask()
  if (known === null) await asking
  else asking.catch(() => undefined)
  return config()
}

/** Returns the configuration, once it is loaded. */
export function config(): Config {
  if (known === null) throw new Error('The configuration is not loaded yet.')
  return known
}
