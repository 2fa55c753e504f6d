// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { roomCases, signedIn, writes } from '../../../../tests/calls.ts'

/** Keys as a browser makes them (from RFC 8291, Appendix A). */
const DEVICE_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

export const cases = roomCases({
  routes: {
    'push_subscription.show_config': { ...signedIn, siteless: true },
    'push_subscription.list': { ...signedIn, siteless: true },
    'push_subscription.put': writes(
      { ...signedIn, siteless: true, no_trace: 'a device belongs to the person (`site-and-people.md` §0.3)', strangers: true },
      t => {
        const body = { endpoint: `https://fcm.googleapis.com/fcm/send/${t.fresh()}`, keys: DEVICE_KEYS }
        return { by: t.as('member'), body, other: { ...body, device_label: 'Other' } }
      },
    ),
    'push_subscription.delete': writes(
      { ...signedIn, siteless: true, query: 'endpoint=https%3A%2F%2Ffcm.googleapis.com%2Fnone', no_trace: 'likewise', strangers: true },
      t => ({
        by: t.as('member'),
        query: `endpoint=${encodeURIComponent(`https://fcm.googleapis.com/${t.fresh()}`)}`,
      }),
    ),
  },
})
