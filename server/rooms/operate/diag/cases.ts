// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { needs, roomCases, signedIn } from '../../../../tests/calls.ts'

export const cases = roomCases({
  routes: {
    'diag.show_client_config': { open: true },
    'diag.tell_auth_event': { open: true },
    'diag.tell_client_events': { ...signedIn, siteless: true },
    'diag.list_logs': needs('platform_operate'),
  },
})
