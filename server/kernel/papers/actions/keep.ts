// Snapshots: documents that are stored as they were issued. A step requests one in its transaction, with its facts; it is made once, afterwards.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { jobActor } from '../../../base/actor.ts'
import type { Ctx, House } from '../../../base/ctx.ts'
import type { FileAnswer } from '../../../base/files.ts'
import { type Id, ids, sha256 } from '../../../base/ids.ts'
import { canonical } from '../../audit/door.ts'
import { download, keepFile } from '../../evidence/door.ts'
import type { JobKind } from '../../jobs/door.ts'
import { kind, kindNamed } from '../../records/door.ts'
import { writingOn } from '../../site/door.ts'
import type { Printed, Sheet } from '../domain.ts'
import { insertOrder, insertPaper, orderRow, type PaperRow, papersById } from '../queries.ts'
import { printer } from './printer.ts'

/** A kind of document that a room registers: how the facts of a step become a sheet. */
export type PaperKind = {
  /** Kind of the record that the document describes. */
  subject_kind: string
  /** Called outside a transaction. The same facts always give the same sheet. */
  sheet(house: House, site_id: Id, facts: unknown): Promise<Sheet>
  /** The name of a stored document in the audit log, with that of its subject: "Document of PTW-000123 at submission". */
  called(facts: unknown, occasion: string): string
}

const kinds = new Map<string, PaperKind>()

/** Registers the documents of all rooms, once, at startup. */
export function plugPapers(all: readonly PaperKind[]): void {
  kinds.clear()
  for (const one of all) kinds.set(one.subject_kind, one)
}

/** A stored document as a record; its facts are not part of its history. */
export const paper = kind<PaperRow>({
  name: 'paper',
  label: row => `Document at ${row.occasion.replaceAll('_', ' ')}`,
  parent: row => ({ kind: row.subject_kind, id: row.subject_id }),
  // A person who can see the record can also see that it was printed.
  sees: async (ctx, row) => (await seenAmong(ctx, row.site_id, [row])).get(row.id) === true,
  sees_many: async (ctx, site_id, ids) => seenAmong(ctx, site_id, await papersById(ctx.db, site_id, ids)),
  revert: 'ledger',
})

async function seenAmong(ctx: Ctx, site_id: Id, papers: readonly PaperRow[]): Promise<Map<Id, boolean>> {
  const out = new Map<Id, boolean>()
  for (const [name, group] of Map.groupBy(papers, row => row.subject_kind)) {
    const subjects = [...new Set(group.map(row => row.subject_id))]
    const of = kindNamed(name)
    const many = await of?.sees_many?.(ctx, site_id, subjects)
    for (const id of subjects) {
      const row = many === undefined ? await of?.find(ctx, site_id, id, false) : null
      const seen = many?.get(id) ?? (row != null && (await of?.sees(ctx, row)) === true)
      for (const one of group) if (one.subject_id === id) out.set(one.id, seen)
    }
  }
  return out
}

/** Returns a digest of the facts. While the digest is unchanged, a stored document says the same as a new one would. */
export const factsHash = (facts: unknown): string => sha256(canonical(facts))

/** Requests a snapshot with the present facts, in the transaction of the step that it documents. */
export async function keepPaper(ctx: Ctx, subject: { site_id: Id; kind: string; id: Id }, occasion: string, facts: unknown): Promise<void> {
  const id = ids.next()
  const { site_id } = subject
  const asked = { site_id, id, subject_kind: subject.kind, subject_id: subject.id, occasion, as_at: ctx.now, facts_hash: factsHash(facts) }
  await insertOrder(ctx.db, { ...asked, facts })
  await ctx.enqueue('make_paper', { paper_id: id }, { site_id })
}

/** Makes a requested snapshot. If it runs twice, only one is made. */
export const paperJob: JobKind = {
  kind: 'make_paper',
  says: 'Creates a permit’s document after a step and stores it with its SHA-256.',
  concurrency: 2,
  async run({ house, site_id, input }) {
    const paper_id = String(input.paper_id)
    const asked = await orderRow(house.database.db, site_id, paper_id, false)
    if (asked === null) return undefined
    const { pdf, pages } = await printed(house, site_id, asked.subject_kind, asked.facts)
    const made = { sha256: sha256(pdf), size: pdf.length, pages }
    const path = join(house.data_dir, 'tmp', ids.next())
    try {
      await writeFile(path, pdf)
      await house.storage.keep(made.sha256, path, 'application/pdf')
    } finally {
      await rm(path, { force: true })
    }
    await writingOn(
      house,
      { actor: jobActor('make_paper'), cause: 'paper.make' },
      site_id,
      async ctx => {
        const now = await orderRow(ctx.db, site_id, paper_id, true)
        if (now === null) return
        await keepFile(ctx, site_id, { sha256: made.sha256, size: made.size, media_type: 'application/pdf', width: null, height: null })
        ctx.note(paper_id, { label: paperKind(now.subject_kind).called(now.facts, now.occasion) })
        await insertPaper(ctx.db, now, { made_at: ctx.now, ...made })
      },
      { passes_lock: true },
    )
    return { sha256: made.sha256, pages: made.pages }
  },
}

function paperKind(subject_kind: string): PaperKind {
  const found = kinds.get(subject_kind)
  if (found === undefined) throw new Error(`No room creates documents for ${subject_kind}.`)
  return found
}

async function printed(house: House, site_id: Id, subject_kind: string, facts: unknown): Promise<Printed> {
  return printer.print(await paperKind(subject_kind).sheet(house, site_id, facts))
}

/** Makes a document of the current state for the caller, without storing it. */
export async function paperNow(house: House, site_id: Id, subject_kind: string, facts: unknown, name: string): Promise<FileAnswer> {
  const { pdf } = await printed(house, site_id, subject_kind, facts)
  return {
    name,
    type: 'application/pdf',
    size: pdf.length,
    etag: sha256(pdf),
    inline: true,
    open: async range => Readable.from(range === undefined ? pdf : pdf.subarray(range.start, range.end + 1)),
  }
}

/** Returns a snapshot, byte for byte as it was made. */
export const keptPaper = (ctx: Pick<Ctx, 'house'>, row: PaperRow, name: string): FileAnswer =>
  download(ctx, { sha256: row.sha256 ?? '', size: row.size ?? 0, media_type: 'application/pdf', width: null, height: null }, name, {
    inline: true,
  })
