// What a document and the message about the last signature say before a permit's window starts, and after it has ended.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { printAll } from '../../../../tests/papers.ts'
import { readPdf } from '../../../../tests/pdf.ts'
import { type Permit, permitWorld } from '../../../../tests/permits.ts'
import { type Caller, MONDAY, useHouse } from '../../../../tests/world.ts'
import { relayEvents } from '../../../kernel/events/door.ts'
import { factsHash } from '../../../kernel/papers/door.ts'
import { paperFacts } from './queries.ts'

const FRIDAY = { start_at: '2026-03-20T08:00:00.000Z', end_at: '2026-03-20T17:00:00.000Z' }

describe('documents and the window', () => {
  const house = useHouse()

  const pdf = async (permit: Pick<Permit, 'id'>, by: Caller, query = '') => {
    const answer = await house.edge.app.inject({
      method: 'GET',
      url: `/api/permits/applications/${permit.id}/document${query}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
    assert.equal(answer.statusCode, 200, answer.payload.slice(0, 300))
    return { bytes: answer.rawPayload, text: readPdf(answer.rawPayload).text.replace(/\s+/g, ' ') }
  }

  test('9.26 a permit for Friday that is printed on Monday says from when it is live and not to start before, also in its snapshot', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', FRIDAY)
    await printAll(house, w.site_id)
    for (const query of ['', '?snapshot=issue']) {
      const { text } = await pdf(permit, w.receiver, query)
      assert.match(
        text,
        /LIVE FROM Fri 20 Mar 2026, 08:00 Don’t start work before Fri 20 Mar 2026, 08:00; work can go on until Fri 20 Mar 2026, 17:00/,
      )
      assert.doesNotMatch(text, /LIVE (?!FROM)|Work can go on|went live/)
    }
  })

  test('9.26 a document doesn’t call a parent or child permit live, and says when it was handed back', async () => {
    const w = await permitWorld(house)
    const parent = await w.at('issued', { ...FRIDAY, categories: ['GEN'] })
    const child = await w.at('requested', { ...FRIDAY, categories: ['GEN'], parent_id: parent.id })
    const related = async () => (await pdf(child, w.as('admin'))).text
    assert.match(await related(), new RegExp(`${parent.permit_number} Parent permit issued`))
    assert.equal((await w.step(parent, 'hand-back', w.receiver)).status, 200)
    assert.match(await related(), new RegExp(`${parent.permit_number} Parent permit handed back`))
  })

  test('9.10 a document that is requested after the window ended says so although the sweep hasn’t run; the snapshot stays as it was', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued')
    await printAll(house, w.site_id)
    const kept = await pdf(permit, w.receiver, '?snapshot=issue')
    assert.ok((await pdf(permit, w.receiver)).bytes.equals(kept.bytes))
    try {
      house.clock('2026-03-16T18:00:00.000Z')
      const over = await pdf(permit, w.receiver)
      assert.equal((await w.read(permit)).status, 'issued', 'the sweep hasn’t run')
      assert.match(over.text, /WINDOW ENDED The permit window ended on Mon 16 Mar 2026, 18:00\. Stop work/)
      assert.doesNotMatch(over.text, /LIVE|ork can go on/)
      house.clock('2026-03-16T18:05:00.000Z')
      assert.ok((await pdf(permit, w.receiver)).bytes.equals(over.bytes), 'the same record gives the same document')
      assert.ok((await pdf(permit, w.receiver, '?snapshot=issue')).bytes.equals(kept.bytes))
    } finally {
      house.clock(MONDAY)
    }
  })

  test('9.26 a snapshot in the words of an earlier version can be read as it is, but isn’t taken for the present document', async () => {
    const w = await permitWorld(house)
    const permit = await w.at('issued', FRIDAY)
    await printAll(house, w.site_id)
    const kept = await pdf(permit, w.receiver, '?snapshot=issue')
    assert.ok((await pdf(permit, w.receiver)).bytes.equals(kept.bytes), 'in the words of this version it is the present document')
    const facts = await paperFacts(house.house.database.db, w.site_id, permit.id)
    // What the first version stored: the digest of the same facts, without a version of the wording.
    const { form: _form, ...first } = facts ?? assert.fail('no facts')
    await house.rows(
      `begin; set local session_replication_role = replica; update paper set facts_hash = '${factsHash(first)}' where subject_id = '${permit.id}' and occasion = 'issue'; commit`,
    )
    assert.ok(!(await pdf(permit, w.receiver)).bytes.equals(kept.bytes))
    assert.ok((await pdf(permit, w.receiver, '?snapshot=issue')).bytes.equals(kept.bytes))
  })

  test('9.26 the message about the last signature contains the window, and doesn’t say that work can start', async () => {
    const w = await permitWorld(house)
    const { permit_number } = await w.at('issued', FRIDAY)
    await relayEvents(house.house)
    const [row] = (await w.as('member').get(`/notifications/?site_id=${w.site_id}&kind=permit_live`)).body
    assert.equal(row.title, `Permit ${permit_number} is signed`)
    assert.match(row.body, /^Weld handrails\. Work is allowed from .*20 Mar.*08:00 until .*20 Mar.*17:00\.$/)
  })
})
