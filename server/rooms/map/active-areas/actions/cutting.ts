// Active areas as what can be cut (`map.md` §10). A cut applies from now on: an area that is there keeps its hole on the map of the past, and one that is
// still ahead has it from its start (decision 915).
import { isDeepStrictEqual } from 'node:util'
import { areaOf } from '../../../../../shared/geometry/plane.ts'
import { fieldsIn, textOrNull } from '../../../../../shared/narrow.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, invalidField, notFound, refuse, wrongStep } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import type { Row } from '../../../../base/rows.ts'
import { readAreal, type TargetKind } from '../../../../kernel/geometry/door.ts'
import { tableRow } from '../../../../kernel/records/door.ts'
import { followersAfter, namesOf, versionsOf } from '../queries/areas.ts'
import { areas } from './areas.ts'

type Area = Row<'active_area'>

const KIND = 'active_area'

async function rowOf(ctx: Ctx, site_id: Id, id: Id, lock: boolean): Promise<Area | null> {
  if (lock) await areas.lockFirst(ctx, site_id, [id])
  const row = lock ? (await areas.area.lock(ctx, site_id, [id]))[0] : await tableRow(ctx.db, 'active_area', site_id, id, false)
  return row == null || row.deleted_at !== null ? null : row
}

/** Active areas as features that can be cut. */
export const target: TargetKind = {
  kind: KIND,
  async find(ctx, site_id, id, given, lock) {
    const row = await rowOf(ctx, site_id, id, lock)
    if (row === null) return null
    if (lock && row.end_at !== null && row.end_at <= ctx.now)
      refuse(wrongStep('ended', [], `${row.name} has ended, so its shape can no longer be changed. Draw a new area.`))
    if (given !== undefined && given !== 'latest' && given !== ctx.now)
      refuse(invalidField('effective_at', 'can’t be chosen for an active area: it is cut from now on, or from its start. Leave it out.'))
    const { name, version, version_number, place, geometry, building_id, level_index, contractor_id } = row
    return {
      ...{ kind: KIND, site_id, id, name, version, feature_version: version_number, at: ctx.now, is_last: true },
      ...{ outline: place.polygon ?? geometry, geometry, contractor_id },
      levels: { building_id, from: level_index, to: level_index },
    }
  },
  async reshape(ctx, { site_id, id }, { geometry, follows }) {
    const row = (await rowOf(ctx, site_id, id, true)) ?? refuse(notFound())
    const alone = row.schedule_group_id !== null && !follows
    const written = await areas.area.put(ctx, row, { geometry, ...(alone ? { edited: true } : {}) })
    return { shown: await areas.area.show(ctx, written), feature_version: written.version_number }
  },
  async refuses(ctx, { site_id, id }) {
    const row = await rowOf(ctx, site_id, id, false)
    if (row === null) return notFound()
    await areas.area.mayChange(ctx, row)
    return row.fill_group_id === null
      ? null
      : conflict('fill_member', `${row.name} is part of a fill. Cut the place that was filled, then fill it again.`)
  },
  async redraws(ctx, site_id, id) {
    const row = await rowOf(ctx, site_id, id, false)
    if (row === null) return []
    const older = (await versionsOf(ctx.db, site_id, id)).toReversed()
    const all = [...older.map(({ content, number }) => ({ ...fieldsIn(content), number })), { ...row, number: row.version_number }].map(
      fieldsIn,
    )
    const names = await namesOf(
      ctx.db,
      all.flatMap(one => textOrNull(one.updated_by) ?? []),
    )
    return all.flatMap((one, i) => {
      const before = all[i - 1]
      const [was, is] = [drawnIn(before), drawnIn(one)]
      if (was === null || is === null || isDeepStrictEqual(was, is)) return []
      const written_by = textOrNull(one.updated_by)
      const written_at = String(one.updated_at)
      return [
        {
          ...{ at: written_at, written_at, written_by, written_by_name: names.get(written_by ?? '') ?? null },
          ...{ area_before_m2: areaOf(was), area_after_m2: areaOf(is), feature_version: Number(one.number) },
        },
      ]
    })
  },
  async siblings(ctx, { site_id, id }) {
    const row = await rowOf(ctx, site_id, id, false)
    if (row === null || row.schedule_group_id === null)
      return refuse(invalidField('scope', 'can only be future for an occurrence of a schedule. Leave it out.'))
    return followersAfter(ctx.db, site_id, row.schedule_group_id, row.start_at, ctx.now)
  },
}

/** Returns the drawn polygon of a version; null if there is none. */
const drawnIn = (content: Record<string, unknown> | undefined) => readAreal(fieldsIn(content?.place).polygon, 'polygon', [])
