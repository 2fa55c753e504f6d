// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'health.live': { open: true },
    'health.ready': { open: true },
    'health.show': { open: true },
  },
})
