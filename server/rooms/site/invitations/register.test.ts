import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mailsTo, sendMails } from '../../../../tests/outbox.ts'
import { PASSPHRASE, personWithAccount } from '../../../../tests/provider.ts'
import { useHouse, type World } from '../../../../tests/world.ts'

const JOIN = 'http://walkdown.test/join#'

describe('joining without an account', () => {
  const house = useHouse()
  let caller = 0
  /** Sends a public call, each from an address of its own. The limits for one address have a test of their own. */
  const open = async (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    from = `10.0.${Math.floor(++caller / 250)}.${caller % 250}`,
    headers: Record<string, string> = {},
  ) => {
    const answer = await house.edge.app.inject({
      method,
      url: `/api${path}`,
      remoteAddress: from,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return {
      status: answer.statusCode,
      body: String(answer.headers['content-type']).includes('json') ? answer.json() : undefined,
      headers: answer.headers,
    }
  }
  const register = (token: string, body: Record<string, unknown>, from?: string) =>
    open('POST', `/invite-links/register/${token}`, { name: 'Nina New', password: PASSPHRASE, ...body }, from)
  const link = async (w: World, body: Record<string, unknown> = {}) =>
    (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', ...body })).body
  const mailed = async (w: World, email: string, body: Record<string, unknown> = {}): Promise<string> => {
    await w.as('admin').post(`/invites/sites/${w.site_id}`, { email, role: 'member', ...body })
    await sendMails(house)
    const text = mailsTo(house, email).at(-1)?.text ?? ''
    return text.slice(text.indexOf(JOIN) + JOIN.length).split(/\s/)[0] ?? ''
  }
  const ask = async (text: string, values: unknown[] = []) => (await house.house.database.pool.query(text, values)).rows

  test('§3 registering by a link creates account and membership together; the address must still be confirmed by email', async () => {
    const w = await house.world()
    const { token, id } = await link(w)
    const done = await register(token, { email: 'Nina@Example.com', locale: 'en-GB' })
    assert.equal(done.status, 201, JSON.stringify(done.body))
    assert.deepEqual(done.body, {
      next: 'confirm_email',
      sign_in_url: `http://walkdown.test/join?sign_in=1#${token}`,
      mail_sent: false,
      membership_status: 'active',
    })
    const [account] = await ask(`select id, email, email_confirmed_at, password_hash from account where email_key = 'nina@example.com'`)
    assert.deepEqual([account.email, account.email_confirmed_at], ['Nina@Example.com', null])
    assert.match(account.password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.deepEqual(
      (await sendMails(house)).map(d => d.outcome),
      ['kept'],
    )
    assert.deepEqual(
      mailsTo(house, 'nina@example.com').map(m => m.kind),
      ['confirm_address'],
    )
    const nina = await house.person('Nina New', { subject: account.id, email: 'Nina@Example.com' })
    assert.equal((await nina.get(`/sites/${w.site_id}`)).status, 200, 'the same user, once their token is used')
    assert.equal((await w.as('admin').get(`/invites/sites/${w.site_id}?id=${id}`)).body[0].uses, 1)
  })

  test('§3 when a person registers by an email invitation, the token proves the address, and no other address can be given', async () => {
    const w = await house.world()
    const token = await mailed(w, 'Vera@Example.com', { role: 'coordinator' })
    const done = await register(token, { email: 'mallory@evil.example' })
    assert.deepEqual([done.status, done.body.next, done.body.membership_status], [201, 'sign_in', 'active'], JSON.stringify(done.body))
    assert.deepEqual(
      await ask(
        `select email, email_confirmed_at is not null as proven from account where email_key in ('vera@example.com', 'mallory@evil.example')`,
      ),
      [{ email: 'Vera@Example.com', proven: true }],
    )
    const before = mailsTo(house, 'vera@example.com').length
    const again = await register(token, {})
    assert.deepEqual([again.status, again.body], [201, done.body], 'registering twice with one address gets the same response')
    await sendMails(house)
    assert.deepEqual(
      mailsTo(house, 'vera@example.com')
        .slice(before)
        .map(m => m.kind),
      ['account_exists'],
    )
    assert.equal(
      (await ask(`select count(*)::int as n from membership where site_id = $1 and role = 'coordinator'`, [w.site_id]))[0].n,
      2,
      'one user besides the world’s own',
    )
  })

  test('§3 an address that has an account gets the same response and stays one account; its owner gets an email and a reserved place', async () => {
    const w = await house.world()
    const { token, id } = await link(w, { max_uses: 2 })
    const fresh = await register(token, { email: 'olga@example.com' })
    const owner = await personWithAccount(house, 'Paul Present', 'paul@example.com', { password: 'another good passphrase' })
    const known = await register(token, { email: 'PAUL@example.com' })
    assert.deepEqual([known.status, known.body], [fresh.status, fresh.body])
    assert.deepEqual(await ask(`select name, password_hash from account where email_key = 'paul@example.com'`), [
      {
        name: 'Paul Present',
        password_hash: (await ask('select password_hash from account where id = $1', [owner.account_id]))[0].password_hash,
      },
    ])
    await sendMails(house)
    const [mail] = mailsTo(house, 'paul@example.com')
    assert.equal(mail?.kind, 'account_exists')
    assert.match(mail?.text ?? '', /Sign in, then open the invitation again/)
    const state = async () => (await open('GET', `/sites/public?token=${token}`)).body[0].invite.state
    assert.equal(await state(), 'used_up', 'a use is counted for both, so that nobody can find out who has an account')
    const [paul] = [await house.person('Paul Present', { subject: owner.account_id, email: 'paul@example.com' })]
    assert.equal((await paul.get(`/sites/${w.site_id}`)).status, 404, 'nothing was opened in their name')
    const came = await paul.post(`/invite-links/accept/${token}`, {})
    assert.deepEqual([came.status, came.body.status], [201, 'active'], 'their place was reserved')
    assert.equal((await w.as('admin').get(`/invites/sites/${w.site_id}?id=${id}`)).body[0].uses, 2)
  })

  test('§3 registering several times at once with one address gives equal responses and one account', async () => {
    const w = await house.world()
    const { token } = await link(w)
    const both = await Promise.all(Array.from({ length: 5 }, () => register(token, { email: 'quin@example.com' })))
    assert.deepEqual([...new Set(both.map(b => b.status))], [201])
    assert.deepEqual([...new Set(both.map(b => JSON.stringify(b.body)))].length, 1)
    assert.equal((await ask(`select count(*)::int as n from account where email_key = 'quin@example.com'`))[0].n, 1)
    assert.equal(
      (
        await ask(
          `select count(*)::int as n from membership m join account a on true join app_user u on u.id = m.user_id and u.subject = a.id::text where a.email_key = 'quin@example.com'`,
        )
      )[0].n,
      1,
    )
  })

  test('§3 of twenty registrations at the same time on five uses, five succeed and fifteen are refused because it is used up, leaving nothing', async () => {
    const w = await house.world()
    const { token } = await link(w, { max_uses: 5 })
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => register(token, { email: `gang${i}@example.com` })))
    assert.deepEqual(all.map(a => a.status).sort(), [...Array(5).fill(201), ...Array(15).fill(409)])
    assert.equal((await ask(`select count(*)::int as n from account where email_key like 'gang%'`))[0].n, 5)
    assert.equal((await ask(`select count(*)::int as n from app_user where email like 'gang%'`))[0].n, 5)
  })

  test('§3 §5 every fault of the form is reported at once, before anything is created', async () => {
    const w = await house.world({ name: 'Riverside Quarter' })
    const { token } = await link(w, { contractor_choice: true })
    const bad = await register(token, { name: undefined, email: 'nobody', password: 'too short', locale: 'x' })
    assert.equal(bad.status, 422)
    const empty = await register(token, { name: undefined, password: undefined, locale: '??' })
    assert.deepEqual(empty.body.error.fields.map((f: { path: string }) => f.path).sort(), [
      'contractor_id',
      'email',
      'locale',
      'name',
      'password',
    ])
    for (const password of ['fourteen chars', 'passwordpassword', 'I love Riverside Quarter', 'rita@example.com is me', 'x'.repeat(129)]) {
      const refused = await register(token, { email: 'rita@example.com', contractor_name: 'Rita Ltd', password })
      assert.deepEqual([refused.status, refused.body.error.fields.map((f: { path: string }) => f.path)], [422, ['password']], password)
      assert.ok(!JSON.stringify(refused.body).includes(password) || password === 'fourteen chars')
    }
    const spaced = await register(token, { email: 'rita@example.com', contractor_name: 'Rita Ltd', password: '  leading and trailing  ' })
    assert.deepEqual([spaced.status, spaced.body.membership_status], [201, 'pending'])
    assert.equal(
      (await ask(`select why_pending from membership where site_id = $1 and status = 'pending'`, [w.site_id]))[0].why_pending,
      'unknown_firm',
    )
    assert.equal((await register('C'.repeat(43), { email: 'x@example.com' })).status, 404)
  })

  test('§3 expired and revoked invitations can’t be used to create accounts', async () => {
    const w = await house.world()
    const { token, id } = await link(w)
    await w.as('admin').del(`/invites/${id}`)
    const refused = await register(token, { email: 'late@example.com' })
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'invite_revoked'])
    assert.deepEqual(await ask(`select id from account where email_key = 'late@example.com'`), [])
  })

  test('§3 public calls get 429 after ten a minute from one address, or a hundred a day for one token', async () => {
    const w = await house.world()
    const { token } = await link(w)
    const look = (from?: string, t = token) => open('GET', `/sites/public?token=${t}`, undefined, from)
    for (let i = 0; i < 10; i++) assert.equal((await look('192.0.2.1')).status, 200)
    const stopped = await look('192.0.2.1')
    assert.deepEqual([stopped.status, stopped.body.error.code, stopped.headers['retry-after']], [429, 'rate_limited', '60'])
    assert.equal((await register('D'.repeat(43), { email: 'x@example.com' }, '192.0.2.1')).status, 429, 'guesses count too')
    assert.equal((await open('GET', '/sites/public', undefined, '192.0.2.1')).status, 200, 'calls that need no token aren’t counted')
    for (let i = 0; i < 90; i++) assert.equal((await look()).status, 200)
    const worn = await look()
    assert.deepEqual([worn.status, worn.headers['retry-after']], [429, String(15 * 3600)])
    assert.equal((await look(undefined, (await link(w)).token)).status, 200)
    house.clock('2026-03-16T09:01:00.000Z')
    assert.equal((await look('192.0.2.1', (await link(w)).token)).status, 200)
    house.clock('2026-03-16T09:00:00.000Z')
  })

  test('§1 GET /sites/public?token= shows that one site, listed or not, and what the invitation gives', async () => {
    const w = await house.world({ name: 'Hidden Yard' })
    const contractor = await w.contractor('Northgate Steel')
    const token = await mailed(w, 'walter@example.com', { contractor_id: contractor, approval: 'required' })
    const { body } = await open('GET', `/sites/public?token=${token}`)
    assert.equal(body.length, 1)
    assert.deepEqual([body[0].id, body[0].name], [w.site_id, 'Hidden Yard'])
    assert.deepEqual(body[0].invite, {
      inviter_name: 'Ada Admin',
      kind: 'email',
      role: 'member',
      contractor_name: 'Northgate Steel',
      contractor_choice: false,
      approval: 'required',
      expires_at: '2026-03-30T09:00:00.000Z',
      email_masked: 'w***@example.com',
      state: 'open',
    })
    const made = await link(w)
    await w.as('admin').del(`/invites/${made.id}`)
    assert.equal((await open('GET', `/sites/public?token=${made.token}`)).body[0].invite.state, 'revoked')
    assert.equal((await open('GET', `/sites/public?token=${'E'.repeat(43)}`)).status, 404)
    await w.as('admin').del(`/sites/${w.site_id}`)
    assert.equal((await open('GET', `/sites/public?token=${token}`)).status, 404)
  })

  test('§6 GET /contractors/public?token= lists the contractors to choose from and their logos, if the link lets people choose', async () => {
    const w = await house.world()
    const { default: sharp } = await import('sharp')
    const png = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#128189' } })
      .png()
      .toBuffer()
    const contractor = await w.contractor('Logo Ltd')
    await w
      .as('coordinator')
      .send('PUT', `/contractors/${contractor}/logo`, [{ name: 'file', value: png, filename: 'logo.png', type: 'image/png' }])
    const gone = await w.contractor('Gone Ltd')
    await w.as('coordinator').patch(`/contractors/${gone}`, { status: 'left' })
    const { token, id } = await link(w, { contractor_choice: true })
    const contractors = (await open('GET', `/contractors/public?token=${token}`)).body
    assert.deepEqual(
      contractors.map((f: { name: string }) => f.name),
      ['Acme Scaffolding Ltd', 'Logo Ltd'],
    )
    assert.deepEqual(Object.keys(contractors[0]).sort(), ['colour', 'id', 'logo_url', 'name', 'short_name'])
    const url = contractors[1].logo_url.slice('/api'.length)
    const logo = await open('GET', url)
    assert.deepEqual([logo.status, logo.headers['content-type']].map(String), ['200', 'image/webp'])
    const other = await link(w)
    assert.equal((await open('GET', `/contractors/public?token=${other.token}`)).status, 404, 'a link without a choice')
    const bare = `/contractors/${contractor}/logo/image`
    for (const path of [
      bare,
      `${bare}?token=${other.token}`,
      `${bare}?token=x`,
      `/contractors/01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e/logo/image?token=${token}`,
    ])
      assert.deepEqual([(await open('GET', path)).status, (await open('GET', path)).body?.error.reason], [401, 'missing'], path)
    const elsewhere = await house.world()
    assert.equal((await elsewhere.as('admin').get(`${bare}?token=${token}`)).status, 404, 'signed-in callers are checked as usual')
    await w.as('admin').put(`/sites/${w.site_id}/main-contractor`, { contractor_id: contractor })
    await w.as('admin').patch(`/sites/${w.site_id}`, { public_listing: true })
    assert.equal((await open('GET', bare)).status, 200, 'the main contractor of a listed site')
    await w.as('admin').patch(`/sites/${w.site_id}`, { public_listing: false })
    await w.as('admin').del(`/invites/${id}`)
    assert.equal((await open('GET', `/contractors/public?token=${token}`)).status, 404)
    assert.equal((await open('GET', url)).status, 401)
  })
})

