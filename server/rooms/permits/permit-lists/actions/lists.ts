import { HOUR, later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, readCursor } from '../../../../base/paging.ts'
import { readBox } from '../../../../kernel/geometry/door.ts'
import { ledBy, siteOf, whileSettled } from '../../../../kernel/site/door.ts'
import { signerOf } from '../../../../kernel/statements/door.ts'
import { placesOf } from '../../../../kernel/tasks/door.ts'
import { pendingOn } from '../../../conflicts/comparisons/door.ts'
import { placesNamed } from '../../../map/reference-features/door.ts'
import { siteFacts, standingAt, viewerOn } from '../../kit/actions/facts.ts'
import { awaitingCountersign, OPEN } from '../../kit/domain/facts.ts'
import type { AttachmentRow, SignatureRow } from '../../kit/queries/permits.ts'
import { statementOf } from '../../permit-documents/door.ts'
import { type Lister, type ListFilter, permitsFor, rarePair, seesFew, typeSets } from '../queries/lists.ts'
import { cardPage, countLists, wholePage } from '../queries/pages.ts'
import type { CardFilter, CountQuery, PermitFilter } from '../schema/filters.ts'
import { cards, writtenCards } from './cards.ts'
import { wholeOf, wholePermits } from './show.ts'

/** Rows of a list of permits without `limit` (conventions §1, Lists). */
export const WHOLE = 5000
const WHOLE_LIST = { limit: WHOLE, after: null }

/** A page of permits as the API returns it. */
export type Page<Row = unknown> = { rows: Row[]; next: string | null; total: number | null }

/** Returns the permits of a site that still have to be revalidated, live or not. */
const stoppedOn = async (ctx: Ctx, site_id: Id): Promise<Id[]> => [
  ...new Set((await siteFacts(ctx, site_id)).stopped.filter(stop => stop.stopped_at <= ctx.now).map(({ permit_id }) => permit_id)),
]

/** Returns the caller as lists of permits need them. */
export async function listerOn(ctx: Ctx, site_id: Id): Promise<Lister> {
  const viewer = await viewerOn(ctx, site_id)
  const sees_few = await whileSettled(ctx, site_id, `sees few ${viewer.id} ${[...viewer.scope]}`, () => seesFew(ctx.db, site_id, viewer))
  return { ...viewer, sees_few }
}

/** Returns the filter of a list as its statement takes it. */
export async function filterOf(ctx: Ctx, filter: PermitFilter): Promise<ListFilter> {
  const { site_id, limit: _limit, cursor: _cursor, id, bbox, soon, stopped, ...rest } = filter
  const places = rest.q === undefined ? [] : await placesNamed(ctx, site_id, rest.q)
  const rare_pair = rest.q === undefined ? undefined : await rarePair(ctx.db, site_id, rest.q)
  const type_sets = rest.category === undefined ? undefined : await typeSets(ctx.db, site_id, rest.category)
  const led = rest.contractor_id === undefined ? [] : await ledBy(ctx.db, site_id, rest.contractor_id)
  const lead = soon === undefined ? 0 : (await siteFacts(ctx, site_id)).expiring_warning_lead_hours
  return {
    ...rest,
    ...(places.length === 0 ? {} : { places }),
    ...(rare_pair === undefined ? {} : { rare_pair }),
    ...(type_sets === undefined ? {} : { type_sets }),
    ...(led.length === 0 ? {} : { led }),
    ...(id === undefined ? {} : { ids: id }),
    ...(bbox === undefined ? {} : { bbox: readBox(bbox) }),
    ...(stopped === undefined ? {} : { stopped: { ids: await stoppedOn(ctx, site_id), wanted: stopped } }),
    ...(soon === undefined ? {} : { soon: { now: ctx.now, until: later(ctx.now, lead * HOUR), wanted: soon } }),
  }
}

type Reads<Row> = (...given: Parameters<typeof cardPage>) => Promise<{ rows: (Row & PermitKeys)[]; total: number | null }>
type PermitKeys = { id: Id; start_at: string | null }

async function pageOf<Row>(ctx: Ctx, filter: PermitFilter, read: Reads<Row>) {
  const limit = filter.limit ?? WHOLE
  const after = readCursor(filter.cursor, 2)
  const { site_id } = filter
  const [viewer, { close_out_gate_enabled }] = await Promise.all([listerOn(ctx, site_id), siteFacts(ctx, site_id)])
  const { rows, total } = await read(ctx.db, site_id, viewer, await filterOf(ctx, filter), { limit, after }, close_out_gate_enabled)
  return { ...cut(rows, limit, row => [row.start_at, row.id]), total }
}

