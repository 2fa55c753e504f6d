// Who can call each endpoint of this room: see tests/calls.ts.
import { roomCases, seen } from '../../../../tests/calls.ts'

const row = { ...seen }

export const cases = roomCases({
  routes: {
    'weather.show_current': row,
    'weather.show_forecast': row,
    'weather.show_history': { ...row, query: '?from=2026-03-15T00:00:00.000Z&to=2026-03-16T00:00:00.000Z' },
    'weather.show_timeline': row,
  },
})
