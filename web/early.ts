// Runs before the app, and is a hundredth of its size: requests what the first screen needs, so that data and app load together.
// It doesn't interpret what it requests. When anything goes wrong it does nothing, and the app makes the requests as usual.
import { CONFIG_URL, type Config, keptConfig } from './base/config-kept.ts'
import { everythingIn } from './base/database.ts'
import { type Early, earlyKey } from './base/early.ts'
import { keptUser, secondsLeft } from './base/kept-user.ts'
import { MOST_TASKS } from './rooms/messages/tasks/most.ts'
import { boardQuery } from './rooms/permits/permits/board-query.ts'

const YET_SECONDS = 60

const early = new Map<string, Early>()
window.walkdownEarly = early

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = fetch(url, { headers })
  answer.catch(() => undefined) // the caller that uses this request sees the failure
  early.set(earlyKey(url), { at: Date.now(), answer })
  return answer
}

/** Lists what the first screen at this URL requests, without `/api`. */
function firstOf({ pathname, search }: Location): string[] {
  const [, site_id, page] = /^\/sites\/([\w-]+)\/(board|today)$/.exec(pathname) ?? []
  if (site_id === undefined) return ['/auth/me']
  if (page === 'today')
    // The screen of the site office shows nobody's own list.
    return new URLSearchParams(search).has('kiosk')
      ? ['/auth/me']
      : ['/auth/me', `/permits/applications/wallet?site_id=${site_id}`, `/tasks/waiting?site_id=${site_id}&limit=${MOST_TASKS}`]
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(boardQuery(site_id, Object.fromEntries(new URLSearchParams(search)))))
    for (const one of [value].flat()) query.append(name, String(one))
  return ['/auth/me', `/permits?${query}`]
}

/** Fetches the parts of the page at this URL (web/vite.config.ts writes them into the page). */
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
  // A copy, because the app reads the response itself.
  const config: Config = keptConfig() ?? (await (await ask(CONFIG_URL)).clone().json())
  const user = keptUser(config)
  if (user === null || secondsLeft(user) < YET_SECONDS) return
  for (const path of firstOf(location))
    void ask(`/api${path}`, { accept: 'application/json', authorization: `Bearer ${user.access_token}` })
}

/** Loading time zone formats is slow, once per browser: it is done while the connection is busy, not when the first card is drawn. */
function learnTimes(): void {
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(0)
}

window.walkdownKept = everythingIn('cache')
window.walkdownKept.catch(() => undefined)
setTimeout(learnTimes, 0)
void begin().catch(() => undefined)
