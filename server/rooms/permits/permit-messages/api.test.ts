import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('tasks of the gates of permits', () => {
  const house = useHouse()
  const kinds = async (w: World, role: Parameters<World['as']>[0]) =>
    (await w.as(role).get(`/tasks/?site_id=${w.site_id}`)).body.map((t: { kind: string }) => t.kind)
  const unread = async (w: World, role: Parameters<World['as']>[0]) => (await w.as(role).get('/tasks/unread-count')).body

  test('messages.md §5 a member who becomes H&S has the open approve_permit immediately; when they are a member again, it is no longer listed', async () => {
    const w = await permitWorld(house)
    await w.at('endorsed')
    const [row] = (await w.as('admin').get(`/sites/${w.site_id}/members?id=${w.as('member').user_id}`)).body
    const become = (role: string) => w.as('admin').post(`/memberships/${row.membership_id}/approve`, { role, contractor_id: w.acme })
    assert.deepEqual(await kinds(w, 'member'), [])
    assert.equal((await become('hse')).status, 200)
    const [task] = (await w.as('member').get(`/tasks/?site_id=${w.site_id}`)).body
    assert.equal(task.kind, 'approve_permit')
    assert.equal((await become('member')).status, 200)
    assert.deepEqual(await kinds(w, 'member'), [])
    assert.equal((await w.as('member').post(`/tasks/${task.id}/acknowledge`, {})).status, 404)
  })

  test('messages.md §5 while a live permit ends in five days, its close_out_permit comes last and isn’t unread; once the permit is handed back, the task is unread and due', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'], end_at: '2026-03-21T09:00:00.000Z' })
    await w.at('requested')
    const count = async () => (await unread(w, 'coordinator')).by_kind.close_out_permit ?? 0
    assert.deepEqual([await kinds(w, 'coordinator'), await count()], [['endorse_permit', 'close_out_permit'], 0])
    await w.step(permit, 'hand-back', w.receiver, { work_complete: true, note: 'Done' })
    assert.equal(await count(), 1)
    const [task] = (await w.as('coordinator').get(`/tasks/?site_id=${w.site_id}&kind=close_out_permit`)).body
    assert.equal(task.due_at, '2026-03-16T09:00:00.000Z')
  })

  test('messages.md §5 corrections end endorse_permit because its subject left; submitting again makes one new task, never two', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('corrections_requested')
    const all = async () =>
      (await house.rows('select status, resolution from task where subject_id = $1 order by raised_at, id', [permit.id])).map(t => [
        t.status,
        t.resolution,
      ])
    assert.deepEqual(await all(), [['resolved', 'subject_left']])
    await w.step(permit, 'submit', w.as('member'))
    assert.deepEqual(await all(), [
      ['resolved', 'subject_left'],
      ['open', null],
    ])
  })

  test('messages.md §5 if no issuer is appointed for an approved permit, issue_permit goes to the stage-2 band, and its card says why they can’t do it', async () => {
    const w = await permitWorld(house)
    const [appointment] = (await w.as('hse').get(`/permits/appointments?site_id=${w.site_id}`)).body
    assert.equal((await w.as('hse').del(`/permits/appointments/${appointment.id}`)).status, 204)
    await w.at('approved')
    const [task] = (await w.as('hse').get(`/tasks/?site_id=${w.site_id}&kind=issue_permit`)).body
    assert.deepEqual(
      [task.bands, task.permissions.act.allowed, task.permissions.act.because[0].code],
      [['stage2'], false, 'no_active_appointment'],
    )
  })
})
