// Cards of permits, and the same cards written as JSON. A board is read again after each step on its site, and then nearly all of its cards are as they
// were: what was written is kept until something changes that the card shows (decision 777).
import { setImmediate as turn } from 'node:timers/promises'
import { keysOf } from '../../../../../shared/narrow.ts'
import { HOUR, type Instant, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { type Writer, writerOf } from '../../../../base/writers.ts'
import { callerOn, judge, judgedOf } from '../../kit/actions/facts.ts'
import { stopsOf } from '../../kit/actions/stops.ts'
import { permitFlags } from '../../kit/domain/flags.ts'
import type { SiteFactsRow } from '../../kit/queries/facts.ts'
import type { CardRow } from '../../kit/queries/permits.ts'
import type { CardFound } from '../queries/pages.ts'
import { PermitCard } from '../schema/permit.ts'
import { cardOf } from './show.ts'

/** Returns cards of permits, with their flags; without `reasons`, a flag doesn't say why a step is refused. */
export async function cards(ctx: Ctx, site_id: Id, rows: readonly CardFound[], reasons: boolean): Promise<Record<string, unknown>[]> {
  const [judged, stops] = await Promise.all([
    judge(ctx, site_id, rows, null, new Map(rows.map(row => [row.id, row]))),
    stopsOf(ctx, site_id, rows),
  ])
  return rows.map(row => {
    const all = judgedOf(judged, row)
    return cardOf(ctx, row, all, permitFlags(all.facts, all.graph, reasons), stops.get(row.id) ?? null)
  })
}

/** A card as it was written. It is right for this state of the permit, from `from` until just before `until`. */
type Written = { state: string; from: Instant; until: Instant | null; bytes: Buffer }

/** Cards that are kept, about 25 MB. */
const KEPT = 10_000
/** Cards that are written in one turn of the event loop; a longer list isn't kept either. */
const AT_ONCE = 500

/** Kept cards by viewer and permit, oldest first, and the number of each viewer: the same facts, caller and form of the flags. */
type Shelf = { cards: Map<string, Written>; viewers: WeakMap<SiteFactsRow, Map<string, number>>; last: number }

const shelves = new WeakMap<Ctx['house'], Shelf>()
let writer: Writer | null = null

/** Returns cards of permits as JSON, each as it would be written now. */
export async function writtenCards(ctx: Ctx, site_id: Id, rows: readonly CardFound[], reasons: boolean): Promise<Buffer[]> {
  if (rows.length === 0) return []
  writer ??= writerOf(PermitCard)
  const write = writer
  if (rows.length > AT_ONCE) {
    const out: Buffer[] = []
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      if (from > 0) await turn()
      for (const card of await cards(ctx, site_id, rows.slice(from, from + AT_ONCE), reasons)) out.push(Buffer.from(write(card)))
    }
    return out
  }
  const { policy, caller } = await callerOn(ctx, site_id)
  const shelf = shelves.get(ctx.house) ?? { cards: new Map(), viewers: new WeakMap(), last: 0 }
  shelves.set(ctx.house, shelf)
  const known = shelf.viewers.get(policy) ?? new Map<string, number>()
  shelf.viewers.set(policy, known)
  const viewer = remembered(known, `${reasons} ${caller}`, () => ++shelf.last)
  const found = rows.map(row => {
    const key = `${viewer} ${row.id}`
    const state = stateOf(row)
    const old = shelf.cards.get(key)
    const good = old !== undefined && old.state === state && old.from <= ctx.now && (old.until === null || ctx.now < old.until)
    return { key, state, row, bytes: good ? old.bytes : null }
  })
  const missing = found.filter(one => one.bytes === null)
  const made = await cards(
    ctx,
    site_id,
    missing.map(({ row }) => row),
    reasons,
  )
  for (const [n, one] of missing.entries()) {
    one.bytes = Buffer.from(write(made[n]))
    shelf.cards.delete(one.key)
    shelf.cards.set(one.key, { state: one.state, from: ctx.now, until: nextChange(ctx, one.row, policy), bytes: one.bytes })
  }
  for (const key of shelf.cards.keys()) {
    if (shelf.cards.size <= KEPT) break
    shelf.cards.delete(key)
  }
  return found.flatMap(({ bytes }) => bytes ?? [])
}

/** Everything that is read with a permit. The type doesn't let one be forgotten. */
const WITH_IT: Record<Exclude<keyof CardFound, keyof CardRow>, true> = {
  contractor_name: true,
  parent: true,
  children: true,
  attachments: true,
  overdue: true,
  last_signature: true,
  named_by: true,
  open_extension: true,
  issuer_uncovered: true,
  receiver_name: true,
}
const AROUND = keysOf(WITH_IT)

/** Returns what a card depends on in the database, except for what `policy` has: the permit by its version, and everything around it. */
const stateOf = (row: CardFound): string => JSON.stringify([row.version, row.updated_at, ...AROUND.map(name => row[name])])

/** Returns the next time when a card changes by itself; null if none comes. */
function nextChange(
  ctx: Ctx,
  { end_at, fire_watch_until }: CardFound,
  { expiring_warning_lead_hours, stops }: SiteFactsRow,
): Instant | null {
  const instants = [
    end_at,
    end_at === null ? null : later(end_at, -expiring_warning_lead_hours * HOUR),
    fire_watch_until,
    ...stops.map(stop => stop.start_at),
  ]
  return instants.filter(at => at !== null && at > ctx.now).sort()[0] ?? null
}
