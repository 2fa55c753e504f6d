// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { roomCases, signedIn } from '../../../../tests/calls.ts'
import { ids } from '../../../base/ids.ts'

export const cases = roomCases({
  routes: {
    'user.list': { ...signedIn, query: `id=${ids.next()}` },
  },
})