/** Lists every visible permit in its compact form, imported ones too, written as JSON: for board and map. */
export async function listCards(ctx: Ctx, { reasons = true, ...filter }: CardFilter): Promise<Page<Buffer>> {
  const { rows, next, total } = await pageOf(ctx, filter, cardPage)
  return { rows: await writtenCards(ctx, filter.site_id, rows, reasons), next, total }
}

/** Lists the same permits with everything about them. */
export async function listWhole(ctx: Ctx, filter: PermitFilter): Promise<Page> {
  const { rows, next, total } = await pageOf(ctx, filter, wholePage)
  return { rows: await wholePermits(ctx, filter.site_id, rows), next, total }
}

/** Counts the visible permits of a site, each number by the filter of the list that it leads to, imported ones too. */
export async function countCards(ctx: Ctx, { site_id, updated_since }: CountQuery): Promise<Record<string, number | null>> {
  const [viewer, { soon, stopped }] = await Promise.all([listerOn(ctx, site_id), filterOf(ctx, { site_id, soon: true, stopped: true })])
  return countLists(ctx.db, site_id, viewer, {
    // A window includes its first instant.
    live: { status: ['issued'], handed_back: false, from: ctx.now, to: later(ctx.now, 1) },
    soon: { soon },
    awaiting_countersign: { awaiting_countersign: true },
    in_review: { status: ['requested', 'endorsed'] },
    expired: { status: ['expired'], handed_back: false },
    handed_back: { handed_back: true },
    stopped: { stopped },
    under_way: { status: OPEN },
    ...(updated_since === undefined ? {} : { changed: { updated_since } }),
  })
}

const CARRIED = ['approved', 'issued', 'expired']

/**
 * Lists the caller's permits on site (`permits-decisions.md` §1, wallet): those of which they are the receiver, the requestor, or the issuer whose
 * signature is due; most urgent first. `pending`: how many changes of these sites aren’t in their conflicts yet.
 */
