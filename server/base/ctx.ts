// What all work is given: the transaction, who acts, the time, and the ways to record audit entries, events and jobs. One function runs a write from its
// beginning to its seal, for requests, jobs, commands and tests alike.
import type { Logger } from 'pino'
import type { Instant } from '../../shared/time.ts'
import type { Actor } from './actor.ts'
import type { Admission } from './admission.ts'
import type { Clock } from './clock.ts'
import { type Database, type Db, worthAnotherTry } from './db.ts'
import { type Id, ids } from './ids.ts'
import type { Scanner } from './scanner.ts'
import type { Settings } from './settings.ts'
import type { Storage } from './storage.ts'
import type { Tracing } from './tracing.ts'

/** An event as a room emits it; the seal numbers it (`messages.md` §0.1). */
export type Emitted = {
  kind: string
  site_id: Id
  subject: { kind: string; id: Id; label: string }
  payload: Record<string, unknown>
  contractor_ids?: Id[]
  place?: unknown
}

/** The description of an audit entry for a record that this work changes (`site-and-people.md` §15). */
export type Note = {
  action?: 'create' | 'update' | 'delete' | 'restore' | 'transition' | 'sign' | 'link' | 'unlink' | 'import' | 'revert' | 'read'
  reason?: string
  /** Name of the record in the entry, if its row doesn't contain it. */
  label?: string
  reverts_entry_id?: Id
  /** Id of the entry, if the response must contain it. */
  entry_id?: Id
}

/** Layers of the map that a write can change (`site-and-people.md` §1, snapshot-revision). */
export type Layer = 'reference' | 'areas' | 'tokens' | 'annotations' | 'plans' | 'site_map' | 'overlays'

/** An audit entry for a read (`audited`), or an entry without a row. */
export type Entry = {
  site_id: Id
  entity_type: string
  entity_id: Id
  entity_label: string
  note: Note
  changes?: { path: string; before: unknown; after: unknown }[]
}

/** What happened in a transaction in addition to its rows; the seal turns it into entries and events. */
export type Trail = {
  /** Name of the route or job that caused it. */
  cause: string
  batch_id: Id
  /** Sites whose rows may have changed, in addition to the platform. */
  sites: Set<Id>
  notes: Map<Id, Note>
  default_note: Note
  entries: Entry[]
  events: Emitted[]
  layers: Map<Id, Set<Layer>>
  /** Records without a history of their own that are found by their id alone (tasks). */
  placed: { site_id: Id; id: Id; kind: string }[]
}

/** The facts of a site that most work needs. */
export type SiteFacts = {
  id: Id
  name: string
  code: string
  timezone: string
  locale: string
  main_contractor_id: Id | null
  locked_at: Instant | null
}

/** Everything that work needs; `db` is the transaction. */
export type Ctx = {
  db: Db
  actor: Actor
  now: Instant
  request_id: string
  trail: Trail
  /** The site of this work, once it was entered. */
  site: SiteFacts | null
  /** Publishes an event in this transaction. */
  emit(event: Emitted): void
  /** Queues a job in this transaction; `after` delays it. */
  enqueue(kind: string, input: Record<string, unknown>, options?: Enqueued): Promise<Id>
  /** Describes the audit entry of a record. */
  note(record_id: Id, note: Note): void
  /** Marks layers of a site's map as changed. */
  redraw(site_id: Id, ...layers: Layer[]): void
  /** Runs once the transaction has committed. A crash can lose it, so never use it for work that has to happen. */
  afterwards(work: () => void): void
  house: House
}

/** How a job is queued. */
export type Enqueued = { site_id?: Id; after?: Instant; singleton?: string; message?: string }

/** Steps that app.ts takes from the kernels, so that base imports none of them. */
export type Steps = {
  /** Returns the last statement before the commit: drafts become entries, and events get their numbers. Null if nothing was written. */
  seal(ctx: Ctx): Promise<{ text: string; values: unknown[] } | null>
  enqueue(ctx: Ctx, kind: string, input: Record<string, unknown>, options: Enqueued): Promise<Id>
}

/** Repeats work in the background. It uses real time, because the work only checks whether something is due by the clock. */
export type Timers = { every(milliseconds: number, work: () => void): { stop(): void } }

