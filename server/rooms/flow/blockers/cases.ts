// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { CONTRIBUTE, COORDINATE, coordinator, hse, MANAGE, needs, roomCases, writes } from '../../../../tests/calls.ts'
import { stopNow } from '../../../../tests/stops.ts'

/** A little after every time at which a case says that work goes on. */
const LATER = '2026-03-16T16:00:00.000Z'

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
  records: async t => ({ blocker_id: (await stopNow(t)).blocker_id }),
  routes: {
    'blocker.resolve': writes(resolves, async t => {
      const { blocker_id, affected_id } = await stopNow(t)
      const restart = [{ affected_id, to_at: LATER, reason: 'The gang is in another block' }]
      return {
        ...{ by: coordinator(t), params: { blocker_id } },
        ...{ body: { how: 'The lift is finished', restart }, other: { how: 'The gang has moved' } },
      }
    }),
    'blocker.delete': writes(declares, async t => ({ by: hse(t), params: { blocker_id: (await stopNow(t)).blocker_id } })),
  },
})
