// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { CONTRIBUTE, COORDINATE, coordinator, hse, MANAGE, needs, roomCases, writes } from '../../../../tests/calls.ts'
import { stopNow } from '../../../../tests/stops.ts'

const declares = needs('blocker_declare')
const resolves = needs('blocker_declare', { body: { how: 'Cleared' } })

export const cases = roomCases({
  held: {
    blocker_view: [...CONTRIBUTE, 'commercial', 'viewer'],
    blocker_view_any: [...COORDINATE, 'commercial', 'viewer'],
    blocker_declare: CONTRIBUTE,
    blocker_manage: COORDINATE,
    blocker_archive: MANAGE,
  },
  records: async t => ({ blocker_id: await stopNow(t) }),
  routes: {
    'blocker.resolve': writes(resolves, async t => ({
      by: coordinator(t),
      params: { blocker_id: await stopNow(t) },
      body: { how: 'The lift is finished' },
      other: { how: 'The gang has moved' },
    })),
    'blocker.delete': writes(declares, async t => ({ by: hse(t), params: { blocker_id: await stopNow(t) } })),
  },
})
