// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { needs, roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases({ routes: { 'clash_rule.preview': needs('clash_rule_manage') } })
