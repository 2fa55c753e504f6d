// The signature chain of a permit (`permits-decisions.md` §1, Signature record; §4.2): every change behind the service's back is found and
// located. This proves R9 for signatures.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fewestStatements } from '../../../../bench/record.ts'
import { contentHashOf, type Signable } from '../../../../shared/proof/content.ts'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { sha256 } from '../../../base/ids.ts'
import { verifySite } from '../../../commands/verify.ts'
import { verifyChain } from '../../../kernel/audit/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { signatureHash } from './actions/sign.ts'
import { signatureFaults, verifySignatures } from './actions/verify.ts'
import { signaturesOf } from './queries.ts'

describe('permits: the signature chain', () => {
  const house = useHouse()
  const verify = async (w: PermitWorld, permit: Permit) => verifySignatures(house.house.database.db, w.site_id, permit.id)

  /** Alters the database without the service, verifies, and restores everything. */
  const tampered = async (w: PermitWorld, permit: Permit, statement: string) => {
    const { pool } = house.house.database
    const tables = ['permit_signature', 'permit', 'permit_attachment']
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      for (const table of tables)
        await client.query(
          `create temp table kept_${table} on commit preserve rows as select * from ${table} where site_id = '${w.site_id}'`,
        )
      const { rowCount } = await client.query(statement, [permit.id])
      assert.ok((rowCount ?? 0) > 0, `changed nothing: ${statement}`)
      await client.query('commit')
      const report = await verify(w, permit)
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      for (const table of tables) {
        await client.query(`delete from ${table} where site_id = '${w.site_id}'`)
        await client.query(`insert into ${table} select * from kept_${table}`)
        await client.query(`drop table kept_${table}`)
      }
      await client.query('commit')
      return report
    } finally {
      client.release()
    }
  }
  const one = (set: string, number: number) => `update permit_signature set ${set} where permit_id = $1 and number = ${number}`

  test('§1 a permit that is returned after its endorsement, edited and withdrawn keeps no signature of the text before, and verifies', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('endorsed')
    await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Say which stair' })
    const edited = await w.as('member').patch(`/permits/applications/${permit.id}`, { title: 'Weld handrails on stair 4' })
    assert.equal(edited.status, 200, edited.text)
    const withdrawn = await w.step(permit, 'withdraw', w.as('member'), { reason: 'Not needed' })
    assert.equal(withdrawn.status, 200, withdrawn.text)
    assert.deepEqual(await verify(w, permit), { signatures: 1, fault: null })
    const [endorsed] = withdrawn.body.signatures
    assert.deepEqual([endorsed.kind, endorsed.void_reason], ['stage1_approve', 'Returned for corrections, and then withdrawn'])
    const kept = await w.at('endorsed')
    const [stands] = (await w.step(kept, 'withdraw', w.as('member'))).body.signatures
    assert.equal(stands.voided_at, null, 'a permit that is withdrawn from the review says what was signed')
    assert.deepEqual(await verify(w, kept), { signatures: 1, fault: null })
  })

  describe('1113 a permit that was returned, edited and withdrawn before decision 1096', () => {
    const POINT = { lon: -0.05, lat: 51.5 }
    /** Withdraws a permit as the versions before did: its signatures stay. */
    const asBefore = (w: PermitWorld, permit: Permit, set: Record<string, string> = { status: 'withdrawn' }) =>
      writingOn(house.house, { actor: jobActor('a version before'), cause: 'permit.withdraw' }, w.site_id, async ({ db }) => {
        await db.updateTable('permit').set(set).where('id', '=', permit.id).execute()
      })
    const returned = async (w: PermitWorld, more: Record<string, unknown> = {}) => {
      const permit = await w.at('endorsed', more)
      await w.step(permit, 'request-corrections', w.as('hse'), { note: 'Say which stair' })
      return permit
    }
    const edit = async (w: PermitWorld, permit: Permit, body: Record<string, unknown>) => {
      const edited = await w.as('member').patch(`/permits/applications/${permit.id}`, body)
      assert.equal(edited.status, 200, edited.text)
    }
    const OUTDATED = { signatures: 1, fault: null, outdated: 1 }

    test('is said to have an outdated signature, and nothing to be altered', async () => {
      const w = await permitWorld(house)
      const permit = await returned(w, { place: { point: POINT } })
      await edit(w, permit, { title: 'Weld handrails on stair 4', start_at: '2026-03-16T11:00:00.000Z' })
      await edit(w, permit, { title: 'Weld handrails on stair 5', place: { point: { ...POINT, lat: 51.5001 } }, hazards: ['heat'] })
      await asBefore(w, permit)
      assert.deepEqual(await verify(w, permit), OUTDATED)
      const said: string[] = []
      assert.equal(await verifySite(house.house, w.site_id, line => said.push(line)), true)
      assert.match(
        said.join('\n'),
        /^note {3}\S+ signature at permit .*: Signature 1 is of the text before the permit was returned for corrections\./,
      )
      const unedited = await returned(w)
      await asBefore(w, unedited)
      assert.deepEqual(await verify(w, unedited), { signatures: 1, fault: null })
    })

    test('is still reported if its row was altered, in a field that was edited or in any other', async () => {
      const w = await permitWorld(house)
      const permit = await returned(w, { place: { point: POINT } })
      await edit(w, permit, { title: 'Weld handrails on stair 4', place: { point: { ...POINT, lat: 51.5001 } } })
      await asBefore(w, permit)
      for (const set of [
        "title = 'Something else'",
        "controls = 'None'",
        "start_at = start_at + interval '1 hour'",
        "hazards = array['other']",
        'zone_id = null, building_id = null, place_geometry = null',
        "status = 'closed'",
        "pre_checks = '[]'",
        "categories = array['GEN']",
      ]) {
        const { fault } = await tampered(w, permit, `update permit set ${set} where id = $1`)
        assert.equal(fault?.what, 'permit', set)
      }
      assert.deepEqual(await verify(w, permit), OUTDATED)
      const withFile = await w.at('draft')
      const file = [{ name: 'file', value: Buffer.from('%PDF-1.4 a'), filename: 'a.pdf' }]
      assert.equal((await w.as('member').send('POST', `/permits/applications/${withFile.id}/attachments`, file)).status, 201)
      await w.step(withFile, 'submit', w.as('member'))
      await w.step(withFile, 'endorse', w.as('coordinator'))
      await w.step(withFile, 'request-corrections', w.as('hse'), { note: 'Say which stair' })
      await edit(w, withFile, { title: 'Weld handrails on stair 4' })
      await asBefore(w, withFile)
      assert.deepEqual(await verify(w, withFile), OUTDATED)
      assert.equal((await tampered(w, withFile, 'delete from permit_attachment where permit_id = $1')).fault?.what, 'permit')
    })

    test('is still reported if it was changed before the return or after the end, however that was logged', async () => {
      const w = await permitWorld(house)
      const early = await w.at('endorsed')
      await asBefore(w, early, { title: 'Changed while it was endorsed' })
      await w.step(early, 'request-corrections', w.as('hse'), { note: 'Say which stair' })
      await asBefore(w, early)
      const late = await returned(w)
      await asBefore(w, late)
      await asBefore(w, late, { title: 'Changed after it was withdrawn' })
      for (const permit of [early, late]) assert.equal((await verify(w, permit)).fault?.what, 'permit')
    })
  })

  test('a permit with corrections, a failed walk-down, a hand-back and a close-out verifies at every step', async () => {
    const w = await permitWorld(house)
    const permit = await w.draft()
    const steps: [string, Parameters<PermitWorld['step']>[2], object?][] = [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator'), { stage1_controls: 'Keep clear', note: 'Naïve “quotes” \u2028 and 🔥' }],
      ['request-corrections', w.as('hse'), { note: 'More' }],
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse'), { stage2_controls: 'Two watchers' }],
      ['issue', w.issuer, { presence: { work_front_code: 'A' } }],
      ['hand-back', w.receiver, { note: 'No extinguisher' }],
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
      ['hand-back', w.receiver],
      ['close-out', w.as('hse'), { checklist: CHECKLIST }],
    ]
    for (const [verb, by, body] of steps) {
      const done = await w.step(permit, verb, by, body)
      assert.equal(done.status, 200, `${verb}: ${done.text}`)
      assert.equal((await verify(w, permit)).fault, null, verb)
    }
    assert.deepEqual(await verify(w, permit), { signatures: 10, fault: null })
    const [fresh] = await house.rows('select count(*) as n from permit_signature where permit_id = $1 and voided_at is not null', [
      permit.id,
    ])
    assert.equal(fresh.n, 4)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })

  test('an extension moves the end with a signature of its own; a file that is added later breaks nothing', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', { categories: ['GEN'] })
    const asked = await w.receiver.post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-16T20:00:00Z' })
    assert.equal((await w.as('hse').post(`/permits/extensions/${asked.body.request_id}/approve`, {})).status, 200)
    const file = [{ name: 'file', value: Buffer.from('plain words'), filename: 'note.txt', type: 'text/plain' }]
    assert.equal((await w.as('hse').send('POST', `/permits/applications/${permit.id}/attachments`, file)).status, 201)
    assert.deepEqual(await verify(w, permit), { signatures: 5, fault: null })
  })

  test('a hand-back that was signed with an earlier declaration still verifies, because each signature covers its own words', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    assert.equal((await w.step(permit, 'hand-back', w.receiver)).status, 200)
    const signed = (await signaturesOf(house.house.database.db, w.site_id, [permit.id])).at(-1)
    assert.ok(signed !== undefined && signed.kind === 'hand_back')
    const earlier = 'I hand this permit back: work under it has stopped and the area is as stated.'
    assert.notEqual(signed.statement, earlier)
    const { permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, content_hash } = signed
    const hash = signatureHash(signed.prev_hash, {
      ...{ permit_id, number, kind, signer_id, signer_name, signer_role, signed_at, note, content_hash },
      statement: earlier,
    })
    const { fault } = await tampered(w, permit, one(`statement = '${earlier}', hash = '${hash}'`, number))
    assert.equal(fault, null)
    assert.equal((await tampered(w, permit, one(`statement = '${earlier}'`, number))).fault?.what, 'hash')
  })

  test('R9 a change to any column of a signature, to the order, or a missing signature is found and located', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const other = await w.at('issued')
    const cases: [string, number, string][] = [
      [one(`kind = 'close_out'`, 2), 2, 'hash'],
      [one(`signer_id = (select signer_id from permit_signature where permit_id = $1 and number = 1)`, 2), 2, 'hash'],
      [one(`signer_name = 'Mallory'`, 1), 1, 'hash'],
      [one(`signer_role = 'admin'`, 1), 1, 'hash'],
      [one(`signed_at = signed_at - interval '1 millisecond'`, 3), 3, 'hash'],
      [one(`note = 'All fine'`, 4), 4, 'hash'],
      [one(`statement = 'I saw nothing.'`, 4), 4, 'hash'],
      [one(`content = jsonb_set(content, '{controls}', '"none"')`, 2), 2, 'content'],
      [one(`content_hash = repeat('0', 64)`, 2), 2, 'content'],
      [one(`prev_hash = repeat('0', 64)`, 3), 3, 'link'],
      [one(`hash = repeat('0', 64)`, 1), 1, 'hash'],
      [one(`hash = repeat('0', 64)`, 4), 4, 'hash'],
      [`delete from permit_signature where permit_id = $1 and number = 1`, 1, 'missing'],
      [`delete from permit_signature where permit_id = $1 and number = 3`, 3, 'missing'],
      [`delete from permit_signature where permit_id = $1 and number = 4`, 4, 'missing'],
      [`delete from permit_signature where permit_id = $1 and number >= 2`, 2, 'missing'],
      [`delete from permit_signature where permit_id = $1`, 1, 'missing'],
      [one(`voided_at = now(), void_reason = 'quietly'`, 2), 2, 'voiding'],
      [`update permit_signature set permit_id = '${other.id}', number = 5 where permit_id = $1 and number = 4`, 4, 'missing'],
    ]
    for (const [statement, number, what] of cases) {
      const { fault } = await tampered(w, permit, statement)
      assert.deepEqual([fault?.number, fault?.what], [number, what], `${statement}: ${JSON.stringify(fault)}`)
    }
    const swapped = await tampered(
      w,
      permit,
      `update permit_signature set number = case number when 2 then 3 else 2 end + 100 where permit_id = $1 and number in (2, 3)`,
    )
    assert.deepEqual([swapped.fault?.number, swapped.fault?.what], [2, 'missing'])
    assert.deepEqual(await verify(w, permit), { signatures: 4, fault: null }, 'everything was restored')
  })

  test('R9 a chain that was forged completely, hash by hash, is not in the audit log', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    const { fault } = await tampered(w, permit, `update permit_signature set id = gen_random_uuid() where permit_id = $1 and number = 4`)
    assert.deepEqual([fault?.number, fault?.what], [4, 'unrecorded'])
  })

  test('R9 the signatures of a site are verified in as many statements for several permits as for one', async () => {
    const w = await permitWorld(house)
    const statements = async () => {
      const sent = await fewestStatements(async () => {
        for await (const fault of signatureFaults(house.house.database.db, w.site_id)) assert.fail(JSON.stringify(fault))
      })
      return sent.length
    }
    await w.at('endorsed')
    const of_one = await statements()
    for (const state of ['endorsed', 'approved'] as const) await w.at(state)
    assert.equal(await statements(), of_one)
  })

  test('R9 a signed field of the permit itself that was changed under its signatures is named', async () => {
    const w = await permitWorld(house)
    const draft = await w.draft()
    const file = [{ name: 'file', value: Buffer.from('plain words'), filename: 'note.txt', type: 'text/plain' }]
    await w.as('member').send('POST', `/permits/applications/${draft.id}/attachments`, file)
    for (const [verb, by] of [
      ['submit', w.as('member')],
      ['endorse', w.as('coordinator')],
      ['approve', w.as('hse')],
      ['issue', w.issuer],
      ['countersign', w.receiver],
    ] as const)
      await w.step(draft, verb, by)
    const fields: [string, string][] = [
      ['title', `'Weld pipes'`],
      ['description', 'null'],
      ['controls', `'none'`],
      ['end_at', `end_at + interval '1 hour'`],
      ['start_at', `start_at - interval '1 hour'`],
      ['categories', `'{GEN}'`],
      ['receiver_id', 'requestor_id'],
      ['contractor_id', 'null'],
      ['permit_number', `'PTW-000099'`],
      ['hazards', `'{sparks}'`],
      ['pre_checks', `jsonb_set(pre_checks, '{0,answer}', '"yes"')`],
      ['location', `'Elsewhere'`],
    ]
    for (const [name, value] of fields) {
      const { fault } = await tampered(w, draft, `update permit set ${name} = ${value} where id = $1`)
      assert.deepEqual([fault?.what, fault?.detail], ['permit', `The permit has changed since signature 4: ${name}.`])
    }
    const { fault } = await tampered(w, draft, `delete from permit_attachment where permit_id = $1`)
    assert.equal(fault?.detail, 'The permit has changed since signature 4: attachments.')
    assert.equal((await verify(w, draft)).fault, null)
  })

  test('§4.2 from what it shows, a phone computes the exact hash that is signed, even with a photo of its own that the service doesn’t have yet', async () => {
    const w = await permitWorld(house)
    const shown = await w.at('signed', { place: null, limitations: 'Until the rain' })
    const own = { slot: null, filename: 'front.txt', sha256: sha256('plain words') }
    assert.equal(await contentHashOf(shown as unknown as Signable, shown.attachments), shown.content_hash)
    const foreseen = await contentHashOf(shown as unknown as Signable, [...shown.attachments, own])
    const file = [{ name: 'file', value: Buffer.from('plain words'), filename: 'front.txt', type: 'text/plain' }]
    assert.equal((await w.receiver.send('POST', `/permits/applications/${shown.id}/attachments`, file)).status, 201)
    const signed = await w.step(shown, 'countersign', w.receiver, { content_hash: foreseen })
    assert.equal(signed.status, 200, signed.text)
    assert.equal(signed.body.content_hash, foreseen)
  })
})
