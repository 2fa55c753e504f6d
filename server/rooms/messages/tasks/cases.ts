// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { COORDINATE, hse, needs, ok, roomCases, signedIn, writes } from '../../../../tests/calls.ts'
import type { Id } from '../../../base/ids.ts'

export const cases = roomCases({
  held: {
    task_view_all: COORDINATE,
  },
  records: async t => {
    await t.at('requested')
    const [task] = await ok(hse(t).get(`/tasks/?site_id=${t.site_id}&kind=endorse_permit`))
    return { task_id: task.id }
  },
  routes: {
    'task.list_kinds': { ...signedIn, siteless: true },
    'task.list': signedIn,
    'task.list_waiting': signedIn,
    'task.count_unread': signedIn,
    'task.acknowledge': writes(
      needs('site_view', {
        sees: COORDINATE,
        unseen_by_root: true,
        no_trace: 'what a person has seen belongs to the person (`site-and-people.md` §0.3)',
      }),
      async t => {
        const permit = await t.at('requested')
        const tasks = (await ok(hse(t).get(`/tasks/?site_id=${t.site_id}&kind=endorse_permit`))) as { id: Id; subject: { id: Id } }[] // the endpoint returns a list of tasks
        const task_id = tasks.find(task => task.subject.id === permit.id)?.id ?? ''
        return { by: hse(t), params: { task_id }, body: {}, other: { taking: true } }
      },
    ),
    'task.resolve': needs('site_view', {
      sees: COORDINATE,
      unseen_by_root: true,
      body: { outcome: 'done' },
      no_call: 'no kind of task can be resolved by hand yet',
    }),
  },
})
