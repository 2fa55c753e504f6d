import { get, page, pageOfWritten, textAnswer } from '../../../base/http.ts'
import { sha256 } from '../../../base/ids.ts'
import { ref, Type } from '../../../base/schema.ts'
import { pendingHeader, upToDate } from '../../conflicts/comparisons/door.ts'
import { permit } from '../kit/kinds.ts'
import { MatchQuery } from '../kit/schema.ts'
import { auditCsv } from './actions/history.ts'
import { closeOutRound, countCards, listCards, listWhole, wallet } from './actions/lists.ts'
import { listThen } from './actions/replay.ts'
import { showPermit } from './actions/show.ts'
import { CardFilter, CountQuery, PermitFilter, RoundQuery, WalletQuery } from './schema/filters.ts'
import { CloseOutStop, Permit, PermitCard, PermitCounts, WalletPermit } from './schema/permit.ts'

const all = '/permits/applications'
const one = `${all}/:permit_id`

export const routes = [
  get('/permits', {
    name: 'permit.list_cards',
    summary: 'List permits as cards',
    says: 'Returns every permit that the caller can see, including imported ones, as compact cards for the board and the map. Permits without a window come first, then those with the latest start. With `at`, status, window and signatures are those at that time, and nothing can be done with a permit.',
    access: { needs: 'site_view' },
    query: CardFilter,
    reply: Type.Array(ref(PermitCard)),
    sends: ['X-Total-Count'],
    handle: async ({ ctx, query: { at, ...query } }) => {
      if (at !== undefined) {
        const { rows, next, total } = await listThen(ctx, at, query)
        return page(rows, { next, total })
      }
      const { rows, next, total } = await listCards(ctx, query)
      return pageOfWritten(rows, { next, total })
    },
  }),
  get('/permits/counts', {
    name: 'permit.count',
    summary: 'Count permits',
    says: 'Returns how many permits that the caller can see are live, in review, expired and so on, including imported ones, all at the same time.',
    access: { needs: 'site_view' },
    query: CountQuery,
    reply: ref(PermitCounts),
    handle: ({ ctx, query }) => countCards(ctx, query),
  }),
  get('/permits/close-out-round', {
    name: 'permit.show_round',
    summary: 'Show the close-out round',
    says: 'Returns the expired and handed-back permits, grouped by building and level. Each lists the approved permits of its contractor that its overdue close-out keeps from being issued.',
    access: { needs: 'site_view' },
    query: RoundQuery,
    reply: Type.Array(ref(CloseOutStop)),
    handle: ({ ctx, query }) => closeOutRound(ctx, query.site_id),
  }),
  get(all, {
    name: 'permit.list',
    summary: 'List permits',
    says: 'Returns the same permits as the list of cards, in the same order and in full, with signatures, extension requests and flags. It waits, at most two seconds, until conflicts are computed for what was changed before the request; the number of changes that aren’t computed by then is in X-Clash-Pending.',
    access: { needs: 'site_view' },
    query: PermitFilter,
    reply: Type.Array(ref(Permit)),
    sends: ['X-Clash-Pending', 'X-Total-Count'],
    handle: async ({ ctx, query }) => {
      const headers = await upToDate(ctx, query.site_id)
      const { rows, next, total } = await listWhole(ctx, query)
      return page(rows, { next, total, headers })
    },
  }),
  get(`${all}/wallet`, {
    name: 'permit.list_wallet',
    summary: 'List permits in the wallet',
    says: 'Returns the permits in the caller’s wallet: approved, live and expired ones of which they are the receiver or requestor, and permits that they can issue or, after an area stop, revalidate as appointed issuers. Stopped permits come first, then the most urgent, then those that end first. It waits, at most two seconds, until conflicts are computed for what was changed before the request; the number of changes that aren’t computed by then is in X-Clash-Pending.',
    access: { signed_in: true },
    query: WalletQuery,
    reply: Type.Array(ref(WalletPermit)),
    tagged: true,
    sends: ['X-Clash-Pending'],
    handle: async ({ ctx, query }) => {
      const { rows, pending } = await wallet(ctx, query.site_id)
      return taggedList(rows, pendingHeader(pending))
    },
  }),
  get(one, {
    name: 'permit.show',
    summary: 'Show a permit',
    says: 'Returns one permit in full, with advice on each step that the caller can take.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: ref(Permit),
    handle: ({ ctx, thing }) => showPermit(ctx, thing.site_id, thing.id),
  }),
  get(`${one}/audit.csv`, {
    name: 'permit.export_history',
    summary: 'Export a permit’s history as CSV',
    says: 'Returns one row for each event, oldest first. Each row has the time in UTC and in site time, the note, the hash of the signature, and the absent receiver on whose behalf a hand-back was signed.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: null,
    produces: 'text/csv',
    handle: async ({ ctx, thing }) =>
      textAnswer('text/csv; charset=utf-8', await auditCsv(ctx, thing), {
        'content-disposition': `attachment; filename="${thing.permit_number ?? 'draft'} history.csv"`,
      }),
  }),
]

/** Responds with a personal list with an ETag of all that it shows, so that a phone can poll it cheaply. */
function taggedList(rows: readonly Record<string, unknown>[], more: Record<string, string>) {
  // A signature can differ each time it is made, although what it signs is the same.
  const shown = rows.map(({ qr_payload, ...row }) => [
    row,
    typeof qr_payload === 'string' ? qr_payload.slice(0, qr_payload.lastIndexOf('.')) : null,
  ])
  return page([...rows], { headers: { ...more, etag: `"${sha256(JSON.stringify(shown))}"` } })
}
