import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { ids } from '../../../base/ids.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { type Raised, raiseTask, resolveTasks } from '../../../kernel/tasks/door.ts'

describe('tasks', () => {
  const house = useHouse()

  const raise = (w: World, more: Partial<Raised> = {}) =>
    writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx =>
      raiseTask(ctx, w.site_id, {
        kind: 'approve_membership',
        subject: { kind: 'membership', id: more.subject?.id ?? ids.next(), label: 'Wanda' },
        bands: ['administer'],
        ...more,
      }),
    )
  const kinds = async (w: World, role: Parameters<World['as']>[0], query = '') =>
    (await w.as(role).get(`/tasks/?site_id=${w.site_id}${query}`)).body.map((t: { kind: string }) => t.kind)
  const unread = async (w: World, role: Parameters<World['as']>[0]) => (await w.as(role).get('/tasks/unread-count')).body

  test('§5 a band’s task is one task, listed for each of them and nobody else', async () => {
    const w = await house.world()
    await raise(w)
    assert.deepEqual(
      [await kinds(w, 'admin'), await kinds(w, 'site_manager'), await kinds(w, 'hse')],
      [['approve_membership'], ['approve_membership'], []],
    )
    assert.deepEqual(await kinds(w, 'hse', '&scope=site'), ['approve_membership'])
    assert.equal((await w.as('member').get(`/tasks/?site_id=${w.site_id}&scope=site`)).status, 403)
    assert.deepEqual((await w.superadmin.get('/tasks/')).body, [], 'a superadmin without a role has none')
    assert.equal((await (await w.stranger()).get(`/tasks/?site_id=${w.site_id}`)).status, 404)
  })

  test('1098 the list of the whole site shows coordinators that a request to join waits, but only administrators whose it is', async () => {
    const w = await house.world()
    await raise(w)
    const label = async (role: Parameters<World['as']>[0], query: string) =>
      (await w.as(role).get(`/tasks/?${query}`)).body.map((task: { subject: { label: string } }) => task.subject.label)
    const all = `site_id=${w.site_id}&scope=site`
    assert.deepEqual([await label('coordinator', all), await label('hse', all), await label('admin', all)], [[''], [''], ['Wanda']])
    assert.deepEqual(await label('site_manager', ''), ['Wanda'])
  })

  test('§5 raising a task again makes no second task, but can move the due time', async () => {
    const w = await house.world()
    const subject = { kind: 'membership', id: ids.next(), label: 'Wanda' }
    await raise(w, { subject })
    await raise(w, { subject, due_at: '2026-03-17T09:00:00.000Z' })
    const [task, ...more] = (await w.as('admin').get(`/tasks/?site_id=${w.site_id}`)).body
    assert.deepEqual([task.due_at, more.length], ['2026-03-17T09:00:00.000Z', 0])
  })

  test('§5 acknowledge removes a task from the person’s own count, and it stays everyone’s task; the step ends it for all', async () => {
    const w = await house.world()
    const subject = { kind: 'membership', id: ids.next(), label: 'Wanda' }
    await raise(w, { subject })
    const [task] = (await w.as('admin').get(`/tasks/?site_id=${w.site_id}`)).body
    assert.deepEqual([(await unread(w, 'admin')).unread, (await unread(w, 'site_manager')).by_kind], [1, { approve_membership: 1 }])
    const seen = await w.as('admin').post(`/tasks/${task.id}/acknowledge`, { taking: true })
    assert.deepEqual([seen.status, seen.body.acknowledged_by_me, seen.body.acknowledged_by[0].taking], [200, true, true])
    const events = async () =>
      (await house.rows(`select 1 from event where site_id = $1 and kind = 'task.acknowledged'`, [w.site_id])).length
    assert.deepEqual([(await w.as('admin').post(`/tasks/${task.id}/acknowledge`, { taking: true })).status, await events()], [200, 1])
    assert.deepEqual([(await w.as('admin').post(`/tasks/${task.id}/acknowledge`, {})).status, await events()], [200, 2])
    assert.deepEqual([(await unread(w, 'admin')).unread, (await unread(w, 'site_manager')).unread], [0, 1])
    assert.equal((await w.as('hse').post(`/tasks/${task.id}/acknowledge`, {})).status, 404)
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx =>
      resolveTasks(ctx, w.site_id, subject.id, {}, 'done_by_step'),
    )
    assert.deepEqual([await kinds(w, 'site_manager'), await kinds(w, 'admin', '&status=resolved')], [[], ['approve_membership']])
  })

  test('§5 a task that the platform resolves itself can’t be resolved by hand', async () => {
    const w = await house.world()
    await raise(w)
    const [task] = (await w.as('admin').get(`/tasks/?site_id=${w.site_id}`)).body
    assert.equal(task.permissions.can_resolve, false)
    const refused = await w.as('admin').post(`/tasks/${task.id}/resolve`, { outcome: 'done' })
    assert.deepEqual([refused.body.error.guard, refused.body.error.resolves_when], ['manual_resolve', 'approve or reject the request'])
    assert.equal((await w.as('admin').post(`/tasks/${task.id}/resolve`, { outcome: 'maybe' })).status, 422)
    assert.equal((await w.as('viewer').post(`/tasks/${task.id}/resolve`, { outcome: 'done' })).status, 404)
  })

  test('§5 a new member of a band has its tasks immediately, ordered by attention, overdue and due time', async () => {
    const w = await house.world()
    await raise(w, { due_at: '2026-03-18T09:00:00.000Z' })
    await raise(w, { due_at: '2026-03-16T08:00:00.000Z' })
    await raise(w, { due_at: '2026-03-16T09:30:00.000Z', attention_at: '2026-03-20T09:00:00.000Z' })
    const late = await w.join('admin')
    const due = (await late.get(`/tasks/?site_id=${w.site_id}`)).body.map((t: { due_at: string }) => t.due_at)
    assert.deepEqual(due, ['2026-03-16T08:00:00.000Z', '2026-03-18T09:00:00.000Z', '2026-03-16T09:30:00.000Z'])
    const counts = (await late.get(`/tasks/unread-count?site_id=${w.site_id}`)).body
    assert.deepEqual([counts.unread, counts.overdue, counts.due_today], [2, 1, 1])
    assert.equal((await late.get(`/tasks/?site_id=${w.site_id}&overdue=true`)).body.length, 1)
  })

  test('conventions §1 Lists: resolved tasks are read page by page, in the order of the whole, whatever was late when they were resolved', async () => {
    const w = await house.world()
    const subjects = [1, 2, 3, 4].map(() => ids.next())
    for (const [i, id] of subjects.entries())
      await raise(w, { subject: { kind: 'membership', id, label: 'Wanda' }, due_at: `2026-03-16T0${i < 2 ? 7 : 9}:30:00.000Z` })
    await house.rows(`update task set urgency = 'info' where site_id = $1 and due_at < '2026-03-16T09:00:00Z'`, [w.site_id])
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, w.site_id, ctx =>
      resolveTasks(ctx, w.site_id, subjects, {}, 'done_by_step'),
    )
    const read = async (path: string) => await w.as('admin').get(path)
    const whole = (await read(`/tasks/?site_id=${w.site_id}&status=resolved`)).body
    assert.deepEqual(
      whole.map((task: { urgency: string }) => task.urgency),
      ['attention', 'attention', 'info', 'info'],
    )
    const found: unknown[] = []
    let path: string | undefined = `/tasks/?site_id=${w.site_id}&status=resolved&limit=1`
    while (path !== undefined) {
      const page = await read(path)
      found.push(...page.body)
      path = /<\/api([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    }
    assert.deepEqual(found, whole)
  })

  test('§5 task.overdue is emitted only once', async () => {
    const w = await house.world()
    await raise(w, { due_at: '2026-03-16T09:30:00.000Z' })
    const emitted = async () =>
      (await house.house.database.pool.query(`select count(*) as n from event where site_id = $1 and kind = 'task.overdue'`, [w.site_id]))
        .rows[0].n
    for (const at of ['2026-03-16T09:30:00.000Z', '2026-03-16T09:31:00.000Z', '2026-03-16T09:32:00.000Z']) {
      house.clock(at)
      await Promise.all([runSchedules(house.house, 'tasks_due'), runSchedules(house.house, 'tasks_due')])
    }
    assert.equal(await emitted(), 1)
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('site-and-people.md §0.3 reminders rest while a site is locked, but a close-out that is overdue is still reported; the rest follows once it is unlocked', async () => {
    const w = await house.world()
    for (const kind of ['approve_membership', 'close_out_permit']) await raise(w, { kind, due_at: '2026-03-16T10:30:00.000Z' })
    const lock = (locked: boolean) => w.as('admin').post(`/sites/${w.site_id}/lock`, { locked, reason: 'Handover' })
    const reported = async (at: string) => {
      house.clock(at)
      await runSchedules(house.house, 'tasks_due')
      const found = await house.rows(`select payload->>'kind' as kind from event where site_id = $1 and kind = 'task.overdue' order by 1`, [
        w.site_id,
      ])
      return found.map(row => row.kind)
    }
    await lock(true)
    assert.deepEqual(await reported('2026-03-16T10:31:00.000Z'), ['close_out_permit'])
    assert.deepEqual(await reported('2026-03-16T10:32:00.000Z'), ['close_out_permit'])
    await lock(false)
    assert.deepEqual(await reported('2026-03-16T10:33:00.000Z'), ['approve_membership', 'close_out_permit'])
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§5 every kind of task is described', async () => {
    const w = await house.world()
    const found = (await w.as('viewer').get('/tasks/action-kinds')).body
    assert.ok(
      found.some((k: { kind: string; title: string }) => k.kind === 'approve_membership' && k.title === 'Approve a membership request'),
    )
  })
})
