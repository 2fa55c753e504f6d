import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { HOUR, later, ms } from '../../../../shared/time.ts'
import type { House } from '../../../base/ctx.ts'
import { logTrouble } from '../../../base/log.ts'
import { migrationState } from '../../../base/migrate.ts'
import { backlog, consumerNames } from '../../../kernel/events/door.ts'
import { askProvider, ProviderFault, providerKeys } from '../../../kernel/identity/door.ts'
import { countQuietJobs } from '../../../kernel/jobs/door.ts'
import { oldestDueSeconds } from '../../../kernel/notices/door.ts'
import { pushEnabled, sendsSince } from '../../../kernel/push/door.ts'
import { troubleOf } from '../../site/weather/door.ts'
import { type Check, silence } from './domain.ts'
import { anySuperadmin, oldestJobSeconds, ping } from './queries.ts'

const PATIENCE_MS = 1000
const SHARED_MS = 2000
/** How long the result of checking an external service is reused. */
const ELSEWHERE_MS = 30_000
const ELSEWHERE_PATIENCE_MS = 900

type Verdict = { status: Check['status']; message: string }
type Probe = (house: House) => Promise<Verdict>

const ok: Verdict = { status: 'ok', message: '' }
const worse = (message: string): Verdict => ({ status: 'degraded', message })

/** Checks an external service, at most every 30 seconds: if it doesn't respond, our status only degrades. */
function elsewhere(ask: (house: House) => Promise<Verdict>): Probe {
  const known = new WeakMap<House, { at: number; verdict: Promise<Verdict> }>()
  return house => {
    const last = known.get(house)
    if (last !== undefined && performance.now() - last.at < ELSEWHERE_MS) return last.verdict
    const verdict = ask(house)
    known.set(house, { at: performance.now(), verdict })
    return verdict
  }
}

const provider = elsewhere(async house => {
  try {
    const { any, refused } = await askProvider(house, AbortSignal.timeout(ELSEWHERE_PATIENCE_MS))
    if (refused === null) return ok
    const advice = 'Let the provider sign with RSA keys of 3,072 bits or more, ES256 or EdDSA, or set OIDC_MIN_RSA_BITS=2048.'
    return any
      ? { status: 'ok', message: `${refused} Nothing that it signs is accepted; other keys are. ${advice}` }
      : worse(`${refused} No one can sign in. ${advice}`)
  } catch (error) {
    return error instanceof ProviderFault ? worse(error.message) : worse('The identity provider isn’t responding, so no one can sign in.')
  }
})

const relay = elsewhere(
  ({ settings: { smtp_url } }) =>
    new Promise(done => {
      const { hostname, port, protocol } = new URL(smtp_url ?? 'smtp://localhost')
      const host = hostname.replace(/^\[|\]$/g, '')
      const socket = connect({ host, port: Number(port || (protocol === 'smtps:' ? 465 : 587)), timeout: ELSEWHERE_PATIENCE_MS })
      const end = (verdict: Verdict) => {
        socket.destroy()
        done(verdict)
      }
      socket.once('connect', () => end(ok))
      for (const event of ['error', 'timeout'])
        socket.once(event, () => end(worse('The mail relay isn’t responding, so emails can’t be sent.')))
    }),
)

const scanner = elsewhere(async house =>
  (await house.scanner?.responds(ELSEWHERE_PATIENCE_MS))
    ? ok
    : worse('The malware scanner isn’t responding, so uploaded files are refused.'),
)

const push = elsewhere(async house => {
  if (!pushEnabled(house)) return { status: 'ok', message: 'Push notifications aren’t set up.' }
  const { sent, unsent } = await sendsSince(house.database.db, later(house.clock.now(), -HOUR))
  return sent === 0 && unsent > 0
    ? worse(`The push services have accepted no notification for an hour. Not delivered in this time: ${unsent}.`)
    : ok
})

const weather = elsewhere(async house => {
  const trouble = await troubleOf(house)
  return trouble === null ? ok : worse(trouble)
})

