import { areaOf, centreOf, type LonLat } from '../../../../../shared/geometry/plane.ts'
import type { Instant } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { type FieldFault, invalid, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { canonical } from '../../../../kernel/audit/door.ts'
import { awayFault, readAreal } from '../../../../kernel/geometry/door.ts'
import { outsideOf } from '../../../../kernel/site/door.ts'
import { type SiteRow, type SiteSet, saveSite, siteRow } from '../queries/sites.ts'

const thousandths = (value: number) => Math.round(value * 1000) / 1000
const eighth = (degrees: number) => Math.round(degrees * 1e8) / 1e8

/** Returns a site's location: the given one, or else the centre of its boundary, which is marked as derived and follows the boundary. */
export function locationOf(given: LonLat | null, site: Pick<SiteRow, 'boundary'>): SiteSet {
  const boundary = site.boundary
  const derived = given === null && boundary !== null
  const at = derived ? centreOf(boundary) : given
  return { location_lon: at === null ? null : eighth(at.lon), location_lat: at === null ? null : eighth(at.lat), location_derived: derived }
}

/** Returns the columns for a site's boundary from the shape in a body and the given location, and collects the faults. */
export function groundFrom(value: unknown, path: string, location: LonLat | null, now: Instant, faults: FieldFault[]): SiteSet {
  if (value === null) return locationOf(location, { boundary: null })
  const boundary = readAreal(value, path, faults)
  if (boundary === null) return {}
  const away = location === null ? null : awayFault(boundary, location)
  if (away !== null) faults.push({ path, message: away })
  return { boundary, boundary_area_m2: thousandths(areaOf(boundary)), boundary_updated_at: now, ...locationOf(location, { boundary }) }
}

/** Returns a site's boundary as the API shows it; `geometry` is null when there is none. */
export function shownBoundary(site: SiteRow): Record<string, unknown> {
  const boundary = site.boundary
  return {
    geometry: boundary,
    area_m2: site.boundary_area_m2,
    centre: boundary === null ? null : centreOf(boundary),
    updated_at: site.boundary_updated_at,
  }
}

/** Returns a site's boundary, by its id. */
export async function showBoundary(ctx: Ctx, site_id: Id): Promise<{ said: Record<string, unknown>; version: number }> {
  const site = await siteRow(ctx.db, site_id, false)
  if (site === null) return refuse(notFound())
  return { said: shownBoundary(site), version: site.version }
}

/** Returns the location that a person entered. A derived one follows the boundary and never prevents a change. */
const givenLocation = (site: SiteRow): LonLat | null =>
  site.location_lon === null || site.location_lat === null || site.location_derived
    ? null
    : { lon: site.location_lon, lat: site.location_lat }

/** Replaces the site boundary. Returns the records that are now too far outside it; nothing is moved. */
export async function setBoundary(ctx: Ctx, site: SiteRow, value: unknown): Promise<{ said: Record<string, unknown>; version: number }> {
  const faults: FieldFault[] = []
  if (value === null) faults.push({ path: 'geometry', message: 'is required. Use DELETE to remove the boundary.' })
  const set = groundFrom(value, 'geometry', givenLocation(site), ctx.now, faults)
  if (faults.length > 0) refuse(invalid(faults))
  if (canonical(set.boundary) !== canonical(site.boundary)) {
    await saveSite(ctx.db, site.site_id, set)
    tell(ctx, site, set.location_derived === true ? ['boundary', 'location'] : ['boundary'])
  }
  const { said, version } = await showBoundary(ctx, site.site_id)
  const outside = await outsideOf(ctx, site.site_id, { boundary: set.boundary ?? null, location: null })
  return { said: { ...said, outside }, version }
}

/** Removes the boundary; the site keeps its location. */
export async function dropBoundary(ctx: Ctx, site: SiteRow): Promise<void> {
  if (site.boundary === null) return
  await saveSite(ctx.db, site.site_id, { boundary: null, boundary_area_m2: null, boundary_updated_at: ctx.now })
  tell(ctx, site, ['boundary'])
}

function tell(ctx: Ctx, site: SiteRow, fields: string[]): void {
  ctx.emit({
    kind: 'site.changed',
    site_id: site.site_id,
    subject: { kind: 'site', id: site.site_id, label: site.name },
    payload: { fields },
  })
  ctx.redraw(site.site_id, 'reference')
}
