// The deliveries of the demo site: what comes today.
import { planeAt } from '../../shared/geometry/plane.ts'
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { HOUR, type Instant, later, MINUTE } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { CORNER } from './ground.ts'
import type { Row } from './reply.ts'
import type { ContractorKey } from './site.ts'

type Call = (by: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => Promise<Row>
const plane = planeAt(CORNER)

type Vehicle = {
  supplier_name: string
  name: string
  contractor: ContractorKey
  vehicle_kind: string
  vehicle_reg: string
  bay: number
  /** Start of the slot, minutes from now, and its length. */
  from: number
  minutes: number
  direction?: 'outbound'
  /** What has become of it; a request is asked for by its contractor. */
  becomes?: 'arrived' | 'left' | 'requested'
}

const BAYS = [
  { name: 'Bay 1, gate', at: [226, 60, 18, 6] },
  { name: 'Bay 2, laydown', at: [180, 52, 16, 5] },
] as const

const VEHICLES: readonly Vehicle[] = [
  {
    supplier_name: 'Thames Readymix',
    name: 'Readymix, C32/40 for the core walls',
    contractor: 'ferris',
    vehicle_kind: 'mixer',
    vehicle_reg: 'LX24 KDN',
    bay: 0,
    from: -150,
    minutes: 60,
    becomes: 'left',
  },
  {
    supplier_name: 'Dock Steel',
    name: 'Rebar, level 5 slab',
    contractor: 'ferris',
    vehicle_kind: 'artic',
    vehicle_reg: 'GN73 OPA',
    bay: 0,
    from: -40,
    minutes: 60,
    becomes: 'arrived',
  },
  {
    supplier_name: 'Halden Muck Away',
    name: 'Muck away',
    contractor: 'halden',
    vehicle_kind: 'tipper',
    vehicle_reg: 'BV22 HHX',
    bay: 1,
    from: -25,
    minutes: 45,
    direction: 'outbound',
  },
  {
    supplier_name: 'Northgate Fabrication',
    name: 'Steel for Block B, grid 7',
    contractor: 'northgate',
    vehicle_kind: 'artic',
    vehicle_reg: 'YK71 RTB',
    bay: 0,
    from: 35,
    minutes: 60,
  },
  {
    supplier_name: 'Meridian Glass',
    name: 'Cladding panels',
    contractor: 'meridian',
    vehicle_kind: 'rigid',
    vehicle_reg: 'AE70 MLZ',
    bay: 1,
    from: 90,
    minutes: 45,
    becomes: 'requested',
  },
]

/** Puts the deliveries of the day on the map: one has left, one is here, one is late, and one slot is only asked for. */
export async function placeDeliveries(
  call: Call,
  { site_id, contractors, now }: { site_id: Id; contractors: ReadonlyMap<string, Id>; now: Instant },
): Promise<void> {
  const gates = itemsIn((await call('cora', 'GET', `/pois/?site_id=${site_id}&poi_kind=vehicle_gate`)).rows)
  const gate_poi_id = gates.map(row => textIn(fieldsIn(row).id))[0] ?? null
  const corner = ([x, y]: readonly [number, number]) => plane.degrees([x, y])
  const bays: { id: Id; point: { lon: number; lat: number } }[] = []
  for (const {
    name,
    at: [x, y, width, height],
  } of BAYS) {
    const ring = (
      [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
        [x, y],
      ] as const
    ).map(corner)
    const [lon, lat] = plane.degrees([x + width / 2, y + height / 2])
    const body = {
      site_id,
      name,
      area_kind: 'delivery_bay',
      start_at: later(now, -200 * HOUR),
      end_at: null,
      place: { polygon: { type: 'Polygon', coordinates: [ring] } },
    }
    bays.push({ id: (await call('cora', 'POST', '/active-areas/', body)).id, point: { lon, lat } })
  }
  for (const { contractor, bay, from, minutes, becomes, ...vehicle } of VEHICLES) {
    const start_at = later(now, from * MINUTE)
    const { id: bay_id, point } = bays[bay] ?? { id: null, point: undefined }
    const { id } = await call('cora', 'POST', '/deliveries/', {
      ...{
        site_id,
        ...vehicle,
        bay_id,
        place: { point },
        contractor_id: contractors.get(contractor),
        gate_poi_id,
      },
      ...{ start_at, end_at: later(start_at, minutes * MINUTE), status: becomes === 'requested' ? 'requested' : 'booked' },
    })
    if (becomes === 'arrived' || becomes === 'left')
      await call('cora', 'PATCH', `/deliveries/${id}`, { status: 'arrived', arrived_at: later(start_at, 5 * MINUTE) })
    if (becomes === 'left') await call('cora', 'PATCH', `/deliveries/${id}`, { left_at: later(start_at, 50 * MINUTE) })
  }
}
