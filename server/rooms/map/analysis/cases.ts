// Who can call each endpoint of this room, and a call that succeeds: see tests/calls.ts.
import { roomCases, seen } from '../../../../tests/calls.ts'

export const cases = roomCases({ routes: { 'site.show_changes': seen } })
