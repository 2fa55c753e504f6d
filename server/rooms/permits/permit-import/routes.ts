import { answer, created, del, get, page, post, rehearsal } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { LIMITS } from '../../../kernel/imports/domain/cells.ts'
import { archiveSet, dropSet, listFormats, listSets, reResolve } from './actions/sets.ts'
import { queueImport, take } from './actions/upload.ts'
import { writeRegister } from './actions/write.ts'
import { permitSet } from './door.ts'
import {
  DropSet,
  FormatQuery,
  ImportFormat,
  MatchQuery,
  PermitSet,
  QueuedImport,
  ReResolve,
  ReResolved,
  ReResolveQuery,
  SetFilter,
  Uploaded,
  UploadFields,
  UploadQuery,
} from './schema.ts'

const later = (headers: Record<string, string | string[] | undefined>) => /(^|[\s,])respond-async\b/i.test(String(headers.prefer ?? ''))

export const routes = [
  get('/permits/formats', {
    name: 'permit_set.list_formats',
    summary: 'List import formats',
    says: 'Returns the layouts of registers that can be imported, with the headers that each field can have.',
    access: { signed_in: true },
    query: FormatQuery,
    reply: Type.Array(ref(ImportFormat)),
    handle: ({ ctx, query }) => listFormats(ctx, query.site_id),
  }),
  post('/permits/upload', {
    name: 'permit_set.import',
    summary: 'Import a register',
    says: 'Imports permits from a register. Permits are matched by number, contractors by name and places by description. Returns what the import created and changed, and every refused row. With `Prefer: respond-async` the import runs as a job.',
    access: { needs: 'contractor_manage' },
    query: UploadQuery,
    upload: { max_bytes: LIMITS.bytes },
    body: UploadFields,
    reply: Type.Union([ref(Uploaded), ref(QueuedImport)]),
    status: 201,
    also: { 200: 'Result of a dry run; nothing was written', 202: 'The import is queued; `job_id` is its job' },
    refuses: ['unsupported_media_type', 'too_large', 'conflict', 'unavailable'],
    before: ({ ctx, site_id, files, query, body, wire }) =>
      take(ctx, site_id, files, body.format_id ?? query.format_id, later(wire.headers)),
    handle: async ({ ctx, site_id, query, body, brought }) => {
      const dry = body.dry_run ?? query.dry_run ?? false
      if ('stored' in brought) {
        const job_id = await queueImport(ctx, site_id, brought.stored, { format_id: body.format_id ?? query.format_id, dry })
        return answer({ job_id }, { status: 202, location: `/admin/job-runs?id=${job_id}` })
      }
      const said = await writeRegister(ctx, site_id, brought.register, dry)
      return dry ? rehearsal(said, 200) : created(said, `/permits/sets?site_id=${site_id}&id=${said.set_id}`)
    },
  }),
  post('/permits/re-resolve', {
    name: 'permit_set.re_resolve',
    summary: 'Match places of imported permits again',
    says: 'Tries again to find a place on the map for imported permits that have none, for example after buildings or zones were added.',
    access: { needs: 'contractor_manage' },
    query: ReResolveQuery,
    body: ReResolve,
    reply: ref(ReResolved),
    handle: ({ ctx, site_id, body }) => reResolve(ctx, site_id, body),
  }),
  get('/permits/sets', {
    name: 'permit_set.list',
    summary: 'List register imports',
    says: 'Returns the imports of a site, newest first. Archived imports are left out unless `archived` is true.',
    access: { needs: 'contractor_manage' },
    query: SetFilter,
    reply: Type.Array(ref(PermitSet)),
    handle: async ({ ctx, query }) => {
      const { rows, next } = await listSets(ctx, query)
      return page(rows, { next })
    },
  }),
  del('/permits/sets/:set_id', {
    name: 'permit_set.delete',
    summary: 'Delete or archive a register import',
    says: 'Deletes an import and its permits. Permits that people have acted on, or that other permits refer to, are kept without an import. With `archive` the import is only hidden.',
    access: { needs: 'contractor_manage' },
    on: permitSet,
    query: MatchQuery,
    body: DropSet,
    reply: null,
    handle: ({ ctx, thing, body }) => (body.archive === true ? archiveSet(ctx, thing) : dropSet(ctx, thing)),
  }),
]
