// The endpoints of the files of a record, for areas whose records hold evidence.
import type { Ctx } from '../../base/ctx.ts'
import type { Findable } from '../../base/findable.ts'
import { answer, created, del, fileAnswer, get, patch, post, type Route } from '../../base/http.ts'
import type { Id } from '../../base/ids.ts'
import { object, oneOf, optional, ref, type Static } from '../../base/schema.ts'
import { EVIDENCE_TYPES, FILES_AT_MOST } from './domain.ts'
import { bringIn, type Owner, oneEvidence, readFileOf } from './door.ts'
import { Adoption, Evidence, EvidenceChange, NewEvidence } from './schema.ts'

const Download = object({ variant: optional(oneOf(['original', 'preview', 'thumb'], 'Size of a picture; default original')) })

/** What an area does with the files of its records. */
export type EvidenceHolder<Row> = {
  /** Path of one record. */
  one: string
  kind: Findable<Row>
  noun: string
  /** The permission to read a record, and one that everyone has who can attach files to some record. */
  view: string
  add: string
  owner(row: Row): Owner
  attach(ctx: Ctx, row: Row, file: Awaited<ReturnType<typeof bringIn>>[number], said: Static<typeof NewEvidence>): Promise<Made>
  adopt(ctx: Ctx, row: Row, said: Static<typeof Adoption>): Promise<Made>
  change(ctx: Ctx, row: Row, evidence_id: Id, change: Static<typeof EvidenceChange>): Promise<Record<string, unknown>>
  remove(ctx: Ctx, row: Row, evidence_id: Id): Promise<void>
}
type Made = { made: boolean; shown: Record<string, unknown> }

const FILE = {
  types: Object.keys(EVIDENCE_TYPES),
  most: EVIDENCE_TYPES,
  said: 'a picture (JPEG, PNG, WebP or HEIC, at most 20 MB), a PDF (50 MB) or a video (MP4 or MOV, 100 MB)',
}

/** Makes the endpoints of the files of an area's records: attach, adopt, change, remove and download. */
export function evidenceRoutes<Row>(of: EvidenceHolder<Row>): Route[] {
  const { kind, noun } = of
  const all = `${of.one}/evidence`
  const name = `${kind.name}_evidence`
  const respond = (row: Row, { made, shown }: Made) => {
    if (!made) return answer(shown, { status: 200 })
    const { site_id, id } = of.owner(row)
    const path = all.replace(':site_id', site_id).replace(`:${kind.param}`, id)
    return created(shown, `${path}/${shown.id}/download`)
  }
  const also = { 200: `The ${noun} already has this file` }
  return [
    post(all, {
      name: `${name}.add`,
      summary: `Attach a file to a ${noun}`,
      says: `Attaches ${FILE.said}. A record can have at most ${FILES_AT_MOST} files. The time and position of a picture are read from the file.`,
      access: { needs: of.add },
      on: kind,
      upload: { max_bytes: Math.max(...Object.values(EVIDENCE_TYPES)) },
      body: NewEvidence,
      of: Evidence,
      reply: ref(Evidence),
      status: 201,
      also,
      refuses: ['forbidden', 'conflict', 'unsupported_media_type', 'too_large'],
      before: ({ ctx, files }) => bringIn(ctx.house, files, FILE),
      handle: async ({ ctx, thing, body, brought: [file] }) => {
        if (file === undefined) throw new Error('The uploaded file is missing.')
        return respond(thing, await of.attach(ctx, thing, file, body))
      },
    }),
    post(`${all}/adopt`, {
      name: `${name}.adopt`,
      summary: `Show a file of another record on a ${noun}`,
      says: 'Attaches a file of another record that the caller can see. While the file is attached here, it can’t be removed from the other record.',
      access: { needs: of.add },
      on: kind,
      body: Adoption,
      of: Evidence,
      reply: ref(Evidence),
      status: 201,
      also,
      refuses: ['forbidden', 'conflict'],
      handle: async ({ ctx, thing, body }) => respond(thing, await of.adopt(ctx, thing, body)),
    }),
    patch(`${all}/:evidence_id`, {
      name: `${name}.change`,
      summary: `Describe a file of a ${noun}`,
      says: 'Changes the role, caption and pin of a file, and its time if the file itself contains none. The description of an adopted file applies only to this record.',
      access: { needs: of.add },
      on: kind,
      body: EvidenceChange,
      of: Evidence,
      reply: ref(Evidence),
      refuses: ['forbidden'],
      handle: ({ ctx, thing, params, body }) => of.change(ctx, thing, params.evidence_id ?? '', body),
    }),
    del(`${all}/:evidence_id`, {
      name: `${name}.remove`,
      summary: `Remove a file from a ${noun}`,
      says: 'Removes a file. People can remove their own files for 24 hours; after that they need the permission to remove any file. A file that another record shows can’t be removed.',
      access: { needs: of.view },
      on: kind,
      reply: null,
      refuses: ['forbidden', 'conflict', 'invalid_transition'],
      handle: ({ ctx, thing, params }) => of.remove(ctx, thing, params.evidence_id ?? ''),
    }),
    get(`${all}/:evidence_id/download`, {
      name: `${name}.download`,
      summary: `Download a file of a ${noun}`,
      says: 'Returns the file. Pictures are also available as `variant=preview` or `variant=thumb`.',
      access: { needs: of.view },
      on: kind,
      query: Download,
      reply: null,
      refuses: ['unsupported_media_type'],
      // A variant is WebP, or an SVG if the picture has none.
      produces: [...new Set([...FILE.types, 'image/webp', 'image/svg+xml'])],
      handle: async ({ ctx, thing, params, query }) => {
        const owner = of.owner(thing)
        const file = await oneEvidence(ctx, owner, params.evidence_id ?? '')
        return fileAnswer(await readFileOf(ctx, owner.site_id, file, query.variant ?? 'original'))
      },
    }),
  ]
}
