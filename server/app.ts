// The composition root: the rooms of groups.ts, and the steps of a request that the kernels carry out for the edge.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openAdmission } from './base/admission.ts'
import { manualClock, systemClock, systemTimers } from './base/clock.ts'
import type { House } from './base/ctx.ts'
import { openDatabase } from './base/db.ts'
import { buildEdge, type Edge } from './base/edge.ts'
import type { Engine } from './base/engine.ts'
import type { Route } from './base/http.ts'
import { makeLog } from './base/log.ts'
import { openScanner } from './base/scanner.ts'
import type { Settings } from './base/settings.ts'
import { openStorage } from './base/storage.ts'
import { openTracing } from './base/tracing.ts'
import { routes } from './groups.ts'
import { seal } from './kernel/audit/door.ts'
import { keepKey, recallKey, replayKey } from './kernel/idempotency/door.ts'
import { makeVerifier, personOf } from './kernel/identity/door.ts'
import { enqueue } from './kernel/jobs/door.ts'
import { keepLines } from './kernel/lines/door.ts'
import { mountLive } from './kernel/live/kit.ts'
import { mountUnsubscribe } from './kernel/notices/kit.ts'
import { mountProvider } from './kernel/provider/kit.ts'
import { siteOfRecord } from './kernel/records/door.ts'
import { enterSite } from './kernel/site/door.ts'
import { mountService } from './service.ts'
import { mountVerify } from './verify/mount.ts'
import { mountWeb } from './web.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string } // our own file

/** Connections of a process, and the number that requests leave free: two listen for notifications, and two are for background work. */
const POOL = 12
const POOL_BESIDE = 4

/** How long work waits for a connection where nothing is refused under load. */
const PATIENT_MS = 60_000

/** Opens the parts that every request and job needs: connection pool, clock, log, storage, and the seal that ends each write. */
export async function openHouse(
  settings: Settings,
  engine: Engine,
  options: {
    database?: string
    data_dir: string
    pool?: number
    /** Never refuses requests under load: for tests that send many calls at once. */
    patient?: boolean
    /** Records traces if a collector is set: for the service, not for commands. */
    traces?: boolean
  },
): Promise<House> {
  await mkdir(join(options.data_dir, 'tmp'), { recursive: true })
  const clock = settings.clock === 'manual' ? manualClock(systemClock.now()) : systemClock
  const log = makeLog(settings.log_level)
  const tracing = options.traces ? await openTracing(settings.traces, version, log) : null
  const pool = options.pool ?? POOL
  const database = openDatabase(engine, {
    ...(options.database === undefined ? {} : { database: options.database }),
    max: pool,
    tracing,
    ...(options.patient ? { connect_ms: PATIENT_MS } : {}),
  })
  return {
    settings,
    clock,
    log,
    database,
    data_dir: options.data_dir,
    steps: {
      seal,
      enqueue,
    },
    timers: systemTimers,
    tracing,
    admission: openAdmission({
      now: () => performance.now(),
      // One more than the processors keeps them busy while another waits for the database; more would only make each request slower.
      places: Math.max(3, Math.min(pool - POOL_BESIDE, availableParallelism() + 1)),
      ...(options.patient ? { patience: 1000 } : {}),
    }),
    lines: keepLines({ db: database.db, clock, timers: systemTimers, broken: error => log.warn({ err: error }, 'log lines were lost') }),
    storage: openStorage(settings, options.data_dir),
    scanner: settings.scanner === null ? null : openScanner(settings.scanner.place, settings.scanner.seconds),
    process: { started_at: clock.now(), draining: false, version },
  }
}

/** Builds the HTTP server. */
export function openEdge(
  house: House,
  options: {
    strict_replies?: boolean /** Serves the web app if it is built. */
    web?: boolean
    mount?: (app: FastifyInstance) => Promise<void>
    /** Endpoints in addition to those of the rooms: for tests of the kits that make endpoints. */
    more_routes?: readonly Route[]
  } = {},
): Promise<Edge> {
  const verifier = makeVerifier(house)
  return buildEdge({
    house,
    routes: [...routes, ...(options.more_routes ?? [])],
    ...(options.strict_replies === undefined ? {} : { strict_replies: options.strict_replies }),
    mount: async (app, registry) => {
      const web = options.web === true && (await mountWeb(app, house))
      mountService(app, house, registry, !web)
      mountVerify(app)
      await mountProvider(app, house)
      await mountLive(app, house, verifier)
      await mountUnsubscribe(app, house)
      await options.mount?.(app)
    },
    steps: {
      verify: authorization => verifier.verify(authorization),
      proven: authorization => verifier.proven(authorization),
      locate: id => siteOfRecord(house.database.db, id),
      person: (token, site_id) => personOf(house, verifier, token, site_id),
      enter: async (ctx, site_id, how) => {
        await enterSite(ctx, site_id, how)
      },
      recall: scope => recallKey(house.database.db, scope, house.clock.now()),
      replay: replayKey,
      keep: keepKey,
    },
  })
}
