import { sql } from '../../../base/db.ts'
import { integer, list, optional, text } from '../../../base/schema.ts'
import { placed, type StoredPlace } from '../../../kernel/placed/door.ts'
import { styleKeys } from '../../site/label-styles/door.ts'
import { DEFAULTS, textFaults, zoomFaults } from './domain.ts'
import { computed, fields } from './schema.ts'

declare module '../../../base/json-columns.ts' {
  interface JsonColumns {
    'text_label.place': StoredPlace
  }
}

/** The text labels of a site. */
export const textLabels = placed({
  kind: 'text_label',
  path: '/text-labels/',
  param: 'label_id',
  without_show: true,
  noun: 'text label',
  shape: 'TextLabel',
  says: 'Words on the map that are no feature',
  label: row => row.text.split('\n')[0] ?? row.text,
  fields,
  defaults: DEFAULTS,
  computed,
  layer: 'annotations',
  drawn: 'point',
  list: {
    order: ['start_at'],
    search: ['text'],
    filters: {
      style_key: {
        schema: optional(list(text('Label style', { min: 1, max: 60, example: 'note' }), 'Label styles', { min: 1, max: 100 })),
        where: (column, keys) => sql`${column} = any(${keys}::text[])`,
      },
      zoom: {
        schema: optional(integer('Zoom at which they are shown', { min: 0, max: 24, example: 18 })),
        column: 'id',
        where: (_column, zoom) => sql`${zoom}::integer between t.min_zoom and t.max_zoom`,
      },
    },
  },
  access: {
    view: 'map_view',
    create: { own: 'map_entity_edit', any: 'map_entity_edit_any' },
    change: { own: 'map_entity_edit', any: 'map_entity_edit_any' },
    remove: { own: 'map_entity_edit', any: 'map_entity_edit_any' },
  },
  hooks: {
    async faults(ctx, next, before) {
      const faults = [...textFaults(next.text), ...zoomFaults(next)]
      if (next.style_key !== before?.style_key && !(await styleKeys(ctx.db, next.site_id)).includes(next.style_key))
        faults.push({ path: 'style_key', message: 'isn’t a label style of this site.' })
      return faults
    },
    async shown(ctx, rows) {
      const [first] = rows
      if (first === undefined) return []
      // A style that has been removed since is shown as a note.
      const known = await styleKeys(ctx.db, first.site_id)
      return rows.map(row => ({ style_key: known.includes(row.style_key) ? row.style_key : DEFAULTS.style_key }))
    },
  },
})
