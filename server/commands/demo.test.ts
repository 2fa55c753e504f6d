import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HOUR, later } from '../../shared/time.ts'
import { testEngine } from '../../tests/engine.ts'
import { startIssuer } from '../../tests/issuer.ts'
import { openServed } from '../../tests/served.ts'
import { openTestHouse, useHouse } from '../../tests/world.ts'
import { readSettings } from '../base/settings.ts'
import { planDemo } from '../demo/plan.ts'
import { REGISTER_ROWS } from '../demo/register.ts'
import { CREWS, emailOf, OWNER, PEOPLE } from '../demo/site.ts'
import { GROUPS } from '../demo/smart-groups.ts'
import { accountOf, passwordFits } from '../kernel/accounts/door.ts'
import { verifyChain } from '../kernel/audit/door.ts'
import { DEMO_CODE } from '../kernel/site/domain.ts'
import { checksOf } from '../rooms/operate/health/door.ts'
import { STATUSES } from '../rooms/permits/kit/domain/facts.ts'
import { startOver } from './command.ts'
import { bringDemo, type Demo, signInElsewhere, signInWasShown } from './demo.ts'
import { demoFindings } from './doctor.ts'
import { greeting } from './serve.ts'
import { tokenFor } from './token.ts'

const MAIN = fileURLToPath(new URL('../../bin/walkdown.js', import.meta.url))

describe('the plan of the demo site', () => {
  for (const now of ['2026-03-17T10:40:00.000Z', '2026-03-21T23:05:00.000Z', '2026-10-25T01:10:00.000Z', '2027-01-01T05:59:00.000Z']) {
    test(`at ${now} no step is in the future, the steps of each permit are in order, and each window has a length`, () => {
      const { permits, steps, begins } = planDemo(now)
      const seen = new Map<number, string>()
      for (const { at, permit, verb } of steps) {
        assert.ok(at < now && at > begins, `${verb} at ${at}`)
        assert.ok(at >= (seen.get(permit) ?? ''), `${verb} of ${permit} is too early`)
        if (!seen.has(permit)) assert.ok(verb === 'create' || verb === 'reissue', verb)
        seen.set(permit, at)
      }
      for (const { start_at, end_at } of permits) assert.ok(start_at < end_at)
      const live = permits.filter(p => p.start_at <= now && p.end_at > now)
      assert.ok(live.length > 25, `${live.length} windows include now`)
      assert.ok(
        live.some(p => p.end_at <= later(now, 2 * HOUR)),
        'some end soon',
      )
    })
  }

  test('the same time gives the same plan', () => {
    const now = '2026-03-17T10:40:00.000Z'
    assert.deepEqual(planDemo(now), planDemo(now))
  })
})

