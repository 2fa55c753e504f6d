// What people type about a delivery, as plain data.
import type { Schemas } from '../../../base/api.ts'
import type { Delivery } from './tokens.ts'

/** A form as it is typed. */
export type DeliveryTyped = Record<
  | 'name'
  | 'supplier_name'
  | 'direction'
  | 'vehicle_kind'
  | 'vehicle_reg'
  | 'driver_name'
  | 'gate_poi_id'
  | 'bay_id'
  | 'unload_plant_id'
  | 'contractor_id'
  | 'notes'
  | 'permit_id',
  string
> & { start_at: string | null; end_at: string | null; place: Schemas['GivenPlace'] | null; arrived: boolean }

const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4

/** Returns what a form starts with: a delivery, or a new one for the hour after the next quarter of an hour. */
export function startOfDelivery(delivery: Delivery | null, now: number): DeliveryTyped {
  const start = Math.ceil(now / QUARTER_MS) * QUARTER_MS
  return {
    name: delivery?.name ?? '',
    supplier_name: delivery?.supplier_name ?? '',
    direction: delivery?.direction ?? 'inbound',
    vehicle_kind: delivery?.vehicle_kind ?? '',
    vehicle_reg: delivery?.vehicle_reg ?? '',
    driver_name: delivery?.driver_name ?? '',
    gate_poi_id: delivery?.gate_poi_id ?? '',
    bay_id: delivery?.bay_id ?? '',
    unload_plant_id: delivery?.unload_plant_id ?? '',
    contractor_id: delivery?.contractor_id ?? '',
    notes: delivery?.notes ?? '',
    permit_id: '',
    start_at: delivery?.start_at ?? new Date(start).toISOString(),
    end_at: delivery === null ? new Date(start + HOUR_MS).toISOString() : delivery.end_at,
    place: delivery?.place ?? null,
    arrived: false,
  }
}
