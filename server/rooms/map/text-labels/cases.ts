// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { placedCases, roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases(
  placedCases({
    ...{ kind: 'text_label', param: 'label_id', path: '/text-labels/', edit: 'map_entity_edit' },
    body: t => ({ text: `One way ${t.fresh()}` }),
    change: t => ({ text: `No access ${t.fresh()}` }),
  }),
)