describe('the demo site', () => {
  const house = useHouse({ CLOCK: 'system' }, { pool: 8 })
  const made: { it: Demo | null } = { it: null }
  const say = () => {}
  const bring = async (only_empty: boolean) => bringDemo(house.house, { only_empty, say })
  const note = () => join(house.house.data_dir, 'demo-sign-in.txt')
  const statuses = async () => {
    const rows = await house.rows(`select status, count(*)::int as n from permit where source = 'requested' group by status`)
    return new Map<string, number>(rows.map(row => [row.status, row.n]))
  }

  test('10.8 the next start after an interrupted one makes it again, and shows the passphrase', async () => {
    let steps = 30
    await assert.rejects(bringDemo(house.house, { only_empty: true, say, stopped: () => --steps < 0 }), /interrupted/)
    const [{ name }] = await house.rows('select current_database() as name')
    const start_over = async () => startOver(house.house, await testEngine(), name, say)
    const again = await bringDemo(house.house, { only_empty: true, say, start_over })
    assert.ok(again.outcome === 'made' && again.permits > 150)
    assert.match(greeting(house.house, again).join('\n'), new RegExp(String(again.passphrase)))
    made.it = again
  })

  test('an empty database gets about 150 requested permits, in every state, and a second call changes nothing', async () => {
    const found = await statuses()
    const sum = [...found.values()].reduce((a, b) => a + b, 0)
    assert.ok(sum >= 140 && sum <= 170, `${sum} permits`)
    for (const status of STATUSES) assert.ok((found.get(status) ?? 0) >= 5, `${status}: ${found.get(status)}`)
    assert.deepEqual(await bring(false), { outcome: 'there', unseen: await readFile(note(), 'utf8') })
    assert.deepEqual(await statuses(), found)
  })

  test('10.8 the next start shows the sign-in if no start has shown it yet', async () => {
    const found = await bring(true)
    assert.ok(found.outcome === 'there' && made.it?.outcome === 'made')
    assert.match(greeting(house.house, found).join('\n'), new RegExp(`passphrase {2}${made.it.passphrase}`))
    await signInWasShown(house.house, found)
    assert.deepEqual(await bring(true), { outcome: 'there', unseen: null })
    assert.match(await readFile(note(), 'utf8'), new RegExp(String(made.it.passphrase)))
  })

  test('10.8 the service with a new demo site is healthy: none of its jobs is overdue', async () => {
    const checks = await checksOf({ ...house.house })
    assert.deepEqual(
      [checks.queue, checks.outbox].map(check => [check?.status, check?.message]),
      [
        ['ok', ''],
        ['ok', ''],
      ],
    )
    const [{ waiting }] = await house.rows(`select count(*)::int as waiting from pgboss.job where state = 'created'`)
    assert.ok(waiting > 10, `${waiting} jobs are waiting`)
  })

  test('§6 one contractor oversees another, so that the tree of oversight shows something', async () => {
    const ada = house.withToken(await tokenFor(house.house, emailOf('ada')))
    const [site] = (await ada.get('/sites/')).body
    const names = (await ada.get(`/contractors/?site_id=${site.id}`)).body.map((one: { id: string; name: string }) => [one.id, one.name])
    const pairs = (await ada.get(`/contractors/oversight?site_id=${site.id}`)).body
    const named = (id: string) => new Map<string, string>(names).get(id)
    assert.deepEqual(
      pairs.map((pair: { overseer_id: string; subordinate_id: string }) => [named(pair.overseer_id), named(pair.subordinate_id)]),
      [['Meridian Roofing & Façades Ltd', 'Castle Access Scaffolding Ltd']],
    )
  })

  test('a register was imported: its permits are on the board with the others, one row was refused, and one place isn’t drawn yet', async () => {
    const ada = house.withToken(await tokenFor(house.house, emailOf('ada')))
    const [site] = (await ada.get('/sites/')).body
    const [set, ...more] = (await ada.get(`/permits/sets?site_id=${site.id}`)).body
    assert.deepEqual(more, [])
    const { written, taken } = REGISTER_ROWS
    assert.deepEqual([set.rows_read, set.rows_new, set.rows_refused, set.permits], [written, taken, written - taken, taken])
    const cards = (await ada.get(`/permits?site_id=${site.id}&source=imported&limit=500`)).body as Record<string, unknown>[]
    assert.equal(cards.length, taken)
    assert.deepEqual(new Set(cards.map(card => card.status)), new Set(['issued', 'expired']))
    assert.ok(
      cards.every(card => card.contractor_id !== null),
      'each contractor was recognised by its name',
    )
    const again = (await ada.post('/permits/re-resolve', { site_id: site.id })).body
    assert.deepEqual(
      again.unresolved.map((one: { value: string }) => one.value),
      ['Block D'],
    )
  })

  test('the site is drawn: within the boundary are buildings, routes, lifting and laydown areas, and zones of several contractors', async () => {
    const hal = house.withToken(await tokenFor(house.house, emailOf('hal')))
    const [site] = (await hal.get('/sites/')).body
    const drawn = (await hal.get(`/reference-features/features/at-time?site_id=${site.id}`)).body as Record<string, unknown>[]
    const types = new Set(drawn.map(one => one.zone_type))
    for (const type of [
      'vehicle_route',
      'pedestrian_route',
      'lifting',
      'laydown',
      'storage',
      'welfare',
      'exclusion',
      'hazardous_area',
      'restricted',
    ])
      assert.ok(types.has(type), type)
    assert.equal(drawn.filter(one => one.kind === 'building').length, 4)
    assert.ok(new Set(drawn.map(one => one.contractor_id).filter(id => id !== null)).size >= 5, 'zones of several contractors')
    // Adjacent zones share their edges; no two outdoor zones overlap.
    const outdoors = drawn.filter(one => one.kind === 'zone' && one.building_id === null)
    for (const one of outdoors) {
      const shown = (await hal.get(`/reference-features/features/${one.id}`)).body
      assert.deepEqual(shown.overlap_warnings ?? [], [], String(one.name))
    }
  })

  test('the board also shows permits that end soon, wait for a countersignature or were handed back, extension requests, parents and copies', async () => {
    const [row] = await house.rows(`
      select count(*) filter (where status = 'issued' and expiring_warned_at is not null)::int as soon,
             count(*) filter (where status = 'approved' and issue_signed_at is not null)::int as signed,
             count(*) filter (where status = 'issued' and handed_back_at is not null)::int as handed_back,
             count(*) filter (where parent_id is not null)::int as children,
             count(*) filter (where reissued_from_id is not null)::int as copies from permit`)
    for (const [name, count] of Object.entries(row)) assert.ok(Number(count) >= 3, `${name}: ${count}`)
    const extensions = await house.rows(`select distinct status from permit_extension order by status`)
    assert.deepEqual(
      extensions.map(one => one.status),
      ['approved', 'lapsed', 'rejected', 'requested'],
    )
  })

  test('9.2 9.4 9.13 a hand-back for an absent receiver has its reason, a lapsed extension says why, and each returned permit says what must change', async () => {
    const hal = house.withToken(await tokenFor(house.house, emailOf('hal')))
    const read = async (id: string) => (await hal.get(`/permits/applications/${id}`)).body
    const [absent] = await house.rows(`select permit_id from permit_signature where kind = 'hand_back' and on_behalf_of is not null`)
    const last = (await read(absent.permit_id)).signatures.at(-1)
    assert.equal(last.signer_name, 'Hal Brennan')
    assert.match(last.statement, new RegExp(last.on_behalf_of.name))
    assert.match(last.note, new RegExp(`^${last.on_behalf_of.name} had to leave the site`))

    const lapsed = await house.rows(`select permit_id from permit_extension where status = 'lapsed'`)
    assert.ok(lapsed.length >= 2)
    for (const { permit_id } of lapsed) {
      const permit = await read(permit_id)
      assert.equal(permit.status, 'expired')
      const [request] = permit.extensions
      assert.deepEqual([request.status, request.decision_reason], ['lapsed', 'The permit is expired.'])
      assert.ok(request.reason.length > 10)
    }

    const returned = await house.rows(`select id from permit where status = 'corrections_requested'`)
    const gates = new Set<string>()
    for (const { id } of returned) {
      const { last_decision } = await read(id)
      assert.ok(last_decision.note.length > 20, JSON.stringify(last_decision))
      gates.add(last_decision.action)
    }
    assert.equal(gates.size, 2, 'returned by a reviewer, and handed back after a failed walk-down')
  })

  test('its people have every role and sign in with one passphrase, and the site’s audit chain is valid', async () => {
    if (made.it?.outcome !== 'made' || made.it.passphrase === null) throw new Error('The result has no passphrase.')
    for (const key of [OWNER.key, 'hal', CREWS.castle.receiver]) {
      const account = await accountOf(house.house, emailOf(key))
      assert.ok(await passwordFits(made.it.passphrase, account?.password_hash ?? null))
    }
    const roles = await house.rows(`select distinct role from membership where status = 'active'`)
    assert.deepEqual(new Set(roles.map(r => r.role)), new Set(PEOPLE.map(p => p.role)))
    const hal = house.withToken(await tokenFor(house.house, emailOf('hal')))
    const [site] = (await hal.get('/sites/')).body
    assert.deepEqual([site.code, site.my_role], [DEMO_CODE, 'hse'])
    assert.equal((await verifyChain(house.house.database.db, site.id)).fault, null)
    const contractors = (await hal.get(`/contractors/?site_id=${site.id}`)).body
    assert.equal(contractors.length, 6)
    const board = (await hal.get(`/permits?site_id=${site.id}`)).body
    assert.ok(board.length > 130, `${board.length} cards`)
    const ada = house.withToken(await tokenFor(house.house, emailOf('ada')))
    const waiting = (await ada.get(`/memberships/sites/${site.id}/pending`)).body
    assert.deepEqual(
      waiting.map((one: { waiting_days: number }) => one.waiting_days),
      [0],
      'one membership request is pending, and doesn’t lapse at the next start',
    )
  })

  test('its people have an inbox in which older notifications are read and today’s are not', async () => {
    const hal = house.withToken(await tokenFor(house.house, emailOf('hal')))
    const notifications = (await hal.get('/notifications/?limit=1000')).body as {
      kind: string
      created_at: string
      read_at: string | null
    }[]
    assert.ok(notifications.length > 30, `${notifications.length} messages`)
    assert.ok(new Set(notifications.map(row => row.kind)).size >= 4, [...new Set(notifications.map(row => row.kind))].join())
    const { unread } = (await hal.get('/notifications/unread-count')).body
    assert.ok(unread > 0 && unread < notifications.length / 2, `${unread} of ${notifications.length} unread`)
    assert.ok(new Set(notifications.map(row => row.created_at.slice(0, 10))).size > 3, 'they are from several days')
    const mails = await house.rows(`select distinct state, detail from notification_send where channel = 'email'`)
    assert.deepEqual(mails, [{ state: 'skipped', detail: 'not_configured' }], 'nobody on the demo site gets an email')
  })

  test('10.8 a person who sees the demo site for the first time sees a day that people can manage: few clashes to settle, some in hand and one overdue, and few tasks', async () => {
    const person = async (key: string) => house.withToken(await tokenFor(house.house, emailOf(key)))
    const hal = await person('hal')
    const [site] = (await hal.get('/sites/')).body
    const { red, amber, in_hand, overdue, unplaced_permits } = (await hal.get(`/clashes/unresolved/summary?site_id=${site.id}`)).body
    const sum = red + amber
    assert.ok(red >= 3 && sum >= 12 && sum <= 25 && in_hand >= 2, `${red} red, ${amber} amber, ${in_hand} in hand`)
    assert.equal(overdue, 1)
    assert.ok(unplaced_permits.length > 0 && unplaced_permits.length <= 4)
    for (const key of PEOPLE.filter(one => one.waits !== true).map(one => one.key)) {
      const other = await person(key)
      const { waiting } = (await other.get(`/tasks/unread-count?site_id=${site.id}`)).body
      const { unread } = (await other.get('/notifications/unread-count')).body
      assert.ok(waiting <= 40 && unread < 60, `${key}: ${waiting} tasks, ${unread} unread notifications`)
    }
    const decided = await house.rows(`select distinct kind from clash_stance`)
    for (const kind of ['accepted', 'resolving'])
      assert.ok(
        decided.some(row => row.kind === kind),
        kind,
      )
    const signed = await house.rows(`select note from permit_signature where note like 'Approved despite%red conflict%'`)
    assert.ok(signed.length > 0, 'a permit was approved despite a red conflict')
  })

  test('§18 there are shared smart groups with members, one that a clash rule uses, and a private one that only the coordinator sees', async () => {
    const person = async (key: string) => house.withToken(await tokenFor(house.house, emailOf(key)))
    const [hal, cora] = [await person('hal'), await person('cora')]
    const [site] = (await hal.get('/sites/')).body
    type Group = { name: string; subject: string; count: number; warnings: unknown[]; used_by: { kind: string; name: string }[] }
    const groupsOf = async (by: typeof hal): Promise<Group[]> => (await by.get(`/smart-groups/?site_id=${site.id}&include=counts`)).body
    const shared = await groupsOf(hal)
    assert.deepEqual(
      shared.map(({ name, subject }) => [name, subject]),
      [
        [GROUPS.hot, 'permit'],
        [GROUPS.lifting, 'entity'],
        [GROUPS.gangs, 'entity'],
      ],
    )
    const counts = new Map(shared.map(({ name, count }) => [name, count]))
    assert.ok((counts.get(GROUPS.lifting) ?? 0) >= 3 && (counts.get(GROUPS.hot) ?? 0) >= 5, JSON.stringify([...counts]))
    assert.deepEqual(
      shared
        .flatMap(({ used_by }) => used_by.map(({ kind, name }) => `${kind} ${name}`))
        .filter(said => said !== 'clash_rule Gangs near telehandlers'),
      [],
    )
    assert.ok(shared.some(({ name, used_by }) => name === GROUPS.gangs && used_by.length > 0))
    assert.deepEqual(
      [...shared].flatMap(({ warnings }) => warnings),
      [],
    )
    assert.ok((await groupsOf(cora)).some(({ name }) => name === GROUPS.own))
  })

  test('a start shows once who to sign in as, only for a new demo site and the built-in provider', () => {
    if (made.it === null) throw new Error('There is no demo site.')
    const lines = greeting(house.house, made.it).join('\n')
    assert.match(lines, /Walkdown \S+ is running at http:\/\/walkdown\.test/)
    assert.match(lines, /hal@quayside\.example +health and safety: approves/)
    assert.match(lines, /walkdown token EMAIL/)
    assert.doesNotMatch(greeting(house.house, { outcome: 'there', unseen: null }).join('\n'), /passphrase/)
    const abroad = { ...house.house, settings: { ...house.house.settings, oidc_issuer: 'https://login.example.com' } }
    assert.doesNotMatch(greeting(abroad, { ...made.it, passphrase: null } as Demo).join('\n'), /passphrase/)
  })
})

