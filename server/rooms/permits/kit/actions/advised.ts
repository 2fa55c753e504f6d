// What is around a permit that speaks against a step without forbidding it. It is read where advice is given, and nowhere else.
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { limitsAhead } from '../../../site/weather/door.ts'
import type { Facts } from '../domain/facts.ts'
import { areaStopsOf, type Placed } from './area-stops.ts'
import { machinesOf } from './machines.ts'
import { servicesNear } from './services.ts'

type Permit = Placed & Parameters<typeof servicesNear>[2][number] & Parameters<typeof limitsAhead>[2][number]

/** Returns the facts of a permit with the buried services near it, the weather limits ahead, the area stops that cover it and its lifting machines. */
export async function advised(ctx: Ctx, site_id: Id, permits: readonly Permit[]): Promise<(id: Id, facts: Facts) => Facts> {
  const [services, weather, stops, machines] = await Promise.all([
    servicesNear(ctx, site_id, permits),
    limitsAhead(ctx, site_id, permits),
    areaStopsOf(ctx, site_id, permits),
    permits.length === 0 ? new Map() : machinesOf(ctx, site_id),
  ])
  return (id, facts) => ({
    ...facts,
    services_near: services.get(id) ?? [],
    weather_ahead: weather.get(id) ?? [],
    area_stops: stops.get(id) ?? [],
    machines: machines.get(id) ?? [],
  })
}
