// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { hse, ok, roomCases, signedIn, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  records: async t => {
    const kind = 'permit_awaiting_endorsement'
    const [notified] = await ok(hse(t).get(`/notifications/?site_id=${t.site_id}&kind=${kind}`))
    return { notification_id: notified.id }
  },
  routes: {
    'notification.list': signedIn,
    'notification.count_unread': signedIn,
    'notification.mark_all_read': writes({ ...signedIn, no_trace: 'what a person has read belongs to the person' }, t => ({
      by: hse(t),
      body: { site_id: t.site_id },
      other: { site_id: t.site_id, kind: 'permit_live' },
    })),
    // they are not a member, so no one on the site is notified
    'notification.test_dispatch': writes({ ...signedIn, unseen_by_root: true, no_trace: 'a test message to oneself' }, async t => {
      const by = await t.join('hse', null, `Tess ${t.fresh()}`)
      const body = { site_id: t.site_id, channels: ['in_app'] }
      return { by, body, other: { ...body, channels: ['in_app', 'push'] } }
    }),
    'notification.show': { ...signedIn, sees: ['hse'], unseen_by_root: true },
    'notification.mark_read': writes(
      { ...signedIn, sees: ['hse'], unseen_by_root: true, no_trace: 'what a person has read belongs to the person' },
      t => ({ by: hse(t), body: {}, other: { read: false } }),
    ),
  },
})