export async function wallet(ctx: Ctx, site_id: Id | undefined): Promise<{ rows: Record<string, unknown>[]; pending: number }> {
  const user_id = ctx.actor.id
  if (user_id === null) return { rows: [], pending: 0 }
  let pending = 0
  const carried: { shown: Record<string, unknown>; urgency: number; end_at: string }[] = []
  for (const place of await placesOf(ctx, user_id, site_id ?? null)) {
    const own = await standingAt(ctx, place.site_id)
    pending += await pendingOn(own, place.site_id)
    const facts = await siteFacts(own, place.site_id)
    const lister = await listerOn(own, place.site_id)
    // Only what the types of their appointments let them sign is read.
    const appointment = facts.appointed_all ? {} : facts.appointed_codes.length > 0 ? { category: facts.appointed_codes } : null
    const stopped = appointment === null ? [] : [...new Set(facts.stopped.map(({ permit_id }) => permit_id))]
    const [mine, received, due, halted] = await Promise.all([
      permitsFor(own.db, place.site_id, lister, { status: CARRIED, requestor_id: [user_id] }, WHOLE_LIST),
      permitsFor(own.db, place.site_id, lister, { status: CARRIED, receiver_id: [user_id] }, WHOLE_LIST),
      appointment === null
        ? []
        : permitsFor(
            own.db,
            place.site_id,
            lister,
            { ...appointment, status: ['approved'], source: ['requested'], awaiting_countersign: false },
            WHOLE_LIST,
          ),
      stopped.length === 0
        ? []
        : permitsFor(own.db, place.site_id, lister, { status: ['issued'], handed_back: false, ids: stopped }, WHOLE_LIST),
    ])
    const appointed = (p: { categories: readonly string[] }) =>
      p.categories.length > 0 && (facts.appointed_all || p.categories.every(code => facts.appointed_codes.includes(code)))
    const issuable = due.filter(appointed)
    // An issuer revalidates at the work front, so a stopped permit is in their wallet until someone has done it.
    const halting = halted.filter(appointed)
    const rows = [...new Map([...mine, ...received, ...issuable, ...halting].map(p => [p.id, p])).values()]
    const whole = await wholeOf(
      own,
      place.site_id,
      rows.map(row => row.id),
    )
    const signer = rows.length === 0 ? null : await signerOf(ctx.house, place.site_id)
    const { code: site_code } = await siteOf(own, place.site_id)
    rows.forEach((row, i) => {
      const waits =
        issuable.includes(row) ||
        halting.some(({ id }) => id === row.id) ||
        (awaitingCountersign(row) && row.receiver_id === user_id) ||
        (['issued', 'expired'].includes(row.status) &&
          row.receiver_id === user_id &&
          row.handed_back_at === null &&
          row.end_at !== null &&
          row.end_at <= ctx.now)
      const opens_at = row.start_at === null ? null : later(row.start_at, -facts.activation_gap_lead_hours * HOUR)
      // A blocker is about the work of a contractor: people declare it for their own, coordinators for each (`flow-of-work.md` §1.6).
      const isTheirs = own.actor.can('blocker_manage') || (own.actor.can('blocker_declare') && lister.scope.has(row.contractor_id))
      const mayDeclare = isTheirs && opens_at !== null && ctx.now >= opens_at
      const { attachments, signatures } = whole[i] as { attachments: AttachmentRow[]; signatures: Pick<SignatureRow, 'number' | 'hash'>[] } // wholePermits made them
      const last_signature = signatures.at(-1) ?? null
      const statement = signer === null ? null : statementOf(signer, row, { site_code, attachments, last_signature, as_at: row.updated_at })
      const qr_payload = statement === null ? null : `${ctx.house.settings.public_url}/verify#${statement}`
      const shown: Record<string, unknown> = { ...whole[i], awaiting_my_action: waits, declare_blocker_available: mayDeclare, qr_payload }
      carried.push({
        shown,
        urgency:
          shown.stopped_by_alert !== null || !isEmpty(shown.stopped)
            ? -1
            : waits
              ? 0
              : row.status === 'expired'
                ? 1
                : row.status === 'issued'
                  ? 2
                  : 3,
        end_at: row.end_at ?? '9',
      })
    })
  }
  return { rows: carried.sort((a, b) => a.urgency - b.urgency || a.end_at.localeCompare(b.end_at)).map(c => c.shown), pending }
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

/** A stop on the close-out round. */
type Stop = { building_id: Id | null; level_index: number | null; permits: Record<string, unknown>[] }

/**
 * Returns expired and handed-back permits as one walk by building and level, each with the permits of its contractor that could be issued once it is closed
 * out (`permits-decisions.md` §4.5).
 */
export async function closeOutRound(ctx: Ctx, site_id: Id): Promise<Stop[]> {
  const viewer = await listerOn(ctx, site_id)
  const { close_out_gate_enabled } = await siteFacts(ctx, site_id)
  const [{ rows: expired }, { rows: handed }, waiting] = await Promise.all([
    cardPage(ctx.db, site_id, viewer, { status: ['expired'], source: ['requested'] }, WHOLE_LIST, close_out_gate_enabled),
    cardPage(ctx.db, site_id, viewer, { handed_back: true }, WHOLE_LIST, close_out_gate_enabled),
    permitsFor(ctx.db, site_id, viewer, { status: ['approved'], awaiting_countersign: false }, WHOLE_LIST),
  ])
  const rows = [...new Map([...expired, ...handed].map(p => [p.id, p])).values()].slice(0, WHOLE)
  const shown = await cards(ctx, site_id, rows, true)
  const [expiredOf, waitingOf] = [Map.groupBy(expired, p => p.contractor_id), Map.groupBy(waiting, p => p.contractor_id)]
  const stops = new Map<string, Stop>()
  rows.forEach((row, i) => {
    const key = `${row.building_id ?? ''} ${row.level_index ?? ''}`
    const stop = stops.get(key) ?? { building_id: row.building_id, level_index: row.level_index, permits: [] }
    stops.set(key, stop)
    // Only closing out a contractor's last expired permit opens its close-out gate; closing out any other changes nothing yet.
    const last = row.status === 'expired' && expiredOf.get(row.contractor_id)?.length === 1
    const releases = close_out_gate_enabled && last && row.contractor_id !== null ? (waitingOf.get(row.contractor_id) ?? []) : []
    stop.permits.push({ ...shown[i], releases: releases.map(({ id, permit_number }) => ({ id, permit_number })) })
  })
  const order = (stop: Stop) => `${stop.building_id ?? '~'} ${String((stop.level_index ?? 0) + 1000).padStart(5, '0')}`
  return [...stops.values()].sort((a, b) => order(a).localeCompare(order(b)))
}
