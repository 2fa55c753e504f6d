import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse } from '../../../../tests/world.ts'
import { runJob } from '../../../kernel/jobs/door.ts'

type Graph = { states: { key: string; label: string; kind: string }[]; transitions: Record<string, unknown>[] }

describe('permit workflow', () => {
  const house = useHouse()
  const SHIPPED = '00000000-0000-7000-8000-000000000001'
  const graphIn = (body: Graph): Graph => ({ states: body.states, transitions: body.transitions })
  const clone = (w: PermitWorld, more: object = {}) => w.as('hse').post('/permits/workflow/clone', { site_id: w.site_id, ...more })
  const put = (w: PermitWorld, id: string, graph: Graph, more: object = {}) =>
    w.as('hse').put(`/permits/workflow/${id}`, { ...graph, ...more })
  const activeWorkflow = async (w: PermitWorld, code = '') =>
    (await w.as('viewer').get(`/permits/workflow?site_id=${w.site_id}${code === '' ? '' : `&permit_type_code=${code}`}`)).body
  const without = (graph: Graph, drop: (t: Record<string, unknown>) => boolean): Graph => ({
    ...graph,
    transitions: graph.transitions.filter(t => !drop(t)),
  })
  const kindsOf = (reply: Reply) => [...new Set(reply.body.error.problems.map((p: { kind: string }) => p.kind))].sort()
  /** Publishes a graph for the site, or a type on it. */
  const author = async (w: PermitWorld, change: (graph: Graph) => Graph, more: object = {}) => {
    const made = await clone(w, more)
    assert.equal(made.status, 201, made.text)
    const saved = await put(w, made.body.id, change(graphIn(made.body)))
    assert.equal(saved.status, 200, saved.text)
    return saved.body
  }

  test('§3 the registry lists every state, action, actor, guard and effect, each explained', async () => {
    const w = await house.world()
    const { body } = await w.as('viewer').get('/permits/workflow/registry')
    assert.deepEqual([body.states.length, body.actions.length], [10, 15])
    assert.deepEqual(
      body.guards.filter((g: { opt_in: boolean }) => g.opt_in).map((g: { key: string }) => g.key),
      [
        'prechecks_confirmed',
        'required_documents_present',
        'receiver_named',
        'place_known',
        'parent_live',
        'fire_watch_over',
        'issuer_is_not_receiver',
        'approver_is_not_requestor',
      ],
    )
    for (const list of [body.actions, body.actors, body.guards, body.effects])
      for (const word of list) assert.ok(word.label !== '' && word.says.length > 5, word.key)
    assert.equal((await house.nobody.get('/permits/workflow/registry')).status, 401)
  })

  test('§3 the standard definition is active everywhere and read-only', async () => {
    const w = await permitWorld(house)
    const seeded = await activeWorkflow(w)
    assert.deepEqual([seeded.id, seeded.seeded, seeded.in_force, seeded.warnings], [SHIPPED, true, true, []])
    assert.deepEqual((await w.as('hse').get(`/permits/workflow/definitions?site_id=${w.site_id}`)).body.length, 2)
    const q = `?site_id=${w.site_id}`
    const changed = await w.as('hse').put(`/permits/workflow/${SHIPPED}${q}`, graphIn(seeded))
    assert.deepEqual([changed.status, changed.body.error.reason], [409, 'shipped'])
    assert.deepEqual((await w.as('hse').del(`/permits/workflow/${SHIPPED}${q}`)).status, 409)
    assert.equal((await w.as('viewer').get(`/permits/workflow?site_id=${w.site_id}&permit_type_code=XX`)).status, 422)
    assert.equal((await (await w.stranger()).get(`/permits/workflow?site_id=${w.site_id}`)).status, 404)
  })

  test('a copy is a draft that isn’t active; PUT publishes; DELETE returns the site to the standard one', async () => {
    const w = await permitWorld(house)
    assert.equal((await w.as('coordinator').post('/permits/workflow/clone', { site_id: w.site_id })).status, 403)
    const made = await clone(w, { name: 'Ours' })
    assert.deepEqual([made.status, made.body.version, made.body.in_force, made.body.name], [201, 0, false, 'Ours'])
    assert.equal((await activeWorkflow(w)).id, SHIPPED)
    const twice = await clone(w)
    assert.deepEqual([twice.status, twice.body.error.reason, twice.body.error.existing_id], [409, 'key_taken', made.body.id])
    const saved = await put(w, made.body.id, graphIn(made.body))
    assert.deepEqual([saved.status, saved.body.version, saved.headers.etag], [200, 1, `"${2}"`])
    assert.equal(saved.body.revision, 2, 'the body has the version for If-Match too, because a list has no ETag for each of its rows')
    assert.deepEqual([(await activeWorkflow(w)).id, (await activeWorkflow(w)).version], [made.body.id, 1])
    const other = await house.world({ name: 'Elsewhere' })
    assert.equal((await other.as('hse').put(`/permits/workflow/${made.body.id}`, graphIn(made.body))).status, 404)
    assert.equal((await w.as('coordinator').put(`/permits/workflow/${made.body.id}`, graphIn(made.body))).status, 403)
    assert.equal((await put(w, made.body.id, graphIn(made.body), { site_id: other.site_id })).status, 422)
    assert.equal((await w.as('coordinator').del(`/permits/workflow/${made.body.id}`)).status, 403)
    assert.equal((await w.as('hse').del(`/permits/workflow/${made.body.id}`)).status, 204)
    assert.equal((await w.as('hse').del(`/permits/workflow/${made.body.id}`)).status, 404)
    assert.equal((await activeWorkflow(w)).id, SHIPPED)
  })

  test('a refused save lists every fault with the shortest path: unreachable, deadlock, unintended end, unknown names', async () => {
    const w = await permitWorld(house)
    const made = (await clone(w)).body
    const graph = graphIn(made)
    const save = (g: Graph) => put(w, made.id, g)
    const deadlock = await save(without(graph, t => t.from === 'approved'))
    assert.deepEqual([deadlock.status, deadlock.body.error.code], [422, 'workflow_invalid'])
    assert.deepEqual(kindsOf(deadlock), ['deadlock', 'unreachable_state'])
    const stuck = deadlock.body.error.problems.find((p: { kind: string }) => p.kind === 'deadlock')
    assert.deepEqual([stuck.state, stuck.path], ['approved', ['draft.submit', 'requested.approve']])
    const end = await save({ ...graph, states: graph.states.map(s => (s.key === 'approved' ? { ...s, kind: 'terminal' } : s)) })
    assert.ok(kindsOf(end).includes('unintended_terminal'))
    const unknown = await save({
      ...graph,
      transitions: graph.transitions.map((t, i) =>
        i === 0 ? { ...t, guards: ['moon_is_full'], effects: ['explode'], actor: 'wizard' } : t,
      ),
    })
    assert.deepEqual(
      unknown.body.error.problems.map((p: { kind: string; primitive: string }) => [p.kind, p.primitive]),
      [
        ['unknown_primitive', 'wizard'],
        ['unknown_primitive', 'moon_is_full'],
        ['unknown_primitive', 'explode'],
      ],
    )
    assert.equal((await save({ states: [], transitions: [] })).status, 422)
    assert.equal((await activeWorkflow(w)).id, SHIPPED, 'nothing was published')
  })

  test('without the countersign step, the permit goes live with the issuer’s signature', async () => {
    const w = await permitWorld(house)
    await author(w, graph => without(graph, t => t.action === 'countersign'))
    const permit = await w.at('approved')
    const issued = await w.step(permit, 'issue', w.issuer)
    assert.deepEqual([issued.status, issued.body.status, issued.body.awaiting_countersign], [200, 'issued', false])
    assert.deepEqual(
      issued.body.signatures.map((s: { kind: string }) => s.kind),
      ['stage1_approve', 'stage2_approve', 'issue'],
    )
    const went = await house.rows(`select payload from event where subject_id = $1 and kind = 'permit.issued'`, [permit.id])
    assert.equal(went[0].payload.by, 'issue')
  })

  test('without a stage, tasks go to the graph’s own next gate; permits in progress finish on their own version', async () => {
    const w = await permitWorld(house)
    const before = await w.at('requested')
    await author(w, graph => ({
      ...graph,
      states: graph.states.filter(s => s.key !== 'endorsed'),
      transitions: graph.transitions
        .filter(t => t.from !== 'endorsed' && t.to !== 'endorsed')
        .map(t => (t.key === 'requested.approve' ? { ...t, guards: ['red_conflicts_acknowledged'] } : t)),
    }))
    const after = await w.at('requested')
    const task = async (permit: { id: string }) =>
      (await house.rows(`select kind from task where subject_id = $1 and status = 'open'`, [permit.id])).map(t => t.kind)
    assert.deepEqual([await task(before), await task(after)], [['endorse_permit'], ['approve_permit']])
    assert.notEqual(after.workflow_definition_id, before.workflow_definition_id)
    assert.equal((await w.step(after, 'endorse', w.as('coordinator'))).status, 409)
    assert.equal((await w.step(after, 'approve', w.as('hse'))).status, 200)
    assert.equal((await w.step(before, 'approve', w.as('hse'))).status, 409)
    assert.equal((await w.step(before, 'endorse', w.as('coordinator'))).status, 200)
  })

  test('no site can remove the rules that an appointed issuer issues and that close-out waits for open children; such a graph is saved with a warning', async () => {
    const w = await permitWorld(house)
    const saved = await author(w, graph => ({
      ...graph,
      transitions: graph.transitions.map(t =>
        t.action === 'issue' || t.action === 'close_out' ? { ...t, guards: [], actor: 'stage1_band', requires: [] } : t,
      ),
    }))
    const codes = new Set(saved.warnings.map((x: { code: string }) => x.code))
    for (const code of ['issuer_appointed_kept', 'no_open_children_kept', 'checklist_complete_kept']) assert.ok(codes.has(code), code)
    const permit = await w.at('approved')
    assert.equal((await w.step(permit, 'issue', w.as('hse'))).body.error.gate, 'no_active_appointment')
    const live = await w.at('approved')
    await w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: w.as('coordinator').user_id })
    assert.equal((await w.step(live, 'issue', w.as('coordinator'))).status, 200)
    assert.equal((await w.step(live, 'countersign', w.receiver)).status, 200)
    assert.equal((await w.step(live, 'close-out', w.as('coordinator'))).body.error.gate, 'checklist_incomplete')
    const child = await w.draft({ parent_id: live.id })
    assert.equal((await w.step(live, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })).body.error.gate, 'open_children')
    await w.as('member').del(`/permits/applications/${child.id}`)
    assert.equal((await w.step(live, 'close-out', w.as('coordinator'), { checklist: CHECKLIST })).status, 200)
  })

  test('R10 without the approval step, the people who can issue see the permit that waits for their signature', async () => {
    const w = await permitWorld(house)
    await author(w, graph => ({
      states: graph.states.filter(s => s.key !== 'endorsed'),
      transitions: graph.transitions
        .filter(t => t.action !== 'approve' && t.from !== 'endorsed')
        .map(t => (t.action === 'endorse' ? { ...t, to: 'approved', guards: [] } : t)),
    }))
    const draft = await w.draft()
    await w.step(draft, 'submit', w.as('member'))
    assert.equal((await w.step(draft, 'endorse', w.as('coordinator'))).body.status, 'approved')
    const [task] = await house.rows(`select kind, user_ids from task where subject_id = $1 and status = 'open'`, [draft.id])
    assert.deepEqual([task.kind, task.user_ids], ['issue_permit', [w.issuer.user_id]])
    assert.equal((await w.step(draft, 'issue', w.issuer)).status, 200)
  })

  test('§3 an authored exit from the walk-down voids the issuer’s signature: the permit never goes live on an old signature', async () => {
    const w = await permitWorld(house)
    const away = { effects: [], guards: [], requires: [] }
    await author(w, graph => ({
      ...graph,
      transitions: [
        ...graph.transitions.map(t => (t.key === 'approved.withdraw' ? { ...t, guards: [] } : t)),
        { key: 'back', action: 'request_corrections', from: 'approved', to: 'corrections_requested', actor: 'stage2_band', ...away },
      ],
    }))
    const permit = await w.at('signed')
    const back = await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Wrong stair' })
    assert.deepEqual(
      [back.status, back.body.status, back.body.issue_signed_at, back.body.issuer_id],
      [200, 'corrections_requested', null, null],
    )
    const kinds = (body: { signatures: { kind: string; voided_at: string | null }[] }) =>
      body.signatures.filter(s => s.voided_at === null).map(s => s.kind)
    assert.deepEqual(kinds(back.body), ['stage1_approve', 'stage2_approve'])
    for (const [verb, by] of [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
    ] as const)
      assert.equal((await w.step(permit, verb, by)).status, 200)
    assert.equal((await w.step(permit, 'countersign', w.receiver)).status, 409, 'the issuer hasn’t signed this round')
    assert.equal((await w.step(permit, 'issue', w.issuer)).status, 200)
    const gone = await w.step(permit, 'withdraw', w.as('member'))
    assert.deepEqual([gone.status, gone.body.status, kinds(gone.body)], [200, 'withdrawn', ['stage1_approve', 'stage2_approve']])
  })

  test('§3 an exit that the engine never takes doesn’t count: a reissue, an extension, or expiry of a live permit as the only exit', async () => {
    const w = await permitWorld(house)
    const made = (await clone(w)).body
    const graph = graphIn(made)
    const only = (change: (t: Record<string, unknown>) => Record<string, unknown>) =>
      put(w, made.id, {
        ...graph,
        transitions: graph.transitions
          .filter(
            t =>
              !(t.from === 'issued' || t.from === 'expired') ||
              ['issued.reissue', 'issued.expire', 'expired.reissue'].includes(String(t.key)),
          )
          .map(change),
      })
    const exits: ((t: Record<string, unknown>) => Record<string, unknown>)[] = [
      t => (t.from === 'expired' ? { ...t, to: 'closed' } : t),
      t => (t.from === 'expired' ? { ...t, action: 'approve_extension', actor: 'stage2_band', to: 'closed' } : t),
      t => (t.from === 'expired' ? { ...t, action: 'expire', actor: 'clock', to: 'withdrawn' } : t),
      t => (t.from === 'expired' ? { ...t, action: 'withdraw', actor: 'clock', to: 'withdrawn' } : t),
    ]
    for (const exit of exits) {
      const saved = await only(exit)
      assert.equal(saved.status, 422, saved.text)
      const problem = saved.body.error.problems.find((p: { kind: string; state: string }) => p.kind === 'deadlock' && p.state === 'expired')
      assert.equal(problem?.path.at(-1), 'issued.expire', saved.text)
    }
    const begins = await put(w, made.id, {
      ...graph,
      states: graph.states.map(s => ({ ...s, kind: s.key === 'requested' ? 'initial' : s.key === 'draft' ? 'normal' : s.kind })),
    })
    assert.ok(kindsOf(begins).includes('initial_state'), 'a permit begins as a draft')
  })

  test('optional guards require that two people sign, nobody approves their own permit and every pre-check is confirmed', async () => {
    const w = await permitWorld(house)
    const add: Record<string, string> = {
      approve: 'approver_is_not_requestor',
      issue: 'issuer_is_not_receiver',
      submit: 'prechecks_confirmed',
    }
    await author(w, graph => ({
      ...graph,
      transitions: graph.transitions.map(t => {
        const guard = add[String(t.action)]
        return guard === undefined ? t : { ...t, guards: [...(t.guards as string[]), guard] }
      }),
    }))
    const draft = await w.draft({ categories: ['HW'], contractor_id: null }, w.as('hse'))
    const unconfirmed = await w.step(draft, 'submit', w.as('hse'))
    assert.deepEqual([unconfirmed.status, unconfirmed.body.error.gate], [409, 'precheck_unconfirmed'])
    const required = draft.pre_checks.map((c: { code: string }) => ({ code: c.code, answer: 'yes' }))
    await w.as('hse').patch(`/permits/applications/${draft.id}`, { pre_checks: required, receiver_id: w.issuer.user_id })
    assert.equal((await w.step(draft, 'submit', w.as('hse'))).status, 200)
    await w.step(draft, 'endorse', w.as('coordinator'))
    assert.equal((await w.step(draft, 'approve', w.as('hse'))).body.error.gate, 'approver_is_not_requestor')
    assert.equal((await w.step(draft, 'approve', w.as('admin'))).status, 200)
    assert.equal((await w.step(draft, 'issue', w.issuer)).body.error.gate, 'issuer_is_not_receiver')
  })

  test('a type’s own workflow applies to a set with that type, the most extensive one if there are several; otherwise the site’s applies', async () => {
    const w = await permitWorld(house)
    const site = await author(w, graph => graph)
    const short = await author(w, graph => without(graph, t => t.action === 'countersign'), { permit_type_code: 'HW' })
    const long = await author(w, graph => graph, { permit_type_code: 'WAH' })
    const pinned = async (categories: string[]) => (await w.draft({ categories })).workflow_definition_id
    assert.deepEqual([await pinned(['GEN']), await pinned(['HW']), await pinned(['HW', 'WAH'])], [site.id, short.id, long.id])
    assert.equal((await activeWorkflow(w, 'HW')).id, short.id)
    const draft = await w.draft({ categories: ['GEN'] })
    const moved = await w.as('member').patch(`/permits/applications/${draft.id}`, { categories: ['HW'] })
    assert.equal(moved.body.workflow_definition_id, short.id, 'pinned again when the categories change')
  })

  test('§4.6 a back-test lists each past permit that would have taken another path, and changes nothing', async () => {
    const w = await permitWorld(house)
    const twice = await w.at('closed')
    await w.as('hse').patch(`/permits/types/${w.types.EXC?.id}`, { single_stage: true })
    await w.at('closed', { categories: ['EXC'] })
    const made = (await clone(w)).body
    const graph = without(graphIn(made), t => t.action === 'endorse' || t.from === 'endorsed')
    const trial = {
      states: graph.states.filter(s => s.key !== 'endorsed'),
      transitions: graph.transitions.map(t => (t.key === 'requested.approve' ? { ...t, guards: [] } : t)),
    }
    const queued = await w.as('hse').post(`/permits/workflow/${made.id}/back-test`, trial)
    assert.equal(queued.status, 202, queued.text)
    assert.equal(queued.headers.location, `/api/admin/job-runs?id=${queued.body.job_id}`)
    await runJob(house.house, queued.body.job_id)
    const [run] = await house.rows('select state, result from job_run where id = $1', [queued.body.job_id])
    assert.equal(run.state, 'succeeded')
    assert.deepEqual([run.result.checked, run.result.differ], [2, 1])
    assert.deepEqual(
      run.result.differences.map((d: { permit_id: string; action: string }) => [d.permit_id, d.action]),
      [[twice.id, 'endorse']],
    )
    const same = await w.as('hse').post(`/permits/workflow/${made.id}/back-test`, {})
    await runJob(house.house, same.body.job_id)
    const [again] = await house.rows('select result from job_run where id = $1', [same.body.job_id])
    assert.equal(again.result.differ, 0, 'the graph that they followed')
    assert.equal((await w.as('coordinator').post(`/permits/workflow/${made.id}/back-test`, {})).status, 403)
    assert.equal((await w.as('hse').post(`/permits/workflow/${made.id}/back-test`, { transitions: [] })).status, 422)
    assert.equal((await activeWorkflow(w)).id, SHIPPED)
  })

  test('if several people publish at the same time, each gets a version of their own, and none is lost', async () => {
    const w = await permitWorld(house)
    const made = (await clone(w)).body
    const saved = await Promise.all([1, 2, 3, 4].map(n => put(w, made.id, graphIn(made), { name: `Try ${n}` })))
    assert.deepEqual(saved.map(r => [r.status, r.body.version]).sort(), [
      [200, 1],
      [200, 2],
      [200, 3],
      [200, 4],
    ])
  })
})
