// What a piece of work is given: the transaction, who acts, what time it is, and the ways to leave a trace. One function runs a write from
// its beginning to its seal, for requests, jobs, commands and tests alike.
import type { Logger } from 'pino'
import type { Instant } from '../../shared/time.ts'
import type { Actor } from './actor.ts'
import type { Admission } from './admission.ts'
import type { Clock } from './clock.ts'
import { type Database, type Db, worthAnotherTry } from './db.ts'
import { type Id, ids } from './ids.ts'
import type { Settings } from './settings.ts'
import type { Storage } from './storage.ts'

/** An event as a room emits it; the seal numbers it (`messages.md` §0.1). */
export type Emitted = {
  kind: string
  site_id: Id
  subject: { kind: string; id: Id; label: string }
  payload: Record<string, unknown>
  contractor_ids?: Id[]
  place?: unknown
}

/** Words for the audit entry of a record that this work touches (`site-and-people.md` §15). */
export type Note = {
  action?: 'create' | 'update' | 'delete' | 'restore' | 'transition' | 'sign' | 'link' | 'unlink' | 'import' | 'revert' | 'read'
  reason?: string
  reverts_entry_id?: Id
  /** Id of the entry, where the answer must name it. */
  entry_id?: Id
}

/** Layers of the map whose picture a write can change (`site-and-people.md` §1, snapshot-revision). */
export type Layer = 'reference' | 'areas' | 'tokens' | 'annotations' | 'plans' | 'site_map' | 'overlays'

/** A reading that is an entry of its own (`audited`), or an entry without a row behind it. */
export type Entry = {
  site_id: Id
  entity_type: string
  entity_id: Id
  entity_label: string
  note: Note
  changes?: { path: string; before: unknown; after: unknown }[]
}

/** What happened in a transaction beside its rows; the seal turns it into entries and events. */
export type Trail = {
  /** Name of the route or job that caused it. */
  cause: string
  batch_id: Id
  /** Sites whose rows may have changed, beside the platform's. */
  sites: Set<Id>
  notes: Map<Id, Note>
  default_note: Note
  entries: Entry[]
  events: Emitted[]
  layers: Map<Id, Set<Layer>>
  /** Things without a history of their own that are found by their bare id (tasks). */
  placed: { site_id: Id; id: Id; kind: string }[]
}

/** What most work needs to know of its site. */
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
  /** Tells the rest of the house, in this transaction. */
  emit(event: Emitted): void
  /** Queues a job in this transaction; `after` delays it. */
  enqueue(kind: string, input: Record<string, unknown>, options?: Enqueued): Promise<Id>
  /** Says how the audit entry of a record shall read. */
  note(record_id: Id, note: Note): void
  /** Says which layers of a site's map look different now. */
  redraw(site_id: Id, ...layers: Layer[]): void
  /** Runs once the transaction has committed. A crash can lose it, so never use it for work that has to happen. */
  afterwards(work: () => void): void
  house: House
}

/** How a job is queued. */
export type Enqueued = { site_id?: Id; after?: Instant; singleton?: string; message?: string }

/** What app.ts fills in from the kernels, so that base knows none of them. */
export type Steps = {
  /** Last statement before the commit: drafts become entries, events get their numbers. Null when nothing was written. */
  seal(ctx: Ctx): Promise<{ text: string; values: unknown[] } | null>
  enqueue(ctx: Ctx, kind: string, input: Record<string, unknown>, options: Enqueued): Promise<Id>
}

/** Repetition in the background: real time, because it only looks whether something is due by the clock. */
export type Timers = { every(milliseconds: number, work: () => void): { stop(): void } }

/** A line for the people on call: scrubbed, and kept for some days (`site-and-people.md` §9). */
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
  /** When it happened by the clock of the device that tells it. */
  device_at?: Instant | null
  /** Where it came from, as /24 or /48. */
  network?: string | null
}

/** Takes lines without keeping anybody waiting: they are written in batches, and dropped and counted where they come too fast. */
export type Lines = {
  push(line: Line): void
  /** Writes what is pending: when a process ends, and before a read. */
  flush(): Promise<void>
}

/** The running service, as far as work may see it. */
export type House = {
  settings: Settings
  database: Database
  clock: Clock
  log: Logger
  steps: Steps
  storage: Storage
  /** Directory for stored files, mails that go nowhere else, and what is on its way in. */
  data_dir: string
  timers: Timers
  /** Who is served when not all can be. */
  admission: Admission
  /** What people on call read of this process later on. */
  lines: Lines
  /** Of this process: since when, and whether it was asked to end. */
  process: { started_at: Instant; draining: boolean; version: string }
}

/** Thrown inside of a write: all of it is rolled back, and this is its answer (`dry_run`). */
export class RolledBack extends Error {
  readonly answer: unknown
  constructor(answer: unknown) {
    super('Rolled back on purpose.')
    this.name = 'RolledBack'
    this.answer = answer
  }
}

/** Who does a piece of work, and under what name. */
export type Work = { actor: Actor; cause: string; request_id?: string; now?: Instant }

/** A context outside of a transaction, for reads. */
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
 * Runs a write: one transaction, sealed at its end. What PostgreSQL refuses for the sake of another transaction is run again, three times,
 * with the same `now`. Whatever throws inside rolls all of it back.
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
      if (error instanceof RolledBack) return error.answer as T // the handler that throws it decides what this work replies
      if (attempt > 3 || !worthAnotherTry(error)) throw error
    }
  }
}

/** Several reads that agree with each other, as one moment of the database. */
export function snapshot<T>(house: House, work: Work, task: (ctx: Ctx) => Promise<T>): Promise<T> {
  return house.database.snapshot(db => task(makeCtx(house, db, work, [])))
}