describe('joining without a token in any URL', () => {
  const house = useHouse()

  test('V14.2.1 with the token in a header or a body, each call does the same as with the token in its URL', async () => {
    const w = await house.world()
    const { token } = (await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'member', contractor_choice: true })).body
    const seen: string[] = []
    const ask = async (method: 'GET' | 'POST', path: string, given: { token?: string; body?: unknown; bearer?: string | null }) => {
      seen.push(path)
      const answer = await house.edge.app.inject({
        method,
        url: `/api${path}`,
        headers: {
          ...(given.token === undefined ? {} : { 'x-link-token': given.token }),
          ...(given.bearer == null ? {} : { authorization: `Bearer ${given.bearer}` }),
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(given.body === undefined ? {} : { payload: JSON.stringify(given.body) }),
      })
      const json = String(answer.headers['content-type']).includes('json')
      return { status: answer.statusCode, body: json ? answer.json() : undefined }
    }
    const value = await (await import('sharp'))
      .default({ create: { width: 80, height: 80, channels: 3, background: '#128189' } })
      .png()
      .toBuffer()
    const contractor = await w.contractor('Logo Ltd')
    await w.as('coordinator').send('PUT', `/contractors/${contractor}/logo`, [{ name: 'file', value, filename: 'logo.png' }])

    const site = await ask('GET', '/sites/public', { token })
    assert.deepEqual([site.status, site.body[0].id, site.body[0].invite.state], [200, w.site_id, 'open'])
    assert.equal((await ask('GET', '/sites/public', { token: 'E'.repeat(43) })).status, 404)
    const list = await ask('GET', '/contractors/public', { token })
    const logo = list.body.find((one: { name: string }) => one.name === 'Logo Ltd').logo_url.slice('/api'.length)
    assert.equal((await ask('GET', logo, {})).status, 401)
    assert.equal((await ask('GET', logo, { token })).status, 200)
    const name = { name: 'Nina New', email: 'nina.header@example.com', password: PASSPHRASE, contractor_name: 'Harbour Rigging' }
    const made = await ask('POST', '/invite-links/register', { body: { token, ...name } })
    assert.deepEqual([made.status, made.body.next], [201, 'confirm_email'], JSON.stringify(made.body))
    const nora = await house.person('Nora')
    const body = { token, contractor_id: contractor }
    assert.equal((await ask('POST', '/invite-links/accept', { body })).status, 401)
    const come = () => ask('POST', '/invite-links/accept', { body, bearer: nora.token })
    assert.deepEqual([(await come()).status, (await come()).status], [201, 200])
    for (const path of ['/invite-links/register', '/invite-links/accept']) {
      const guess = await ask('POST', path, { body: { ...name, token: 'E'.repeat(43) }, bearer: nora.token })
      assert.ok(guess.status === 404 || guess.body.error.fields !== undefined, path)
      const missing = await ask('POST', path, { body: {}, bearer: nora.token })
      assert.deepEqual([missing.status, missing.body.error.fields[0].path], [422, 'token'])
    }
    assert.deepEqual(
      seen.filter(url => url.includes(token)),
      [],
    )
    const twice = await ask('GET', `/sites/public?token=${token}`, { token })
    assert.deepEqual([twice.status, twice.body.error.fields[0].path], [422, 'token'])
  })
})

