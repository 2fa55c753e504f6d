// Access to every endpoint × nine roles, superadmin, stranger, administrator of another site, expired token, no token. The expectations are those of the rooms’
// `cases.ts`, which are written from the specification and not read from their manifests, so that a wrong role there is found.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ROLES, type Role } from '../server/base/actor.ts'
import { namesSite, type Route } from '../server/base/http.ts'
import { ids } from '../server/base/ids.ts'
import { routes } from '../server/groups.ts'
import { actorOf } from '../server/kernel/access/domain.ts'
import { allPermissions } from '../server/kernel/access/door.ts'
import { mintToken } from '../server/kernel/identity/door.ts'
import { type Call, type Case, COORDINATE, MANAGE, type Tour, withPart } from './calls.ts'
import { asked, CALLS, CASES, HELD, routeNamed } from './cases.ts'
import { seedOf } from './chance.ts'
import type { PermitWorld, State } from './permits.ts'
import { makeCall, nothing, paramsOf, pathOf, tour } from './tour.ts'
import { toured } from './toured.ts'
import { type Caller, type Reply, useHouse } from './world.ts'

const SEED = seedOf(20260316, 'changes')

/** A membership without anything that would refuse a call. */
const STANDING = { site_id: ids.next(), membership_id: ids.next(), contractor_id: null, timezone: 'UTC', lock: null }

/** A version that no record has: a caller with the permission gets as far as 412, and nothing is changed. */
const STALE = { 'if-match': '"987654321"' }

