import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'

type Row = {
  kind: string
  task_id: string | null
  subject: { id: string }
  link: string
  attention_at: string
  who_can: { name: string }[]
  otherwise: 'nobody' | 'superadmin' | null
  permissions: { act: { allowed: boolean; because: { detail: string }[] } }
}

describe('what is waiting for a person', () => {
  const house = useHouse()
  const list = async (w: PermitWorld, who: Caller): Promise<Row[]> => (await who.get(`/tasks/waiting?site_id=${w.site_id}`)).body
  /** Returns the list, after comparing it with the count. */
  const counted = async (w: PermitWorld, who: Caller): Promise<Row[]> => {
    const rows = await list(w, who)
    const { body } = await who.get(`/tasks/unread-count?site_id=${w.site_id}`)
    const now = rows.filter(row => row.attention_at <= MONDAY)
    assert.equal(body.waiting, now.length, 'the count matches the list')
    assert.equal(body.by_site[0]?.waiting ?? 0, now.length)
    return now
  }

  test('9.22 a countersignature waits for its receiver and nobody else, until it is signed', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const [row, ...more] = await counted(w, w.receiver)
    assert.deepEqual(
      [row?.kind, row?.task_id, row?.subject.id, row?.permissions.act.allowed, more.length],
      ['countersign_permit', null, permit.id, true, 0],
    )
    assert.equal(row?.link, `/sites/${w.site_id}/permits/${permit.id}?review=countersign`)
    assert.deepEqual(await list(w, w.as('member')), [])
    await w.step(permit, 'countersign', w.receiver)
    assert.deepEqual(await counted(w, w.receiver), [])
  })

  test('9.22 corrections wait for the requestor until they are submitted again', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('corrections_requested')
    const [row] = await counted(w, w.as('member'))
    assert.deepEqual([row?.kind, row?.link], ['correct_permit', `/sites/${w.site_id}/request?draft=${permit.id}`])
    await w.step(permit, 'submit', w.as('member'))
    assert.deepEqual(await counted(w, w.as('member')), [])
  })

  test('9.22 an extension request waits for the people who can decide on it, until it is decided', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'] })
    const asked = await w.step(permit, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    assert.equal(asked.status, 201, asked.text)
    const kinds = async (who: Caller) => (await counted(w, who)).map(row => row.kind)
    assert.ok((await kinds(w.as('hse'))).includes('decide_extension'))
    assert.ok(!(await kinds(w.as('viewer'))).includes('decide_extension'))
    assert.ok(!(await kinds(w.as('member'))).includes('decide_extension'), 'the person who requested it can’t decide on it')
    const granted = await w.as('hse').post(`/permits/extensions/${asked.body.id}/approve`, {})
    assert.equal(granted.status, 200, granted.text)
    assert.ok(!(await kinds(w.as('hse'))).includes('decide_extension'))
  })

  test('9.22 a task that a person can’t act on says who can', async () => {
    const w = await permitWorld(house)
    await w.at('approved')
    const issue = (await counted(w, w.as('hse'))).find(row => row.kind === 'issue_permit')
    assert.equal(issue?.permissions.act.allowed, false)
    assert.ok((issue?.permissions.act.because[0]?.detail ?? '') !== '')
    assert.deepEqual(
      issue?.who_can.map(one => one.name),
      ['Ivy Issuer'],
    )
    const own = (await counted(w, w.issuer)).find(row => row.kind === 'issue_permit')
    assert.deepEqual([own?.permissions.act.allowed, own?.who_can], [true, []])
  })

  test('9.22 a receiver who can’t countersign reads why, and that nobody else can do it', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const open = (await counted(w, w.receiver)).find(row => row.subject.id === permit.id)
    assert.deepEqual([open?.permissions.act.allowed, open?.otherwise], [true, null])
    const other = await w.step(permit, 'countersign', w.superadmin)
    assert.equal(other.body.error?.gate, 'not_named_receiver', 'a superadmin can’t either')
    const locked = await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover', force: true })
    assert.equal(locked.status, 200, locked.text)
    const row = (await counted(w, w.receiver)).find(one => one.subject.id === permit.id)
    assert.deepEqual([row?.permissions.act.allowed, row?.who_can, row?.otherwise], [false, [], 'nobody'])
    assert.notEqual(row?.permissions.act.because[0]?.detail ?? '', '')
  })

  test('9.22 a requestor who can no longer correct their permit reads why, and that a superadmin can do it', async () => {
    const w = await permitWorld(house)
    const requestor = await w.join('member', w.acme, 'Rita Requestor')
    const permit = await w.draft({}, requestor)
    await w.step(permit, 'submit', requestor)
    await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Name the fire watch' })
    assert.equal((await counted(w, requestor))[0]?.otherwise, null)
    const [{ id }] = await house.rows('select id from membership where site_id = $1 and user_id = $2', [w.site_id, requestor.user_id])
    const moved = await w.superadmin.post(`/memberships/${id}/approve`, {
      role: 'member',
      contractor_id: await w.contractor('New Contractor'),
    })
    assert.equal(moved.status, 200, moved.text)
    const [row] = await counted(w, requestor)
    assert.deepEqual([row?.kind, row?.permissions.act.allowed, row?.otherwise], ['correct_permit', false, 'superadmin'])
    assert.match(row?.permissions.act.because[0]?.detail ?? '', /a contractor that you don’t work for/)
    const edited = await w.superadmin.patch(`/permits/applications/${permit.id}`, { title: 'Corrected' })
    assert.equal(edited.status, 200, edited.text)
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover', force: true })
    assert.equal((await counted(w, requestor))[0]?.otherwise, 'nobody', 'on a locked site a superadmin can’t either')
  })

  test('9.22 a task that was seen is still waiting, in the list and in the count', async () => {
    const w = await permitWorld(house)
    await w.at('requested')
    const [task] = await counted(w, w.as('coordinator'))
    await w.as('coordinator').post(`/tasks/${task?.task_id}/acknowledge`, { taking: true })
    assert.equal((await counted(w, w.as('coordinator'))).length, 1)
    assert.equal((await w.stranger().then(who => who.get(`/tasks/waiting?site_id=${w.site_id}`))).status, 404)
    assert.equal((await w.as('coordinator').get('/tasks/waiting?limit=0')).status, 422)
  })
})
