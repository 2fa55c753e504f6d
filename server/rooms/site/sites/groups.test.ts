import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse, type World } from '../../../../tests/world.ts'

describe('groups that a site switches off', () => {
  const house = useHouse()
  const switchOff = (w: World, role: 'hse' | 'site_manager' | 'admin' | 'viewer', groups: unknown) =>
    w.as(role).patch(`/sites/${w.site_id}`, { settings: { groups } })
  const offFor = async (w: World, role: 'viewer' | 'client') => {
    const me = await w.as(role).get('/auth/me')
    return me.body.memberships.find((one: { site_id: string }) => one.site_id === w.site_id).flags.groups_off
  }

  test('§1 `settings.groups` lists the groups that are off, and /auth/me says it to everyone on the site; without it every group is on', async () => {
    const w = await house.world()
    assert.deepEqual(await offFor(w, 'client'), [])
    const set = await switchOff(w, 'site_manager', { off: ['map'] })
    assert.deepEqual([set.status, set.body.settings.groups], [200, { off: ['map'] }], set.text)
    assert.deepEqual([await offFor(w, 'client'), await offFor(w, 'viewer')], [['map'], ['map']])
    const other = await w.as('hse').patch(`/sites/${w.site_id}`, { settings: { documents_may_leave: true } })
    assert.deepEqual(other.body.settings.groups, { off: ['map'] }, 'another setting leaves it as it is')
    assert.equal((await switchOff(w, 'admin', { off: [] })).status, 200)
    assert.deepEqual(await offFor(w, 'client'), [])
  })

  test('§1 a group that is off only leaves the navigation: its endpoints work as before', async () => {
    const w = await house.world()
    const drawn = () => w.as('coordinator').get(`/reference-features/features?site_id=${w.site_id}`)
    const clashes = () => w.as('coordinator').get(`/clashes/?site_id=${w.site_id}`)
    assert.deepEqual([(await drawn()).status, (await clashes()).status], [200, 200])
    assert.equal((await switchOff(w, 'admin', { off: ['conflicts', 'map'] })).status, 200)
    assert.deepEqual([(await drawn()).status, (await clashes()).status], [200, 200])
  })

  test('§1 a group that doesn’t exist, or that nobody can do without, is refused; so are duplicates and other shapes; null switches all of them on', async () => {
    const w = await house.world()
    const faults = async (groups: unknown) => {
      const refused = await switchOff(w, 'admin', groups)
      assert.equal(refused.status, 422, JSON.stringify(groups))
      return refused.body.error.fields as { path: string; message: string }[]
    }
    for (const name of ['site', 'account', 'permits', 'messages', 'operate', 'flow', 'today', 'weather', '', 7])
      assert.equal((await faults({ off: [name] }))[0]?.path, 'settings.groups.off[0]')
    assert.equal((await faults({ off: ['map', 'site'] }))[0]?.message, 'must be one of map, conflicts.')
    assert.equal((await faults({ off: ['map', 'map'] }))[0]?.message, 'contains a duplicate.')
    for (const groups of [[], ['map'], {}, { off: null }, { off: 'map' }, { on: ['map'] }]) await faults(groups)
    assert.deepEqual(await offFor(w, 'viewer'), [])
    assert.equal((await switchOff(w, 'admin', { off: ['map'] })).status, 200)
    assert.equal((await switchOff(w, 'admin', null)).status, 200)
    assert.deepEqual(await offFor(w, 'viewer'), [], 'null clears')
  })

  test('§0.1 only people who administer the site switch groups off, and the refusal shows which setting it is about', async () => {
    const w = await house.world()
    const refused = await switchOff(w, 'hse', { off: ['map'] })
    assert.deepEqual([refused.status, refused.body.error.permission], [403, 'site_administer'])
    assert.equal(refused.body.error.because[0].detail, 'settings.groups')
    assert.equal((await switchOff(w, 'viewer', { off: ['map'] })).status, 403)
    const stranger = await house.person('Ann Other')
    assert.equal((await stranger.patch(`/sites/${w.site_id}`, { settings: { groups: { off: [] } } })).status, 404)
    assert.deepEqual(await offFor(w, 'viewer'), [])
  })

  test('§1 on a locked site no group is switched off', async () => {
    const w = await house.world()
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Handed over' })
    const refused = await switchOff(w, 'admin', { off: ['map'] })
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'site_locked'])
  })

  test('§15 switching a group off is in the audit log and can be reverted, and `site.changed` tells open pages', async () => {
    const w = await house.world()
    assert.equal((await switchOff(w, 'admin', { off: ['conflicts'] })).status, 200)
    const [entry] = (await w.as('admin').get(`/audit/entity/site/${w.site_id}`)).body
    const change = entry.changes.find((one: { path: string }) => one.path.startsWith('settings'))
    assert.match(JSON.stringify(change), /conflicts/)
    const [event] = await house.rows("select payload from event where site_id = $1 and kind = 'site.changed'", [w.site_id])
    assert.deepEqual(event?.payload, { fields: ['settings'] })
    const back = await w.as('admin').post(`/audit/revert/${entry.id}`, { reason: 'A slip of the pen' })
    assert.ok(back.status < 300, back.text)
    assert.deepEqual(await offFor(w, 'viewer'), [])
  })
})
