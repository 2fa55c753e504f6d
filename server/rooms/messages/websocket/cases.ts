// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { needs, roomCases } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    // For a site, the administer band; without a site, the people who run the installation (site-and-people.md §12).
    'live.show_stats': needs('job_view'),
  },
})
