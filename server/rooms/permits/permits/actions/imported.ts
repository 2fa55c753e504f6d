import { setImmediate as nextTurn } from 'node:timers/promises'
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

// Rows for one statement: few enough that serialising them doesn't block the process.
const PIECE = 500

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

/**
 * Writes what a register says (import rule 5): new permits go live immediately, existing ones are changed in place and point to the new import; `moved` ones
 * only point to it. Returns ids in the order of the landings, and how many existing permits stayed the same.
 */
export async function landPermits(
  ctx: Ctx,
  site_id: Id,
  set_id: Id,
  landings: readonly Landing[],
  moved: readonly Id[],
): Promise<{ ids: Id[]; unchanged: number }> {
  const pins = new Map<string, Promise<Pin>>()
  const out: Id[] = []
  let unchanged = 0
  for (let from = 0; from < landings.length; from += PIECE) {
    const made: Parameters<typeof insertImported>[4][number][] = []
    const changed: Parameters<typeof updateImported>[3][number][] = []
    const ids_rewindowed: Id[] = []
    const same: Id[] = []
    for (const landing of landings.slice(from, from + PIECE)) {
      if (landing.as === 'new') {
        const { categories } = landing.landed
        const pin = await remembered(pins, [...categories].sort().join(), () => pinFor(ctx, site_id, categories, false))
        made.push({ ...landing.landed, ...pin, id: ids.next() })
        continue
      }
      const { present, revive } = landing
      const landed = keptPlace(landing.landed, present)
      if (!revive && !differs(landed, present)) same.push(present.id)
      else changed.push({ ...landed, id: present.id, revived: revive, rewindowed: landed.end_at !== present.end_at })
      if (landed.start_at !== present.start_at || landed.end_at !== present.end_at) ids_rewindowed.push(present.id)
      out.push(present.id)
    }
    if (made.length > 0) await insertImported(ctx.db, site_id, set_id, ctx.now, made)
    if (changed.length > 0) {
      await updateImported(ctx.db, site_id, set_id, changed)
      // A hand-back or an extension was signed on the permit as it was. The signature stays in the chain, and nothing looks altered.
      const ids_changed = changed.map(row => row.id)
      await voidSignatures(ctx.db, site_id, ids_changed, SIGNATURES, ctx.now, 'The register changed this permit.')
      await lapseRequests(ctx, site_id, ids_rewindowed)
    }
    if (same.length > 0) await repoint(ctx.db, site_id, set_id, same)
    out.push(...made.map(row => row.id))
    unchanged += same.length
    await nextTurn()
  }
  if (moved.length > 0) await repoint(ctx.db, site_id, set_id, moved)
  // Permits that have already ended expire as soon as the import is committed, not only with the next sweep.
  if (landings.some(({ landed }) => landed.end_at <= ctx.now)) await ctx.enqueue('permit_expire', {}, { site_id })
  return { ids: out, unchanged }
}
