import { flags, id, instant, number, object, optional, optionals, orNull, record, shape } from '../../../base/schema.ts'

const metres = (description: string, max: number, example: number) => number(`${description}, metres`, { min: 0, max, example })
const squareMetres = (description: string, example: number) => number(`${description}, square metres`, { min: 0, max: 10_000, example })

const sizes = {
  worker_radius_m: number('Radius of a worker or gang that is placed as a point, metres', { min: 0.5, max: 100, example: 2 }),
  delivery_radius_m: number('Radius of a delivery that is placed as a point, metres', { min: 0.5, max: 100, example: 5 }),
  slew_clearance_m: metres('Distance kept from the tail of a machine that slews', 20, 0.5),
  plant_margin_m: metres('Distance kept beyond the working radius of plant', 50, 1),
  per_category: record(metres('Distance kept beyond the working radius', 50, 2), 'Margins of single categories of plant, by category'),
  snap_m: metres('Distance at which drawing snaps to what is there', 10, 0.2),
  hole_buffer_m: number('Distance by which a shape is enlarged before it is cut out, metres; negative makes it smaller', {
    min: -5,
    max: 50,
    example: 0,
  }),
  min_part_m2: squareMetres('Parts of a cut feature that are smaller are left out', 1),
  min_width_m: metres('Parts of a cut feature that are narrower are left out', 20, 0.5),
  fill_min_part_m2: squareMetres('Parts of a fill that are smaller are left out', 5),
  fill_min_width_m: metres('Parts of a fill that are narrower are left out', 20, 1),
  simplify_m: metres('How far a simplified line can be from the drawn one', 5, 0.02),
}

export const GeometryDefaults = shape('GeometryDefaults', 'Sizes to start with when something is drawn on a site', {
  site_id: id('Site'),
  ...sizes,
  permissions: flags(['edit']),
  version: number('Version; 0 before the first save', { min: 0, example: 1 }),
  updated_at: orNull(instant('Time of the last save; null before the first')),
})
export const ChangeDefaults = shape('ChangeGeometryDefaults', 'Sizes to change', {
  site_id: optional(id('Site. Required if the query doesn’t contain it')),
  ...optionals(sizes),
})
export const MaybeSite = object({ site_id: optional(id('Site. Required if the body doesn’t contain it')) })
export const OfSite = object({ site_id: id('Site') })
