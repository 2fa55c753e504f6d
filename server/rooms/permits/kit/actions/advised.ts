// What is around a permit that speaks against a step without forbidding it. It is read where advice is given, and nowhere else.

import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { once } from '../../../../base/memo.ts'
import { openBlockers, openBlockersOf } from '../../../flow/blockers/door.ts'
import { limitsAhead } from '../../../site/weather/door.ts'
import type { Facts } from '../domain/facts.ts'
import type { CardRow } from '../queries/permits.ts'
import { areaStopsOf } from './area-stops.ts'
import { machinesOf } from './machines.ts'
import { servicesNear } from './services.ts'
import { stopsOf } from './stops.ts'

/** Returns the facts of a permit with the buried services near it, the weather limits ahead, the area stops and alerts that cover it, its lifting machines and the open blockers of its work. */
export async function advised(ctx: Ctx, site_id: Id, permits: readonly CardRow[]): Promise<(id: Id, facts: Facts) => Facts> {
  const [services, weather, stops, alerts, machines, open] = await Promise.all([
    servicesNear(ctx, site_id, permits),
    limitsAhead(ctx, site_id, permits),
    areaStopsOf(ctx, site_id, permits),
    stopsOf(ctx, site_id, permits),
    permits.length === 0 ? new Map() : once(ctx, `machines ${site_id}`, () => machinesOf(ctx, site_id)),
    // A step changes neither, so that its response needn’t read them again.
    permits.length === 0 ? [] : once(ctx, `blockers ${site_id}`, () => openBlockers(ctx, site_id)),
  ])
  const blockers = await openBlockersOf(ctx, open, permits)
  return (id, facts) => ({
    ...facts,
    services_near: services.get(id) ?? [],
    weather_ahead: weather.get(id) ?? [],
    area_stops: stops.get(id) ?? [],
    stopped_by_alert: alerts.get(id) ?? null,
    machines: machines.get(id) ?? [],
    blockers: blockers.get(id) ?? [],
  })
}
