import QRCode from 'qrcode'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx, House } from '../../../../base/ctx.ts'
import { conflict, notFound, refuse } from '../../../../base/errors.ts'
import type { FileAnswer } from '../../../../base/files.ts'
import type { Id } from '../../../../base/ids.ts'
import { pictureForPaper } from '../../../../kernel/evidence/door.ts'
import { factsHash, keptPaper, newestPapers, ordersOf, type PaperKind, paperNow, papersOf } from '../../../../kernel/papers/door.ts'
import { signerOf } from '../../../../kernel/statements/door.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { PHOTOS_AT_MOST, paperOf } from '../domain/paper.ts'
import { type PaperRows, paperFacts } from '../queries.ts'
import { statementOf } from './snapshot.ts'

/** Pixels per side of a printed photo: 300 per inch at half the width of a page. */
const PHOTO_SIDE = 1000

/** Nouns for the occasions whose names are not nouns. */
const AT: Readonly<Record<string, string>> = { submit: 'submission', close_out: 'close-out' }

/** Turns the facts of a permit into its document. */
export const permitPaper: PaperKind = {
  subject_kind: 'permit',
  called: (given, occasion) => `Document of ${(given as PaperRows).permit.permit_number ?? 'a draft'} at ${AT[occasion] ?? occasion}`, // paperFacts made these
  async sheet(house, site_id, given) {
    const facts = given as PaperRows // paperFacts made these, now or when the step stored them
    const photos = new Map<string, string>()
    const pictures: Record<string, Uint8Array> = {}
    for (const file of facts.attachments) {
      if (!file.media_type.startsWith('image/') || photos.size >= PHOTOS_AT_MOST) continue
      const bytes = await pictureForPaper(house, file, PHOTO_SIDE)
      if (bytes === null) continue
      const name = `photo-${photos.size + 1}.jpg`
      photos.set(file.id, name)
      pictures[name] = bytes
    }
    const address = await addressOf(house, site_id, facts)
    if (address !== null)
      pictures['qr.svg'] = Buffer.from(await QRCode.toString(address, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' }))
    const shown = `${house.settings.public_url.replace(/^https?:\/\//, '')}/verify`
    return {
      template: 'permit',
      pictures,
      data: paperOf(facts, { photos, qr: address === null ? null : { picture: 'qr.svg', address: shown } }),
    }
  },
}

/** Returns the URL in the QR code of a document; null when it has none. */
async function addressOf(house: House, site_id: Id, facts: PaperRows): Promise<string | null> {
  const { permit, attachments, signatures, site, as_at } = facts
  if (permit.status === 'draft' || permit.permit_number === null || permit.source === 'imported') return null
  const statement = statementOf(await signerOf(house, site_id), permit, {
    site_code: site.code,
    attachments,
    last_signature: signatures.at(-1) ?? null,
    as_at,
  })
  // The head of the audit log isn't part of the signed statement: a person who alters it on paper only makes the comparison fail.
  const log = facts.log_head == null ? '' : `&log=${facts.log_head}`
  return statement === null ? null : `${house.settings.public_url}/verify#${statement}${log}`
}

/**
 * Returns the facts as the clock has made them. Once the window of an issued permit has ended, its document says so, although nothing has been written
 * until the sweep marks the permit as expired: the facts are those of the end of the window, so that the document stays the same from then on.
 */
function byClock(facts: PaperRows, now: Instant): PaperRows {
  const { status, end_at, handed_back_at } = facts.permit
  const over = status === 'issued' && handed_back_at === null && end_at !== null && end_at <= now
  return over && facts.as_at < end_at ? { ...facts, as_at: end_at } : facts
}

/**
 * Returns a permit's document. As long as the record says what the newest snapshot says, it is that very snapshot; otherwise a new document of the
 * present state. If the caller asks for a snapshot by its occasion or hash, it is that snapshot and no other.
 */
export async function documentOf(ctx: Ctx, permit: PermitRow, wanted: string | null): Promise<FileAnswer> {
  const name = `${permit.permit_number ?? 'draft'}.pdf`
  const { site_id, id } = permit
  if (wanted !== null) {
    if ((await ordersOf(ctx.db, site_id, id)).includes(wanted))
      refuse(conflict('not_ready', 'This document is being created. Try again in a moment.', { status: 'queued' }))
    const kept = (await papersOf(ctx.db, site_id, id)).find(row => row.sha256 === wanted || row.occasion === wanted)
    return kept === undefined ? refuse(notFound()) : keptPaper(ctx, kept, name)
  }
  const stored = await paperFacts(ctx.db, site_id, id)
  if (stored === null) return refuse(notFound())
  const facts = byClock(stored, ctx.now)
  const newest = (await newestPapers(ctx.db, site_id, [id])).get(id)
  if (newest !== undefined && newest.facts_hash === factsHash(facts)) return keptPaper(ctx, newest, name)
  return paperNow(ctx.house, site_id, 'permit', facts, name)
}
