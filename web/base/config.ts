import type { components } from '../../contract/api.gen.ts'

/** What the service tells the app before anybody has signed in. */
export type Config = components['schemas']['ClientConfig']

const KEPT = 'walkdown.config'
let known: Config | null = null

/** The configuration; the one that was kept where the service cannot be reached, so that the app opens offline. */
export async function loadConfig(): Promise<Config> {
  try {
    const answer = await fetch('/api/diag/client-config', { signal: AbortSignal.timeout(4000) })
    if (!answer.ok) throw new Error(String(answer.status))
    known = (await answer.json()) as Config // as the contract says
    localStorage.setItem(KEPT, JSON.stringify(known))
  } catch (error) {
    const kept = localStorage.getItem(KEPT)
    if (kept === null) throw error
    known = JSON.parse(kept) as Config // as it was kept
  }
  return known
}

/** The configuration, once it is there. */
export function config(): Config {
  if (known === null) throw new Error('The configuration is not loaded yet.')
  return known
}
