// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { placedCases, roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases(
  placedCases({
    ...{ kind: 'poi', param: 'poi_id', path: '/pois/', edit: 'map_entity_edit_any' },
    body: t => ({ name: `Gate ${t.fresh()}`, poi_kind: 'vehicle_gate' }),
    change: t => ({ name: `Other ${t.fresh()}` }),
  }),
)