const probes: Record<string, Probe> = {
  database: async house => {
    await ping(house.database.probe.db) // this doesn't wait behind requests and jobs that need a connection
    return ok
  },
  migrations: async house => {
    const { waiting } = await migrationState(house.database.probe.pool)
    return waiting.length === 0
      ? ok
      : { status: 'down', message: `Migrations of this version that haven’t been applied: ${waiting.length}. Run walkdown migrate.` }
  },
  // Refused requests are reported, but they are no reason to send people elsewhere, because all other requests are served.
  load: async house => {
    const { overloaded, waiting, refused } = house.admission.state()
    const all = Object.values(refused).reduce((sum, n) => sum + n, 0)
    return overloaded ? worse(`Too many requests. Waiting: ${waiting}. Refused since the server started: ${all}.`) : ok
  },
  queue: async house => {
    const interrupted = await countQuietJobs(house.database.db)
    if (interrupted > 0)
      return worse(`${interrupted} interrupted ${interrupted === 1 ? 'job starts' : 'jobs start'} again within a minute.`)
    const seconds = await oldestJobSeconds(house.database.db, house.clock.now())
    return seconds !== null && seconds > 300 ? worse(`The oldest ready job has been waiting for ${Math.round(seconds)} s.`) : ok
  },
  // What leaves the installation: events to subscribers, emails and push notifications.
  outbox: async house => {
    const { db } = house.database
    const now = house.clock.now()
    const { oldest_at } = await backlog(db, consumerNames())
    if (oldest_at !== null && ms(now) - ms(oldest_at) > 60_000)
      return worse(`Events have been waiting for ${Math.round((ms(now) - ms(oldest_at)) / 1000)} s.`)
    const ages = [await oldestJobSeconds(db, now, 'mail'), await oldestDueSeconds(db, now)].filter(age => age !== null)
    const seconds = ages.length === 0 ? null : Math.max(...ages)
    return seconds !== null && seconds > 60
      ? worse(`The oldest message that is ready to send has been waiting for ${Math.round(seconds)} s.`)
      : ok
  },
  storage: async house => {
    const { bavail, blocks } = await statfs(house.data_dir)
    return bavail / blocks < 0.1 ? worse('Less than a tenth of the disk is free.') : ok
  },
  log: async house => {
    const { code, lost } = logTrouble()
    if (code !== null) house.log.warn({ code, lost }, 'the log could not be written') // tries again, so that a freed disk is noticed
    const gone = lost === 0 ? '' : ` Lines lost since the server started: ${lost}.`
    return code === null && lost === 0
      ? ok
      : worse(`${code === null ? 'The log is being written again.' : `The log can’t be written (${code}).`}${gone}`)
  },
  identity: async house => {
    if (house.settings.oidc_issuer !== null) return provider(house)
    await providerKeys(house)
    return ok
  },
  mail: async house =>
    house.settings.smtp_url === null
      ? { status: 'ok', message: 'SMTP_URL isn’t set: emails aren’t sent and stay in the outbox folder.' }
      : relay(house),
  push,
  weather,
  scanner: async house =>
    house.scanner === null ? { status: 'ok', message: 'SCAN_URL isn’t set: uploaded files aren’t scanned for malware.' } : scanner(house),
  superadmin: async house => {
    const { superadmin_emails: emails, superadmin_subjects: subjects } = house.settings
    const named = emails.length > 0 || subjects.length > 0
    return named || (await anySuperadmin(house.database.db)) ? ok : worse('There is no superadmin. Run walkdown superadmin grant EMAIL.')
  },
}

type Shared = { at: number; result: Promise<Record<string, Check>>; since: Map<string, { status: string; at: string; silent: boolean }> }
const shared = new WeakMap<House, Shared>()

/** Runs every check, each for at most a second. The result is shared for two seconds, so a thousand probes cost one query. */
export function checksOf(house: House): Promise<Record<string, Check>> {
  const known = shared.get(house)
  if (known !== undefined && performance.now() - known.at < SHARED_MS) return known.result
  const since = known?.since ?? new Map<string, { status: string; at: string; silent: boolean }>()
  const result = runAll(house, since)
  shared.set(house, { at: performance.now(), result, since })
  return result
}

async function runAll(house: House, since: Shared['since']): Promise<Record<string, Check>> {
  const now = house.clock.now()
  const entries = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const began = performance.now()
      const known = since.get(name)
      const heard = await patient(probe(house))
      const said = heard ?? silence(known?.silent === true)
      const at = known?.status === said.status ? known.at : now
      since.set(name, { status: said.status, at, silent: heard === null })
      return [name, { ...said, since: at, latency_ms: Math.round(performance.now() - began) }] as const
    }),
  )
  return Object.fromEntries(entries)
}

/** Reports a probe that fails as down, in a message that contains no host name; null when it takes too long. */
async function patient(probe: Promise<Verdict>): Promise<Verdict | null> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  return Promise.race([
    probe.catch((): Verdict => ({ status: 'down', message: 'No response.' })),
    // If this process itself was held up, the response may have arrived already, and is read before the next turn.
    new Promise<null>(done => late.addEventListener('abort', () => setImmediate(done, null))),
  ])
}
