import { isDeepStrictEqual } from 'node:util'
import { isOneOf } from '../../../../../shared/narrow.ts'
import { sql } from '../../../../base/db.ts'
import type { Row } from '../../../../base/rows.ts'
import { filters } from '../../../../kernel/listing/door.ts'
import { resource } from '../../../../kernel/resource/door.ts'
import { leaveLayer } from '../../reference-features/door.ts'
import { layerFaults, ROLES, standardStyle, UTILITIES } from '../domain.ts'
import { computed, fields } from '../schema.ts'

/** A layer. */
export type Layer = Row<'geodata_layer'>

const serviceStyle = (utility: string | null) => standardStyle('utilities', isOneOf(UTILITIES, utility) ? utility : null)

/** Returns the standard style of another service, if a layer has that of the one that it was. */
function recoloured(before: Layer, next: Layer): Partial<Layer> {
  const { label_property, ...own } = next.style
  const { label_property: _none, ...was } = serviceStyle(before.utility)
  return next.utility === before.utility || !isDeepStrictEqual(own, was) ? {} : { style: { ...serviceStyle(next.utility), label_property } }
}

/** The layers of a site. */
export const layers = resource({
  kind: 'geodata_layer',
  path: '/geometadata/layers',
  param: 'layer_id',
  noun: 'layer',
  shape: 'GeodataLayer',
  says: 'A layer that others surveyed',
  fields,
  fixed: ['role', 'source', 'surveyed_on', 'reference_kind', 'map'],
  computed,
  bin: 'kept',
  derived: ['bounds', 'property_schema'],
  list: {
    order: ['sort', 'name'],
    search: ['name'],
    sees: () => sql`t.deleted_at is null`,
    filters: { role: filters.oneOf(ROLES, 'Roles'), visible: filters.flag('Whether they are shown on the map') },
  },
  access: { view: 'map_view', create: 'layer_manage', change: 'layer_manage', remove: 'layer_manage' },
  hooks: {
    faults: (_ctx, next) => layerFaults(next),
    derive(_ctx, next, before) {
      if (next.role !== 'utilities') return {}
      // Services of which nobody says more are only known from records.
      const utility = next.utility ?? 'unknown'
      return { utility, quality_level: next.quality_level ?? 'QL-D', ...(before === null ? {} : recoloured(before, { ...next, utility })) }
    },
    async after(ctx, row, before) {
      const of = row ?? before
      if (of === null) return
      ctx.redraw(of.site_id, 'overlays')
      // What people see on the map stays: it only loses its layer.
      if (row === null) await leaveLayer(ctx.db, of.site_id, of.id)
    },
  },
})
