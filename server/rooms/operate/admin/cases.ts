// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { ADMINISTER, mail, NOBODY, needs, ok, roomCases, writes } from '../../../../tests/calls.ts'

export const cases = roomCases({
  held: {
    platform_operate: NOBODY,
    job_view: ADMINISTER,
  },
  records: async t => {
    const email = mail(t)
    await ok(t.superadmin.post('/admin/email/bounce', { events: [{ event_id: `evt-${email}`, type: 'bounce', email, status: '5.1.1' }] }))
    return { email }
  },
  routes: {
    'queue.show_stats': needs('platform_operate', { siteless: true }),
    'email.take_bounce': writes(needs('platform_operate', { siteless: true }), t => {
      const events = [{ event_id: `evt-${t.fresh()}`, type: 'bounce', email: mail(t), status: '5.1.1' }]
      return { by: t.superadmin, body: { events }, other: { events: [{ ...events[0], event_id: 'evt-0' }] } }
    }),
    'email.list_suppressions': needs('platform_operate', { siteless: true }),
    'email.clear_suppression': writes(needs('platform_operate', { siteless: true }), async t => {
      const email = mail(t)
      await ok(
        t.superadmin.post('/admin/email/bounce', { events: [{ event_id: `evt-${t.fresh()}`, type: 'bounce', email, status: '5.1.1' }] }),
      )
      return { by: t.superadmin, params: { email }, body: { reason: 'Repaired' }, other: { reason: 'Mended' } }
    }),
    'job_run.list': needs('job_view'),
  },
})
