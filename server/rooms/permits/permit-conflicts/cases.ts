// Who can call each endpoint of this room: see tests/calls.ts.
import { needs, roomCases, seen } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'permit.list_clash_badges': seen,
    'permit.preview_conflicts': needs('permit_request'),
  },
})
