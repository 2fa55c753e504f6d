// Comes before the app, and is a hundredth of it: asks for what the first screen will ask, so that answers and app are on their way together.
// It knows nothing of what it asks for; where something is in its way it does nothing, and the app asks as it always does.
import { CONFIG_URL, type Config, keptConfig } from './base/config-kept.ts'
import { type Early, earlyKey } from './base/early.ts'
import { keptUser, secondsLeft } from './base/kept-user.ts'
import { storeAll } from './base/store.ts'
import { boardQuery } from './rooms/permits/board-query.ts'

const YET_SECONDS = 60

const early = new Map<string, Early>()
window.walkdownEarly = early

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = fetch(url, { headers })
  answer.catch(() => undefined) // the request that takes it sees the failure
  early.set(earlyKey(url), { at: Date.now(), answer })
  return answer
}

/** What the first screen at this address asks, without `/api`. */
function firstOf({ pathname, search }: Location): string[] {
  const site_id = /^\/sites\/([\w-]+)\/board$/.exec(pathname)?.[1]
  if (site_id === undefined) return ['/auth/me']
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(boardQuery(site_id, Object.fromEntries(new URLSearchParams(search)))))
    for (const one of [value].flat()) query.append(name, String(one))
  return ['/auth/me', `/permits?${query}`]
}

/** Fetches the parts of the page that this address leads to (web/vite.config.ts writes them into the page). */
function fetchParts(): void {
  const parts: Record<string, string[]> = JSON.parse(document.getElementById('parts')?.textContent ?? '{}')
  for (const href of parts[location.pathname.split('/')[3] ?? ''] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}

async function begin(): Promise<void> {
  if (location.pathname === '/signed-in') return
  fetchParts()
  // A copy: the app reads the answer itself.
  const config: Config = keptConfig() ?? (await (await ask(CONFIG_URL)).clone().json())
  const user = keptUser(config)
  if (user === null || secondsLeft(user) < YET_SECONDS) return
  for (const path of firstOf(location))
    void ask(`/api${path}`, { accept: 'application/json', authorization: `Bearer ${user.access_token}` })
}

/** A browser learns once, and not quickly, how times are written in zones: it does so while the line is slow, not when the first card is drawn. */
function learnTimes(): void {
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(0)
}

window.walkdownKept = storeAll('cache')
window.walkdownKept.catch(() => undefined)
setTimeout(learnTimes, 0)
void begin().catch(() => undefined)
