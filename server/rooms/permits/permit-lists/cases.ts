// Who can call each endpoint of this room: see tests/calls.ts.
import { roomCases, seen, signedIn } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'permit.list_wallet': signedIn,
    'permit.list_cards': seen,
    'permit.count': seen,
    'permit.show_round': seen,
    'permit.list': seen,
    'permit.show': seen,
    'permit.export_history': seen,
  },
})
