// Photos of days that other records show (`map.md` §13), through HTTP: a kind of record that is issued stands for the diary, which isn’t built yet.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Generated } from 'kysely'
import { dayPhotos, picture } from '../../../../tests/token-photos.ts'
import { MONDAY, useHouse, type World } from '../../../../tests/world.ts'
import { name } from '../../../base/schema.ts'
import { rooms } from '../../../groups.ts'
import { resource } from '../../../kernel/resource/door.ts'
import { routesOf } from '../../../kernel/resource/kit.ts'
import { defineRoom, plugRooms } from '../../../kernel/sockets/door.ts'

type Sheet = {
  site_id: string
  id: string
  version: Generated<number>
  created_at: Generated<string>
  created_by: Generated<string | null>
}
declare module '../../../base/tables.gen.ts' {
  interface Tables {
    test_sheet: Sheet & { updated_at: Generated<string>; updated_by: Generated<string | null>; name: string }
    test_diary: Sheet & { updated_at: Generated<string>; updated_by: Generated<string | null>; name: string }
  }
}
const shared = {
  ...{ fields: { name: name('Name') }, list: { order: ['lower(name)'] } },
  ...{ access: { view: 'site_view', create: 'map_entity_edit_any', change: 'map_entity_edit_any', remove: 'map_entity_edit_any' } },
  evidence: { add: 'map_entity_edit_any', remove: 'map_entity_edit_any' },
}
const sheets = resource({
  ...shared,
  kind: 'test_sheet',
  path: '/sites/:site_id/test-sheets',
  noun: 'sheet',
  shape: 'TestSheet',
  says: 'x',
})
const diaries = resource({
  ...shared,
  kind: 'test_diary',
  path: '/sites/:site_id/test-diaries',
  noun: 'diary',
  shape: 'TestDiary',
  says: 'x',
})
const room = defineRoom({
  ...{ name: 'test-diaries', says: 'Diaries.', kinds: [sheets.kind, { ...diaries.kind, publishes: true }] },
  events: [...sheets.events, ...diaries.events],
})

describe('photos of a day that other records show', () => {
  const house = useHouse({}, { more_routes: [...routesOf(sheets, { order: 'by name' }), ...routesOf(diaries, { order: 'by name' })] })
  before(async () => {
    plugRooms([...rooms, room])
    for (const table of ['test_sheet', 'test_diary']) {
      await house.rows(`create table ${table} (site_id uuid not null references site (site_id), id uuid not null, version integer not null,
        created_at timestamptz(3) not null, created_by uuid, updated_at timestamptz(3) not null, updated_by uuid, name text not null, primary key (site_id, id))`)
      await house.rows(`select make_record('${table}')`)
    }
  })
  after(() => plugRooms(rooms))
  beforeEach(() => house.clock(MONDAY))

  const { gang, crane, add, added, list, idsOf } = dayPhotos(house)
  /** Adopts a photo on a record of this area, as a diary does when it is issued. */
  const cite = async (w: World, area: 'test-sheets' | 'test-diaries', photo: { id: string; evidence_id: string }) => {
    const one = await w.as('coordinator').post(`/sites/${w.site_id}/${area}`, { name: 'Monday' })
    const evidence = { record_kind: 'token_photo', record_id: photo.id, evidence_id: photo.evidence_id }
    const adopted = await w
      .as('coordinator')
      .post(`/sites/${w.site_id}/${area}/${one.body.id}/evidence/adopt`, { evidence, role: 'during' })
    assert.equal(adopted.status, 201, adopted.text)
    return one.body.id
  }

  test('§13 DELETE of a photo in an issued diary is 409 with the reason cited, naming the work date; so it keeps its day', async () => {
    const w = await house.world()
    const machine = await crane(w)
    const photo = await added(w, machine, await picture(1), { token_kind: 'plant' })
    assert.equal(photo.permissions.can_delete, true)
    const diary = await cite(w, 'test-diaries', photo)
    const refused = await w.as('coordinator').del(`/sites/${w.site_id}/token-photos/${photo.id}`)
    const { reason, work_date, detail, cited_by } = refused.body.error
    assert.deepEqual([refused.status, reason, work_date], [409, 'cited', '2026-03-16'])
    assert.match(detail, /2026-03-16/)
    assert.deepEqual(cited_by, [{ kind: 'test_diary', id: diary, label: 'Monday', hidden: false }])
    const [shown] = await list(w, '', 'coordinator')
    assert.deepEqual([shown.permissions.can_delete, shown.permissions.delete.because[0].code], [false, 'cited'])
    const moved = await w.as('coordinator').patch(`/sites/${w.site_id}/token-photos/${photo.id}`, { work_date: '2026-03-13' })
    assert.deepEqual([moved.status, moved.body.error.reason], [409, 'cited'])
    assert.equal((await w.as('coordinator').patch(`/sites/${w.site_id}/token-photos/${photo.id}`, { caption: 'Bay 3' })).status, 200)
    const file = (await w.as('coordinator').get(`/sites/${w.site_id}/test-diaries/${diary}`)).body.evidence[0]
    assert.equal(file.adopted_from.id, photo.id)
    assert.equal((await w.as('coordinator').del(`/sites/${w.site_id}/test-diaries/${diary}/evidence/${file.id}`)).status, 204)
    assert.equal((await w.as('coordinator').del(`/sites/${w.site_id}/token-photos/${photo.id}`)).status, 204)
    assert.deepEqual(await list(w), [])
    assert.equal((await add(w, machine, await picture(1), { token_kind: 'plant' })).status, 201, 'it can be added again')
  })

  test('§13 of a citation and a deletion at the same time, one succeeds', async () => {
    const w = await house.world()
    const token = await gang(w)
    const diary = await w.as('coordinator').post(`/sites/${w.site_id}/test-diaries`, { name: 'Monday' })
    for (let round = 0; round < 6; round++) {
      const photo = await added(w, token, await picture(round))
      const evidence = { record_kind: 'token_photo', record_id: photo.id, evidence_id: photo.evidence_id }
      const [adopted, removed] = await Promise.all([
        w.as('coordinator').post(`/sites/${w.site_id}/test-diaries/${diary.body.id}/evidence/adopt`, { evidence, role: 'during' }),
        w.as('coordinator').del(`/sites/${w.site_id}/token-photos/${photo.id}`),
      ])
      const said = `${adopted.status} ${removed.status}`
      assert.ok(said === '201 409' || said === '404 204', said)
    }
  })

  test('§13 all members see the photos, but the client only those in something issued', async () => {
    const w = await house.world()
    const token = await gang(w)
    const [internal, adopted, issued] = [
      await added(w, token, await picture(1)),
      await added(w, token, await picture(2)),
      await added(w, token, await picture(3)),
    ]
    assert.deepEqual(await list(w, '', 'client'), [])
    await cite(w, 'test-sheets', adopted)
    assert.deepEqual(await list(w, '', 'client'), [], 'a record that isn’t issued publishes nothing')
    await cite(w, 'test-diaries', issued)
    assert.deepEqual(idsOf(await list(w, '', 'client')), [issued.id])
    for (const [photo, status] of [
      [internal, 404],
      [adopted, 404],
      [issued, 200],
    ] as const)
      assert.equal((await w.as('client').get(`/sites/${w.site_id}/token-photos/${photo.id}/download?variant=thumb`)).status, status)
    for (const as of ['viewer', 'member', 'commercial', 'contractor_hse'] as const) assert.equal((await list(w, '', as)).length, 3, as)
  })
})
