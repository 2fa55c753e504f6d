import { id, instant, integer, list, object, oneOf, onSite, optional } from '../../../base/schema.ts'
import { EXPORT_LAYERS } from '../../../kernel/exports/domain.ts'
import { bbox } from '../../../kernel/placed/schema.ts'

export const ExportQuery = object({
  ...onSite,
  at: optional(instant('Point in time; default now')),
  from: optional(instant('Start of a period, instead of `at`: everything that is there at some time of it')),
  to: optional(instant('End of the period (exclusive), at most 366 days after the start')),
  layers: optional(
    list(oneOf(EXPORT_LAYERS, 'Layer', { example: 'zones' }), 'Layers of the file; default all except overlays and permits', {
      max: EXPORT_LAYERS.length,
    }),
  ),
  level_index: optional(list(integer('Level', { min: -50, max: 300, example: 0 }), 'Levels; only what is on them', { max: 100 })),
  building_id: optional(list(id('Building'), 'Buildings; only what is in them', { max: 200 })),
  contractor_id: optional(list(id('Contractor'), 'Contractors; only what belongs to them', { max: 200 })),
  bbox: optional(bbox),
})
