// Who can call each endpoint of this room: see tests/calls.ts.
import { COORDINATE, needs, roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases({ held: { map_export: COORDINATE }, routes: { 'site.export_map': needs('map_export') } })
