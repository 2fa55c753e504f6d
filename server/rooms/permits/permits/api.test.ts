import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { sweepPermits } from './actions/sweeps.ts'

const kinds = (permit: Permit) =>
  permit.signatures.map((s: { kind: string; voided_at: string | null }) => (s.voided_at === null ? s.kind : `${s.kind} voided`))
const paths = (body: { error: { fields: { path: string }[] } }) => body.error.fields.map(f => f.path).sort()
const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
const file = (slot?: string, filename = 'rams.pdf', value: Buffer = pdf) => [
  { name: 'file', value, filename, type: 'application/pdf' },
  ...(slot === undefined ? [] : [{ name: 'slot', value: slot }]),
]

describe('permits', () => {
  const house = useHouse()
  const tasks = async (w: PermitWorld, permit: Permit, status = 'open') =>
    (await w.as('admin').get(`/tasks/?site_id=${w.site_id}&scope=site&subject_id=${permit.id}&status=${status}`)).body
      .map((t: { kind: string }) => t.kind)
      .sort()
  const events = async (w: PermitWorld, permit: Permit) =>
    (
      await house.house.database.pool.query(`select kind, payload from event where site_id = $1 and subject_id = $2 order by event_no`, [
        w.site_id,
        permit.id,
      ])
    ).rows as { kind: string; payload: Record<string, unknown> }[]

  test('a two-stage permit goes from draft to closed through two desk reviews and two field signatures', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    assert.deepEqual([draft.status, draft.permit_number, draft.contractor_id, draft.single_stage], ['draft', null, w.acme, false])
    assert.deepEqual(await tasks(w, draft), [])
    const submitted = await w.step(draft, 'submit', w.as('member'))
    assert.equal(submitted.status, 200, submitted.text)
    assert.deepEqual(
      [submitted.body.status, submitted.body.permit_number, submitted.body.next_gate],
      ['requested', 'PTW-000001', 'endorse'],
    )
    assert.deepEqual(await tasks(w, draft), ['endorse_permit'])
    const endorsed = await w.step(draft, 'endorse', w.as('coordinator'), { stage1_controls: 'Keep stair 2 clear' })
    assert.deepEqual([endorsed.body.status, endorsed.body.stage1_controls.stamp], ['endorsed', 'Added at endorsement by Cora Coordinator'])
    assert.deepEqual(await tasks(w, draft), ['approve_permit'])
    const approved = await w.step(draft, 'approve', w.as('hse'), { note: 'Fine', stage2_controls: 'Two watchers' })
    assert.deepEqual(
      [approved.body.status, approved.body.next_gate, approved.body.approval_note, approved.body.stage2_controls.text],
      ['approved', 'issue', 'Fine', 'Two watchers'],
    )
    assert.deepEqual(await tasks(w, draft), ['issue_permit'])
    const issued = await w.step(draft, 'issue', w.issuer, { presence: { work_front_code: 'STAIR-3' } })
    assert.deepEqual([issued.body.status, issued.body.awaiting_countersign, issued.body.issued_at], ['approved', true, null])
    assert.deepEqual(await tasks(w, draft), [])
    const live = await w.step(draft, 'countersign', w.receiver)
    assert.deepEqual(
      [live.body.status, live.body.awaiting_countersign, live.body.next_gate, live.body.issued_at],
      ['issued', false, 'close_out', '2026-03-16T09:00:00.000Z'],
    )
    assert.deepEqual(await tasks(w, draft), ['close_out_permit'])
    const closed = await w.step(draft, 'close-out', w.as('coordinator'), { checklist: CHECKLIST, note: 'Swept' })
    assert.equal(closed.body.status, 'closed')
    assert.deepEqual(kinds(closed.body), ['stage1_approve', 'stage2_approve', 'issue', 'countersign', 'close_out'])
    assert.deepEqual(await tasks(w, draft), [])
    assert.deepEqual(
      (await events(w, draft)).map(e => e.kind),
      ['permit.created', 'permit.submitted', 'permit.endorsed', 'permit.approved', 'permit.issue_signed', 'permit.issued', 'permit.closed'],
    )
  })

  test('a single-stage permit skips endorsement: it raises one approve_permit task and no endorse_permit', async () => {
    const w = await permitWorld(house)
    await w.as('hse').patch(`/permits/types/${w.types.HW?.id}`, { single_stage: true })
    const draft = await w.draft()
    const submitted = await w.step(draft, 'submit', w.as('member'))
    assert.deepEqual([submitted.body.single_stage, submitted.body.next_gate], [true, 'approve'])
    assert.deepEqual(await tasks(w, draft), ['approve_permit'])
    const endorse = await w.step(draft, 'endorse', w.as('coordinator'))
    assert.deepEqual([endorse.status, endorse.body.error.code, endorse.body.error.status], [409, 'invalid_transition', 'requested'])
    assert.equal((await w.step(draft, 'request-corrections', w.as('coordinator'), { note: 'x' })).status, 403, 'the acting gate is stage 2')
    assert.equal((await w.step(draft, 'approve', w.as('coordinator'))).status, 403)
    assert.equal((await w.step(draft, 'approve', w.as('site_manager'))).body.status, 'approved')
    assert.equal((await w.step(draft, 'issue', w.issuer)).status, 200)
    assert.equal((await w.step(draft, 'countersign', w.receiver)).body.status, 'issued')
    assert.deepEqual(kinds((await w.step(draft, 'close-out', w.as('hse'), { checklist: CHECKLIST })).body), [
      'stage2_approve',
      'issue',
      'countersign',
      'close_out',
    ])
  })

  test('if the flags of a type change after the submit, a permit in progress stays on its path', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested')
    await w.as('hse').patch(`/permits/types/${w.types.HW?.id}`, { single_stage: true, requires_parent: true, active: false })
    assert.deepEqual([(await w.read(permit)).single_stage, await tasks(w, permit)], [false, ['endorse_permit']])
    assert.equal((await w.step(permit, 'endorse', w.as('coordinator'))).status, 200)
    const fresh = await w.as('member').post('/permits/applications', { site_id: w.site_id, categories: ['HW'] })
    assert.match(fresh.body.error.fields[0].message, /retired/)
  })

  test('POST accepts an incomplete draft; the window’s end follows from the shortest default of its types (C2)', async () => {
    const w = await permitWorld(house)
    const empty = await w.as('member').post('/permits/applications', { site_id: w.site_id })
    assert.deepEqual([empty.status, empty.body.categories, empty.body.start_at, empty.body.contractor_id], [201, [], null, w.acme])
    assert.equal(empty.headers.location, `/api/permits/applications/${empty.body.id}`)
    const both = await w
      .as('member')
      .post('/permits/applications', { site_id: w.site_id, categories: ['GEN', 'HW'], start_at: '2026-03-17T08:00:00+01:00' })
    assert.deepEqual(
      [both.body.start_at, both.body.end_at, both.body.is_extendable],
      ['2026-03-17T07:00:00.000Z', '2026-03-17T19:00:00.000Z', false],
    )
    assert.ok(both.body.pre_checks.length > 8 && both.body.expected_attachments.some((s: { key: string }) => s.key === 'rams'))
  })

  test('POST reports every fault at once, with suggestions', async () => {
    const w = await permitWorld(house)
    const bad = await w.as('coordinator').post('/permits/applications', {
      site_id: w.site_id,
      categories: ['hw', 'NOPE'],
      contractor_id: w.site_id,
      receiver_id: w.site_id,
      parent_id: w.site_id,
      start_at: '2026-03-17T08:00:00Z',
      end_at: '2026-03-17T08:00:00Z',
      pre_checks: [{ code: 'nonsense', answer: 'yes' }],
      rams_document_ids: [w.site_id],
    })
    assert.equal(bad.status, 422)
    assert.deepEqual(paths(bad.body), [
      'categories',
      'categories',
      'contractor_id',
      'end_at',
      'parent_id',
      'pre_checks[0].code',
      'rams_document_ids[0]',
      'receiver_id',
    ])
    assert.match(JSON.stringify(bad.body.error.fields), /Did you mean HW/)
    for (const role of ['viewer', 'client', 'commercial'] as const)
      assert.equal((await w.as(role).post('/permits/applications', { site_id: w.site_id })).body.error.permission, 'permit_request')
    assert.equal((await (await w.stranger()).post('/permits/applications', { site_id: w.site_id })).status, 404)
    assert.deepEqual(
      paths((await w.as('member').post('/permits/applications', { site_id: w.site_id, status: 'issued', nonsense: 1 })).body),
      ['nonsense'],
      'fields that only GET shows are ignored',
    )
  })

  test('a person whose membership has a contractor can request permits only for that one and those it oversees', async () => {
    const w = await permitWorld(house)
    const [below, other] = [await w.contractor('Below'), await w.contractor('Other')]
    const post = (contractor_id: string | null) => w.as('member').post('/permits/applications', { site_id: w.site_id, contractor_id })
    assert.deepEqual(paths((await post(other)).body), ['contractor_id'])
    assert.deepEqual(paths((await post(below)).body), ['contractor_id'])
    assert.deepEqual(paths((await post(null)).body), ['contractor_id'])
    await w.as('admin').post(`/contractors/${w.acme}/oversight`, { subordinate_id: below })
    assert.equal((await post(below)).body.contractor_id, below)
    assert.equal(
      (await w.as('coordinator').post('/permits/applications', { site_id: w.site_id, contractor_id: other })).body.contractor_id,
      other,
    )
    assert.equal((await w.as('coordinator').post('/permits/applications', { site_id: w.site_id })).body.contractor_id, null)
    await w.as('coordinator').patch(`/contractors/${other}`, { status: 'left' })
    assert.match(
      (await w.as('coordinator').post('/permits/applications', { site_id: w.site_id, contractor_id: other })).body.error.detail,
      /has left/,
    )
  })

  test('§1 nobody can request a permit for a contractor that has left, not even for their own or an overseen one; a draft keeps it, and its steps warn', async () => {
    const w = await permitWorld(house)
    const below = await w.contractor('Below')
    await w.as('admin').post(`/contractors/${w.acme}/oversight`, { subordinate_id: below })
    const member = w.as('member')
    const post = (more: object) => member.post('/permits/applications', { site_id: w.site_id, ...more })
    const [own, overseen] = [await w.draft(), await w.draft({ contractor_id: below })]
    for (const id of [w.acme, below]) assert.equal((await w.as('coordinator').patch(`/contractors/${id}`, { status: 'left' })).status, 200)
    const words = async (more: object) => {
      const refused = await post(more)
      assert.deepEqual([refused.status, paths(refused.body)], [422, ['contractor_id']], refused.text)
      return refused.body.error.fields[0].message
    }
    for (const more of [{}, { contractor_id: w.acme }]) assert.match(await words(more), / has left the site\. Choose another contractor\.$/)
    assert.equal(await words({ contractor_id: below }), 'Below has left the site. Choose another contractor.')
    const edited = await member.patch(`/permits/applications/${overseen.id}`, { title: 'As planned', contractor_id: below })
    assert.deepEqual([edited.status, edited.body.contractor_id], [200, below], edited.text)
    const warned = { code: 'contractor_left', detail: 'Below has left the site. Check which contractor does the work.', ids: [] }
    const of = (warnings: { code: string }[]) => warnings.filter(({ code }) => code === 'contractor_left')
    assert.deepEqual(of((await w.read(overseen, member)).advice.submit.warnings), [warned])
    const sent = await w.step(overseen, 'submit', member)
    assert.deepEqual([sent.status, of(sent.body.warnings)], [200, [warned]], sent.text)
    assert.deepEqual(of((await w.read(overseen, w.as('coordinator'))).advice.endorse.warnings), [warned])
    assert.equal((await w.step(own, 'submit', member)).status, 200)
  })

  test('R4 only the requestor can PATCH a permit, while it is a draft or returned for corrections, and not later', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const url = `/permits/applications/${draft.id}`
    const patched = await w.as('member').patch(url, { title: 'Weld all rails', end_at: '2026-03-16T17:00:00Z' })
    assert.deepEqual(
      [patched.status, patched.body.title, patched.body.end_at, patched.body.version],
      [200, 'Weld all rails', '2026-03-16T17:00:00.000Z', 2],
    )
    assert.deepEqual((await w.as('member').patch(url, { end_at: '2026-03-16T09:00:00Z' })).body.error.fields, [
      { path: 'end_at', message: 'must be later than the start of the window.' },
    ])
    assert.deepEqual((await w.as('member').patch(url, { start_at: '2026-03-16T18:00:00Z' })).body.error.fields, [
      { path: 'start_at', message: 'must be earlier than the end of the window.' },
    ])
    for (const by of [w.as('coordinator'), w.as('viewer'), w.receiver]) {
      assert.deepEqual(
        [(await by.get(url)).status, (await by.patch(url, {})).body.error.code, (await by.del(url)).body.error.code],
        [404, 'permit_ownership_error', 'permit_ownership_error'],
      )
    }
    assert.equal((await w.superadmin.patch(url, { title: 'By the owner' })).status, 200)
    const other = await house.world()
    assert.equal((await other.as('admin').patch(url, {})).status, 404)
    assert.equal((await w.as('member').patch(`${url}?site_id=${other.site_id}`, {})).status, 422)
    await w.step(draft, 'submit', w.as('member'))
    assert.equal((await w.as('member').patch(url, { title: 'Late' })).body.error.code, 'invalid_transition')
    await w.step(draft, 'request-corrections', w.as('coordinator'), { note: 'Title' })
    assert.equal((await w.as('member').patch(url, { title: 'Corrected' })).body.title, 'Corrected')
    assert.equal((await w.as('coordinator').patch(url, { title: 'Mine' })).body.error.code, 'permit_ownership_error')
  })

  test('after a PATCH of the types, pre-checks follow them and keep their answers; null clears an answer', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const [first] = draft.pre_checks
    const patch = (body: object) => w.as('member').patch(`/permits/applications/${draft.id}`, body)
    const answered = await patch({ pre_checks: [{ code: first.code, answer: 'yes', comment: 'Ana' }] })
    const check = answered.body.pre_checks[0]
    assert.deepEqual(
      [check.answer, check.comment, check.answered_by, check.answered_at],
      ['yes', 'Ana', w.as('member').user_id, '2026-03-16T09:00:00.000Z'],
    )
    const more = await patch({ categories: ['HW', 'WAH'] })
    assert.ok(more.body.pre_checks.length > draft.pre_checks.length)
    assert.equal(more.body.pre_checks.find((c: { code: string }) => c.code === first.code).answer, 'yes')
    const less = await patch({ categories: ['WAH'], receiver_id: null, title: null })
    assert.deepEqual(
      [less.body.receiver_id, less.body.title, less.body.pre_checks.some((c: { code: string }) => c.code === first.code)],
      [null, null, false],
    )
  })

  test('PATCH can’t remove the types and window of a submitted permit, only those of a draft', async () => {
    const w = await permitWorld(house)
    for (const body of [{ end_at: null }, { start_at: null }, { categories: [] }]) {
      const draft = await w.draft()
      assert.equal((await w.as('member').patch(`/permits/applications/${draft.id}`, body)).status, 200)
      const back = await w.at('corrections_requested')
      const refused = await w.as('member').patch(`/permits/applications/${back.id}`, body)
      assert.deepEqual([refused.status, paths(refused.body)], [422, Object.keys(body)], refused.text)
    }
  })

  test('C1 while a draft has a child permit, its delete flag agrees with the call', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft({ categories: ['GEN'] })
    const child = await w.draft({ parent_id: draft.id })
    await w.step(child, 'withdraw', w.as('member'))
    const flag = (await w.read(draft, w.as('member'))).permissions.delete
    const { error } = (await w.as('member').del(`/permits/applications/${draft.id}`)).body
    assert.deepEqual([flag.allowed, flag.because[0].code, error.reason, error.detail], [false, 'in_use', 'in_use', flag.because[0].detail])
    assert.deepEqual(error.in_use, { permits: 1 })
  })

  test('DELETE removes only a draft that was never submitted; a permit with a number is a record', async () => {
    const w = await permitWorld(house)
    const [draft, child] = [await w.draft(), await w.draft()]
    await w.as('member').patch(`/permits/applications/${child.id}`, { parent_id: draft.id })
    assert.equal((await w.as('member').del(`/permits/applications/${draft.id}`)).body.error.reason, 'in_use')
    assert.equal((await w.as('member').del(`/permits/applications/${child.id}`)).status, 204)
    assert.equal((await w.as('member').del(`/permits/applications/${draft.id}`)).status, 204)
    assert.equal((await w.as('member').get(`/permits/applications/${draft.id}`)).status, 404)
    const numbered = await w.at('corrections_requested')
    const refused = (await w.as('member').del(`/permits/applications/${numbered.id}`)).body.error
    assert.deepEqual([refused.reason, refused.detail.slice(-21)], ['is_a_record', 'Withdraw it instead.'.padStart(21)])
    const live = await w.at('issued')
    assert.match(
      (await w.as('member').del(`/permits/applications/${live.id}`)).body.error.detail,
      /can’t be deleted\. Close it out instead\.$/,
    )
  })

  test('1091 drafts never become each other’s parents in a ring, however their parents are set at once', async () => {
    const w = await permitWorld(house)
    const under = (child: Permit, parent: Permit) =>
      w.as('member').patch(`/permits/applications/${child.id}`, { parent_id: parent.id }, { 'if-match': '*' })
    const drafts = await Promise.all([1, 2, 3, 4].map(() => w.draft()))
    const [a = assert.fail(), b = assert.fail(), c = assert.fail(), d = assert.fail()] = drafts
    for (const pair of [
      [a, b],
      [c, d],
    ] as const)
      assert.equal((await under(...pair)).status, 200)
    const replies = await Promise.all([under(b, c), under(d, a)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422], replies.map(({ body }) => body.error?.detail ?? '').join())
    const rows = await house.rows('select parent_id from permit where id = any($1::uuid[])', [drafts.map(({ id }) => id)])
    assert.equal(rows.filter(row => row.parent_id === null).length, 1)
  })

  test('submit needs categories and a window (422), the mandatory documents (R8) and the parent; everything else is a warning', async () => {
    const w = await permitWorld(house)
    const empty = (await w.as('member').post('/permits/applications', { site_id: w.site_id })).body
    assert.deepEqual(paths((await w.step(empty, 'submit', w.as('member'))).body), ['categories', 'end_at', 'start_at'])
    const missing = async () =>
      (await w.read(empty, w.as('member'))).permissions.submit.because.map((why: { detail: string }) => why.detail)
    assert.deepEqual(await missing(), ['Choose at least one permit type and set the permit window first.'])
    // What has been chosen isn't asked for again.
    await w.as('member').patch(`/permits/applications/${empty.id}`, { categories: ['HW'] })
    assert.deepEqual(await missing(), ['Set the permit window first: when the work starts and ends.'])
    await w
      .as('member')
      .patch(`/permits/applications/${empty.id}`, { categories: [], start_at: '2026-03-16T10:00:00Z', end_at: '2026-03-16T11:00:00Z' })
    assert.deepEqual(await missing(), ['Choose at least one permit type first.'])
    const hw = w.types.HW
    await w.as('hse').patch(`/permits/types/${hw?.id}`, {
      requires_parent: true,
      expected_attachments: [{ label: 'RAMS', required: true }, { label: 'Hot work plan', required: true }, { label: 'Photo' }],
    })
    const draft = await w.draft({
      receiver_id: null,
      description: null,
      controls: null,
      start_at: '2026-03-15T08:00:00Z',
      end_at: '2026-03-15T09:00:00Z',
    })
    const refused = await w.step(draft, 'submit', w.as('member'))
    assert.deepEqual(
      [refused.status, refused.body.error.gate, refused.body.error.missing_labels],
      [409, 'missing_attachments', ['RAMS', 'Hot work plan']],
    )
    assert.equal(refused.body.error.detail, 'These required documents are missing: RAMS and Hot work plan. Attach them before you submit.')
    assert.equal((await w.as('member').send('POST', `/permits/applications/${draft.id}/attachments`, file('RAMS'))).status, 201)
    const again = (await w.step(draft, 'submit', w.as('member'))).body.error
    assert.deepEqual(again.missing_labels, ['Hot work plan'])
    assert.equal(again.detail, 'This required document is missing: Hot work plan. Attach it before you submit.')
    await w
      .as('member')
      .send(
        'POST',
        `/permits/applications/${draft.id}/attachments`,
        file('hot_work_plan', 'plan.pdf', Buffer.concat([pdf, Buffer.from('2')])),
      )
    assert.equal((await w.step(draft, 'submit', w.as('member'))).body.error.gate, 'parent_missing')
    const parent = await w.at('requested', { categories: ['GEN'] })
    await w.as('member').patch(`/permits/applications/${draft.id}`, { parent_id: parent.id })
    const done = await w.step(draft, 'submit', w.as('member'))
    assert.equal(done.status, 200, done.text)
    assert.deepEqual(done.body.warnings.map((x: { code: string }) => x.code).sort(), [
      'controls_missing',
      'description_missing',
      'no_place',
      'outside_parent_window',
      'prechecks_unanswered',
      'rams_missing',
      'receiver_missing',
      'window_past',
    ])
  })

  test('a number is assigned once, skips those that an import uses, and stays on resubmission', async () => {
    const w = await permitWorld(house)
    const first = await w.at('requested')
    assert.equal(first.permit_number, 'PTW-000001')
    await w.step(first, 'request-corrections', w.as('coordinator'), { note: 'x' })
    assert.equal((await w.step(first, 'submit', w.as('member'))).body.permit_number, 'PTW-000001')
    assert.equal((await w.at('requested')).permit_number, 'PTW-000002')
  })

  test('after corrections and resubmission the old review signatures are voided, not deleted, and reviews start again', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('endorsed')
    assert.equal((await w.step(permit, 'request-corrections', w.as('hse'), {})).status, 422)
    const back = await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Name the watch' })
    assert.equal(back.body.status, 'corrections_requested')
    assert.deepEqual(await tasks(w, permit), [])
    const again = await w.step(permit, 'submit', w.as('member'))
    assert.deepEqual([again.body.status, kinds(again.body), again.body.stage1_controls], ['requested', ['stage1_approve voided'], null])
    assert.deepEqual(await tasks(w, permit), ['endorse_permit'])
    const endorsed = await w.step(permit, 'endorse', w.as('coordinator'))
    assert.deepEqual(kinds(endorsed.body), ['stage1_approve voided', 'stage1_approve'])
    assert.equal((await events(w, permit)).filter(e => e.kind === 'permit.submitted').at(-1)?.payload.resubmission, true)
  })

  test('R1 issue needs active appointments for every category; the refusal lists the codes without one; a higher rank doesn’t help', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('approved', { categories: ['HW', 'WAH'] })
    const partly = await w.join('site_manager', null, 'Pat Partly')
    const appoint = async (code: string) =>
      w.as('hse').post('/permits/appointments', { site_id: w.site_id, user_id: partly.user_id, permit_type_id: w.types[code]?.id })
    const none = await w.step(permit, 'issue', w.superadmin)
    assert.deepEqual([none.status, none.body.error.gate, none.body.error.permit_type_codes], [409, 'no_active_appointment', ['HW', 'WAH']])
    await appoint('HW')
    assert.deepEqual((await w.step(permit, 'issue', partly)).body.error.permit_type_codes, ['WAH'])
    const second = (await appoint('WAH')).body
    assert.equal((await w.read(permit, partly)).permissions.can_issue, true)
    await w.as('hse').del(`/permits/appointments/${second.id}`)
    assert.deepEqual((await w.step(permit, 'issue', partly)).body.error.permit_type_codes, ['WAH'])
    await appoint('WAH')
    assert.equal((await w.step(permit, 'issue', partly)).status, 200)
  })

  test('R2 only the named receiver countersigns, whatever the rank', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    for (const by of [w.superadmin, w.as('admin'), w.issuer, w.as('member')]) {
      const refused = await w.step(permit, 'countersign', by)
      assert.deepEqual([refused.status, refused.body.error.gate], [409, 'not_named_receiver'])
    }
    const nobody = await w.at('signed', { receiver_id: null })
    assert.match((await w.step(nobody, 'countersign', w.receiver)).body.error.detail, /No receiver is named/)
  })

  test('R6 close-out needs all three items, and waits for open children, which the refusal lists', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('issued', { categories: ['GEN'] })
    const child = await w.draft({ parent_id: parent.id })
    await w.step(child, 'submit', w.as('member'))
    const secret = await w.as('contractor_hse').post('/permits/applications', { site_id: w.site_id, parent_id: parent.id })
    assert.equal(secret.status, 201)
    const close = (body: object) => w.step(parent, 'close-out', w.as('coordinator'), body)
    const incomplete = await close({ checklist: { work_complete_tools_removed: true } })
    assert.deepEqual(
      [incomplete.body.error.gate, incomplete.body.error.missing],
      ['checklist_incomplete', ['area_safe_clean_checked', 'fire_watch_complete']],
    )
    assert.equal((await close({})).body.error.gate, 'checklist_incomplete')
    const blocked = await close({ checklist: CHECKLIST })
    assert.deepEqual([blocked.status, blocked.body.error.gate, blocked.body.error.permit_numbers], [409, 'open_children', ['PTW-000002']])
    assert.match(blocked.body.error.detail, /a private draft/)
    assert.match(
      (await w.step(parent, 'close-out', w.superadmin, { checklist: CHECKLIST })).body.error.detail,
      /these child permits are still open: PTW-000002 and a draft by Chris Careful\. Close out or withdraw them first\./,
    )
    await w.as('contractor_hse').del(`/permits/applications/${secret.body.id}`)
    await w.step(child, 'withdraw', w.as('member'))
    assert.equal((await close({ checklist: CHECKLIST })).body.status, 'closed')
  })

  test('R7 no permit of a contractor with expired, unclosed permits can be issued, but reviews continue', async () => {
    const w = await permitWorld(house)
    await w.as('hse').put(`/permits/config?site_id=${w.site_id}`, { close_out_gate_enabled: true })
    const old = await w.at('issued', { end_at: '2026-03-16T10:30:00Z' })
    const next = await w.at('endorsed')
    const free = await w.at('approved')
    await w.as('admin').patch(`/permits/applications/${free.id}`, {})
    house.clock('2026-03-16T11:00:00.000Z')
    assert.equal((await sweepPermits(house.house)).expired, 1)
    assert.equal((await w.step(next, 'approve', w.as('hse'))).status, 200, 'approvals still proceed')
    const refused = await w.step(next, 'issue', w.issuer)
    assert.deepEqual([refused.body.error.gate, refused.body.error.permit_numbers], ['close_out_gate', [old.permit_number]])
    const ours = await w.as('coordinator').post('/permits/applications', {
      site_id: w.site_id,
      categories: ['HW'],
      start_at: '2026-03-16T12:00:00Z',
      receiver_id: w.receiver.user_id,
    })
    for (const [verb, by] of [
      ['submit', w.as('coordinator')],
      ['endorse', w.as('admin')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
    ] as const) {
      const done = await w.step(ours.body, verb, by)
      assert.equal(done.status, 200, `the gate never blocks a permit without a contractor: ${done.text}`)
    }
    await w.step(old, 'close-out', w.as('hse'), { checklist: CHECKLIST })
    assert.equal((await w.step(next, 'issue', w.issuer)).status, 200)
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('when a permit is handed back after a failed walk-down, the issue signature is voided and the permit is returned for corrections', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('signed')
    const back = await w.step(permit, 'hand-back', w.receiver, { note: 'No extinguisher' })
    assert.deepEqual(
      [back.body.status, back.body.issue_signed_at, back.body.awaiting_countersign, kinds(back.body)],
      ['corrections_requested', null, false, ['stage1_approve', 'stage2_approve', 'issue voided']],
    )
    assert.deepEqual(await tasks(w, permit), [])
    const last = (await events(w, permit)).at(-1)
    assert.deepEqual(
      [last?.kind, last?.payload.by_gate, last?.payload.note],
      ['permit.corrections_requested', 'hand_back', 'No extinguisher'],
    )
    await w.step(permit, 'submit', w.as('member'))
    await w.step(permit, 'endorse', w.as('coordinator'))
    await w.step(permit, 'approve', w.as('hse'))
    assert.equal((await w.step(permit, 'issue', w.issuer)).status, 200, 'it can be issued again')
  })

  test('a hand-back of a live permit is signed by the receiver, keeps the status, and makes the close-out due immediately', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const due = async () => (await w.as('admin').get(`/tasks/?site_id=${w.site_id}&subject_id=${permit.id}`)).body[0]
    assert.equal((await due()).due_at, '2026-03-16T18:00:00.000Z')
    const back = await w.step(permit, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 60 })
    assert.deepEqual(
      [back.body.status, back.body.handed_back_at, back.body.fire_watch_until, kinds(back.body).at(-1)],
      ['issued', '2026-03-16T09:00:00.000Z', '2026-03-16T10:00:00.000Z', 'hand_back'],
    )
    assert.deepEqual([(await due()).due_at, (await due()).attention_at], ['2026-03-16T09:00:00.000Z', '2026-03-16T09:00:00.000Z'])
    const absent = await w.at('issued')
    await w.step(absent, 'hand-back', w.as('hse'), { note: 'Rex is ill' })
    assert.equal((await events(w, absent)).at(-1)?.payload.by_receiver, false)
    assert.deepEqual(
      (await w.as('admin').get(`/permits?site_id=${w.site_id}&handed_back=true`)).body.map((p: Permit) => p.id).sort(),
      [permit.id, absent.id].sort(),
    )
  })

  test('the requestor can withdraw a permit until there is an issue signature; before the first submit it stays private', async () => {
    const w = await permitWorld(house)
    for (const state of ['corrections_requested', 'requested', 'endorsed', 'approved'] as const) {
      const permit = await w.at(state)
      assert.equal((await w.step(permit, 'withdraw', w.as('member'), { reason: 'Not needed' })).body.status, 'withdrawn')
      assert.deepEqual(await tasks(w, permit), [])
      assert.equal((await w.as('coordinator').get(`/permits/applications/${permit.id}`)).status, 200)
    }
    const secret = await w.at('withdrawn')
    assert.equal((await w.as('coordinator').get(`/permits/applications/${secret.id}`)).status, 404)
    assert.ok(!(await events(w, secret)).some(e => e.kind === 'permit.withdrawn'))
  })

  test('reissue makes a new draft that later gets a new number, with answers carried forward and without receiver, attachments or a closed parent', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('issued', { categories: ['GEN'] })
    const draft = await w.draft({ parent_id: parent.id, hazards: ['sparks'] })
    await w.as('member').patch(`/permits/applications/${draft.id}`, {
      pre_checks: draft.pre_checks.map((c: { code: string }) => ({ code: c.code, answer: 'yes' })),
    })
    await w.as('member').send('POST', `/permits/applications/${draft.id}/attachments`, file('RAMS'))
    for (const [verb, by] of [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const)
      await w.step(draft, verb, by)
    const kept = await w.step(draft, 'reissue', w.receiver)
    assert.equal(kept.status, 201, kept.text)
    assert.deepEqual(
      [
        kept.body.status,
        kept.body.reissued_from_id,
        kept.body.requestor_id,
        kept.body.receiver_id,
        kept.body.permit_number,
        kept.body.parent_id,
      ],
      ['draft', draft.id, w.receiver.user_id, null, null, parent.id],
    )
    assert.deepEqual(
      [kept.body.hazards, kept.body.attachments, kept.body.signatures, kept.body.stage1_controls],
      [['sparks'], [], [], null],
    )
    assert.ok(kept.body.pre_checks.every((c: { carried_forward: boolean; answer: string }) => c.carried_forward && c.answer === 'yes'))
    await w.step(draft, 'close-out', w.as('hse'), { checklist: CHECKLIST })
    await w.receiver.del(`/permits/applications/${kept.body.id}`)
    await w.step(parent, 'close-out', w.as('hse'), { checklist: CHECKLIST })
    const late = await w.step(draft, 'reissue', w.as('member'))
    assert.deepEqual([late.body.parent_id, late.body.warnings.map((x: { code: string }) => x.code)], [null, ['parent_closed']])
    const submitted = await w.step(late.body, 'submit', w.as('member'))
    assert.ok(submitted.body.warnings.some((x: { code: string }) => x.code === 'prechecks_carried_forward'))
    assert.notEqual(submitted.body.permit_number, draft.permit_number)
    assert.equal((await w.read(draft)).status, 'closed', 'the original is unchanged')
  })

  test('9.15 reissue leaves out a retired type and says so; a family returns its warnings', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['HW', 'WAH'] })
    const types = (await w.as('hse').get(`/permits/types?site_id=${w.site_id}`)).body as { id: string; code: string; version: number }[]
    const type = types.find(one => one.code === 'WAH')
    const retired = await w.as('hse').patch(`/permits/types/${type?.id}`, { active: false })
    assert.equal(retired.status, 200, retired.text)
    const copy = await w.step(permit, 'reissue', w.as('member'))
    assert.equal(copy.status, 201, copy.text)
    assert.deepEqual(copy.body.categories, ['HW'])
    assert.deepEqual(
      copy.body.warnings.filter((one: { code: string }) => one.code === 'type_retired').map((one: { detail: string }) => one.detail),
      ['WAH has been retired, so the copy leaves it out.'],
    )
    const window = { start_at: '2026-03-16T10:00:00Z', end_at: '2026-03-16T12:00:00Z' }
    const family = await w.as('member').post('/permits/applications/family', {
      site_id: w.site_id,
      parent: { categories: ['GEN'], ...window },
      children: [{ categories: ['HW'], start_at: '2026-03-16T11:00:00Z', end_at: '2026-03-16T13:00:00Z' }],
    })
    assert.equal(family.status, 201, family.text)
    assert.deepEqual(
      family.body.children[0].warnings.map((one: { code: string }) => one.code),
      ['outside_parent_window'],
    )
  })

  test('a family creates a parent and its children as drafts in one transaction; a child outside the parent’s window gives a warning', async () => {
    const w = await permitWorld(house)
    const window = { start_at: '2026-03-17T08:00:00Z', end_at: '2026-03-17T18:00:00Z' }
    const post = (body: object) => w.as('member').post('/permits/applications/family', { site_id: w.site_id, ...body })
    const made = await post({
      parent: { categories: ['GEN'], ...window },
      children: [
        { categories: ['HW'], ...window },
        { categories: ['WAH'], ...window, end_at: '2026-03-17T20:00:00Z' },
      ],
    })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      made.body.children.map((c: Permit) => [c.status, c.parent_id]),
      [
        ['draft', made.body.parent.id],
        ['draft', made.body.parent.id],
      ],
    )
    const before = (await w.as('member').get(`/permits?site_id=${w.site_id}`)).body.length
    assert.equal((await post({ parent: { categories: ['GEN'] }, children: [{ categories: ['XX'] }] })).status, 422)
    assert.equal((await w.as('member').get(`/permits?site_id=${w.site_id}`)).body.length, before, 'all or nothing')
    assert.equal((await post({ children: [{}] })).status, 422)
    assert.equal((await post({ parent_id: made.body.parent.id, children: [{ categories: ['HW'] }] })).status, 201)
  })

  test('an attachment is named by key or label of its required document, checked by its bytes, and never removed once a signature covers it', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const url = `/permits/applications/${draft.id}/attachments`
    const added = await w.as('member').send('POST', url, file('rams'))
    assert.deepEqual(
      [added.status, added.body.slot, added.body.media_type, added.body.filename],
      [201, 'rams', 'application/pdf', 'rams.pdf'],
    )
    const read = await w.as('member').get(`/permits/applications/${draft.id}/attachments/${added.body.id}/download`)
    assert.deepEqual(
      [read.status, read.text.startsWith('%PDF'), read.headers['content-type'], read.headers['x-content-type-options']],
      [200, true, 'application/pdf', 'nosniff'],
    )
    assert.match(String(read.headers['content-disposition']), /^attachment; filename="rams.pdf"/)
    assert.equal(
      (await w.as('member').get(`/permits/applications/${draft.id}/attachments/${added.body.id}/download`, { range: 'bytes=0-3' })).text,
      '%PDF',
    )
    assert.equal((await w.as('coordinator').get(`/permits/applications/${draft.id}/attachments/${added.body.id}/download`)).status, 404)
    assert.equal((await w.as('member').send('POST', url, file('No such slot'))).body.error.fields[0].path, 'slot')
    assert.equal((await w.as('member').send('POST', url, file(undefined, 'run.exe', Buffer.from('MZ\u0090\u0000\u0003')))).status, 415)
    assert.equal((await w.as('member').send('POST', url, [{ name: 'slot', value: 'rams' }])).status, 422)
    const text = await w.as('member').send('POST', url, file(undefined, 'photo.png', Buffer.from('plain words')))
    assert.deepEqual([text.status, text.body.error.code], [415, 'unsupported_media_type'], 'text that is called a picture')
    assert.match(text.body.error.detail, /^“photo.png” contains plain text, which isn’t what its name says/)
    const loose = await w.as('member').send('POST', url, file(undefined, 'note.txt', Buffer.from('plain words')))
    assert.deepEqual([loose.status, loose.body.slot, loose.body.media_type], [201, null, 'text/plain'])
    assert.equal((await w.as('member').del(`/permits/applications/${draft.id}/attachments/${loose.body.id}`)).status, 204)
    await w.step(draft, 'submit', w.as('member'))
    assert.equal((await w.as('member').send('POST', url, file())).status, 409, 'not by the requestor while it is in review')
    assert.equal((await w.as('coordinator').send('POST', url, file(undefined, 'photo.pdf'))).status, 201)
    await w.step(draft, 'endorse', w.as('coordinator'))
    await w.step(draft, 'request-corrections', w.as('hse'), { note: 'x' })
    assert.equal(
      (await w.as('member').del(`/permits/applications/${draft.id}/attachments/${added.body.id}`)).body.error.reason,
      'is_a_record',
    )
    assert.equal(
      (await w.as('coordinator').del(`/permits/applications/${draft.id}/attachments/${added.body.id}`)).body.error.code,
      'permit_ownership_error',
    )
  })

  test('close-out-bulk checks each permit by the same rules, children before parents, with a result for each', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('issued', { categories: ['GEN'] })
    const child = await w.at('issued', { parent_id: parent.id })
    const review = await w.at('requested')
    const hidden = await w.draft()
    const bulk = (by = w.as('coordinator'), body: object = { checklist: CHECKLIST }) =>
      by.post('/permits/applications/close-out-bulk', {
        site_id: w.site_id,
        permit_ids: [parent.id, child.id, review.id, hidden.id],
        ...body,
      })
    const half = await bulk(w.as('coordinator'), { checklist: { work_complete_tools_removed: true } })
    assert.deepEqual(
      [half.body.closed, half.body.refused.map((r: { code: string }) => r.code).sort()],
      [[], ['checklist_incomplete', 'checklist_incomplete', 'invalid_transition', 'not_found']],
    )
    const done = await bulk()
    assert.deepEqual(
      done.body.closed.map((c: { permit_number: string }) => c.permit_number),
      [child.permit_number, parent.permit_number],
    )
    assert.deepEqual(
      done.body.refused.map((r: { permit_id: string; code: string }) => [r.permit_id, r.code]).sort(),
      [
        [review.id, 'invalid_transition'],
        [hidden.id, 'not_found'],
      ].sort(),
    )
    assert.ok(
      (await bulk(w.as('viewer'))).body.refused.every((r: { code: string }) =>
        ['forbidden', 'not_found', 'invalid_transition'].includes(r.code),
      ),
    )
  })

  test('9.9 close-out-bulk refuses a permit that has changed since its content_hash, and closes out the others', async () => {
    const w = await permitWorld(house)
    const [same, changed, unhashed] = [await w.at('issued'), await w.at('issued'), await w.at('issued')]
    const hashOf = async (one: Permit) => (await w.read(one)).content_hash as string
    const content_hashes = { [same.id]: await hashOf(same), [changed.id]: await hashOf(changed) }
    const file = { name: 'file', value: Buffer.from('soil: soft'), filename: 'soil.txt' }
    assert.equal((await w.issuer.send('POST', `/permits/applications/${changed.id}/attachments`, [file])).status, 201)
    const done = await w.as('coordinator').post('/permits/applications/close-out-bulk', {
      site_id: w.site_id,
      permit_ids: [same.id, changed.id, unhashed.id],
      content_hashes,
      checklist: CHECKLIST,
    })
    assert.deepEqual(done.body.closed.map((one: { permit_id: string }) => one.permit_id).sort(), [same.id, unhashed.id].sort())
    assert.deepEqual(
      done.body.refused.map((one: { permit_id: string; code: string }) => [one.permit_id, one.code]),
      [[changed.id, 'stale_preview']],
    )
    assert.equal((await w.read(changed)).status, 'issued')
  })

  test('only what was shown is signed: with another content_hash nothing is signed', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested')
    const shown = (await w.read(permit)).content_hash
    const stale = await w.step(permit, 'endorse', w.as('coordinator'), { content_hash: 'f'.repeat(64) })
    assert.deepEqual([stale.status, stale.body.error.reason, stale.body.error.content_hash], [409, 'stale_preview', shown])
    assert.equal((await w.read(permit)).status, 'requested')
    const signed = await w.step(permit, 'endorse', w.as('coordinator'), { content_hash: shown })
    assert.equal(signed.body.signatures[0].content_hash, shown)
  })
})
