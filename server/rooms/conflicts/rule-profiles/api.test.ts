import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pointAt } from '../../../../tests/geo.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse, type World } from '../../../../tests/world.ts'
import { jobActor } from '../../../base/actor.ts'
import { writingOn } from '../../../kernel/site/door.ts'
import { admit } from '../../site/memberships/door.ts'

type Profile = { id: string; name: string; is_active: boolean; rule_count: number; enabled_count: number; updates_available: number }

describe('rule profiles', () => {
  const house = useHouse()
  const profiles = async (w: World): Promise<Profile[]> => (await w.as('viewer').get(`/rule-profiles?site_id=${w.site_id}`)).body
  const post = (w: World, body: object) => w.as('hse').post('/rule-profiles', { site_id: w.site_id, ...body })
  const made = async (w: World, body: object): Promise<Profile> => {
    const reply = await post(w, body)
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  const step = (w: World, id: string, verb: string, body: object = {}) => w.as('hse').post(`/rule-profiles/${id}/${verb}`, body)
  const rules = async (w: World, id: string) => (await w.as('viewer').get(`/rule-profiles/${id}/rules`)).body

  test('§2 a site is created with the active profile “Standard”, which has the standard rules', async () => {
    const w = await house.world()
    const [standard, ...others] = await profiles(w)
    assert.deepEqual(
      [standard?.name, standard?.is_active, standard?.rule_count, standard?.enabled_count, standard?.updates_available, others],
      ['Standard', true, 8, 6, 0, []],
    )
    const empty = await made(w, { name: 'Groundworks', start_from: 'empty' })
    assert.deepEqual([empty.is_active, empty.rule_count, empty.updates_available], [false, 0, 8])
    assert.equal((await post(w, { name: 'standard' })).body.error.reason, 'key_taken')
  })

  test('§2 the rules of a profile have the filters of the list of rules', async () => {
    const w = await house.world()
    const [standard] = await profiles(w)
    const ids = async (path: string) => {
      const reply = await w.as('viewer').get(path)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.map((one: { id: string }) => one.id)
    }
    for (const filter of ['enabled=false', 'system=true', 'kind=delivery', 'q=crane', 'enabled=true&kind=plant'])
      assert.deepEqual(
        await ids(`/rule-profiles/${standard?.id}/rules?${filter}`),
        await ids(`/clash-rules?site_id=${w.site_id}&${filter}`),
        filter,
      )
    assert.equal((await ids(`/rule-profiles/${standard?.id}/rules?kind=delivery&enabled=true`)).length < 8, true)
  })

  test('messages.md §0.5 a profile that is created, renamed, copied or deleted is published, on the site that has it', async () => {
    const w = await house.world()
    const there = await house.world({ name: 'Second site' })
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test' }, there.site_id, ctx =>
      admit(ctx, there.site_id, {
        user_id: w.as('hse').user_id,
        role: 'hse',
        contractor_id: null,
        requested_contractor_name: null,
        invite_id: null,
        why_pending: null,
        label: 'Hal',
      }),
    )
    const said = async (site: World) => {
      const events = await house.rows(
        "select subject_kind, subject_id, payload from event where site_id = $1 and kind = 'clash_rule.changed' order by event_no",
        [site.site_id],
      )
      return events.map(({ subject_kind, subject_id, payload }) => [
        subject_kind,
        subject_id,
        payload.rule_id,
        payload.profile_id,
        payload.fields,
      ])
    }
    const [standard] = await profiles(w)
    const id = standard?.id ?? ''
    const b = await made(w, { name: 'B' })
    const change = (body: object) => w.as('hse').patch(`/rule-profiles/${id}`, body)
    assert.equal((await change({ name: 'Usual', description: 'Every day' })).status, 200)
    assert.equal((await change({ name: 'Usual' })).status, 200, 'nothing changed')
    const copy = (await step(w, b.id, 'clone', { name: 'C' })).body
    const away = (await step(w, b.id, 'clone', { name: 'C', target_site_id: there.site_id })).body
    assert.equal((await w.as('hse').del(`/rule-profiles/${b.id}`)).status, 204)
    const about = (profile_id: string, ...fields: string[]) => ['rule_profile', profile_id, null, profile_id, fields]
    assert.deepEqual(await said(w), [
      about(b.id, 'created'),
      about(id, 'name', 'description'),
      about(copy.id, 'created'),
      about(b.id, 'deleted'),
    ])
    assert.deepEqual(await said(there), [about(away.id, 'created')])
  })

  test('RP-1 activating B makes A inactive in the same instant; 20 parallel activations leave exactly one active', async () => {
    const w = await house.world()
    const [a] = await profiles(w)
    const b = await made(w, { name: 'B' })
    assert.equal((await step(w, b.id, 'activate')).body.is_active, true)
    const active = async () => (await profiles(w)).filter(one => one.is_active).map(one => one.id)
    assert.deepEqual(await active(), [b.id])
    const ids = [a?.id ?? '', b.id]
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => step(w, ids[i % 2] ?? '', 'activate')))
    assert.deepEqual([...new Set(all.map(reply => reply.status))], [200])
    assert.equal((await active()).length, 1)
    const periods = await house.rows('select to_at from rule_profile_period where site_id = $1', [w.site_id])
    assert.equal(periods.filter(one => one.to_at === null).length, 1)
  })

  test('RP-2 the active profile can’t be deleted (409), another can (204)', async () => {
    const w = await house.world()
    const [a] = await profiles(w)
    const b = await made(w, { name: 'B' })
    const refused = await w.as('hse').del(`/rule-profiles/${a?.id}`)
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'in_use'])
    assert.equal((await w.as('hse').del(`/rule-profiles/${b.id}`)).status, 204)
    assert.equal((await w.as('viewer').get(`/rule-profiles/${b.id}`)).status, 404)
    assert.equal((await made(w, { name: 'B' })).name, 'B')
  })

  test('RP-3 a customised standard rule is kept when the profile is synchronised; with overwrite it is replaced as a new version that can be reverted', async () => {
    const w = await house.world()
    const [standard] = await profiles(w)
    const id = standard?.id ?? ''
    const hook = (await rules(w, id)).find((rule: { system_key: string }) => rule.system_key === 'under_the_hook')
    const custom = await w.as('hse').patch(`/clash-rules/${hook.id}`, { outcome: { severity: 'amber' } })
    assert.equal(custom.body.is_customised, true)
    const kept = (await step(w, id, 'sync-system-rules')).body
    assert.deepEqual([kept.kept_customised, kept.unchanged.length], [['under_the_hook'], 7])
    const dry = (await step(w, id, 'sync-system-rules', { overwrite: ['under_the_hook'], dry_run: true })).body
    assert.deepEqual([dry.overwritten, (await w.as('viewer').get(`/clash-rules/${hook.id}`)).body.version], [['under_the_hook'], 2])
    await step(w, id, 'sync-system-rules', { overwrite: ['under_the_hook'] })
    const now = (await w.as('viewer').get(`/clash-rules/${hook.id}`)).body
    assert.deepEqual([now.version, now.outcome, now.is_customised], [3, { severity: 'red' }, false])
    assert.equal((await step(w, id, 'sync-system-rules')).body.unchanged.length, 8, 'a second run changes nothing')
    const back = await w.as('hse').post(`/clash-rules/${hook.id}/revert/2`, {})
    assert.deepEqual([back.body.version, back.body.outcome], [4, { severity: 'amber' }])
    const empty = await made(w, { name: 'Empty', start_from: 'empty' })
    assert.equal((await step(w, empty.id, 'sync-system-rules')).body.added.length, 8)
  })

  test('§2 standard rules that synchronising adds to the active profile find their clashes at once; one whose name is taken gets another', async () => {
    const w = await permitWorld(house)
    const empty = await made(w, { name: 'Empty', start_from: 'empty' })
    assert.equal((await step(w, empty.id, 'activate')).status, 200)
    const [lon, lat] = pointAt(0, 0)
    for (const code of ['HW', 'CSE']) await w.at('requested', { categories: [code], place: { point: { lon, lat } } })
    const clashes = async () => (await w.as('viewer').get(`/clashes?site_id=${w.site_id}`)).body.length
    assert.equal(await clashes(), 0)
    const own = { a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when: { within_m: 5 }, outcome: { severity: 'red' } }
    for (const name of ['Under the hook', 'Under the hook (standard)'])
      assert.equal((await w.as('hse').post('/clash-rules', { site_id: w.site_id, profile_id: empty.id, name, ...own })).status, 201)
    const synced = await step(w, empty.id, 'sync-system-rules')
    assert.deepEqual([synced.status, synced.body.added?.length], [200, 8], synced.text)
    const hook = (await rules(w, empty.id)).find((rule: { system_key: string }) => rule.system_key === 'under_the_hook')
    assert.equal(hook.name, 'Under the hook (standard 2)')
    assert.equal(await clashes(), 1)
  })

  test('§2 a profile is deleted with its rules: they can’t be read, changed or given a consequence, keep no smart group from being deleted, and their versions stay readable', async () => {
    const w = await house.world()
    const b = await made(w, { name: 'B', start_from: 'empty' })
    const group = await w.as('hse').post('/smart-groups/', {
      ...{ site_id: w.site_id, name: 'Ours', subject: 'entity', visibility: 'shared' },
      predicate: { field: 'kind', op: 'eq', value: 'plant' },
    })
    const when = { all: [{ within_m: 5 }, { field: 'b.group_ids', op: 'contains', value: group.body.id }] }
    const named = { name: 'Near them', a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when, outcome: { severity: 'red' } }
    const rule = await w.as('hse').post('/clash-rules', { site_id: w.site_id, profile_id: b.id, ...named })
    assert.equal(rule.status, 201, rule.text)
    assert.equal((await w.as('hse').del(`/smart-groups/${group.body.id}`)).body.error.reason, 'in_use')
    assert.equal((await w.as('hse').del(`/rule-profiles/${b.id}`)).status, 204)
    const path = `/clash-rules/${rule.body.id}` as const
    const refused = [
      await w.as('viewer').get(path),
      await w.as('hse').patch(path, { description: 'Later' }),
      await w.as('hse').del(path),
      await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id: rule.body.id, effect: 'slows' }),
    ]
    assert.deepEqual(
      refused.map(reply => reply.status),
      [404, 404, 404, 404],
    )
    const version = (await w.as('viewer').get(`${path}/versions/1`)).body
    assert.deepEqual([version.name, version.valid_to], ['Near them', house.house.clock.now()])
    assert.equal((await w.as('hse').del(`/smart-groups/${group.body.id}`)).status, 204)
  })

  test('§2 a copy has the rules with the same origin and the consequences; RP-5 to a site where the caller is only a member: 403, where they are none: 404', async () => {
    const w = await house.world()
    const [standard] = await profiles(w)
    const id = standard?.id ?? ''
    const [rule] = await rules(w, id)
    await w.as('hse').put('/clash-consequences/', { site_id: w.site_id, clash_rule_id: rule.id, effect: 'slows', instruction: 'Wait' })
    const copy = (await step(w, id, 'clone', { name: 'Night' })).body
    const copied = (await rules(w, copy.id)).find((one: { origin_id: string }) => one.origin_id === rule.origin_id)
    assert.deepEqual([copied.system_key, copied.id === rule.id, copy.needs_attention], [rule.system_key, false, []])
    await step(w, copy.id, 'activate')
    const consequences = (await w.as('viewer').get(`/clash-consequences/?site_id=${w.site_id}`)).body
    const own = consequences.find((one: { clash_rule_id: string }) => one.clash_rule_id === copied.id)
    assert.deepEqual([own.effect, own.instruction, own.loss_share_percent, own.is_default], ['slows', 'Wait', 50, false])

    const other = await house.world()
    const clone = () => step(w, id, 'clone', { name: 'From next door', target_site_id: other.site_id })
    assert.equal((await clone()).status, 404)
    const { user_id } = w.as('hse')
    await writingOn(house.house, { actor: jobActor('test'), cause: 'test.join' }, other.site_id, ctx =>
      admit(ctx, other.site_id, {
        ...{
          user_id,
          role: 'viewer',
          contractor_id: null,
          requested_contractor_name: null,
          invite_id: null,
          why_pending: null,
          label: 'Hal',
        },
      }),
    )
    assert.equal((await clone()).status, 403)
    const [member] = (await other.as('admin').get(`/sites/${other.site_id}/members?id=${user_id}`)).body
    const become = await other.as('admin').post(`/memberships/${member.membership_id}/approve`, { role: 'hse' })
    assert.equal(become.status, 200, become.text)
    const group = await w.as('hse').post('/smart-groups/', {
      ...{ site_id: w.site_id, name: 'Ours', subject: 'entity', visibility: 'shared' },
      predicate: { field: 'kind', op: 'eq', value: 'plant' },
    })
    const strange = { all: [{ within_m: 5 }, { field: 'b.group_ids', op: 'contains', value: group.body.id }] }
    const named = { name: 'Ours only', a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when: strange, outcome: { severity: 'red' } }
    assert.equal((await w.as('hse').post('/clash-rules', { site_id: w.site_id, profile_id: id, ...named })).status, 201)
    const there = await clone()
    assert.equal(there.status, 201, there.text)
    assert.equal(there.body.site_id, other.site_id)
    assert.match(there.body.needs_attention.join(), /Ours only: a value of the condition refers to a smart group/)
    const arrived = await rules(other, there.body.id)
    assert.deepEqual(
      arrived.filter((one: { name: string }) => one.name === 'Ours only').map((one: { enabled: boolean }) => one.enabled),
      [false],
    )
  })

  test('§2 a profile with a rule that refers to what no longer exists isn’t activated', async () => {
    const w = await house.world()
    const b = await made(w, { name: 'B', start_from: 'empty' })
    const contractor = await w.contractor('Gone Ltd')
    const when = { all: [{ within_m: 5 }, { field: 'b.contractor_id', op: 'eq', value: contractor }] }
    const named = { name: 'Near them', a: { kinds: ['worker'] }, b: { kinds: ['plant'] }, when, outcome: { severity: 'red' } }
    const rule = await w.as('hse').post('/clash-rules', { site_id: w.site_id, profile_id: b.id, ...named })
    assert.equal(rule.status, 201, rule.text)
    const gone = await w.as('admin').del(`/contractors/${contractor}`)
    assert.equal(gone.status, 204, gone.text)
    const refused = await step(w, b.id, 'activate')
    assert.deepEqual(
      [refused.status, refused.body.error.reason, refused.body.error.rules.map((one: { name: string }) => one.name)],
      [409, 'invalid_rules', ['Near them']],
    )
    // As the refusal says: it is corrected or switched off.
    const change = async (body: object) => (await w.as('hse').patch(`/clash-rules/${rule.body.id}`, body)).status
    assert.deepEqual(
      [await change({ name: 'Near those who left', change_note: 'They left' }), await change({ enabled: false })],
      [200, 200],
    )
    assert.equal((await step(w, b.id, 'activate')).status, 200)
    assert.deepEqual([await change({ enabled: true }), await change({ when, time_buffer_minutes: 5 })], [422, 422])
    assert.equal(await change({ when: { within_m: 5 }, enabled: true }), 200)
  })

  test('§0.2 a client doesn’t see rules or profiles', async () => {
    const w = await house.world()
    const [standard] = await profiles(w)
    assert.equal((await w.as('client').get(`/rule-profiles?site_id=${w.site_id}`)).status, 403)
    assert.equal((await w.as('client').get(`/rule-profiles/${standard?.id}`)).status, 403)
  })
})
