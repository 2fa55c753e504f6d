import { statfs } from 'node:fs/promises'
import type { House } from '../../base/ctx.ts'
import { migrationState } from '../../base/migrate.ts'
import type { Check } from './domain.ts'
import { oldestJobSeconds, ping } from './queries.ts'

const PATIENCE_MS = 1000
const SHARED_MS = 2000

type Verdict = { status: Check['status']; message: string }
type Probe = (house: House) => Promise<Verdict>

const ok: Verdict = { status: 'ok', message: '' }

const probes: Record<string, Probe> = {
  database: async house => {
    await ping(house.database.db)
    return ok
  },
  migrations: async house => {
    const { waiting } = await migrationState(house.database.pool)
    return waiting.length === 0 ? ok : { status: 'down', message: `The schema lacks ${waiting.length} of this code's migrations.` }
  },
  pool: async house => {
    const { total, idle, waiting } = house.database.stats()
    return waiting > 0 && idle === 0 && total > 0 && waiting > 50 ? { status: 'down', message: 'No connection is free.' } : ok
  },
  queue: async house => {
    const seconds = await oldestJobSeconds(house.database.db, house.clock.now())
    return seconds !== null && seconds > 300
      ? { status: 'degraded', message: `The oldest ready job waits for ${Math.round(seconds)} s.` }
      : ok
  },
  storage: async house => {
    const { bavail, blocks } = await statfs(house.data_dir)
    return bavail / blocks < 0.1 ? { status: 'degraded', message: 'Less than a tenth of the disk is free.' } : ok
  },
}

type Shared = { at: number; result: Promise<Record<string, Check>>; since: Map<string, { status: string; at: string }> }
const shared = new WeakMap<House, Shared>()

/** Every check, at most a second each, and shared for two: a thousand probes cost one query. */
export function checksOf(house: House): Promise<Record<string, Check>> {
  const known = shared.get(house)
  if (known !== undefined && performance.now() - known.at < SHARED_MS) return known.result
  const since = known?.since ?? new Map<string, { status: string; at: string }>()
  const result = runAll(house, since)
  shared.set(house, { at: performance.now(), result, since })
  return result
}

async function runAll(house: House, since: Shared['since']): Promise<Record<string, Check>> {
  const now = house.clock.now()
  const entries = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const began = performance.now()
      const said = await patient(probe(house))
      const known = since.get(name)
      const at = known?.status === said.status ? known.at : now
      since.set(name, { status: said.status, at })
      return [name, { ...said, since: at, latency_ms: Math.round(performance.now() - began) }] as const
    }),
  )
  return Object.fromEntries(entries)
}

/** A probe that fails or takes too long is down; its words say so without naming a host. */
async function patient(probe: Promise<Verdict>): Promise<Verdict> {
  const late = AbortSignal.timeout(PATIENCE_MS)
  return Promise.race([
    probe.catch((): Verdict => ({ status: 'down', message: 'It does not answer.' })),
    new Promise<Verdict>(done =>
      late.addEventListener('abort', () => done({ status: 'down', message: 'It does not answer within a second.' })),
    ),
  ])
}
