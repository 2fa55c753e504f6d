// Rules of the conventions that every endpoint has in common, proved over all of them: a new endpoint is asked without anyone adding it here.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from '../server/base/http.ts'
import { markCursor, writeCursor } from '../server/base/paging.ts'
import { isTextOrNone, loose } from '../server/base/schema.ts'
import { routes as all } from '../server/groups.ts'
import type { Call, Tour } from './calls.ts'
import { asked, CALLS, CASES } from './cases.ts'
import { documented } from './documented.ts'
import { makeCall, nothing, paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type Reply, useHouse } from './world.ts'

const routes = all.filter(asked)
const fieldsOf = (schema: Route['query']) => loose(schema).properties ?? {}
const pathsIn = ({ body }: Reply): string[] => (body?.error?.fields ?? []).map((field: { path: string }) => field.path)

describe('the conventions, over every endpoint', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  before(async () => {
    t = await tour(house)
  })

  const called = async (route: Route): Promise<{ call: Call; done: Reply } | null> => {
    const call = CASES.get(route.name)?.ends_site ? undefined : await CALLS.get(route.name)?.(t)
    if (call === undefined) return null
    const done = await makeCall(t, route, call)
    assert.ok(done.status < 300, `${route.name}: ${done.status} ${done.text}`)
    return { call, done }
  }

  test('conventions §1 Bodies: a PATCH accepts what a GET of the record shows, as it is, and a field that the record doesn’t have is refused', async () => {
    // A body that says first what it is can’t be what a GET shows.
    const without = new Set(['floor_plan.place', 'notification_preference.set'])
    let sent = 0
    for (const route of routes.filter(({ method, name }) => method === 'PATCH' && !without.has(name))) {
      const made = await called(route)
      if (made === null) continue
      const { call } = made
      const reading = all.find(({ method, path }) => method === 'GET' && path === route.path)
      const query = fieldsOf(reading?.query).site_id === undefined ? '' : `?site_id=${t.site_id}`
      const shown =
        reading === undefined
          ? made.done
          : await call.by.get(`${pathOf(reading, { ...paramsOf(reading, t.params), ...call.params })}${query}`)
      assert.equal(shown.status, 200, `${route.name}: ${shown.text}`)
      const again = await makeCall(t, route, { ...call, body: shown.body })
      assert.equal(again.status, 200, `${route.name}: ${again.text}`)
      const more = await makeCall(t, route, { ...call, body: { ...shown.body, no_such_field: 1 } })
      assert.deepEqual([more.status, pathsIn(more)], [422, ['no_such_field']], `${route.name}: ${more.text}`)
      sent++
    }
    assert.ok(sent > 15 || routes.length < all.length, `only ${sent} were read and sent`)
  })

  test('conventions §1 Bodies: a step without fields of its own accepts an empty body, and refuses a field that its record doesn’t have', async () => {
    let sent = 0
    for (const route of routes) {
      if (route.method === 'GET' || route.method === 'DELETE' || route.body !== undefined || route.raw || route.upload) continue
      const call = await CALLS.get(route.name)?.(t)
      if (call === undefined) continue
      const strange = await makeCall(t, route, { ...call, body: { no_such_field: 1 } })
      assert.deepEqual([strange.status, pathsIn(strange)], [422, ['no_such_field']], `${route.name}: ${strange.text}`)
      for (const other of ['null', '[]', '"x"', '1']) {
        const json = { headers: { 'content-type': 'application/json' } }
        const refused = await makeCall(t, route, { ...call, body: other }, json)
        assert.deepEqual([refused.status, pathsIn(refused)], [422, ['']], `${route.name} with ${other}: ${refused.text}`)
      }
      const empty = await makeCall(t, route, { ...call, body: '' }, { headers: { 'content-type': 'application/json' } })
      assert.ok(empty.status < 300, `${route.name}: ${empty.text}`)
      sent++
    }
    assert.ok(sent > 5 || routes.length < all.length, `only ${sent} were sent`)
  })

  /** Reads a list as someone who can; null if it can't be read here. */
  const reader = async (route: Route) => {
    const query = new URLSearchParams(CASES.get(route.name)?.query ?? '')
    if (fieldsOf(route.query).site_id !== undefined) query.set('site_id', t.site_id)
    const path = pathOf(route, paramsOf(route, t.params))
    for (const by of [t.as('admin'), t.superadmin, t.as('member')]) {
      const read = (more: Record<string, string | string[]> = {}) => {
        const all = new URLSearchParams(query)
        for (const [name, value] of Object.entries(more)) {
          all.delete(name)
          for (const one of [value].flat()) all.append(name, one)
        }
        return by.get(`${path}${all.size === 0 ? '' : `?${all}`}`)
      }
      const whole = await read()
      if (whole.status === 200) return { by, read, whole }
    }
    return null
  }
  const lists = routes.filter(({ method, reply }) => method === 'GET' && loose(reply).type === 'array')
  /** Lists that grow while they are read, because reading is an entry of them. */
  const GROWING = new Set(['audit.list', 'audit.list_timeline', 'diag.list_logs'])

  test('conventions §1 Lists: every list but those at one time is read page by page, in the order of the whole, with `limit` and `cursor`', async () => {
    const read = new Set<string>()
    for (const route of lists.filter(({ name, path }) => !path.endsWith('/at-time') && !GROWING.has(name))) {
      const list = await reader(route)
      if (list === null) continue
      read.add(route.name)
      for (const limit of ['0', '1001', '1.5', 'x']) {
        const refused = await list.read({ limit })
        assert.deepEqual([refused.status, pathsIn(refused)], [422, ['limit']], `${route.name}: limit=${limit}`)
      }
      const { body: whole }: { body: unknown[] } = list.whole
      const found: unknown[] = []
      const limit = String(Math.max(1, Math.ceil(whole.length / 4)))
      let next = await list.read({ limit })
      for (let pages = 1; ; pages++) {
        assert.equal(next.status, 200, `${route.name}: ${next.text}`)
        assert.ok(next.body.length <= Number(limit), route.name)
        found.push(...next.body)
        const link = /<\/api([^>]+)>; rel="next"/.exec(String(next.headers.link ?? ''))?.[1]
        if (link === undefined) break
        assert.ok(pages < 9, `${route.name} has no end`)
        next = await list.by.get(link)
      }
      assert.deepEqual(found, whole, route.name)
      if (list.whole.headers['x-total-count'] !== undefined)
        assert.equal(next.headers['x-total-count'], String(whole.length), `${route.name}: count of all pages together`)
    }
    for (const route of lists.filter(({ name }) => GROWING.has(name))) {
      const list = await reader(route)
      if (list === null) continue
      for (const limit of ['0', '1001']) assert.deepEqual(pathsIn(await list.read({ limit })), ['limit'], `${route.name}: limit=${limit}`)
      assert.equal((await list.read({ limit: '1000' })).status, 200, route.name)
    }
    assert.ok(read.size > 50 || routes.length < all.length, `only ${read.size} lists were read`)
  })

  test('conventions §1 Lists: a cursor that was altered, or that another list sent, is 422 at `cursor`, in every list', async () => {
    const values = [['x'], [null], [1.5, 'a\u0000b'], ['2026-13-45T00:00:00Z', nothing()], [1e300, '\ud800', 'x']].map(writeCursor)
    let [altered, other] = [0, markCursor('another list', writeCursor([1]))]
    for (const route of lists.filter(({ query }) => fieldsOf(query).cursor !== undefined)) {
      const list = await reader(route)
      if (list === null) continue
      const sent = /[?&]cursor=([^&>]+)/.exec(String((await list.read({ limit: '1' })).headers.link ?? ''))?.[1]
      const changed = sent === undefined ? [] : [`A${sent.slice(1)}`, sent.slice(0, -1), `${sent}0`]
      for (const cursor of ['', 'bm9wZQ', '%%%', 'x'.repeat(10_001), ...values, ...changed, other]) {
        const refused = await list.read({ cursor })
        assert.deepEqual([refused.status, pathsIn(refused)], [422, ['cursor']], `${route.name}: ${cursor.slice(0, 100)} ${refused.text}`)
      }
      if (sent === undefined) continue
      altered++
      other = sent
    }
    assert.ok(altered > 20 || routes.length < all.length, `only ${altered} cursors were altered`)
  })

  test('conventions §1 Filters: every list whose rows have an id can be asked for some of them by `id`, which is repeated', async () => {
    const without: string[] = []
    for (const route of lists) {
      const list = await reader(route)
      const ids: string[] = (list?.whole.body ?? []).flatMap((row: { id?: string }) => row.id ?? [])
      const [first] = ids
      const last = ids.at(-1)
      if (list === null || first === undefined || last === undefined) continue
      const two = await list.read({ id: [first, last] })
      if (two.status !== 200) without.push(route.name)
      else
        assert.deepEqual(
          two.body.map((row: { id: string }) => row.id),
          [...new Set([first, last])],
          route.name,
        )
      assert.deepEqual((await list.read({ id: nothing() })).body, [], route.name)
    }
    assert.deepEqual(without, [])
  })

  /** What has to be settled is read as a whole: a clash that is no longer in it was settled. */
  const WORKLISTS = new Set(['clash_episode.list_unresolved'])

  test('conventions §1 Filters: every list whose rows say when they were changed can be asked for those that were changed since', async () => {
    const without: string[] = []
    let [compared, fewer] = [0, 0]
    for (const route of lists.filter(({ name, path }) => !path.endsWith('/at-time') && !WORKLISTS.has(name))) {
      const list = await reader(route)
      const rows: { updated_at?: string | null }[] = list?.whole.body ?? []
      const times = rows.flatMap(row => row.updated_at ?? []).toSorted()
      if (list === null || times.length === 0) continue
      for (const updated_since of new Set([times[0] ?? '', times[Math.floor(times.length / 2)] ?? '', times.at(-1) ?? ''])) {
        const found = await list.read({ updated_since })
        if (found.status !== 200) {
          without.push(route.name)
          break
        }
        const changed = rows.filter(row => (row.updated_at ?? '') >= updated_since)
        assert.deepEqual(found.body, changed, `${route.name} since ${updated_since}`)
        if (changed.length < rows.length) fewer++
      }
      assert.deepEqual((await list.read({ updated_since: '2100-01-01T00:00:00Z' })).body, [], route.name)
      compared++
    }
    assert.deepEqual(without, [])
    assert.ok((compared > 25 && fewer > 5) || routes.length < all.length, `only ${compared} lists were read, ${fewer} with fewer rows`)
  })

  /** Parameters that aren’t a filter of rows by a field: how a list is computed, searched or written, and from where or when on. */
  const NO_FILTERS = new Set(
    'site_id limit cursor q at from to updated_since bbox near token format work_date can scope profile_id head group direction lon lat tolerance_m zoom horizon_days'.split(
      ' ',
    ),
  )

  test('conventions §1 Filters: an empty or blank `q` finds everything, in every list', async () => {
    for (const route of lists.filter(({ name, query }) => fieldsOf(query).q !== undefined && !GROWING.has(name))) {
      const list = await reader(route)
      if (list === null || loose(route.query).required?.includes('q')) continue
      for (const q of ['', '  ']) assert.deepEqual((await list.read({ q })).body, list.whole.body, route.name)
    }
  })

  test('conventions §1 Filters: a filter is repeated for OR, and finds the rows that have one of the values', async () => {
    const single: string[] = []
    let compared = 0
    for (const route of lists) {
      const filters = Object.entries(fieldsOf(route.query)).filter(([name, { type }]) => !NO_FILTERS.has(name) && type !== 'boolean')
      single.push(...filters.flatMap(([name, { type }]) => (type === 'array' ? [] : [`${route.name} ?${name}`])))
      if (GROWING.has(route.name)) continue
      const list = await reader(route)
      const rows: Record<string, unknown>[] = list?.whole.body ?? []
      for (const [name, { type }] of filters) {
        const values = [...new Set(rows.flatMap(row => (typeof row[name] === 'string' ? row[name] : [])))].slice(0, 2)
        if (list === null || type !== 'array' || values.length < 2) continue
        const found = await list.read({ [name]: values, ...(fieldsOf(route.query).limit === undefined ? {} : { limit: '1000' }) })
        assert.equal(found.status, 200, `${route.name} ?${name}: ${found.text}`)
        assert.deepEqual(
          found.body.map((row: Record<string, unknown>) => row[name]),
          rows.flatMap(row => (values.some(value => value === row[name]) ? [row[name]] : [])),
          `${route.name} ?${name}=${values.join(' or ')}`,
        )
        compared++
      }
    }
    assert.deepEqual(single, [])
    assert.ok(compared > 20 || routes.length < all.length, `only ${compared} filters were compared`)
  })

  test('conventions §2 a row at a point in time has the same permissions as in its list, if `include` asks for them, and none otherwise', async () => {
    const compared = new Set<string>()
    for (const route of lists.filter(({ path, query }) => path.endsWith('/at-time') && fieldsOf(query).include !== undefined)) {
      const list = routes.find(one => one.method === 'GET' && one.path.replace(/\/$/, '') === route.path.replace(/\/at-time$/, ''))
      assert.ok(list !== undefined, route.name)
      for (const role of ['coordinator', 'member', 'viewer', 'client'] as const) {
        const read = async (path: string, more: string) => (await t.as(role).get(`${path}?site_id=${t.site_id}${more}`)).body
        for (const at of ['', `&at=${t.house.house.clock.now().replace(/T.*/, 'T00:30:00.000Z')}`]) {
          const bare: { id: string; permissions?: unknown }[] = await read(route.path, at)
          const rows: { id: string; permissions?: unknown }[] = await read(route.path, `&include=permissions${at}`)
          assert.deepEqual(
            bare,
            rows.map(({ permissions: _left_out, ...row }) => row),
            `${route.name} for ${role}`,
          )
          for (const row of rows) {
            const [shown] = await read(list.path, `&id=${row.id}`)
            assert.deepEqual(row.permissions, shown.permissions, `${route.name} for ${role}`)
            compared.add(route.name)
          }
        }
      }
    }
    assert.ok(compared.size > 4 || routes.length < all.length, `only ${[...compared]} were compared`)
  })

  /** What has no version, because a stale request does no harm: a person’s devices, what is only seen or answered, and what refuses it by itself (decision 1029). */
  const NO_VERSION = new Set(
    `push_subscription.put push_subscription.delete notification.mark_read task.acknowledge
      worker.delete_several audit.revert email.clear_suppression`.split(/\s+/),
  )
  const ADDING = /\.(?:add|create\w*|send|make_link|accept\w*|register\w*)$/

  test('conventions §1 Concurrency: `If-Match` with another version is 412 for every change of a record, with the present version', async () => {
    const passed: string[] = []
    for (const route of routes) {
      const names = /:[a-z_]+/.test(route.path) && !(route.method === 'POST' && route.on === undefined && ADDING.test(route.name))
      const changes = route.method !== 'GET' && !route.reads && (route.method !== 'POST' || names)
      if (!changes || NO_VERSION.has(route.name) || CASES.get(route.name)?.ends_site) continue
      const call = await CALLS.get(route.name)?.(t)
      if (call === undefined) continue
      const stale = await makeCall(t, route, call, { headers: { 'if-match': '"99999"' } })
      if (stale.status !== 412 || typeof stale.body.error.version !== 'number') passed.push(`${route.name}: ${stale.status} ${stale.text}`)
    }
    assert.deepEqual(passed, [])
  })

  test('conventions §1 Idempotency: only a POST reads the key; it refuses one that is too long, which changes nothing for a PATCH, PUT or DELETE', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(201) }
    const admin = t.as('admin')
    const id = await t.contractor('Keyless Works')
    const refused = await admin.post('/contractors/', { site_id: t.site_id, name: 'Another Works Ltd' }, headers)
    assert.deepEqual([refused.status, refused.body.error.fields[0].path], [422, 'Idempotency-Key'])
    assert.equal((await admin.patch(`/contractors/${id}`, { short_name: 'KEY1' }, headers)).status, 200)
    assert.equal((await admin.del(`/contractors/${id}`, undefined, headers)).status, 204)
  })

  test('conventions §1 Create: `Location` of whatever is created can be read, and shows it', async () => {
    // People without an account can’t read what they made; the location of a file is the file itself.
    const without = new Set(['invite.register', 'invite.register_by_token'])
    let read = 0
    // No endpoint responds with a status that its document doesn’t list (documented.ts).
    const document = documented()
    const creates = ({ name }: Route) => ['201', '202'].some(status => document.get(name)?.responses[status] !== undefined)
    for (const route of routes.filter(route => route.method !== 'GET' && !route.reads && creates(route))) {
      const made = await called(route)
      if (made === null || ![201, 202].includes(made.done.status) || without.has(route.name)) continue
      const { location } = made.done.headers
      assert.equal(typeof location, 'string', `${route.name} says no location`)
      const found = await made.call.by.get(String(location).replace(/^\/api/, ''))
      assert.equal(found.status, 200, `${route.name}: ${location} ${found.text}`)
      const id = made.done.body?.id ?? made.done.body?.clash_rule_id
      if (id !== undefined && !String(location).endsWith('/download')) assert.ok(found.text.includes(id), `${route.name}: ${location}`)
      read++
    }
    assert.ok(read > 30 || routes.length < all.length, `only ${read} were read`)
  })

  /** What a PATCH replaces by something else than null: a default, which is computed. */
  const DEFAULTS = new Set(['colour', 'radius_m', 'exclusion_radius_m', 'zone_type'])
  /** What a PATCH can’t clear because of the other fields of the record. */
  const NEEDED = new Set(['notification_preference.set', 'permit.edit contractor_id', 'delivery.change end_at'])
  const isNullable = ({ type, anyOf }: ReturnType<typeof loose>): boolean =>
    [type].flat().includes('null') || anyOf?.some(one => one.type === 'null') === true

  test('conventions §1 PATCH, §5: null clears a field that can be null and is refused by the others, and blank text is null where it can be', async () => {
    let cleared = 0
    // The location of a site with a boundary would be the centre of that.
    await t.as('admin').del(`/sites/${t.site_id}/boundary`)
    for (const route of routes.filter(({ method }) => method === 'PATCH')) {
      const call = await CALLS.get(route.name)?.(t)
      if (call === undefined || NEEDED.has(route.name)) continue
      const send = (body: Record<string, unknown>) =>
        makeCall(t, route, { ...call, body: { ...body, ...(fieldsOf(route.body).site_id === undefined ? {} : { site_id: t.site_id }) } })
      for (const [name, field] of Object.entries(fieldsOf(route.body))) {
        const about = `${route.name} ${name}`
        if (NEEDED.has(about) || name === 'site_id') continue
        const none = await send({ [name]: null })
        if (!isNullable(field)) {
          assert.equal(none.status, 422, `${about}: ${none.status} ${none.text}`)
          continue
        }
        assert.ok(none.status === 200 || none.status === 409, `${about}: ${none.text}`)
        if (none.status === 200 && !DEFAULTS.has(name)) assert.equal(none.body[name] ?? null, null, about)
        if (none.status !== 200 || !isTextOrNone(field)) continue
        const blank = await send({ [name]: ' \t ' })
        assert.equal(blank.status, 200, `${about}: ${blank.text}`)
        if (!DEFAULTS.has(name)) assert.equal(blank.body[name] ?? null, null, about)
        cleared++
      }
    }
    assert.ok(cleared > 20 || routes.length < all.length, `only ${cleared} texts were cleared`)
  })
})
