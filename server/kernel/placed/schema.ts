import {
  anything,
  colour,
  flag,
  geometry,
  id,
  instant,
  integer,
  list,
  oneOf,
  onSite,
  optional,
  orNull,
  Point,
  recordId,
  ref,
  type Static,
  shape,
  text,
} from '../../base/schema.ts'

const LOWEST = -50
const HIGHEST = 300
const place = {
  building_id: id('Building; null for none'),
  level_index: integer('Level of the building: 0 is the ground; null for none', { min: LOWEST, max: HIGHEST, example: 3 }),
  zone_id: id('Zone; null for none'),
}

/** A place on a site as records show it (conventions §1). */
export const Place = shape('Place', 'A place on the site', {
  building_id: optional(orNull(place.building_id)),
  level_index: optional(orNull(place.level_index)),
  zone_id: optional(orNull(place.zone_id)),
  point: optional(ref(Point, 'A point')),
  polygon: optional(geometry('Polygon')),
})
/** A place as a body gives it. */
export const GivenPlace = shape('GivenPlace', 'A place on the site; a point or a polygon, not both', {
  building_id: optional(orNull(place.building_id)),
  level_index: optional(orNull(place.level_index)),
  zone_id: optional(orNull(place.zone_id)),
  point: optional(anything('A point: {lon, lat}, or a GeoJSON Point')),
  polygon: optional(geometry('Polygon or MultiPolygon')),
})
export type GivenPlace = Static<typeof GivenPlace>

/** Where the building, level and zone of a record come from. */
export const SOURCES = ['given', 'derived', 'none'] as const

/** The fields that everything on the map has (`map.md` §0.1), for bodies. `open_ended`: it need not end. */
export const placedFields = ({ open_ended }: { open_ended: boolean }) => ({
  contractor_id: orNull(
    recordId(
      'contractor',
      'Contractor that it belongs to; null for the main contractor’s own. Default for contractors: their own contractor',
    ),
  ),
  start_at: instant('Start; default now'),
  end_at: open_ended ? orNull(instant('End (exclusive); null if it has no end')) : instant('End (exclusive)'),
  place: ref(GivenPlace, 'Place. Building, level and zone that are left out are found from the position'),
  colour: orNull(colour('Colour, #rrggbb; default the contractor’s colour', '#e07b39')),
  notes: orNull(text('Notes; only its own contractor and coordinators see them', { max: 2000, example: 'Key at the gatehouse' })),
})

/** The computed fields that everything on the map has. */
export const placedComputed = {
  place: ref(Place, 'Place'),
  place_source: oneOf(
    SOURCES,
    'Whether a person named the building, level or zone (`given`), they were found from the position (`derived`), or there is none',
  ),
  off_place: flag('Whether the position is more than 1 m outside the building or zone that a person named, as these were at the start'),
}

/** The query parameter `include` of lists at a point in time: what they leave out otherwise, because they are long. */
export const included = optional(
  list(oneOf(['permissions'], 'Part'), 'Parts that are added: permissions, the actions available to the caller now', { max: 1 }),
)

/** The query of an at-time list, besides the filters of the area. */
export const atTime = { ...onSite, at: optional(instant('Point in time; default now')), include: included }

/** The query parameter `bbox`. */
export const bbox = text('Bounding box: minlon,minlat,maxlon,maxlat', { max: 200, example: '-0.09,51.50,-0.08,51.51' })

/** The query parameter `near`. */
export const nearby = (description: string) =>
  optional(
    text(description, {
      pattern: ['^-?\\d+(\\.\\d+)?(e-?\\d+)?,-?\\d+(\\.\\d+)?(e-?\\d+)?$', 'must be lon,lat, such as -0.0877,51.5079.'],
      max: 60,
      example: '-0.0877,51.5079',
    }),
  )

/** The query parameter `level_index`. */
export const levelIndex = integer('Level', { min: LOWEST, max: HIGHEST, example: 3 })

/** The query parameter `level_index` of lists, which can be repeated. */
export const levels = list(levelIndex, 'Levels', { max: 100 })
