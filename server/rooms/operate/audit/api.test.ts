import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { permitWorld } from '../../../../tests/permits.ts'
import { type Reply, useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { eraseEntries, verifyChain } from '../../../kernel/audit/door.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { signerOf } from '../../../kernel/statements/door.ts'

describe('audit', () => {
  const house = useHouse()

  const contractorWith = async (w: World, name: string) =>
    (await w.as('coordinator').post('/contractors/', { site_id: w.site_id, name })).body
  /** Changes the database without the service, as a person with its password could. */
  const tamper = async (statement: string, site_id: string) => {
    const client = await house.house.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query(statement, [site_id])
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const history = (w: World, role: Parameters<World['as']>[0], type: string, id: string) => w.as(role).get(`/audit/entity/${type}/${id}`)
  const newest = async (w: World, type: string, id: string) => (await history(w, 'admin', type, id)).body[0]
  const revert = (w: World, entry_id: string, body: Record<string, unknown> = {}): Promise<Reply> =>
    w.as('admin').post(`/audit/revert/${entry_id}`, { reason: 'A slip of the pen', ...body })
  const contractors = async (w: World, id: string) => (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&id=${id}`)).body[0]

  describe('§15 GET /audit/entity/{entity_type}/{entity_id}', () => {
    test('the history lists entries newest first, field by field, with who made them and why, and whether they can be reverted', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Birch Steel')
      await w.as('coordinator').patch(`/contractors/${contractor.id}`, { short_name: 'BIR9' }, { 'x-request-id': 'nobody cares' })
      const { status, body } = await history(w, 'member', 'contractor', contractor.id)
      assert.equal(status, 200)
      assert.deepEqual(
        body.map((e: { action: string }) => e.action),
        ['update', 'create'],
      )
      const [change, made] = body
      assert.deepEqual(change.changes, [{ path: 'short_name', before: contractor.short_name, after: 'BIR9' }])
      assert.equal(change.actor.name, 'Cora Coordinator')
      assert.equal(change.prev_hash === made.hash || change.seq > made.seq + 1, true)
      assert.deepEqual(change.revertible, {
        allowed: false,
        because: [
          {
            code: 'forbidden',
            detail:
              'Your role on this site doesn’t include this permission: “Create and change contractors: name, colour, trades, aliases, logo and contact details”. Ask a site manager or an administrator.',
          },
        ],
      })
      assert.equal((await newest(w, 'contractor', contractor.id)).revertible.allowed, true)
    })

    test('the history of a deleted record is listed too, page by page', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Short Lived Ltd')
      for (const short_name of ['A', 'B', 'C']) await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name })
      assert.equal((await w.as('admin').del(`/contractors/${contractor.id}`)).status, 204)
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Reply = await w
          .as('viewer')
          .get(`/audit/entity/contractor/${contractor.id}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
        assert.equal(page.status, 200)
        seen.push(...page.body.map((e: { action: string }) => e.action))
        cursor = /cursor=([^&>]+)/.exec(String(page.headers.link ?? ''))?.[1] ?? null
      }
      assert.deepEqual(seen, ['delete', 'update', 'update', 'update', 'create'])
    })

    test('an unknown kind is refused with the list of kinds; the wrong kind and an unknown id give 404', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Typed Ltd')
      const unknown = await history(w, 'admin', 'firm', contractor.id)
      assert.equal(unknown.status, 422)
      assert.match(unknown.text, /contractor, .*permit/)
      assert.equal((await history(w, 'admin', 'permit', contractor.id)).status, 404)
      assert.equal((await history(w, 'admin', 'contractor', w.site_id)).status, 404)
      assert.equal((await history(w, 'admin', 'contractor', 'x')).status, 404)
      assert.equal((await (await w.stranger()).get(`/audit/entity/contractor/${contractor.id}`)).status, 404)
      assert.equal((await house.nobody.get(`/audit/entity/contractor/${contractor.id}`)).status, 401)
    })

    test('another person’s draft has no history for others, deleted or not, and neither do its parts', async () => {
      const p = await permitWorld(house)
      const draft = await p.draft()
      const own = await p.as('member').get(`/audit/entity/permit/${draft.id}`)
      assert.equal(own.status, 200)
      for (const role of ['admin', 'hse', 'viewer', 'contractor_hse'] as const)
        assert.equal((await history(p, role, 'permit', draft.id)).status, 404, role)
      const log = await p.as('admin').get(`/audit/site/${p.site_id}?entity_type=permit`)
      assert.deepEqual(log.body, [])
      assert.equal((await p.as('member').del(`/permits/applications/${draft.id}`)).status, 204)
      assert.equal((await history(p, 'admin', 'permit', draft.id)).status, 404)
      assert.equal((await p.as('member').get(`/audit/entity/permit/${draft.id}`)).status, 200)
      assert.deepEqual((await p.as('admin').get(`/audit/site/${p.site_id}?entity_type=permit`)).body, [])
    })

    test('people who can’t see contact details see that they changed, but not their values', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Quiet Contacts')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { email: 'office@quiet.example' })
      const change = (await history(w, 'viewer', 'contractor', contractor.id)).body[0].changes[0]
      assert.deepEqual(change, { path: 'email', before: null, after: '[hidden]' })
      assert.equal((await newest(w, 'contractor', contractor.id)).changes[0].after, 'office@quiet.example')
    })
  })

  describe('§15 POST /audit/revert/{entry_id}', () => {
    test('a field is reverted through the record’s own function, and a later change of another field stays', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Mover Ltd')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'MOV9' })
      const entry = await newest(w, 'contractor', contractor.id)
      await w.as('admin').patch(`/contractors/${contractor.id}`, { name: 'Mover and Sons' })
      const done = await revert(w, entry.id)
      assert.equal(done.status, 200, done.text)
      assert.deepEqual(done.body.changed, [
        { entity_type: 'contractor', entity_id: contractor.id, path: 'short_name', from: 'MOV9', to: contractor.short_name },
      ])
      const now = await contractors(w, contractor.id)
      assert.deepEqual([now.short_name, now.name], [contractor.short_name, 'Mover and Sons'])
      const last = await newest(w, 'contractor', contractor.id)
      assert.deepEqual(
        [last.id, last.action, last.reverts_entry_id, last.reason],
        [done.body.entries[0].id, 'revert', entry.id, 'A slip of the pen'],
      )
      const [, , first] = (await history(w, 'admin', 'contractor', contractor.id)).body
      assert.equal(first.reverted_by_entry_id, last.id)
    })

    test('reverting a rename restores name, colour and aliases; reverting the revert repeats the rename', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Alder Roofing')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { name: 'Zinc Roofing' })
      const renamed = await contractors(w, contractor.id)
      const back = await revert(w, (await newest(w, 'contractor', contractor.id)).id)
      assert.equal(back.status, 200, back.text)
      const now = await contractors(w, contractor.id)
      assert.deepEqual([now.name, now.colour, now.aliases], [contractor.name, contractor.colour, contractor.aliases])
      const again = await revert(w, back.body.entries[0].id)
      assert.equal(again.status, 200, again.text)
      const redone = await contractors(w, contractor.id)
      assert.deepEqual([redone.name, redone.colour, redone.aliases], [renamed.name, renamed.colour, renamed.aliases])
    })

    test('a field that changed again since gives 409 with its old, new and present values and the later entry; the caller can choose other fields', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Twice Ltd')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'ONE', trades: ['steel'] })
      const entry = await newest(w, 'contractor', contractor.id)
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'TWO' })
      const later = await newest(w, 'contractor', contractor.id)
      const refused = await revert(w, entry.id)
      assert.equal(refused.status, 409)
      assert.equal(refused.body.error.reason, 'changed_since')
      assert.deepEqual(refused.body.error.fields, [
        { path: 'short_name', before: contractor.short_name, after: 'ONE', now: 'TWO', changed_by_entry_id: later.id },
      ])
      assert.deepEqual((await contractors(w, contractor.id)).trades, ['steel'])
      const part = await revert(w, entry.id, { fields: ['trades'] })
      assert.equal(part.status, 200, part.text)
      const now = await contractors(w, contractor.id)
      assert.deepEqual([now.short_name, now.trades], ['TWO', []])
      const unknown = await revert(w, later.id, { fields: ['trades'] })
      assert.equal(unknown.status, 422)
    })

    test('reverting a creation deletes the record unless it is in use; reverting a deletion restores it under its id unless its name is taken', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'There And Back')
      const made = await newest(w, 'contractor', contractor.id)
      const gone = await revert(w, made.id)
      assert.equal(gone.status, 200, gone.text)
      assert.equal(await contractors(w, contractor.id), undefined)
      const twin = await contractorWith(w, 'There And Back')
      const taken = await revert(w, gone.body.entries[0].id)
      assert.equal(taken.status, 409)
      assert.equal(taken.body.error.reason, 'key_taken')
      await w.as('admin').del(`/contractors/${twin.id}`)
      const back = await revert(w, gone.body.entries[0].id)
      assert.equal(back.status, 200, back.text)
      const now = await contractors(w, contractor.id)
      assert.deepEqual([now.id, now.name, now.colour], [contractor.id, contractor.name, contractor.colour])
      await w.join('member', contractor.id)
      const used = await revert(w, back.body.entries[0].id)
      assert.deepEqual([used.status, used.body.error.reason], [409, 'in_use'])
    })

    test('a dry run returns the same result and changes nothing', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Rehearsal Ltd')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'REH9' })
      const entry = await newest(w, 'contractor', contractor.id)
      const before = await house.rows('select seq, event_no from site_head where site_id = $1', [w.site_id])
      const dry = await revert(w, entry.id, { dry_run: true })
      assert.equal(dry.status, 200, dry.text)
      assert.equal(dry.body.changed[0].to, contractor.short_name)
      assert.deepEqual(await house.rows('select seq, event_no from site_head where site_id = $1', [w.site_id]), before)
      assert.equal((await contractors(w, contractor.id)).short_name, 'REH9')
    })

    test('messages.md §0.5 a revert is published with what it reverted and why', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Once Ltd')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'ONCE' })
      const entry = await newest(w, 'contractor', contractor.id)
      assert.equal((await revert(w, entry.id, { reason: 'Typed into the wrong row' })).status, 200)
      const events = await house.rows(
        "select subject_kind, subject_id, payload from event where site_id = $1 and kind = 'audit.reverted'",
        [w.site_id],
      )
      assert.deepEqual(events, [
        {
          subject_kind: 'contractor',
          subject_id: contractor.id,
          payload: { entry_id: entry.id, entries: 1, reason: 'Typed into the wrong row' },
        },
      ])
    })

    test('scope batch reverts everything in the request, or nothing', async () => {
      const w = await house.world()
      const types = async () => (await w.as('admin').get(`/permits/types?site_id=${w.site_id}`)).body
      const before = await types()
      const chosen = await w.as('admin').post(`/permits/config/regime?site_id=${w.site_id}`, { regime: 'major_hazard' })
      assert.ok(chosen.status < 300, chosen.text)
      const changed = (await types()).filter(
        (t: { requires_parent: boolean }, i: number) => t.requires_parent !== before[i].requires_parent,
      )
      assert.ok(changed.length > 1)
      const chosenTypes = await types()
      const entry = await newest(w, 'permit_type', changed[0].id)
      // The policy itself was created by the same request, and a regime can't be restored as a field, so nothing is reverted.
      const refused = await revert(w, entry.id, { scope: 'batch' })
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.body.error.entity_type, 'permit_config')
      assert.deepEqual(await types(), chosenTypes)
      const one = await revert(w, entry.id)
      assert.equal(one.status, 200, one.text)
    })

    test('steps, ledgers and access can’t be reverted, and each says why; a second revert refers to the first', async () => {
      const p = await permitWorld(house)
      const permit = await p.at('endorsed')
      const entries = (await p.as('admin').get(`/audit/entity/permit/${permit.id}`)).body
      const step = entries.find((e: { action: string }) => e.action === 'transition')
      assert.deepEqual((await revert(p, step.id)).body.error.reason, 'transition')
      const log = (await p.as('admin').get(`/audit/site/${p.site_id}?limit=1000`)).body
      const of = (type: string) => log.find((e: { entity_type: string }) => e.entity_type === type)
      assert.equal((await revert(p, of('permit_signature').id)).body.error.reason, 'ledger')
      assert.equal((await revert(p, of('membership').id)).body.error.reason, 'access')
      const contractor = await contractorWith(p, 'Only Once')
      await p.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'O' })
      const entry = await newest(p, 'contractor', contractor.id)
      const done = await revert(p, entry.id)
      const twice = await revert(p, entry.id)
      assert.deepEqual(
        [twice.status, twice.body.error.reason, twice.body.error.reverted_by_entry_id],
        [409, 'already_reverted', done.body.entries[0].id],
      )
    })

    test('reverting needs today’s permission, and 403 is returned without it; an entry older than 30 days needs the manage band', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Old News')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'OLD9' })
      const entry = await newest(w, 'contractor', contractor.id)
      const body = { reason: 'Wrong' }
      assert.equal((await w.as('member').post(`/audit/revert/${entry.id}`, body)).status, 403)
      house.clock('2026-04-20T09:00:00.000Z')
      const late = await w.as('coordinator').post(`/audit/revert/${entry.id}`, body)
      assert.deepEqual([late.status, late.body.error.permission], [403, 'audit_revert_old'])
      assert.equal((await w.as('hse').post(`/audit/revert/${entry.id}`, body)).status, 200)
      house.clock('2026-03-16T09:00:00.000Z')
    })

    test('malformed requests, unknown entries and entries that the caller can’t see are refused', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Faulty')
      const entry = await newest(w, 'contractor', contractor.id)
      assert.equal((await w.as('admin').post(`/audit/revert/${entry.id}`, {})).status, 422)
      assert.equal((await revert(w, entry.id, { fields: [] })).status, 422)
      assert.equal((await revert(w, contractor.id)).status, 404)
      assert.equal((await (await w.stranger()).post(`/audit/revert/${entry.id}`, { reason: 'x' })).status, 404)
    })

    test('reverting a record with versions makes a new version equal to the old one: a feature gets its shape back, label styles their document', async () => {
      const w = await house.world()
      const square = (side: number) => ({
        type: 'Polygon',
        coordinates: [
          [
            [-0.1, 51.5],
            [-0.1 + side, 51.5],
            [-0.1 + side, 51.5 + side],
            [-0.1, 51.5 + side],
            [-0.1, 51.5],
          ],
        ],
      })
      const drawn = await w
        .as('hse')
        .post('/reference-features/zones', { site_id: w.site_id, kind: 'zone', name: 'Yard', zone_type: 'laydown', outline: square(0.001) })
      assert.equal(drawn.status, 201, drawn.text)
      const id = drawn.body.id
      house.clock('2026-03-16T10:00:00.000Z')
      const moved = await w.as('hse').patch(`/reference-features/features/${id}`, { name: 'Long yard', outline: square(0.002) })
      assert.equal(moved.status, 200, moved.text)
      house.clock('2026-03-16T11:00:00.000Z')
      const entry = await newest(w, 'reference_feature', id)
      const done = await revert(w, entry.id)
      assert.equal(done.status, 200, done.text)
      const feature = (await w.as('hse').get(`/reference-features/features/${id}`)).body
      assert.deepEqual([feature.name, feature.outline, feature.feature_version], ['Yard', drawn.body.outline, 3])
      const last = await newest(w, 'reference_feature', id)
      assert.deepEqual([last.action, last.reverts_entry_id], ['revert', entry.id])
      assert.deepEqual((await revert(w, entry.id)).body.error.reason, 'already_reverted')

      const path = `/sites/${w.site_id}/label-styles/`
      const styles = async () => (await w.as('hse').get(path)).body
      const first = await styles()
      const hidden = { ...first.layers, zone: { ...first.layers.zone, visible: false } }
      const put = await w.as('hse').put(path, { ...first, layers: hidden })
      assert.equal(put.status, 200, put.text)
      const changed = (await w.as('admin').get(`/audit/site/${w.site_id}?entity_type=label_style&action=create&limit=1`)).body[0]
      assert.equal((await revert(w, changed.id)).status, 200)
      const back = await styles()
      assert.deepEqual([back.layers, back.version], [first.layers, 3])
      house.clock('2026-03-16T09:00:00.000Z')
    })

    test('of two reverts at the same time, one succeeds and the other is refused as already reverted', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Race Ltd')
      await w.as('admin').patch(`/contractors/${contractor.id}`, { short_name: 'RAC9' })
      const entry = await newest(w, 'contractor', contractor.id)
      const replies = await Promise.all(Array.from({ length: 8 }, () => revert(w, entry.id)))
      assert.deepEqual(replies.map(r => r.status).sort(), [200, 409, 409, 409, 409, 409, 409, 409])
    })

    test('fields of a site are reverted with the permission that each needs; the site’s lock can’t be reverted', async () => {
      const w = await house.world()
      await w.as('admin').patch(`/sites/${w.site_id}`, { emergency_phone: '+44 20 7946 0000', name: 'Wrong Name' })
      const entry = await newest(w, 'site', w.site_id)
      const hse = await w.as('hse').post(`/audit/revert/${entry.id}`, { reason: 'Wrong' })
      assert.equal(hse.status, 403, hse.text)
      const phone = await w.as('hse').post(`/audit/revert/${entry.id}`, { reason: 'Wrong', fields: ['emergency_phone'] })
      assert.equal(phone.status, 200, phone.text)
      const now = (await w.as('admin').get(`/sites/${w.site_id}`)).body
      assert.deepEqual([now.name, now.emergency_phone], ['Wrong Name', null])
      await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handover' })
      const locked = await newest(w, 'site', w.site_id)
      const still = await revert(w, locked.id)
      assert.deepEqual([still.status, still.body.error.reason], [409, 'site_locked'])
      await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: false, reason: 'Go on' })
      assert.equal((await revert(w, locked.id)).body.error.reason, 'transition')
    })
  })

  describe('§15 GET /audit/site/{site_id}', () => {
    test('entries are listed newest first by seq, with each filter, for the coordinate band only', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Filter & Sons')
      house.clock('2026-03-17T09:00:00.000Z')
      await w.as('hse').patch(`/contractors/${contractor.id}`, { short_name: 'FIL9' })
      house.clock('2026-03-16T09:00:00.000Z')
      const list = async (query: string) => (await w.as('admin').get(`/audit/site/${w.site_id}?${query}`)).body
      const all = await list('limit=1000')
      assert.deepEqual(
        all.map((e: { seq: number }) => e.seq),
        Array.from({ length: all.length }, (_, i) => all.length - i),
      )
      const [change, made] = all
      const only = async (query: string, wanted: { id: string }[]) =>
        assert.deepEqual(
          (await list(query)).map((e: { id: string }) => e.id),
          wanted.map(e => e.id),
          query,
        )
      await only(`entity_id=${contractor.id}`, [change, made])
      await only(`entity_id=${contractor.id}&action=create`, [made])
      await only(`entity_type=contractor&actor_id=${w.as('hse').user_id}`, [change])
      await only(`batch_id=${made.batch_id}`, [made])
      await only(`request_id=${change.request_id}`, [change])
      await only('q=filter%20%26', [change, made])
      await only('from=2026-03-17T00:00:00Z', [change])
      await only(`to=2026-03-17T00:00:00Z&entity_id=${contractor.id}`, [made])
      assert.deepEqual(await list('from=2026-03-18T00:00:00Z'), [])
      assert.equal((await w.as('admin').get(`/audit/site/${w.site_id}?from=2026-03-18T00:00:00Z&to=2026-03-17T00:00:00Z`)).status, 422)
      assert.equal((await w.as('admin').get(`/audit/site/${w.site_id}?action=burn`)).status, 422)
      for (const role of ['member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const)
        assert.equal((await w.as(role).get(`/audit/site/${w.site_id}`)).status, 403, role)
      assert.equal((await (await w.stranger()).get(`/audit/site/${w.site_id}`)).status, 404)
    })

    test('X-Chain-Head is always sent; a noted head matches or differs; verify shows the altered entry', async () => {
      const w = await house.world()
      await contractorWith(w, 'Chain Ltd')
      const ask = (query: string) => w.as('admin').get(`/audit/site/${w.site_id}?${query}`)
      const head = String((await ask('limit=1')).headers['x-chain-head'])
      assert.match(head, /^\d+;[0-9a-f]{64}$/)
      await contractorWith(w, 'Chained Ltd')
      assert.equal((await ask(`head=${head}`)).headers['x-chain'], 'holds')
      assert.equal((await ask(`head=${head.slice(0, -1)}${head.endsWith('0') ? '1' : '0'}`)).headers['x-chain'], 'differs')
      assert.equal((await ask('head=nonsense')).status, 422)
      assert.equal((await ask('verify=true')).headers['x-chain'], 'ok')
      assert.equal((await ask('verify=true&limit=2')).headers['x-chain'], 'ok')
      await tamper(`update audit_entry set changes = jsonb_set(changes, '{0,after}', '"x"') where site_id = $1 and seq = 5`, w.site_id)
      assert.equal((await ask('verify=true&limit=1000')).headers['x-chain'], 'broken;seq=5')
      assert.equal((await ask('verify=true&limit=2')).headers['x-chain'], 'ok')
    })

    test('an erased entry says so, and the chain still verifies', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Forget Me')
      const signer = await signerOf(house.house, w.site_id)
      await writingOn(house.house, { actor: jobActor('test'), cause: 'test.erase' }, w.site_id, ctx =>
        eraseEntries(ctx, w.site_id, [{ kind: 'contractor', id: contractor.id }], 'Asked by letter', signer),
      )
      const log = await w.as('admin').get(`/audit/site/${w.site_id}?verify=true&entity_id=${contractor.id}`)
      const [entry] = log.body
      assert.deepEqual([entry.redacted, entry.changes, entry.entity_label], [true, null, 'Former user'])
      assert.equal((await w.as('admin').get(`/audit/site/${w.site_id}?verify=true`)).headers['x-chain'], 'ok')
      assert.equal((await revert(w, entry.id)).body.error.reason, 'ledger')
      const row = await newest(w, 'contractor', contractor.id)
      const offered = (await w.as('admin').get(`/audit/entity/contractor/${contractor.id}`)).body.find(
        (one: { id: string }) => one.id === entry.id,
      )
      assert.deepEqual([row.revertible.allowed, offered.revertible.allowed, offered.revertible.because[0].code], [false, false, 'ledger'])
      assert.match(offered.revertible.because[0].detail, /were erased/)
    })

    test('conventions §1 Lists: a page of the audit log has at most 1,000 entries; a CSV file can have up to 50,000', async () => {
      const w = await house.world()
      const read = (query: string) => w.as('admin').get(`/audit/site/${w.site_id}?${query}`)
      assert.equal((await read('limit=1000')).status, 200)
      const long = await read('limit=1001')
      assert.deepEqual([long.status, long.body.error.fields[0].path], [422, 'limit'])
      assert.match(long.body.error.fields[0].message, /CSV file/)
      assert.equal((await read('format=csv&limit=50000')).status, 200)
      assert.equal((await read('format=csv&limit=50001')).status, 422)
    })

    test('a CSV export is itself an entry in the audit log; reading a page isn’t', async () => {
      const w = await house.world()
      await contractorWith(w, '=Formula Ltd')
      const seq = async () => (await house.rows('select seq from site_head where site_id = $1', [w.site_id]))[0].seq
      // The first export creates the key that signs the file, which is a write of its own.
      await w.as('admin').get(`/audit/site/${w.site_id}?format=csv&limit=1`)
      const before = await seq()
      await w.as('admin').get(`/audit/site/${w.site_id}`)
      assert.equal(await seq(), before)
      const csv = await w.as('admin').get(`/audit/site/${w.site_id}?format=csv`)
      assert.equal(csv.status, 200)
      assert.match(String(csv.headers['content-type']), /text\/csv/)
      assert.match(csv.text, /'=Formula Ltd/)
      assert.equal(csv.text.trimEnd().split('\r\n').length, Number(before) + 2, 'a header, the entries, the signature')
      assert.equal(Number(await seq()), Number(before) + 1)
      assert.equal((await w.as('admin').get(`/audit/site/${w.site_id}?limit=1`)).body[0].action, 'read')
    })

    test('100 parallel writes get numbers without gaps, and every hash is correct', async () => {
      const w = await house.world()
      const made = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          w.as('admin').post('/contractors/', { site_id: w.site_id, name: `Parallel ${i} Works`, confirm_similar: true }),
        ),
      )
      assert.ok(made.every(r => r.status === 201))
      const report = await verifyChain(house.house.database.db, w.site_id)
      assert.deepEqual([report.fault, report.entries === report.head?.seq], [null, true])
    })
  })

  describe('§15 GET /audit/site/{site_id}/timeline', () => {
    test('the feed has one row for each request, as a sentence, newest first, with what it was about', async () => {
      const w = await house.world()
      const contractor = await contractorWith(w, 'Feed Ltd')
      await w.as('hse').post(`/permits/config/regime?site_id=${w.site_id}`, { regime: 'major_hazard' })
      const feed = (await w.as('coordinator').get(`/audit/site/${w.site_id}/timeline?limit=2`)).body
      assert.equal(feed.length, 2)
      assert.match(feed[0].sentence, /^Hal Safety (added|changed) \d+ permit types and 1 permit config$/)
      assert.ok(feed[0].counts.permit_type > 1)
      assert.deepEqual(
        [feed[1].sentence, feed[1].entity, feed[1].counts],
        ['Cora Coordinator added Feed Ltd', { type: 'contractor', id: contractor.id, label: 'Feed Ltd' }, { contractor: 1 }],
      )
      assert.equal(feed[1].revertible.allowed, false)
      const admin = (await w.as('admin').get(`/audit/site/${w.site_id}/timeline?entity_type=contractor&limit=1`)).body
      assert.equal(admin[0].revertible.allowed, true)
    })

    test('the feed shows each request once when it is read page by page', async () => {
      const w = await house.world()
      for (const name of ['North Works', 'South Works', 'East Yard', 'West Yard']) await contractorWith(w, name)
      const whole = (await w.as('admin').get(`/audit/site/${w.site_id}/timeline?limit=1000`)).body.map(
        (r: { batch_id: string }) => r.batch_id,
      )
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page: Reply = await w.as('admin').get(`/audit/site/${w.site_id}/timeline?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
        seen.push(...page.body.map((r: { batch_id: string }) => r.batch_id))
        cursor = /cursor=([^&>]+)/.exec(String(page.headers.link ?? ''))?.[1] ?? null
      }
      assert.deepEqual(seen, whole)
      assert.equal(new Set(seen).size, seen.length)
    })

    test('the feed describes steps in the terms of the trade, and another person’s draft is in no row and no count', async () => {
      const p = await permitWorld(house)
      await p.at('endorsed')
      await p.draft()
      const feed = (await p.as('admin').get(`/audit/site/${p.site_id}/timeline?limit=1000`)).body
      const said = feed.map((r: { sentence: string }) => r.sentence)
      assert.ok(
        said.some((s: string) => /submitted PTW-/.test(s) || /submitted 1 permit/.test(s)),
        said.join('\n'),
      )
      const [day] = (await p.as('admin').get(`/audit/site/${p.site_id}/timeline?group=day`)).body
      assert.equal(day.work_date, '2026-03-16')
      const visible = (await p.as('admin').get(`/audit/site/${p.site_id}?entity_type=permit&limit=1000`)).body.length
      assert.equal(day.counts.permit, visible)
      assert.ok(day.actors.some((a: { name: string }) => a.name === 'Cora Coordinator' || a.name === 'Mia Member'))
      assert.equal((await p.as('member').get(`/audit/site/${p.site_id}/timeline`)).status, 403)
    })
  })

  test('§15 the nightly run checks each chain from where the last check ended, reports a break once and fails, and repairs nothing', async () => {
    const w = await house.world()
    const events = () => house.rows(`select payload from event where site_id = $1 and kind = 'audit.chain_broken'`, [w.site_id])
    const night = async (at: string) => {
      house.clock(at)
      await runSchedules(house.house, 'chain_check')
      const [run] = await house.rows(`select last_state from schedule_run where kind = 'chain_check'`)
      return run.last_state
    }
    // Other tests of this file have altered chains of their own sites.
    await tamper('delete from audit_entry where site_id <> $1', w.site_id)
    await tamper('delete from site_head where site_id <> $1', w.site_id)
    assert.equal(await night('2026-05-01T00:00:10.000Z'), 'succeeded')
    const [checked] = await house.rows('select seq, whole_at from chain_check where site_id = $1', [w.site_id])
    assert.ok(Number(checked.seq) > 5)
    await tamper(`update audit_entry set actor_id = null where site_id = $1 and seq = 3`, w.site_id)
    assert.equal(await night('2026-05-02T00:00:10.000Z'), 'succeeded', 'from the last checked entry on, nothing is wrong')
    assert.equal(await night('2026-05-08T00:00:10.000Z'), 'failed', 'once a week from the first entry')
    assert.deepEqual(
      (await events()).map(e => [e.payload.seq, e.payload.what]),
      [[3, 'hash']],
    )
    assert.equal(await night('2026-05-09T00:00:10.000Z'), 'failed')
    assert.equal((await events()).length, 1)
    house.clock('2026-03-16T09:00:00.000Z')
  })
})
