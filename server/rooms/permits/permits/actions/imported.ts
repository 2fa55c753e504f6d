import type { Ctx } from '../../../../base/ctx.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { judgeOne } from '../../kit/actions/facts.ts'
import { type Pin, pinFor } from '../../kit/actions/graphs.ts'
import { SIGNATURES } from '../../kit/domain/content.ts'
import { isSingleStage } from '../../kit/domain/facts.ts'
import { permitRow } from '../../kit/queries/permits.ts'
import { tellPermit } from '../../permit-messages/door.ts'
import { voidSignatures } from '../../permit-signatures/door.ts'
import { lapseExtensions } from '../queries/extensions.ts'
import { insertImported, type Landed, type Numbered, repoint, updateImported } from '../queries/imported.ts'

/** What an import does with a row: it creates a permit, or changes the one that has its number. */
export type Landing = { landed: Landed } & ({ as: 'new' } | { as: 'update'; present: Numbered; revive: boolean })

const COMPARED = [
  'contractor_id',
  'location',
  'zone_text',
  'level_text',
  'building_id',
  'level_index',
  'zone_id',
  'start_at',
  'end_at',
  'title',
  'description',
  'controls',
] as const

const differs = (a: Landed, b: Landed): boolean =>
  COMPARED.some(field => a[field] !== b[field]) || [...a.categories].sort().join() !== [...b.categories].sort().join()

/** Keeps a place that was found earlier by the same text, even if it isn't found now: the building may have ended, but the work is still there. */
function keptPlace(landed: Landed, present: Numbered): Landed {
  const unplaced = landed.building_id === null && landed.zone_id === null
  const words = landed.location === present.location && landed.zone_text === present.zone_text && landed.level_text === present.level_text
  if (!unplaced || !words) return landed
  const { building_id, level_index, zone_id } = present
  return { ...landed, building_id, level_index, zone_id }
}

/** Lapses open extension requests of permits whose window the register changed: approving one would bring back the end that it asked for before. */
async function lapseRequests(ctx: Ctx, site_id: Id, permit_ids: readonly Id[]): Promise<void> {
  if (permit_ids.length === 0) return
  const lapse_reason = 'A register changed the permit window.'
  for (const request of await lapseExtensions(ctx.db, site_id, permit_ids, ctx.now, lapse_reason)) {
    const permit = await permitRow(ctx.db, site_id, request.permit_id, 'none')
    if (permit === null) continue
    const { graph, policy, facts } = await judgeOne(ctx, permit, null)
    tellPermit(ctx, 'permit.extension_lapsed', permit, permit.status, isSingleStage(facts.permit, facts.set), graph, policy, {
      extension_request_id: request.id,
      requested_by_id: request.requested_by,
      requested_end_at: request.requested_end_at,
      lapse_reason,
    })
  }
}

/** Part of a register, by how it is written; `ids` in the order of the landings. */
type Piece = {
  ids: Id[]
  made: Parameters<typeof insertImported>[4][number][]
  changed: Parameters<typeof updateImported>[3][number][]
  same: Id[]
  ids_rewindowed: Id[]
}

async function pieceOf(ctx: Ctx, site_id: Id, landings: readonly Landing[], pins: Map<string, Promise<Pin>>): Promise<Piece> {
  const piece: Piece = { ids: [], made: [], changed: [], same: [], ids_rewindowed: [] }
  for (const landing of landings) {
    if (landing.as === 'new') {
      const { categories } = landing.landed
      const pin = await remembered(pins, [...categories].sort().join(), () => pinFor(ctx, site_id, categories, false))
      const id = ids.next()
      piece.made.push({ ...landing.landed, ...pin, id })
      piece.ids.push(id)
      continue
    }
    const { present, revive } = landing
    const landed = keptPlace(landing.landed, present)
    if (!revive && !differs(landed, present)) piece.same.push(present.id)
    else piece.changed.push({ ...landed, id: present.id, revived: revive, rewindowed: landed.end_at !== present.end_at })
    if (landed.start_at !== present.start_at || landed.end_at !== present.end_at) piece.ids_rewindowed.push(present.id)
    piece.ids.push(present.id)
  }
  return piece
}

async function writePiece(ctx: Ctx, site_id: Id, set_id: Id, { made, changed, same, ids_rewindowed }: Piece): Promise<void> {
  if (made.length > 0) await insertImported(ctx.db, site_id, set_id, ctx.now, made)
  if (changed.length > 0) {
    await updateImported(ctx.db, site_id, set_id, changed)
    // A hand-back or an extension was signed on the permit as it was. The signature stays in the chain, and nothing looks altered.
    const ids_changed = changed.map(row => row.id)
    await voidSignatures(ctx.db, site_id, ids_changed, SIGNATURES, ctx.now, 'The register changed this permit.')
    await lapseRequests(ctx, site_id, ids_rewindowed)
  }
  if (same.length > 0) await repoint(ctx.db, site_id, set_id, same)
}

/**
 * Writes what a register says (import rule 5): new permits go live immediately, existing ones are changed in place and point to the new import; `moved` ones
 * only point to it. While the database writes a piece, the next one is made. Returns ids in the order of the landings, and how many existing permits stayed the same.
 */
export async function landPermits(
  ctx: Ctx,
  site_id: Id,
  set_id: Id,
  landings: AsyncIterable<readonly Landing[]>,
  moved: readonly Id[],
): Promise<{ ids: Id[]; unchanged: number }> {
  const pins = new Map<string, Promise<Pin>>()
  const out: Id[] = []
  let unchanged = 0
  let over = false
  let writing: Promise<void> = Promise.resolve()
  for await (const some of landings) {
    const piece = await pieceOf(ctx, site_id, some, pins)
    out.push(...piece.ids)
    unchanged += piece.same.length
    over ||= some.some(({ landed }) => landed.end_at <= ctx.now)
    await writing
    writing = writePiece(ctx, site_id, set_id, piece)
    writing.catch(() => {}) // it is awaited before the next piece
  }
  await writing
  if (moved.length > 0) await repoint(ctx.db, site_id, set_id, moved)
  // Permits that have already ended expire as soon as the import is committed, not only with the next sweep.
  if (over) await ctx.enqueue('permit_expire', {}, { site_id })
  return { ids: out, unchanged }
}