describe('joining with an external provider', () => {
  const house = useHouse({ OIDC_ISSUER: 'http://127.0.0.1:9' })

  test('§3 with an external provider, register creates nothing: it says where to sign in, and then to come back and accept', async () => {
    const { linkActor } = await import('../../../base/actor.ts')
    const { writing } = await import('../../../base/ctx.ts')
    const { ids, sha256 } = await import('../../../base/ids.ts')
    const { insertInvite, replaceToken } = await import('./queries.ts')
    const { insertSite } = await import('../sites/queries/sites.ts')
    const [site_id, id] = [ids.next(), ids.next()]
    const token = 'F'.repeat(43)
    await writing(house.house, { actor: linkActor('test'), cause: 'test' }, async ctx => {
      ctx.trail.sites.add(site_id)
      await insertSite(ctx.db, { site_id, name: 'Yard', code: 'YARD-1', timezone: 'UTC' })
      const nothing = {
        contractor_id: null,
        contractor_choice: false,
        email: null,
        email_key: null,
        name: null,
        message: null,
        label: null,
      }
      const stamps = { uses: 0, sends: 0, last_sent_at: null, resent_at: [], bounced_at: null, revoked_at: null, approval_forced_by: null }
      await insertInvite(ctx.db, {
        site_id,
        id,
        kind: 'link',
        role: 'member',
        max_uses: 5,
        approval: 'none',
        expires_at: '2026-03-20T09:00:00Z',
        ...nothing,
        ...stamps,
      })
      await replaceToken(ctx.db, { site_id, id }, sha256(token))
    })
    const answer = await house.nobody.post(`/invite-links/register/${token}`, {})
    assert.deepEqual([answer.status, answer.body], [200, { next: 'sign_in', sign_in_url: `http://walkdown.test/join?sign_in=1#${token}` }])
    assert.deepEqual((await house.house.database.pool.query('select id from account')).rows, [])
    assert.equal((await house.nobody.post(`/invite-links/register/${'G'.repeat(43)}`, {})).status, 404)
  })
})