describe('access', () => {
  const house = useHouse({}, { prepared: toured })
  let t: Tour
  let other: Tour
  let callers: [string, Caller, Role | 'superadmin' | 'stranger' | 'unsigned'][]

  before(async () => {
    t = await tour(house)
    other = await tour(house)
    const stale = await mintToken(
      house.house,
      { subject: ids.next(), name: 'Ed Expired', email: 'ed@people.test', email_verified: true },
      { seconds: -3600 },
    )
    callers = [
      ...ROLES.map((role): [string, Caller, Role] => [role, t.as(role), role]),
      ['superadmin', t.superadmin, 'superadmin'],
      ['a stranger', await t.stranger(), 'stranger'],
      ['the administrator of another site', other.as('admin'), 'stranger'],
      ['an expired token', house.withToken(stale), 'unsigned'],
      ['nobody', house.nobody, 'unsigned'],
    ]
  })

  test('every endpoint has a row in the expectation, and no row is left over', () => {
    const names = routes.map(route => route.name)
    assert.deepEqual(
      names.filter(name => !CASES.has(name)),
      [],
      'new endpoints: write in the cases.ts of their room who can call them',
    )
    assert.deepEqual(
      [...CASES.keys()].filter(name => !names.includes(name)),
      [],
    )
  })

  test('the permissions of all rooms match the specification', () => {
    const written = Object.fromEntries([...HELD].map(([name, roles]) => [name, [...roles].sort()]))
    const built = Object.fromEntries([...allPermissions()].map(([name, { roles }]) => [name, [...roles].sort()]))
    assert.deepEqual(built, written)
  })

  /** Returns what a caller should get, in words; null: anything except a refusal of access. */
  const expected = (row: Case, who: Role | 'superadmin' | 'stranger' | 'unsigned'): string | null => {
    if (row.open) return null
    if (who === 'unsigned') return '401 unauthenticated'
    if (who === 'stranger' && !row.siteless) return '404 not_found'
    const { needs: permission } = row
    if (permission != null && who !== 'superadmin' && !(who !== 'stranger' && HELD.get(permission)?.includes(who)))
      return `403 forbidden ${permission}`
    if (row.sees !== undefined && who !== 'superadmin' && who !== 'stranger' && !row.sees.includes(who)) return '404 not_found'
    if (row.unseen_by_root && who === 'superadmin') return '404 not_found'
    return null
  }

  const probe = (route: Route, row: Case, by: Caller, params: Record<string, string>): Promise<Reply> => {
    const query = [namesSite(route.query) && route.name !== 'contractor.list_public' ? `site_id=${params.site_id}` : '', row.query ?? '']
    const path = `${pathOf(route, params)}?${query.filter(q => q !== '').join('&')}`
    if (route.method === 'GET') return by.get(path)
    const body = { ...row.body, ...(namesSite(route.body) ? { site_id: params.site_id } : {}) }
    const call = route.method === 'POST' ? by.post : route.method === 'PUT' ? by.put : route.method === 'PATCH' ? by.patch : by.del
    return call(path, route.body === undefined ? undefined : body, STALE)
  }

  /** Returns whether the handler checks the permission, so that only a call shows who is let in. */
  const judgedInside = (route: Route, row: Case) => row.needs != null && !('needs' in route.access)

  /** Returns what the permission of an endpoint says to a person with this role; null if it lets them in. */
  const decided = (route: Route, who: Role | 'superadmin' | null): string | null => {
    const standing = who === null || who === 'superadmin' ? null : { ...STANDING, role: who }
    const actor = actorOf({ id: ids.next(), name: 'Someone', is_superadmin: who === 'superadmin' }, standing, allPermissions(), {
      site_creation: 'superadmin',
    })
    if (!('needs' in route.access)) return null
    const refusal = actor.lacks(route.access.needs)
    return refusal === null ? null : `${refusal.status} ${refusal.code} ${refusal.context?.permission}`
  }

  test('every permission of an endpoint lets in exactly the roles of the specification', () => {
    const wrong: string[] = []
    for (const route of routes.filter(asked)) {
      const row = CASES.get(route.name) ?? {}
      if (judgedInside(route, row)) continue
      if ('open' in route.access !== (row.open === true)) wrong.push(`${route.name}: it needs ${row.open ? 'no token' : 'a token'}`)
      for (const who of [...ROLES, 'superadmin'] as const) {
        const wanted = row.open ? null : expected({ ...row, sees: ROLES, unseen_by_root: undefined }, who)
        if (decided(route, who) !== wanted) wrong.push(`${route.name}, ${who}: ${decided(route, who)}, not ${wanted}`)
      }
      if (row.siteless && decided(route, null) !== expected(row, 'stranger'))
        wrong.push(`${route.name}, a stranger: ${decided(route, null)}`)
    }
    assert.deepEqual(wrong, [])
  })

  /**
   * Chooses who calls an endpoint: one who is let in, one who isn't although they are on the site, and one from outside. Who that is changes from endpoint to
   * endpoint and from run to run; the decision for all of them was compared above. If the handler or the record decides, everyone calls.
   */
  const chosen = (route: Route, row: Case, n: number) => {
    if (judgedInside(route, row) || row.sees !== undefined || row.unseen_by_root) return callers
    const one = (from: typeof callers) => (from.length === 0 ? [] : [from[(n + SEED) % from.length] ?? assert.fail('No caller.')])
    const inside = callers.filter(([, , who]) => who !== 'stranger' && who !== 'unsigned')
    return [
      ...one(inside.filter(([, , who]) => expected(row, who) === null)),
      ...one(inside.filter(([, , who]) => expected(row, who) !== null)),
      ...one(callers.filter(one => !inside.includes(one))),
    ]
  }

  for (const [n, route] of routes
    .filter(({ name }) => CASES.has(name))
    .filter(asked)
    .entries()) {
    test(`${route.method} ${route.path} (${route.name})`, async () => {
      const row = CASES.get(route.name) ?? {}
      const wrong: string[] = []
      for (const [label, by, who] of chosen(route, row, n)) {
        const reply = await probe(route, row, by, paramsOf(route, t.params))
        const wanted = expected(row, who)
        const error = reply.body?.error
        const got = [reply.status, error?.code, error?.permission].filter(word => word !== undefined).join(' ')
        const right =
          wanted === null
            ? (row.unavailable ? reply.status === 503 : reply.status < 500) &&
              ![401, 403].includes(reply.status) &&
              (row.open || (reply.status === 404) === (row.absent === true))
            : got === wanted
        if (!right) wrong.push(`${label}: ${got}, not ${wanted ?? (row.absent ? '404' : 'let in')}`)
        if (wanted?.startsWith('401') && error?.reason !== (label === 'nobody' ? 'missing' : 'expired'))
          wrong.push(`${label}: ${reply.text}`)
      }
      assert.deepEqual(wrong, [])
    })
  }

  test('an id of another site is treated as unknown, in the path and together with an id of this site', async () => {
    const admin = t.as('admin')
    const wrong: string[] = []
    for (const route of routes.filter(asked)) {
      const row = CASES.get(route.name)
      const named = [...route.path.matchAll(/:([a-z_]+_id)/g)].map(found => found[1] ?? '')
      if (row === undefined || named.length === 0 || row.open) continue
      for (const foreign of [named, ...(named.length > 1 ? named.map(name => [name]) : [])]) {
        const theirs = paramsOf(route, other.params)
        const params = { ...paramsOf(route, t.params), ...Object.fromEntries(foreign.map(name => [name, theirs[name] ?? ''])) }
        const reply = await probe(route, { ...row }, admin, { ...params, site_id: foreign.includes('site_id') ? other.site_id : t.site_id })
        // The version is checked before the handler looks ids up, so the call is repeated without it.
        const said = reply.status === 412 ? await probeFresh(route, admin, params) : reply
        if (said.status !== 404) wrong.push(`${route.name} with ${foreign.join(', ')} of another site: ${said.status} ${said.text}`)
      }
      for (const missing of named) {
        const reply = await probe(route, row, admin, {
          ...paramsOf(route, t.params),
          [missing]: named.length > 1 && missing !== named[0] ? (paramsOf(route, t.params)[missing] ?? '') : nothing(),
        })
        if (missing === named[0] && reply.status !== 404) wrong.push(`${route.name} with an id of nothing: ${reply.status}`)
      }
    }
    assert.deepEqual(wrong, [])
  })
  const probeFresh = (route: Route, by: Caller, params: Record<string, string>): Promise<Reply> =>
    makeCall(t, route, { by, params, body: route.body === undefined ? undefined : {} })

  test('a record of this site requested as one of another site gives 422, and nothing about the other site is revealed', async () => {
    for (const route of routes.filter(asked)) {
      if (route.on === undefined || route.path.includes(':site_id') || !namesSite(route.query) || route.method !== 'GET') continue
      if (route.on.shared !== undefined) continue
      const reply = await t.as('admin').get(`${pathOf(route, paramsOf(route, t.params))}?site_id=${other.site_id}`)
      assert.deepEqual([reply.status, reply.body.error.fields[0].path], [422, 'site_id'], route.name)
    }
  })

  test('every permit endpoint takes the site in its query or its body, and only the matching one (conventions §1, Site scope)', async () => {
    const wrong: string[] = []
    for (const route of routes.filter(({ path, upload }) => path.startsWith('/permits') && upload === undefined)) {
      const path = pathOf(route, paramsOf(route, t.params))
      const send = (query: string, body?: object): Promise<Reply> => {
        const by = t.superadmin
        const url = `${path}?${query}`
        if (route.method === 'GET') return by.get(url)
        return (route.method === 'POST' ? by.post : route.method === 'PUT' ? by.put : route.method === 'PATCH' ? by.patch : by.del)(
          url,
          body,
          STALE,
        )
      }
      const faults = (reply: Reply): string[] =>
        (reply.body?.error?.fields ?? []).map((f: { path: string }) => f.path).filter((field: string) => field === 'site_id')
      const inQuery = await send(`site_id=${t.site_id}`, route.body === undefined ? undefined : {})
      if (faults(inQuery).length > 0) wrong.push(`${route.name} in the query: ${inQuery.text}`)
      if (route.method !== 'GET' && faults(await send('', { site_id: t.site_id })).length > 0) wrong.push(`${route.name} in the body`)
      if (route.on === undefined || route.on.shared !== undefined) continue
      const away = await send(`site_id=${other.site_id}`, route.body === undefined ? undefined : {})
      // Another fault of the body may be reported first; but nothing is done.
      if (away.status !== 422) wrong.push(`${route.name} of another site: ${away.status} ${away.text.slice(0, 200)}`)
    }
    assert.deepEqual(wrong, [])
  })

  describe('ids in bodies', () => {
    /** Ids of another site for the fields of a body. */
    const foreign = (): Record<string, unknown> => {
      const user = other.receiver.user_id
      return {
        contractor_id: other.params.contractor_id,
        contractor_ids: [other.params.contractor_id],
        subordinate_id: other.params.subordinate_id,
        receiver_id: user,
        user_id: user,
        nominee_user_id: user,
        deputy_nominee_user_id: user,
        parent_id: other.params.permit_id,
        permit_type_id: other.params.type_id,
        building_id: other.params.feature_id,
        layer_id: other.params.layer_id,
        target_id: other.params.feature_id,
        cutter_id: other.params.feature_id,
        token_id: other.params.worker_id,
        replaces: other.params.shift_id,
        set_id: other.params.set_id,
        rule_id: other.params.rule_id,
        site_map_id: other.params.site_map_id,
        permit_id: other.params.permit_id,
        stop_ids: [other.params.stop_id],
        source_plant_id: other.params.plant_id,
        unload_plant_id: other.params.plant_id,
        bay_id: other.params.area_id,
        gate_poi_id: other.params.poi_id,
        zone_id: other.params.feature_id,
        ids: [other.params.worker_id],
        worker_ids: [other.params.worker_id],
        plant_ids: [other.params.plant_id],
        active_area_ids: [other.params.area_id],
        entity_ids: [other.params.worker_id],
        schedule_group_ids: [other.params['workers/group_id']],
        feature_id: other.params.feature_id,
        session_id: other.params.session_id,
        profile_id: other.params.profile_id,
        target_site_id: other.site_id,
        clash_rule_id: other.params.clash_rule_id,
        episode_id: other.params.episode_id,
        owner_user_id: other.as('viewer').user_id,
        owner_contractor_id: other.params.contractor_id,
        responsible_contractor_id: other.params.contractor_id,
      }
    }
    /** Fields that refer to something the table of bodies can't know, each with the reason. */
    const APART: Record<string, string> = {
      'site.create copy_from_site_id': 'a superadmin can copy from any site',
      'permit.create rams_document_ids': 'there are no method statements yet',
      'permit.edit rams_document_ids': 'there are no method statements yet',
      'permit_entity.request rams_document_ids': 'there are no method statements yet',
      'permit.close_out_bulk permit_ids': 'each is reported separately; see below',
    }
    type Field = { format?: string; type?: string | string[]; items?: { format?: string } }

    for (const [name, make] of [...CALLS].filter(([name]) => asked({ name }))) {
      const { body } = routeNamed(name)
      const fields = Object.entries((body as { properties?: Record<string, Field> } | undefined)?.properties ?? {})
        .filter(([field, { format, items }]) => field !== 'site_id' && (format === 'uuid' || items?.format === 'uuid'))
        .map(([field]) => field)
        .filter(field => !(`${name} ${field}` in APART))
      if (fields.length === 0) continue
      test(`${name} accepts nothing from another site: ${fields.join(', ')}`, async () => {
        const call = (await make(t)) as Call // each of its calls is refused
        for (const field of fields) {
          assert.ok(field in foreign(), `tests/access.test.ts has no foreign ${field}`)
          const given = foreign()[field]
          const reply = await makeCall(t, routeNamed(name), {
            ...withPart(call, field, given),
            body: { ...(call.body as object), [field]: given },
          })
          assert.ok([404, 409, 422].includes(reply.status), `${field}: ${reply.status} ${reply.text}`)
          const missing = await makeCall(t, routeNamed(name), {
            ...withPart(call, field, nothing()),
            body: { ...(call.body as object), [field]: Array.isArray(given) ? [nothing()] : nothing() },
          })
          const mask = (text: string) => text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
          assert.deepEqual(
            [reply.status, mask(reply.text)],
            [missing.status, mask(missing.text)],
            `${field} reveals whether a record exists`,
          )
        }
      })
    }

    test('permits of another site in a bulk close-out are refused like unknown ones', async () => {
      const { body } = await t.as('admin').post('/permits/applications/close-out-bulk', {
        site_id: t.site_id,
        permit_ids: [other.params.permit_id, nothing()],
      })
      assert.deepEqual([body.closed, body.refused.map((r: { code: string }) => r.code)], [[], ['not_found', 'not_found']])
    })
  })

  describe('access that handlers check', () => {
    const judged = (title: string, permission: string, call: (by: Caller) => Promise<Reply>) =>
      test(`${title} needs ${permission}`, async () => {
        for (const [label, by, who] of callers) {
          if (who === 'unsigned' || who === 'stranger') continue
          const { status, body, text } = await call(by)
          if (who === 'superadmin' || HELD.get(permission)?.includes(who)) assert.ok(status < 300, `${label}: ${text}`)
          else assert.deepEqual([status, body?.error?.code, body?.error?.permission], [403, 'forbidden', permission], `${label}: ${text}`)
        }
      })
    let n = 0
    judged('the town of a site', 'site_configure', by => by.patch(`/sites/${t.site_id}`, { locality: `Town ${++n}` }))
    judged('the name of a site', 'site_administer', by => by.patch(`/sites/${t.site_id}`, { name: `Quarter ${++n}` }))
    judged('restoring the name of a contractor', 'contractor_edit', by =>
      by.post(`/audit/revert/${t.params.entry_id}`, { reason: 'A slip', dry_run: true }),
    )
    judged('the tasks of everyone', 'task_view_all', by => by.get(`/tasks/?site_id=${t.site_id}&scope=site`))
  })

  describe('the steps of a permit', () => {
    type Who = Role | 'superadmin' | 'issuer' | 'receiver' | 'outsider'
    const BANDS: readonly Who[] = [...COORDINATE, 'superadmin']
    const STAGE2: readonly Who[] = [...MANAGE, 'superadmin']
    const OWNER: readonly Who[] = ['member', 'superadmin']
    const EVERYONE: readonly Who[] = [...ROLES, 'superadmin', 'issuer', 'receiver', 'outsider']
    /**
     * permits-decisions.md §1, Visibility: the permit's contractor sees it once it is submitted, the issuer once it is approved, everyone else once it is
     * issued. The member wrote it.
     */
    const IN_REVIEW: readonly Who[] = [...BANDS, 'member', 'contractor_hse', 'receiver']
    const APPROVED: readonly Who[] = [...IN_REVIEW, 'issuer']
    const LIVE: readonly Who[] = [...APPROVED, 'viewer', 'client', 'commercial']
    const CHECKED = { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true }
    let outsider: Caller
    let w: PermitWorld
    before(async () => {
      w = t
      outsider = await t.join('member', t.params.contractor_id, 'Otto Outsider')
    })
    const caller = (who: Who): Caller =>
      who === 'superadmin'
        ? w.superadmin
        : who === 'issuer'
          ? w.issuer
          : who === 'receiver'
            ? w.receiver
            : who === 'outsider'
              ? outsider
              : w.as(who)

    /** One step: its state, who can see the permit then, who can take the step, and what the others who see it get. */
    const step = (
      title: string,
      state: State,
      sees: readonly Who[],
      may: readonly Who[],
      shown: string,
      call: (by: Caller, id: string) => Promise<Reply>,
      again = false,
    ) =>
      test(title, async () => {
        const make = () => w.at(state, state === 'issued' ? { categories: ['GEN'] } : {})
        const shared = await make()
        for (const who of EVERYONE.filter(one => !may.includes(one))) {
          const { status, body, text } = await call(caller(who), shared.id)
          const got = [status, body?.error?.code, body?.error?.permission ?? body?.error?.gate].filter(word => word !== undefined).join(' ')
          assert.equal(got, sees.includes(who) ? shown : '404 not_found', `${who}: ${text}`)
        }
        assert.equal((await w.read(shared, w.superadmin)).status, shared.status)
        for (const who of may) {
          const { status, text } = await call(caller(who), again ? shared.id : (await make()).id)
          assert.ok(status < 300, `${who}: ${text}`)
        }
      })
    const verb =
      (name: string, body: unknown = {}) =>
      (by: Caller, id: string) =>
        by.post(`/permits/applications/${id}/${name}`, body)

    step(
      'R10 a draft can be read only by its author and a superadmin',
      'draft',
      OWNER,
      OWNER,
      '',
      (by, id) => by.get(`/permits/applications/${id}`),
      true,
    )
    step(
      'R10 during review, a permit can be read by the bands, its contractor and its receiver',
      'requested',
      IN_REVIEW,
      IN_REVIEW,
      '',
      (by, id) => by.get(`/permits/applications/${id}`),
      true,
    )
    step(
      'R10 once issued, a permit can be read by everyone except other contractors',
      'issued',
      LIVE,
      LIVE,
      '',
      (by, id) => by.get(`/permits/applications/${id}`),
      true,
    )
    const own = '403 permit_ownership_error'
    step(
      'R4 a draft can be edited by its author or a superadmin',
      'draft',
      EVERYONE,
      OWNER,
      own,
      (by, id) => by.patch(`/permits/applications/${id}`, { title: 'Weld' }),
      true,
    )
    step('R4 a draft can be submitted by its author or a superadmin', 'draft', EVERYONE, OWNER, own, verb('submit'))
    step('R4 a draft can be withdrawn by its author or a superadmin', 'draft', EVERYONE, OWNER, own, verb('withdraw'))
    step('R4 a draft can be deleted by its author or a superadmin', 'draft', EVERYONE, OWNER, own, (by, id) =>
      by.del(`/permits/applications/${id}`),
    )
    step('R3 only the stage-1 band can endorse', 'requested', IN_REVIEW, BANDS, '403 forbidden permit_approve_stage1', verb('endorse'))
    step('R3 only the stage-2 band can approve', 'endorsed', IN_REVIEW, STAGE2, '403 forbidden permit_approve_stage2', verb('approve'))
    const reason = { reason: 'Unsafe' }
    const note = { note: 'Name the fire watch' }
    step(
      'R3 before endorsement, the stage-1 band can reject',
      'requested',
      IN_REVIEW,
      BANDS,
      '403 forbidden permit_approve_stage1',
      verb('reject', reason),
    )
    step(
      'R3 after endorsement, the stage-2 band can reject',
      'endorsed',
      IN_REVIEW,
      STAGE2,
      '403 forbidden permit_approve_stage2',
      verb('reject', reason),
    )
    step(
      'R3 before endorsement, the stage-1 band can request corrections',
      'requested',
      IN_REVIEW,
      BANDS,
      '403 forbidden permit_approve_stage1',
      verb('request-corrections', note),
    )
    step(
      'R3 after endorsement, the stage-2 band can request corrections',
      'endorsed',
      IN_REVIEW,
      STAGE2,
      '403 forbidden permit_approve_stage2',
      verb('request-corrections', note),
    )
    step(
      'R1 only the appointed issuer can issue; no rank is enough',
      'approved',
      APPROVED,
      ['issuer'],
      '409 permit_gate_error no_active_appointment',
      verb('issue'),
    )
    step(
      'R2 only the named receiver can countersign; no rank is enough',
      'signed',
      APPROVED,
      ['receiver'],
      '409 permit_gate_error not_named_receiver',
      verb('countersign'),
    )
    step(
      'the bands and the issuer can close out',
      'issued',
      LIVE,
      [...BANDS, 'issuer'],
      '403 forbidden permit_approve_stage1',
      verb('close-out', { checklist: CHECKED }),
    )
    step(
      'after a failed walk-down, the issuer, the receiver or the stage-2 band can hand back',
      'approved',
      APPROVED,
      [...STAGE2, 'issuer', 'receiver'],
      '403 forbidden permit_approve_stage2',
      verb('hand-back', note),
    )
    step(
      'a live permit can be handed back by its receiver or the stage-2 band',
      'issued',
      LIVE,
      [...STAGE2, 'receiver'],
      '403 forbidden permit_approve_stage2',
      verb('hand-back', { work_complete: true, note: 'Done' }),
    )
    step(
      'the author, the receiver, the bands and the contractor can copy it to a new draft',
      'issued',
      LIVE,
      IN_REVIEW,
      '403 forbidden permit_request',
      verb('reissue'),
      true,
    )
    step(
      'the author, the receiver, the issuer and the bands can request an extension',
      'issued',
      LIVE,
      [...BANDS, 'member', 'receiver', 'issuer'],
      '403 forbidden permit_approve_stage1',
      verb('extensions', { requested_end_at: '2026-03-16T20:00:00.000Z' }),
      true,
    )
    for (const decision of ['approve', 'reject'])
      step(
        `an extension: only the stage-2 band can ${decision} it`,
        'issued',
        LIVE,
        STAGE2,
        '403 forbidden permit_approve_stage2',
        async (by, id) => {
          const asked = await w
            .as('member')
            .post(`/permits/applications/${id}/extensions`, { requested_end_at: '2026-03-16T20:00:00.000Z' })
          return by.post(`/permits/extensions/${asked.body.id}/${decision}`, decision === 'reject' ? reason : {})
        },
      )
  })
})
