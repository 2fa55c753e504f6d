import { QUALITIES } from '../../../../shared/calibration/calibrate.ts'
import { instant, integer, list, number, object, oneOf, optional, shape, text } from '../../../base/schema.ts'
import { levelIndex } from '../../../kernel/placed/schema.ts'
import { STATUSES } from '../site-maps/domain.ts'
import { bounds } from '../site-maps/schema.ts'

const centre = list(number('Degrees, and zoom', { min: -180, max: 180 }), 'Longitude, latitude and zoom of the first view', {
  min: 3,
  max: 3,
})
const zoom = (description: string) => integer(description, { max: 24, example: 17 })

/** The query of a tile. */
export const TileQuery = object({
  v: optional(text('Version of the content (`content_version`): the response can then be stored for a year', { max: 20, example: '3' })),
})

/** The query of a vector tile. */
export const VectorQuery = object({
  at: optional(instant('Point in time; default now')),
  level_index: optional(levelIndex),
})

export const SchemeQuery = object({
  scheme: optional(oneOf(['xyz', 'tms'], 'How rows are counted: from the north (xyz) or from the south (tms); default xyz')),
})

export const TileJson = shape('TileJson', 'Where the tiles of a picture are (TileJSON 3.0.0)', {
  tilejson: oneOf(['3.0.0'], 'Version of TileJSON'),
  name: text('Name of the picture', { max: 300 }),
  tiles: list(
    text('URL with {z}, {x} and {y}', { max: 500, example: 'https://site.example/api/tiles/raster/…/{z}/{x}/{y}.webp?v=3' }),
    'URLs',
    {
      min: 1,
      max: 1,
    },
  ),
  bounds,
  center: centre,
  minzoom: zoom('Zoom at which the picture fits one tile'),
  maxzoom: zoom('Zoom at which its pixels are shown'),
  scheme: oneOf(['xyz', 'tms'], 'How rows are counted: from the north (xyz) or from the south (tms)'),
  version: text('Version of the content', { max: 30, example: '1.3.0' }),
  attribution: text('Source of the picture', { max: 300, example: 'Riverside' }),
})

export const TileInfo = shape('TileInfo', 'The tiles of a site map', {
  status: oneOf(STATUSES, 'State of the site map'),
  tile_size: integer('Side of a tile, pixels', { example: 256 }),
  formats: list(text('Extension', { max: 10, example: 'webp' }), 'Formats', { max: 3 }),
  min_zoom: zoom('Zoom at which the picture fits one tile'),
  max_zoom: zoom('Zoom at which its pixels are shown'),
  bounds,
  center: centre,
  content_version: integer('How often the tiles have been replaced', { min: 1 }),
  ground_resolution_m: number('Size of a pixel of the picture, metres', { min: 0, example: 0.1 }),
  rmse_m: number('Root mean square of the residuals of the calibration, metres', { min: 0, example: 0.05 }),
  quality: oneOf(QUALITIES, 'Quality of the calibration'),
  tile_count: integer('Number of tiles that show something'),
  bytes: integer('Size of all tiles, bytes', { max: 2 ** 40 }),
})