describe('a database with something in it', () => {
  const house = useHouse({ CLOCK: 'system' }, { pool: 8 })

  test('it gets no demo site at startup', async () => {
    await house.world()
    assert.deepEqual(await bringDemo(house.house, { only_empty: true, say: () => {} }), { outcome: 'not empty' })
  })

  test('a demo site whose creation is stopped is reported as interrupted, and is not made again over the incomplete one', async () => {
    const half = bringDemo(house.house, { only_empty: false, say: () => {}, stopped: () => true })
    await assert.rejects(half, /interrupted/)
    assert.deepEqual(await bringDemo(house.house, { only_empty: false, say: () => {} }), { outcome: 'interrupted' })
  })
})

describe('a demo site whose creation was interrupted', () => {
  const say = () => {}
  const begin = async (house: Awaited<ReturnType<typeof openTestHouse>>, steps: number) => {
    let left = steps
    await assert.rejects(bringDemo(house.house, { only_empty: true, say, stopped: () => --left < 0 }), /interrupted/)
  }

  test('10.8 the demo site isn’t made again without its sign-in file, or over data that was added since', async () => {
    const house = await openTestHouse({ CLOCK: 'system' }, { pool: 8 })
    try {
      await begin(house, 0)
      const start_over = () => Promise.reject(new Error('The database was emptied.'))
      const ask = () => bringDemo(house.house, { only_empty: true, say, start_over })
      const unseen = join(house.house.data_dir, 'demo-sign-in.unseen')
      await rename(unseen, `${unseen}.moved`)
      assert.deepEqual(await ask(), { outcome: 'interrupted' })
      await rename(`${unseen}.moved`, unseen)
      await assert.rejects(ask(), /emptied/, 'with the file, and nothing added, it is made again')
      await house.person('Nora New')
      assert.deepEqual(await ask(), { outcome: 'interrupted' })
    } finally {
      await house.close()
    }
  })
})

