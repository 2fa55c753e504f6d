import { flag, id, instant, integer, list, object, oneOf, optional, paging, type Static, text } from '../../../../base/schema.ts'
import { bbox } from '../../../../kernel/placed/schema.ts'
import { code } from '../../permit-types/schema.ts'
import { status } from './permit.ts'

const window = {
  from: optional(instant('Permits whose window ends after this time, and permits without a window')),
  to: optional(instant('Permits whose window starts before this time, and permits without a window')),
}

export const PermitFilter = object({
  site_id: id('Site'),
  id: optional(list(id('Permit'), 'Ids', { max: 1000 })),
  status: optional(list(status, 'Statuses', { max: 10 })),
  category: optional(list(code('Permit type'), 'Permit types', { max: 20 })),
  contractor_id: optional(list(id('Contractor'), 'Contractors', { max: 200 })),
  parent_id: optional(list(id('Permit'), 'Parent permits', { max: 200 })),
  source: optional(list(oneOf(['requested', 'imported'], 'Source'), 'Sources', { max: 2 })),
  set_id: optional(list(id('Import'), 'Imports', { max: 200 })),
  requestor_id: optional(list(id('Person'), 'Requestors', { max: 200 })),
  receiver_id: optional(list(id('Person'), 'Receivers', { max: 200 })),
  entity: optional(list(id('Worker, machine or delivery'), 'Workers, plant and deliveries that the permits cover', { max: 200 })),
  building_id: optional(list(id('Building'), 'Buildings that the permits are in', { max: 200 })),
  level_index: optional(list(integer('Level', { min: -50, max: 300 }), 'Level indexes', { max: 100 })),
  zone_id: optional(list(id('Zone'), 'Zones that the permits are in', { max: 200 })),
  bbox: optional(bbox),
  ...window,
  soon: optional(
    flag('State of the permits to return: true for live permits that end within the warning lead time, false for all others; default both'),
  ),
  awaiting_countersign: optional(
    flag(
      'State of the permits to return: true for permits waiting for the receiver’s countersignature, false for all others; default both',
    ),
  ),
  handed_back: optional(
    flag(
      'State of the permits to return: true for permits that were handed back and aren’t closed out, false for all others; default both',
    ),
  ),
  stopped: optional(
    flag(
      'State of the permits to return: true for live permits that an area stop has stopped and that haven’t been revalidated, false for all others; default both',
    ),
  ),
  q: optional(
    text('Text to search for in number, title, description and location, and in the name, code and aliases of the building and zone', {
      max: 200,
      example: 'stair 3',
    }),
  ),
  updated_since: optional(instant('Earliest time of the last change')),
  limit: optional(integer('Rows per page; default: the whole list, up to 5,000 rows', { min: 1, max: 1000, example: 50 })),
  cursor: paging.cursor,
})

/** Like the other lists of permits, but shorter if nobody reads the reasons. */
export const CardFilter = object({
  ...PermitFilter.properties,
  at: optional(
    instant(
      'Returns the permits as they were at this time, by the event log; not together with soon, handed_back, stopped or updated_since. Text and place are those of now',
    ),
  ),
  reasons: optional(
    flag('Whether `permissions` include the reasons (`because`); default true; false leaves the reasons out, for a smaller response'),
  ),
})

export const WalletQuery = object({ site_id: optional(id('Site; default: all sites of the caller')) })

export const RoundQuery = object({ site_id: id('Site') })

export const CountQuery = object({
  site_id: id('Site'),
  updated_since: optional(instant('Earliest time of the last change, for `changed`')),
})

export type PermitFilter = Static<typeof PermitFilter>
export type CardFilter = Static<typeof CardFilter>
export type CountQuery = Static<typeof CountQuery>
