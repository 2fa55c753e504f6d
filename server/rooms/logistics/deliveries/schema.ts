import { flag, id, instant, list, name, number, object, oneOf, optional, orNull, recordId, text } from '../../../base/schema.ts'
import { placedComputed, placedFields } from '../../../kernel/placed/schema.ts'
import { GRAPH, TURNED_AWAY, UNLOADING, VEHICLES, WARNINGS } from './domain.ts'

const states = GRAPH.states.map(({ key }) => key)
const line = (description: string, max: number, example: string) => orNull(text(description, { max, example }))

/** The fields of a delivery, by the name of their column. */
export const fields = {
  name: name('Name; default the supplier', { example: 'Readymix, C32/40' }),
  direction: oneOf(['inbound', 'outbound'], '`inbound` brings something, which is the default; `outbound` takes something away'),
  supplier_name: line('Supplier', 200, 'Thames Readymix'),
  haulier_name: line('Haulier', 200, 'Dock Haulage'),
  supplier_reference: line('Reference of the supplier; only its own contractor and coordinators see it', 100, 'TR-88213'),
  vehicle_kind: orNull(oneOf(VEHICLES, 'Kind of vehicle', { example: 'mixer' })),
  vehicle_reg: line('Registration; only its own contractor and coordinators see it, and it is blanked after 90 days', 20, 'LX24 KDN'),
  driver_name: line('Driver; only its own contractor and coordinators see the name, and it is blanked after 90 days', 200, 'Sam Field'),
  driver_phone: line(
    'Telephone number of the driver; only its own contractor and coordinators see it, and it is blanked after 90 days',
    40,
    '07700 900123',
  ),
  vehicle_length_m: orNull(number('Length of the vehicle, metres', { min: 1, max: 60, example: 9.5 })),
  gross_weight_kg: orNull(number('Gross weight, kg', { min: 1, max: 500_000, example: 32_000 })),
  abnormal_load: flag('Whether it is an abnormal load; default no'),
  dangerous_goods: line('Dangerous goods: the ADR class', 100, 'ADR 3, UN 1202'),
  gate_poi_id: orNull(recordId('poi', 'Vehicle gate that it uses')),
  bay_id: orNull(recordId('active_area', 'Delivery bay: an active area of this kind that is there during the slot')),
  unload_method: orNull(oneOf(UNLOADING, 'How it is unloaded', { example: 'crane' })),
  unload_plant_id: orNull(recordId('plant', 'Machine that unloads it, which is on site during the slot')),
  radius_m: orNull(
    number('Radius of the place around the point, metres; default as in the geometry defaults. Not used with a polygon', {
      ...{ min: 0.5, max: 100, example: 5 },
    }),
  ),
  ...placedFields({ open_ended: true }),
}

const allow_overlap = flag('Whether the slot is booked although its bay or machine is taken then; only for coordinators')
const status = (of: readonly string[], description: string) => oneOf(of, description, { example: 'booked' })

/** What a body that creates a delivery can contain besides its fields. */
export const creating = {
  status: status(
    ['requested', 'booked', 'arrived'],
    'State to begin with. Coordinators: `booked` by default, `arrived` for a vehicle that came without a booking. Contractors: `requested`',
  ),
  allow_overlap,
}

/** What a body that changes a delivery can contain besides its fields. */
export const changing = {
  status: status(states, 'Step to this state'),
  allow_overlap,
  arrived_at: orNull(instant('Arrival, with status `arrived` (default now), or to correct it; null only while there is none')),
  left_at: orNull(instant('Departure of a vehicle that has arrived, or to correct it; null only while there is none')),
  decision_note: orNull(text('Note on the decision; required to decline', { max: 1000, example: 'The crane is lifting steel until noon' })),
  reason: oneOf(TURNED_AWAY, 'Why the vehicle is turned away; required for that'),
  note: text('More about why the vehicle is turned away', { max: 1000, example: 'Load not strapped' }),
}

const slot = { start_at: instant('Start'), end_at: instant('End (exclusive)') }

/** The computed fields of a delivery. */
export const computed = {
  ...placedComputed,
  slot_start_at: orNull(instant('Start of the slot that was last booked')),
  slot_end_at: orNull(instant('End of the slot that was last booked')),
  arrived_at: orNull(instant('Arrival')),
  left_at: orNull(instant('Departure')),
  decided_by: orNull(id('Person who booked or declined it')),
  decision_note: orNull(
    text('Note on the decision; only its own contractor and coordinators see it', { max: 1000, example: 'Use gate 2' }),
  ),
  turned_away_reason: orNull(oneOf(TURNED_AWAY, 'Why the vehicle was turned away')),
  turned_away_note: orNull(
    text('More about that; only its own contractor and coordinators see it', { max: 1000, example: 'Load not strapped' }),
  ),
  unbooked: flag('Whether it came without a booking'),
  tentative: flag('Whether the slot is only asked for'),
  late: flag('Whether it is booked, and not here 15 minutes after the start of its slot'),
  overrunning: flag('Whether it is still here after the end of its slot'),
  competes_with: list(id('Delivery'), 'Other requests for the same bay or machine at the same time, while its own slot is requested', {
    max: 100,
  }),
  warnings: optional(
    list(
      object({
        kind: oneOf(WARNINGS, 'Kind of warning', { example: 'short_notice' }),
        detail: text('The warning in a sentence', { max: 500, example: 'The slot starts in less than 2 hours.' }),
      }),
      'What to know about the slot, after it was created or changed; nothing of it prevents it',
      { max: 100 },
    ),
  ),
  next_free: optional(list(object(slot), 'Next free slots of this length, after it was declined', { max: 3 })),
  neighbours: optional(
    list(
      object({
        ...{
          id: id('Delivery'),
          number: text('Number', { max: 40, example: 'DEL-000124' }),
          name: text('Name', { max: 200, example: 'Rebar' }),
        },
        ...{ status: status(states, 'State'), start_at: slot.start_at, end_at: orNull(instant('End; null if it is still there')) },
      }),
      'Other deliveries in its bay on that site day, by start; only for a single delivery',
      { max: 500 },
    ),
  ),
}
