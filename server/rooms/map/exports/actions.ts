// The map as a file for other programs: GeoJSON by RFC 7946, written while it is sent (`map.md` §12).
import type { Box } from '../../../../shared/geometry/box.ts'
import { boundsOf, boxesMeet } from '../../../../shared/geometry/plane.ts'
import { isLonger } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { invalidField, refuse } from '../../../base/errors.ts'
import type { StreamAnswer } from '../../../base/files.ts'
import type { Id } from '../../../base/ids.ts'
import type { Static } from '../../../base/schema.ts'
import { refuseCrowd, streamed } from '../../../base/streamed.ts'
import { EXPORT_LAYERS, ON_DEMAND, type Wanted, widenedBy, writeBox, writeFeature } from '../../../kernel/exports/domain.ts'
import { type ExportLayer, exportLayer } from '../../../kernel/exports/door.ts'
import { groundOf, readBox } from '../../../kernel/geometry/door.ts'
import { siteOf } from '../../../kernel/site/door.ts'
import { zoneOf } from '../kit/actions/occurrences.ts'
import type { ExportQuery } from './schema.ts'

type Query = Static<typeof ExportQuery>

const MOST_DAYS = 366
/** A layer without a boundary is written in one piece, so this is how much text is kept at once. */
const PIECE = 32 * 1024

/** The boundary of the site. It is there at any time, and on every level. */
export const boundaryLayer: ExportLayer = {
  layer: 'boundary',
  async *features(ctx, site_id, { level_index, building_id, contractor_id, box }) {
    const { boundary } = await groundOf(ctx.db, site_id)
    if (boundary === null || level_index !== undefined || building_id !== undefined || contractor_id !== undefined) return
    if (box !== undefined && !boxesMeet(box, boundsOf(boundary))) return
    const { name, code } = await siteOf(ctx, site_id)
    yield [{ id: site_id, geometry: boundary, start_at: null, end_at: null, properties: { name, code } }]
  },
}

/** Reads what is wanted, or refuses it. */
function wantedIn(ctx: Ctx, { at, from, to, level_index, building_id, contractor_id, bbox }: Query): Wanted {
  if (at !== undefined && (from !== undefined || to !== undefined)) refuse(invalidField('at', 'can’t be sent together with from or to.'))
  if ((from === undefined) !== (to === undefined))
    refuse(invalidField(from === undefined ? 'from' : 'to', 'is required, too: a period has both.'))
  if (from !== undefined && to !== undefined) {
    if (to <= from) refuse(invalidField('to', 'must be later than from.'))
    if (isLonger(zoneOf(ctx), from, to, MOST_DAYS))
      refuse(invalidField('to', `is more than ${MOST_DAYS} days after from. Export several periods.`))
  }
  return {
    from: from ?? at ?? ctx.now,
    to: to ?? null,
    ...(level_index === undefined ? {} : { level_index }),
    ...(building_id === undefined ? {} : { building_id }),
    ...(contractor_id === undefined ? {} : { contractor_id }),
    ...(bbox === undefined ? {} : { bbox, box: readBox(bbox) }),
  }
}

/** Writes the file, piece by piece. */
async function* written(ctx: Ctx, site_id: Id, layers: readonly ExportLayer[], wanted: Wanted, zone: string): AsyncGenerator<string> {
  let waiting = '{"type":"FeatureCollection","features":[\n'
  let first = true
  let box: Box | null = null
  for (const layer of layers) {
    for await (const features of layer.features(ctx, site_id, wanted)) {
      for (const feature of features) {
        box = widenedBy(box, feature)
        waiting += `${first ? '' : ',\n'}${writeFeature(layer.layer, zone, feature)}`
        first = false
        if (waiting.length < PIECE) continue
        yield waiting
        waiting = ''
      }
    }
  }
  // The box is known only now; the order of members has no meaning.
  yield `${waiting}\n]${box === null ? '' : `,"bbox":${writeBox(box)}`}}\n`
}

/** Prepares the file, and enters the read in the audit log. */
export async function exportMap(ctx: Ctx, site_id: Id, query: Query): Promise<StreamAnswer> {
  const { house } = ctx
  const wanted = wantedIn(ctx, query)
  refuseCrowd(house)
  const names = EXPORT_LAYERS.filter(name => (query.layers === undefined ? !ON_DEMAND.includes(name) : query.layers.includes(name)))
  const layers = names.flatMap(name => exportLayer(name) ?? [])
  const { code, name, timezone } = await siteOf(ctx, site_id)
  ctx.trail.entries.push({
    site_id,
    entity_type: 'site',
    entity_id: site_id,
    entity_label: name,
    note: { action: 'read', reason: `Map as GeoJSON: ${names.join(', ')}` },
  })
  const work = { actor: ctx.actor, cause: ctx.trail.cause, request_id: ctx.request_id, now: ctx.now }
  return {
    name: `${code}-${wanted.from.slice(0, 16).replace(':', '')}Z.geojson`,
    type: 'application/geo+json',
    open: () => streamed(house, work, inside => written(inside, site_id, layers, wanted, timezone)),
  }
}
