// The alerts of the demo site today: one for information, one of danger that was lifted, one that stops lifting now, and an area stop with permits in it.
import { planeAt } from '../../shared/geometry/plane.ts'
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { HOUR, type Instant, later, MINUTE } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { CORNER } from './ground.ts'
import type { Row } from './reply.ts'

type Call = (by: string, method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Row>

const plane = planeAt(CORNER)
const pointAt = (east: number, north: number) => {
  const [lon, lat] = plane.degrees([east, north])
  return { point: { lon, lat } }
}

/** Raises the alerts, and lifts the one of danger. */
export async function raiseAlerts(call: Call, site_id: Id, now: Instant): Promise<void> {
  const raise = (by: string, alert: Record<string, unknown>) => call(by, 'POST', '/alerts/', { site_id, ...alert })
  await raise('hal', {
    title: 'Canteen closes at 14:00 today',
    message: 'The kitchen is being serviced. Hot drinks stay available at Gate 2.',
    ...{ severity: 'info', category: 'welfare', start_at: later(now, -3 * HOUR), end_at: later(now, 9 * HOUR), place: pointAt(222, 22) },
  })
  const { id } = await raise('finn', {
    title: 'Live cable found in the trench',
    message: 'Not on the drawings. Keep 5 m away.',
    ...{ severity: 'danger', category: 'utilities', start_at: later(now, -5 * HOUR), place: pointAt(66, 71), radius_m: 10 },
  })
  await call('cora', 'POST', `/alerts/${id}/resolve`, {
    note: 'The network operator has isolated the cable. Trench checked with a locator.',
  })
  await raise('cora', {
    title: 'Gusts up to 14 m/s: no lifting at Block B',
    message: 'Lower the load and leave the crane in free slew. Cora says when lifting can go on.',
    ...{ severity: 'warning', category: 'weather', effect: 'stops', activities: ['lifting'], start_at: later(now, -40 * MINUTE) },
    ...{ place: pointAt(192, 128), radius_m: 40 },
  })
}

/** Stops work around the stair of Block A; some of its permits have been revalidated since. */
export async function stopArea(call: Call, site_id: Id): Promise<void> {
  const stop = await call('cora', 'POST', '/permits/stops', {
    site_id,
    place: pointAt(50, 127),
    radius_m: 30,
    reason: 'Smell of gas at stair 1, Block A',
  })
  const waiting = itemsIn(stop.permits).map(permit => textIn(fieldsIn(permit).id))
  for (const id of waiting.slice(0, Math.floor(waiting.length / 2)))
    await call('hal', 'POST', `/permits/applications/${id}/revalidate`, {
      note: 'Gas detector reads zero at the work front. Crew briefed again.',
    })
}
