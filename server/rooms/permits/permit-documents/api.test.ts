import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { believe, type PublicKey, statementIn, verdictOf } from '../../../../shared/proof/statement.ts'
import { printAll } from '../../../../tests/papers.ts'
import { readPdf } from '../../../../tests/pdf.ts'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { runJob, runSchedules, runsOf } from '../../../kernel/jobs/door.ts'
import { rotateKeys } from '../../../kernel/statements/door.ts'
import { permitPaper } from './actions/document.ts'

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('permits: documents', () => {
  const house = useHouse()

  const fetched = async (permit: Pick<Permit, 'id'>, by: Caller, query = '') => {
    const answer = await house.edge.app.inject({
      method: 'GET',
      url: `/api/permits/applications/${permit.id}/document${query}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
    return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, body: answer.payload }
  }
  const pdfOf = async (permit: Pick<Permit, 'id'>, by: Caller, query = '') => {
    const { status, bytes, headers, body } = await fetched(permit, by, query)
    assert.equal(status, 200, body.slice(0, 300))
    assert.equal(headers['content-type'], 'application/pdf')
    return { bytes, ...readPdf(bytes) }
  }
  const words = (text: string) => text.replace(/\s+/g, ' ')

  test('§1 the document of a draft is marked DRAFT on every page, has no number and no QR code, and says what is missing', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft({ controls: null, description: 'Long words. '.repeat(400) })
    const paper = await pdfOf(draft, w.as('member'))
    assert.ok(paper.pages >= 2)
    for (const page of paper.text.split('\f')) assert.match(page, /DRAFT/)
    assert.match(words(paper.text), /This draft hasn’t been submitted/)
    assert.doesNotMatch(words(paper.text), /Draft DRAFT/, 'the head of a page says it once')
    assert.match(words(paper.text), /No controls are listed\./)
    assert.deepEqual(paper.alts, [])
    assert.equal((await fetched(draft, w.as('admin'))).status, 404, 'another person’s draft gives 404')
  })

  test('§3 a document doesn’t print “not applicable” without a reason as if it confirmed a pre-check', async () => {
    const w = await permitWorld(house)
    const made = await w.draft()
    const [one, two] = made.pre_checks
    const pre_checks = [
      { code: one.code, answer: 'not_applicable' },
      { code: two.code, answer: 'not_applicable', comment: 'No gas' },
    ]
    const edited = await w.as('member').patch(`/permits/applications/${made.id}`, { pre_checks })
    assert.equal(edited.status, 200, edited.text)
    const text = words((await pdfOf(made, w.as('member'))).text)
    assert.equal(text.split('Not applicable').length - 1, 2)
    assert.equal(text.split('Not applicable (no reason)').length - 1, 1)
  })

  test('§4.2 P6 the document of a live permit has every element of the form, is tagged and archival, has numbered pages, and the same bytes each time', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('issued', { categories: ['GEN'] })
    const made = await w.draft({
      parent_id: parent.id,
      hazards: ['sparks', 'fumes'],
      ppe: ['welding mask'],
      limitations: 'No cutting.',
      location: 'Stair 3',
    })
    const photo = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#a04020' } })
      .jpeg()
      .toBuffer()
    await w
      .as('member')
      .send('POST', `/permits/applications/${made.id}/attachments`, [{ name: 'file', value: photo, filename: 'stair.jpg' }])
    await w
      .as('member')
      .send('POST', `/permits/applications/${made.id}/attachments`, [
        { name: 'file', value: Buffer.from('method'), filename: 'method.txt' },
      ])
    const check = made.pre_checks[0]
    await w
      .as('member')
      .patch(`/permits/applications/${made.id}`, { pre_checks: [{ code: check.code, answer: 'yes', comment: 'Tom Baker' }] })
    for (const [verb, by, body] of [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator'), { stage1_controls: 'Tell the level below.' }],
      ['approve', w.as('hse'), { stage2_controls: 'Walk the area first.', note: 'Mind the wind' }],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const)
      assert.equal((await w.step(made, verb, by, body)).status, 200, verb)
    const live = await w.read(made)
    const paper = await pdfOf(live, w.as('viewer'))
    const text = words(paper.text)
    for (const said of [
      live.permit_number,
      'Weld handrails',
      'LIVE FROM Mon 16 Mar 2026, 10:00',
      'Don’t start work before Mon 16 Mar 2026, 10:00; work can go on until Mon 16 Mar 2026, 18:00',
      'Site time, Europe/London',
      'Stair 3',
      'Acme Scaffolding Ltd',
      'Rex Receiver',
      'Ivy Issuer',
      'No cutting.',
      'sparks',
      'welding mask',
      'Fire blankets, watch',
      'Tell the level below.',
      'Added at endorsement by Cora Coordinator, Mon 16 Mar 2026, 09:00',
      'Walk the area first.',
      'Mind the wind',
      'Tom Baker',
      `Mia Member, Mon 16 Mar 2026, 09:00`,
      parent.permit_number,
      'Issued at the work front',
      'Handed back by the receiver',
      'No place is set for this permit.',
      'stair.jpg',
      'method.txt',
    ])
      assert.ok(text.includes(said), `${said} in ${text.slice(0, 600)}`)
    for (const signature of live.signatures)
      assert.ok(text.includes(`${signature.hash.slice(0, 8)}…${signature.hash.slice(-8)}`), signature.kind)
    for (const file of live.attachments)
      assert.ok(paper.text.includes(file.sha256.slice(0, 32)) && paper.text.includes(file.sha256.slice(32)))
    paper.text.split('\f').forEach((page, i) => {
      assert.match(words(page), new RegExp(`${live.permit_number} page ${i + 1} of ${paper.pages}`))
    })
    assert.match(paper.metadata, /<pdfaid:part>2</)
    assert.match(paper.metadata, /<pdfaid:conformance>A</)
    assert.match(paper.metadata, new RegExp(`${live.permit_number}: Weld handrails`))
    assert.match(paper.raw, /\/MarkInfo <<\s*\/Marked true/)
    assert.match(paper.raw, /\/Lang \(en\)/)
    for (const tag of ['H1', 'H2', 'Table', 'TH', 'TD', 'Figure']) assert.ok(paper.structure.includes(tag), tag)
    assert.equal(paper.structure.filter(tag => tag === 'Figure').length, paper.alts.length, 'every picture has a description')
    assert.equal(paper.alts.length, 2)
    assert.ok((await pdfOf(live, w.as('admin'))).bytes.equals(paper.bytes))
    assert.ok(paper.bytes.length < 400_000, `a photo of six million pixels is scaled down: ${paper.bytes.length}`)
  })

  test('9.2 9.13 the document says who signed a hand-back and on whose behalf, and why a permit was returned or rejected', async () => {
    const w = await permitWorld(house)
    const textOf = async (permit: Pick<Permit, 'id'>) => words((await pdfOf(permit, w.as('hse'))).text)
    const back = await w.at('issued')
    await w.step(back, 'hand-back', w.as('hse'), { note: 'Rex is in hospital' })
    const text = await textOf(back)
    for (const said of [
      'Handed back in the receiver’s absence Hal Safety, HSE, on behalf of Rex Receiver (absent)',
      'Signed on behalf of Rex Receiver, the named receiver',
      'The receiver didn’t sign the hand-back: Hal Safety signed it on behalf of Rex Receiver.',
      'Rex is in hospital',
    ])
      assert.ok(text.includes(said), `${said} in ${text}`)
    assert.match(
      await textOf(await w.at('corrections_requested')),
      /Returned for corrections – Hal Safety, HSE, Mon 16 Mar 2026, 09:00: Name the fire watch/,
    )
    assert.match(await textOf(await w.at('rejected')), /Rejected – Hal Safety, HSE, Mon 16 Mar 2026, 09:00: Unsafe/)
  })

  test('§1 a snapshot of the document is stored at submit, issue, extension and close-out, each from the facts of its own step', async () => {
    const w = await permitWorld(house)
    const made = await w.draft({ categories: ['GEN'], title: 'Paint the gate' })
    assert.equal((await w.step(made, 'submit', w.as('member'))).body.document, null)
    // What happens after the step, but before printing, can't be in its snapshot.
    for (const [verb, by] of [
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const)
      assert.equal((await w.step(made, verb, by)).status, 200, verb)
    const request = await w.receiver.post(`/permits/applications/${made.id}/extensions`, {
      requested_end_at: '2026-03-16T20:00:00Z',
      reason: 'Rain',
    })
    assert.equal((await w.as('hse').post(`/permits/extensions/${request.body.request_id}/approve`, {})).status, 200)
    assert.equal((await fetched(made, w.as('admin'), '?snapshot=issue')).status, 409, 'it is being created')
    assert.equal((await w.step(made, 'close-out', w.as('hse'), { checklist: CHECKLIST })).status, 200)
    assert.equal(await printAll(house, w.site_id), 4)
    assert.equal(await printAll(house, w.site_id), 0)
    const { permit_number } = await w.read(made)
    const entries = await house.rows("select entity_label from audit_entry where site_id = $1 and entity_type = 'paper' order by seq", [
      w.site_id,
    ])
    assert.deepEqual(
      entries.map(entry => entry.entity_label).sort(),
      ['close-out', 'extension', 'issue', 'submission'].map(at => `Document of ${permit_number} at ${at}`),
      'the audit log says of which permit',
    )

    const at = async (occasion: string) => words((await pdfOf(made, w.as('admin'), `?snapshot=${occasion}`)).text)
    const submitted = await at('submit')
    assert.match(submitted, /REQUESTED/)
    assert.doesNotMatch(submitted, /Cora Coordinator|LIVE/)
    const issued = await at('issue')
    assert.match(issued, /LIVE FROM Mon 16 Mar 2026, 10:00/)
    assert.match(issued, /until Mon 16 Mar 2026, 18:00/)
    assert.doesNotMatch(issued, /Extension requests|20:00/)
    const longer = await at('extension')
    assert.match(longer, /until Mon 16 Mar 2026, 20:00/)
    assert.match(longer, /Extension requests.*Rain.*Approved/)
    const closed = await at('close_out')
    assert.match(closed, /CLOSED/)
    assert.match(closed, /closed out without a hand-back signed by the receiver/)

    const whole = await w.read(made)
    const { document } = whole
    const kept = await pdfOf(made, w.as('admin'), `?snapshot=${document.sha256}`)
    assert.equal(hash(kept.bytes), document.sha256)
    assert.equal(document.url, `/api/permits/applications/${made.id}/document?snapshot=${document.sha256}`)
    assert.match(words(kept.text), /CLOSED/)
    assert.ok(
      (await pdfOf(made, w.as('admin'))).bytes.equals(kept.bytes),
      'without a name it is the snapshot, as long as the record says the same',
    )
    assert.equal((await fetched(made, w.as('admin'), `?snapshot=${'0'.repeat(64)}`)).status, 404)
    assert.equal((await fetched(made, w.as('admin'), '?snapshot=later')).status, 422)
    const rows = await house.rows('select occasion from paper where subject_id = $1 order by as_at, id', [made.id])
    assert.deepEqual(await house.rows('select 1 from paper_order where subject_id = $1', [made.id]), [])
    assert.deepEqual(
      rows,
      ['submit', 'issue', 'extension', 'close_out'].map(occasion => ({ occasion })),
    )
  })

  test('10.4 a snapshot prints where the audit log was, in words and in its code, and the verification compares it', async () => {
    const w = await permitWorld(house)
    const made = await w.at('issued')
    const [{ facts }] = await house.rows(`select facts from paper_order where subject_id = $1 and occasion = 'issue'`, [made.id])
    const code = async (given: unknown) => String((await permitPaper.sheet(house.house, w.site_id, given)).pictures['qr.svg'])
    assert.notEqual(await code(facts), await code({ ...facts, log_head: null }), 'the code contains the head')
    await printAll(house, w.site_id)
    const text = words((await pdfOf(made, w.as('admin'), '?snapshot=issue')).text)
    const [, seq = '', hash = ''] = /audit log ended at entry (\d+), with the SHA-256 ?([0-9a-f]{64})/.exec(text) ?? []
    assert.match(hash, /^[0-9a-f]{64}$/, text)
    const [entry] = await house.rows('select hash from audit_entry where site_id = $1 and seq = $2', [w.site_id, seq])
    assert.equal(entry.hash, hash)
    const [{ qr_payload }] = (await w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body
    const log = async (head: string) =>
      (await house.nobody.post('/permits/verification', { statement: `${qr_payload}&log=${head}` })).body.log
    assert.equal(await log(`${seq};${hash}`), 'holds')
    assert.equal(await log(`${Number(seq) - 1};${hash}`), 'differs')
    assert.equal(await log(`999999;${hash}`), 'differs')
    assert.equal(await log('nonsense'), undefined)
    // For a statement that isn't genuine, nothing about the log is returned.
    const { body } = await house.nobody.post('/permits/verification', { statement: `W1.x&log=${seq};${hash}` })
    assert.deepEqual([body.genuine, body.log], [false, undefined])
  })

  test('site-and-people.md §16 §4.2 paper of a live permit says that an alert stops work at its place, for as long as it does', async () => {
    const w = await permitWorld(house)
    const here = { point: { lon: -0.0877, lat: 51.5079 } }
    const permit = await w.at('issued', { place: here })
    const away = await w.at('issued', { place: { point: { lon: -0.08, lat: 51.5079 } } })
    const carried = (await w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body
    const verdict = async ({ id }: Permit) => {
      const { qr_payload } = carried.find((one: { id: string }) => one.id === id)
      return (await house.nobody.post('/permits/verification', { statement: qr_payload })).body.verdict
    }
    house.clock('2026-03-16T10:30:00.000Z')
    assert.deepEqual([await verdict(permit), await verdict(away)], ['valid', 'valid'])
    const alert = await w.as('coordinator').post('/alerts/', {
      ...{ site_id: w.site_id, title: 'Gusts', severity: 'danger', category: 'weather', effect: 'stops', activities: ['all'] },
      ...{ place: here, radius_m: 30 },
    })
    assert.equal(alert.status, 201, alert.text)
    assert.deepEqual([await verdict(permit), await verdict(away)], ['alert', 'valid'])
    assert.equal((await w.as('coordinator').post(`/alerts/${alert.body.id}/resolve`, { note: 'Calm' })).status, 200)
    assert.equal(await verdict(permit), 'valid')
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§1 a job that runs twice creates one snapshot, and a snapshot can’t be changed', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('requested')
    const [{ id }] = await house.rows(`select id from job_run where site_id = $1 and kind = 'make_paper'`, [w.site_id])
    await Promise.all([runJob(house.house, id), runJob(house.house, id)])
    const [made] = await house.rows('select * from paper where subject_id = $1', [permit.id])
    await house.rows(`update job_run set state = 'queued' where id = $1`, [id])
    await runJob(house.house, id)
    const papers = await house.rows('select * from paper where subject_id = $1', [permit.id])
    assert.deepEqual(papers, [made])
    const client = await house.house.database.pool.connect()
    try {
      await client.query(`begin; set local walkdown.actor_kind = 'user'; set local walkdown.now = '2026-03-16T09:00:00Z'`)
      await assert.rejects(client.query(`update paper set sha256 = 'x' where id = $1`, [made.id]), /stands as it was made/)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test('§1 a document that isn’t requested by occasion or hash follows the record when that changes', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    await printAll(house, w.site_id)
    const kept = await pdfOf(permit, w.as('admin'), '?snapshot=issue')
    assert.ok((await pdfOf(permit, w.as('admin'))).bytes.equals(kept.bytes))
    house.clock('2026-03-16T18:01:00.000Z')
    try {
      await runSchedules(house.house, 'permit_sweep')
      const now = await pdfOf(permit, w.as('admin'))
      assert.match(words(now.text), /EXPIRED The permit window ended on Mon 16 Mar 2026, 18:00\. Stop work/)
      assert.match(words(now.text), /The receiver hasn’t handed this permit back\./)
      assert.ok(
        (await pdfOf(permit, w.as('admin'), '?snapshot=issue')).bytes.equals(kept.bytes),
        'the snapshot of the issue stays the same',
      )
    } finally {
      house.clock('2026-03-16T09:00:00.000Z')
    }
  })

  test('§1 the document is readable in every state, with long text, other scripts and forty signatures', async () => {
    const w = await permitWorld(house)
    const all = Object.keys(w.types)
    const words_ = 'خطر العمل — 高空作業 — सुरक्षा — 🔥 — '
    const heavy = await w.draft({
      categories: all,
      parent_id: null,
      title: 'W'.repeat(200),
      description: words_ + 'A'.repeat(2000) + ' lorem ipsum'.repeat(500),
      controls: 'x\n'.repeat(3000),
      hazards: Array.from({ length: 100 }, (_, i) => `hazard ${i}`),
    })
    for (let round = 0; round < 13; round++) {
      await w.step(heavy, 'submit', w.as('member'))
      await w.step(heavy, 'endorse', w.as('coordinator'), { note: 'n'.repeat(500) })
      await w.step(heavy, 'approve', w.as('hse'))
      await w.step(heavy, 'issue', w.issuer)
      await w.step(heavy, 'hand-back', w.receiver, { note: 'Not ready' })
    }
    const paper = await pdfOf(heavy, w.as('admin'))
    const text = words(paper.text)
    assert.match(text, /39 signatures/)
    assert.match(text, /Characters that this document can’t print/)
    assert.match(text, /\(emoji\)/, 'every script has a font; only emoji are missing')
    assert.match(text, /hazard 99/)
    assert.ok(paper.pages > 10)
    for (const state of [
      'requested',
      'endorsed',
      'approved',
      'signed',
      'closed',
      'rejected',
      'withdrawn',
      'corrections_requested',
    ] as const) {
      const permit = await w.at(state)
      assert.equal((await fetched(permit, state === 'withdrawn' ? w.as('member') : w.as('admin'))).status, 200, state)
    }
  })

  describe('§4.2 the signed statement on a printed permit', () => {
    const statementOf = async (permit: Permit, by: Caller) => {
      const { body } = await by.get(`/permits/applications/${permit.id}/chain`)
      return body.statement as string
    }
    const keys = async (w: Pick<PermitWorld, 'site_id'>): Promise<PublicKey[]> =>
      (await house.nobody.get(`/permits/verification-keys?site_id=${w.site_id}`)).body
    const judged = async (statement: string) => (await house.nobody.post('/permits/verification', { statement })).body

    test('the statement is in the wallet, a phone can check it without a server, and anyone can ask whether the permit is still valid', async () => {
      const w = await permitWorld(house)
      const permit = await w.at('issued')
      const [carried] = (await w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`)).body
      assert.match(carried.qr_payload, /^http:\/\/walkdown\.test\/verify#W1\./)
      const statement = statementIn(carried.qr_payload) ?? ''
      const { statement: said, doubt } = await believe(statement, await keys(w))
      assert.equal(doubt, null)
      const { number, state, start_at, end_at, content_hash, signatures, chain_head } = said ?? ({} as never)
      assert.deepEqual(
        { number, state, start_at, end_at, content_hash, signatures, chain_head },
        {
          number: permit.permit_number,
          state: 'issued',
          start_at: permit.start_at,
          end_at: permit.end_at,
          content_hash: permit.content_hash,
          signatures: 4,
          chain_head: permit.signatures.at(-1).hash,
        },
      )
      assert.deepEqual(await judged(carried.qr_payload), { genuine: true, doubt: null, verdict: 'not_yet', at: '2026-03-16T09:00:00.000Z' })
      assert.equal(verdictOf(said as never, '2026-03-16T10:00:00.000Z'), 'valid')
      assert.equal(verdictOf(said as never, '2026-03-16T18:00:00.000Z'), 'over')
    })

    test('for a superseded, handed-back, expired, closed or rejected permit the response is that one word', async () => {
      const w = await permitWorld(house)
      const permit = await w.at('signed', { categories: ['GEN'] })
      const awaiting = await statementOf(permit, w.as('admin'))
      assert.equal((await judged(awaiting)).verdict, 'not_live')
      await w.step(permit, 'countersign', w.receiver)
      assert.equal((await judged(awaiting)).verdict, 'superseded')
      const live = await statementOf(permit, w.as('admin'))
      assert.equal((await judged(live)).verdict, 'not_yet')
      const file = [{ name: 'file', value: Buffer.from('plain words'), filename: 'note.txt', type: 'text/plain' }]
      house.clock('2026-03-16T09:05:00.000Z')
      await w.as('hse').send('POST', `/permits/applications/${permit.id}/attachments`, file)
      assert.equal((await judged(live)).verdict, 'not_yet', 'a file that was added later doesn’t make the printed permit invalid')
      const request = await w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-16T20:00:00Z' })
      await w.as('hse').post(`/permits/extensions/${request.body.request_id}/approve`, {})
      assert.equal((await judged(live)).verdict, 'superseded')
      const longer = await statementOf(permit, w.as('admin'))
      house.clock('2026-03-16T12:00:00.000Z')
      try {
        assert.equal((await judged(longer)).verdict, 'valid')
        await w.step(permit, 'hand-back', w.receiver)
        assert.equal((await judged(longer)).verdict, 'handed_back')
        await w.step(permit, 'close-out', w.as('hse'), { checklist: CHECKLIST })
        for (const paper of [awaiting, live, longer])
          assert.deepEqual(await judged(paper), { genuine: true, doubt: null, verdict: 'closed', at: '2026-03-16T12:00:00.000Z' })
        const other = await w.at('issued')
        const said = await statementOf(other, w.as('admin'))
        house.clock('2026-03-16T18:00:00.000Z')
        assert.equal((await judged(said)).verdict, 'expired')
        const refused = await w.at('requested')
        const asked = await statementOf(refused, w.as('admin'))
        await w.step(refused, 'reject', w.as('hse'), { reason: 'Unsafe' })
        assert.equal((await judged(asked)).verdict, 'ended')
      } finally {
        house.clock('2026-03-16T09:00:00.000Z')
      }
    })

    test('a foreign statement, one with a changed character and a missing one are each reported as such', async () => {
      const w = await permitWorld(house)
      const other = await permitWorld(house)
      const statement = await statementOf(await w.at('issued'), w.as('admin'))
      const foreign = await statementOf(await other.at('issued'), other.as('admin'))
      const nothing = (doubt: string) => ({ genuine: false, doubt, verdict: null, at: '2026-03-16T09:00:00.000Z' })
      const parts = statement.split('.')
      const with_ = (i: number, value: string) => parts.map((part, at) => (at === i ? value : part)).join('.')
      assert.deepEqual(await judged('https://example.com/'), nothing('no_statement'))
      assert.deepEqual(await judged(with_(5, 'PTW-000999')), nothing('wrong_signature'))
      assert.deepEqual(await judged(with_(6, 'c')), nothing('wrong_signature'))
      assert.deepEqual(await judged(with_(2, foreign.split('.')[2] ?? '')), nothing('unknown_key'))
      assert.deepEqual(await judged(with_(14, foreign.split('.')[14] ?? '')), nothing('wrong_signature'))
      assert.deepEqual((await house.nobody.get('/permits/verification-keys')).status, 422)
      assert.deepEqual((await house.nobody.get('/permits/verification-keys?site_id=01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e')).body, [])
      assert.equal((await house.nobody.post('/permits/verification', {})).status, 422)
      assert.equal((await house.nobody.post('/permits/verification', { statement, site_id: other.site_id })).status, 422)
      assert.equal((await house.nobody.post(`/permits/verification?site_id=${w.site_id}`, { statement })).body.genuine, true)
    })

    test('§1 a document of an erased site is reported as one of a site that is no longer held, from the request that erases it on', async () => {
      const w = await permitWorld(house)
      const statement = await statementOf(await w.at('issued'), w.as('admin'))
      const site = `/sites/${w.site_id}`
      const { code } = (await w.as('admin').get(site)).body
      assert.equal((await w.as('admin').post(`${site}/lock`, { locked: true, reason: 'Over', force: true })).status, 200)
      assert.equal((await judged(statement)).genuine, true, 'a locked site is still held')
      assert.equal((await w.superadmin.del(`${site}/nuke`, { confirm: code, reason: 'Made by mistake' })).status, 204)
      const gone = { genuine: false, doubt: 'site_erased', verdict: null, at: '2026-03-16T09:00:00.000Z' }
      assert.deepEqual(await judged(statement), gone)
      const [run] = await runsOf(house.house.database.db, { kinds: ['site_nuke'], limit: 1, after: null })
      await runJob(house.house, run?.id ?? '')
      assert.deepEqual(await judged(statement), gone)
      assert.deepEqual(await keys(w), [])
    })

    test('a key is created once however many requests need it, and encrypted at rest; a rotated key keeps old prints valid, a revoked one doesn’t', async () => {
      const w = await permitWorld(house)
      const permit = await w.at('issued')
      const all = await Promise.all(Array.from({ length: 6 }, () => statementOf(permit, w.as('admin'))))
      assert.equal(new Set(all).size, 1)
      const [first] = await keys(w)
      assert.equal((await keys(w)).length, 1)
      const [row] = await house.rows('select * from signing_key where site_id = $1', [w.site_id])
      assert.ok(!Buffer.from(row.sealed, 'base64').toString('latin1').includes('0\x2e\x02\x01'), 'no key in plain text')
      const entries = await house.rows(`select changes::text as said from audit_entry where site_id = $1 and entity_type = 'signing_key'`, [
        w.site_id,
      ])
      assert.ok(
        entries.every(entry => !entry.said.includes(row.sealed)),
        'nor in the audit log',
      )

      const rotated = await rotateKeys(house.house, w.site_id, null)
      assert.deepEqual(rotated.ended, [first?.kid])
      const [statement = ''] = all
      assert.equal((await judged(statement)).verdict, 'not_yet')
      const next = await statementOf(permit, w.as('admin'))
      assert.notEqual(next.split('.')[1], statement.split('.')[1])
      assert.equal((await judged(next)).verdict, 'not_yet')
      await rotateKeys(house.house, w.site_id, 'The disk was stolen')
      assert.equal((await judged(next)).doubt, 'revoked_key')
      assert.equal((await judged(statement)).doubt, 'revoked_key')
      assert.equal((await judged(await statementOf(permit, w.as('admin')))).verdict, 'not_yet')
      const ends = (await keys(w)).filter(key => key.revoked_at === null)
      assert.equal(ends.length, 1)
    })

    test('a key lasts a year; the next printed permit uses the next key', async () => {
      const w = await permitWorld(house)
      const permit = await w.at('issued')
      const before = await statementOf(permit, w.as('admin'))
      house.clock('2027-03-20T09:00:00.000Z')
      try {
        assert.notEqual((await statementOf(permit, w.as('admin'))).split('.')[1], before.split('.')[1])
        assert.equal((await keys(w)).length, 2)
        assert.equal((await judged(before)).genuine, true)
      } finally {
        house.clock('2026-03-16T09:00:00.000Z')
      }
    })

    test('only people who see the permit can get its chain; an imported permit has no statement', async () => {
      const w = await permitWorld(house)
      const permit = await w.at('requested')
      assert.equal((await w.as('viewer').get(`/permits/applications/${permit.id}/chain`)).status, 404)
      assert.equal((await house.nobody.get(`/permits/applications/${permit.id}/chain`)).status, 401)
      const { body } = await w.as('hse').get(`/permits/applications/${permit.id}/chain`)
      assert.equal(body.form, 'walkdown permit chain 1')
      assert.deepEqual(body.signatures, [])
      const draft = await w.draft()
      assert.equal((await w.as('member').get(`/permits/applications/${draft.id}/chain`)).body.statement, null)
    })
  })
})
