import { created, del, fileAnswer, get, post } from '../../../../base/http.ts'
import { ref } from '../../../../base/schema.ts'
import { DOCUMENTS } from '../../../../kernel/evidence/domain.ts'
import { bringIn } from '../../../../kernel/evidence/door.ts'
import { permit } from '../../kit/kinds.ts'
import { MatchQuery } from '../../kit/schema.ts'
import { Attachment } from '../../permit-lists/schema/parts.ts'
import { attach, detach, readAttachment } from '../actions/attachments.ts'
import { attachment } from '../door.ts'
import { AttachmentFields, DownloadQuery } from '../schema.ts'

const all = '/permits/applications'
const one = `${all}/:permit_id`
const FILE = { types: DOCUMENTS, said: 'a picture, PDF, Word or Excel file, text, CSV, MP4 or MP3' }

export const attachmentRoutes = [
  post(`${one}/attachments`, {
    name: 'permit_attachment.create',
    summary: 'Attach a file to a permit',
    says: 'Attaches a file of at most 25 MB, either as a required document, named by its key or label, or as another file.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    upload: { max_bytes: 25 * 1024 * 1024 },
    body: AttachmentFields,
    of: Attachment,
    reply: ref(Attachment),
    status: 201,
    refuses: ['forbidden', 'invalid_transition', 'unsupported_media_type', 'too_large'],
    before: ({ ctx, files }) => bringIn(ctx.house, files, FILE),
    handle: async ({ ctx, thing, body, brought: [file] }) => {
      if (file === undefined) throw new Error('The uploaded file is missing.')
      const made = await attach(ctx, thing, file, body.slot ?? null)
      return created(made, `${all}/${thing.id}/attachments/${made.id}/download`)
    },
  }),
  del(`${one}/attachments/:attachment_id`, {
    name: 'permit_attachment.delete',
    summary: 'Delete a permit attachment',
    says: 'Deletes an attachment of a permit that can still be edited. Refused if a signature covers the attachment.',
    access: { needs: 'site_view' },
    on: permit,
    query: MatchQuery,
    reply: null,
    refuses: ['permit_ownership_error', 'invalid_transition', 'conflict'],
    handle: ({ ctx, thing, params }) => detach(ctx, thing, params.attachment_id ?? ''),
  }),
  get(`${one}/attachments/:attachment_id/download`, {
    name: `${attachment.name}.download`,
    summary: 'Download a permit attachment',
    says: 'Returns the file. Pictures are also available as `variant=preview` or `variant=thumb`.',
    access: { needs: 'site_view' },
    on: permit,
    query: DownloadQuery,
    reply: null,
    refuses: ['unsupported_media_type'],
    // A variant is WebP, or SVG where there is none to show.
    produces: [...new Set([...DOCUMENTS, 'image/webp', 'image/svg+xml'])],
    handle: async ({ ctx, thing, params, query }) =>
      fileAnswer(await readAttachment(ctx, thing, params.attachment_id ?? '', query.variant ?? 'original')),
  }),
]