/** A log line for operators: without personal data, and kept for some days (`site-and-people.md` §9). */
export type Line = {
  source: 'server' | 'client' | 'auth' | 'job'
  level: 'error' | 'warn' | 'info'
  kind: string
  name: string
  message: string
  stack?: string | null
  route?: string | null
  value?: number | null
  request_id?: string | null
  user_id?: Id | null
  site_id?: Id | null
  app_version?: string | null
  platform?: string | null
  /** The time on the clock of the device that reports it. */
  device_at?: Instant | null
  /** The network it came from, as /24 or /48. */
  network?: string | null
}

/** Collects lines without making the caller wait: they are written in batches, or dropped and counted if there are too many. */
export type Lines = {
  push(line: Line): void
  /** Writes the waiting lines: when a process ends, and before a read. */
  flush(): Promise<void>
}

/** The running service, as far as work can see it. */
export type House = {
  settings: Settings
  database: Database
  clock: Clock
  log: Logger
  steps: Steps
  storage: Storage
  /** Scans every uploaded file before anything else sees it; null if no scanner is set. */
  scanner: Scanner | null
  /** Directory for stored files, emails if no mail relay is set, and unfinished uploads. */
  data_dir: string
  timers: Timers
  /** Decides which requests are served when not all can be. */
  admission: Admission
  /** Records traces; null if no collector is set. */
  tracing: Tracing | null
  /** The log lines of this process, for operators. */
  lines: Lines
  /** The process: when it started, and whether it was asked to stop. */
  process: { started_at: Instant; draining: boolean; version: string }
}

/** Thrown within a write: everything is rolled back, and this is the result (`dry_run`). */
export class RolledBack extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('Rolled back on purpose.')
    this.name = 'RolledBack'
    this.answer = answer
  }
}

/** Who does the work, and its name. */
export type Work = { actor: Actor; cause: string; request_id?: string; now?: Instant }

/** Makes a context for reads, outside a transaction. */
export function reading(house: House, work: Work): Ctx {
  return makeCtx(house, house.database.db, work, [])
}

function makeCtx(house: House, db: Db, work: Work, after: (() => void)[]): Ctx {
  const trail: Trail = {
    cause: work.cause,
    batch_id: ids.next(),
    sites: new Set(),
    notes: new Map(),
    default_note: {},
    entries: [],
    events: [],
    layers: new Map(),
    placed: [],
  }
  const ctx: Ctx = {
    db,
    actor: work.actor,
    now: work.now ?? house.clock.now(),
    request_id: work.request_id ?? ids.next(),
    trail,
    site: null,
    house,
    emit: event => {
      trail.events.push(event)
    },
    enqueue: (kind, input, options = {}) => house.steps.enqueue(ctx, kind, input, options),
    note: (record_id, note) => {
      trail.notes.set(record_id, { ...trail.notes.get(record_id), ...note })
    },
    redraw: (site_id, ...layers) => {
      const set = trail.layers.get(site_id) ?? new Set()
      for (const layer of layers) set.add(layer)
      trail.layers.set(site_id, set)
    },
    afterwards: job => {
      after.push(job)
    },
  }
  return ctx
}

/**
 * Runs a write: one transaction, sealed at its end. If PostgreSQL refuses it because of another transaction, it runs again, up to three times, with the
 * same `now`. An error rolls everything back.
 */
export async function writing<T>(house: House, work: Work, task: (ctx: Ctx) => Promise<T>): Promise<T> {
  const fixed = { ...work, now: work.now ?? house.clock.now(), request_id: work.request_id ?? ids.next() }
  for (let attempt = 1; ; attempt++) {
    const after: (() => void)[] = []
    try {
      const opening = { actor_kind: work.actor.kind, actor_id: work.actor.id, now: fixed.now }
      const result = await house.database.transaction(opening, async db => {
        const ctx = makeCtx(house, db, fixed, after)
        const answer = await task(ctx)
        return { result: answer, last: await house.steps.seal(ctx) }
      })
      for (const job of after) job()
      return result
    } catch (error) {
      if (error instanceof RolledBack) return error.answer as T // the caller of the work determines the type of the result
      if (attempt > 3 || !worthAnotherTry(error)) throw error
    }
  }
}

/** Runs several reads that agree with each other, at one moment of the database. */
export function snapshot<T>(house: House, work: Work, task: (ctx: Ctx) => Promise<T>): Promise<T> {
  return house.database.snapshot(db => task(makeCtx(house, db, work, [])))
}
