// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, ok, roomCases, signedIn, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  records: async () => ({ kind: 'permit_live', channel: 'email' }),
  routes: {
    'notification_preference.list_effective': signedIn,
    'notification_preference.set': writes(
      { ...signedIn, no_trace: 'a person’s notification settings belong to the person', strangers: true },
      t => ({ by: hse(t), body: { enabled: t.fresh() % 2 === 0 } }),
    ),
    'notification_preference.drop': writes(
      { ...signedIn, absent: true, no_trace: 'a person’s notification settings belong to the person' },
      async t => {
        await ok(hse(t).patch('/notification-prefs/permit_approved/email', { enabled: true }))
        return { by: hse(t), params: { kind: 'permit_approved' } }
      },
    ),
  },
})