describe('an installation with a provider of its own', () => {
  const walkdown = (env: Record<string, string>, ...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env }).then(({ stdout }) => stdout)

  test('9.17 with OIDC_ISSUER the command makes the demo site before the first start, and says correctly who can sign in', async () => {
    const issuer = await startIssuer()
    const named = { OIDC_ISSUER: issuer.url, SUPERADMIN_EMAILS: 'root@firm.example' }
    const served = await openServed(named)
    const env = { PATH: process.env.PATH ?? '', DATA_DIR: served.data_dir, ...named }
    try {
      const said = await walkdown(env, 'demo')
      assert.match(said, /The demo site DEMO-1 was created: 1[5-9]\d permits/)
      assert.match(said, new RegExp(`signs in at ${issuer.url}.*no one can sign in as one of them`))
      assert.match(said, /This superadmin can see the demo site: root@firm\.example\./)
      assert.doesNotMatch(said, /passphrase/)
      assert.match(
        signInElsewhere({ ...readSettings(env), superadmin_emails: [] }).join('\n'),
        /Only superadmins can see the demo site.*superadmin grant/,
      )
      assert.match(await walkdown(env, 'demo'), /^The demo site already exists/)

      // Check that this is true: the named superadmin sees the site, and a token of the kind that made it gives no access.
      await served.start()
      const found = await served.looking(house => demoFindings({ ...house, settings: { ...house.settings, host: '0.0.0.0' } }))
      assert.deepEqual(found, [{ of: 'demo', how: 'well', says: 'the demo site exists' }])
      const asked = (token: string, path: string) => fetch(`${served.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
      const root = await served.looking(house => issuer.token(house, { email: 'root@firm.example', sub: 'root', name: 'Ruth Root' }))
      const sites = (await (await asked(root, '/sites/')).json()) as { code: string }[] // our own response
      assert.deepEqual(
        sites.map(site => site.code),
        [DEMO_CODE],
      )
      const hal = await served.looking(house => tokenFor({ ...house, settings: { ...house.settings, oidc_issuer: null } }, emailOf('hal')))
      assert.equal((await asked(hal, '/auth/me')).status, 401)
    } finally {
      await served.close()
      await issuer.stop()
    }
  })
})
