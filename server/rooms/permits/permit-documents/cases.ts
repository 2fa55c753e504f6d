// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { roomCases, seen } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'permit.show_document': seen,
    'permit.show_chain': seen,
    'permit.verify': { open: true, body: { statement: 'nothing' } },
    'signing_key.list': { open: true },
  },
})
