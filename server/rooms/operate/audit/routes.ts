import { get, page, post, rehearsal, textAnswer } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { signerOf } from '../../../kernel/statements/door.ts'
import { revertEntry } from './actions/revert.ts'
import { auditLogCsv, historyOf, inJson, listAuditLog, noteReading } from './actions/show.ts'
import { timelineOf } from './actions/timeline.ts'
import { anyRecord, auditEntry } from './door.ts'
import { AuditEntry, EntityQuery, HistoryEntry, Revert, Reverted, SiteQuery, TimelineQuery, TimelineRow } from './schema.ts'

export const routes = [
  get('/audit/entity/:entity_type/:entity_id', {
    name: 'audit.show_entity',
    summary: 'Show the history of a record',
    says: 'Returns the audit entries of a record, newest first, even if the record has been deleted. Anyone who can read the record can read its history.',
    access: { signed_in: true },
    on: anyRecord,
    query: EntityQuery,
    reply: Type.Array(ref(HistoryEntry)),
    snapshot: true,
    handle: async ({ ctx, thing, params, query }) => {
      const { rows, next } = await historyOf(ctx, thing, params.entity_type ?? '', query)
      return page(rows, { next })
    },
  }),
  post('/audit/revert/:entry_id', {
    name: 'audit.revert',
    summary: 'Revert an audit entry',
    says: 'Undoes an entry, or everything that its request changed, with a new change that obeys the record’s rules. Never overwrites a later change.',
    access: { signed_in: true },
    on: auditEntry,
    body: Revert,
    reply: ref(Reverted),
    refuses: ['conflict', 'forbidden'],
    handle: async ({ ctx, thing, body }) => {
      const said = await revertEntry(ctx, thing, body)
      return body.dry_run === true ? rehearsal(said) : said
    },
  }),
  get('/audit/site/:site_id', {
    name: 'audit.list',
    summary: 'List the audit log of a site',
    says: 'Returns the audit log of a site, newest first, without entries about records that the caller can’t see; JSON also leaves out entries that show no change. `verify` checks the chain over the page; `head` checks that the log still contains an entry noted earlier. A CSV file has person data encrypted.',
    access: { needs: 'audit_view' },
    query: SiteQuery,
    reply: Type.Array(ref(AuditEntry)),
    produces: 'text/csv',
    sends: ['X-Chain', 'X-Chain-Head'],
    snapshot: true,
    audited: (query: { format?: string }) => query.format === 'csv',
    // Creates the key that signs the file, if there is none: a write of its own.
    before: async ({ ctx, site_id, query }) => (query.format === 'csv' ? signerOf(ctx.house, site_id) : null),
    handle: async ({ ctx, site_id, query, brought }) => {
      const { rows, next, headers, coverage } = await listAuditLog(ctx, site_id, query)
      if (query.format !== 'csv') return page(rows.map(inJson), { next, headers })
      noteReading(ctx, site_id, rows.length)
      return textAnswer('text/csv; charset=utf-8', await auditLogCsv(site_id, rows, coverage, brought), {
        ...headers,
        ...(next === null ? {} : { 'x-next-cursor': next }),
        'content-disposition': 'attachment; filename="audit log.csv"',
      })
    },
  }),
  get('/audit/site/:site_id/timeline', {
    name: 'audit.list_timeline',
    summary: 'Show the audit log as a timeline',
    says: 'Returns one row for each request, job or import, described in words, or one row for each day; newest first. Leaves out records that the caller can’t see.',
    access: { needs: 'audit_view' },
    query: TimelineQuery,
    reply: Type.Array(ref(TimelineRow)),
    snapshot: true,
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next } = await timelineOf(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
]
