import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { linkIn, mailsTo, sendMails } from '../../../../tests/outbox.ts'
import { type Caller, type Reply, useHouse, type World } from '../../../../tests/world.ts'
import type { Role } from '../../../base/actor.ts'
import { runSchedules } from '../../../kernel/jobs/door.ts'

const JOIN = 'http://walkdown.test/join#'

describe('invitations', () => {
  const house = useHouse()
  const reason = (reply: Reply) => [reply.status, reply.body?.error?.reason ?? reply.body?.error?.code]
  const byMail = (w: World, as: Role, body: Record<string, unknown>) =>
    w.as(as).post(`/invites/sites/${w.site_id}`, { role: 'member', ...body })
  const byLink = (w: World, as: Role, body: Record<string, unknown> = {}) =>
    w.as(as).post(`/invite-links/sites/${w.site_id}`, { role: 'member', ...body })
  const accept = (who: Caller, token: string, body: unknown = {}) => who.post(`/invite-links/accept/${token}`, body)
  const list = async (w: World, as: Role = 'admin', query = '') => (await w.as(as).get(`/invites/sites/${w.site_id}?${query}`)).body
  const tokenFor = async (address: string) => {
    await sendMails(house)
    return linkIn(mailsTo(house, address).at(-1), JOIN).slice(JOIN.length)
  }
  const soon = async <T>(minutes: number, work: () => Promise<T>): Promise<T> => {
    const before = house.house.clock.now()
    house.clock(new Date(Date.parse(before) + minutes * 60_000).toISOString())
    try {
      return await work()
    } finally {
      house.clock(before)
    }
  }

  test('§3 an invitation by email: 201, the email is sent, and the same address in another case joins immediately', async () => {
    const w = await house.world()
    const made = await byMail(w, 'site_manager', {
      email: 'Ana.Ruiz@Example.com',
      name: 'Ana Ruiz',
      message: 'See you <b>Monday</b>.\nGate B.',
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.headers.location, `/api/invites/sites/${w.site_id}?id=${made.body.id}`)
    assert.deepEqual(
      [made.body.kind, made.body.status, made.body.approval, made.body.max_uses, made.body.uses, made.body.sends, made.body.expires_at],
      ['email', 'open', 'none', 1, 0, 1, '2026-03-30T09:00:00.000Z'],
    )
    assert.deepEqual(
      [made.body.invited_by.name, made.body.permissions.can_revoke, made.body.permissions.can_resend],
      ['Max Manager', true, false],
    )
    assert.ok(!('token' in made.body) && !made.text.includes('hash'))
    const token = await tokenFor('ana.ruiz@example.com')
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    const ana = await house.person('Ana Ruiz', { email: 'ana.ruiz@EXAMPLE.com' })
    const came = await accept(ana, token)
    assert.deepEqual(
      [came.status, came.body.status, came.body.role, came.body.invite_id],
      [201, 'active', 'member', made.body.id],
      came.text,
    )
    assert.equal((await ana.get(`/sites/${w.site_id}`)).status, 200)
    const again = await accept(ana, token)
    assert.deepEqual([again.status, again.body.id], [200, came.body.id])
    const [seen] = await list(w)
    assert.deepEqual(
      [seen.status, seen.uses, seen.accepted_by],
      ['accepted', 1, [{ user_id: ana.user_id, membership_id: came.body.id, at: '2026-03-16T09:00:00.000Z' }]],
    )
    assert.deepEqual(reason(await accept(await w.stranger(), token)), [409, 'invite_used_up'])
  })

  test('§3 the email shows the site, the inviter, the role in words and the expiry in site time, and has no tracking', async () => {
    const w = await house.world({ timezone: 'Europe/Madrid', name: 'Puerto <Nuevo>' })
    const contractor = await w.contractor('Northgate Steel')
    await byMail(w, 'admin', {
      email: 'pia@example.com',
      name: 'Pia',
      role: 'contractor_hse',
      contractor_id: contractor,
      message: '<script>alert(1)</script>',
    })
    await sendMails(house)
    const [mail] = mailsTo(house, 'pia@example.com')
    assert.ok(mail)
    assert.equal(mail.subject, 'Ada Admin invites you to Puerto <Nuevo>')
    for (const words of [
      'Hello Pia,',
      'Ada Admin has invited you to join the site',
      'Puerto <Nuevo> for Northgate Steel. Your role will be “contractor’s health and safety”.',
      '> <script>alert(1)</script>',
      '30 March 2026',
      '11:00',
      '(Europe/Madrid)',
    ])
      assert.ok(mail.text.includes(words), `${words} in ${mail.text}`)
    assert.ok(mail.html.includes('&lt;script&gt;') && !mail.html.includes('<script>'))
    assert.ok(!/<img|http-equiv|src=/.test(mail.html), 'no picture, nothing that tracks the reader')
    assert.match(mail.headers, /Content-Type: multipart\/alternative/)
    assert.match(mail.headers, /Auto-Submitted: auto-generated/)
    assert.deepEqual(
      [...mail.html.matchAll(/href="([^"]*)"/g)].map(found => found[1]?.slice(0, JOIN.length)),
      [JOIN],
    )
  })

  test('§3 another address is pending with email_differs, an unverified one with email_unverified; a forwarded email opens nothing', async () => {
    const w = await house.world()
    await byMail(w, 'admin', { email: 'one@example.com' })
    const other = await house.person('Otto Other', { email: 'otto@firm.example' })
    const came = await accept(other, await tokenFor('one@example.com'))
    assert.deepEqual([came.status, came.body.status, came.body.why_pending], [201, 'pending', 'email_differs'])
    assert.equal((await other.get(`/sites/${w.site_id}`)).status, 404)
    await byMail(w, 'admin', { email: 'two@example.com' })
    const unproven = await house.person('Una', { email: 'two@example.com', email_verified: false })
    assert.equal((await accept(unproven, await tokenFor('two@example.com'))).body.why_pending, 'email_unverified')
    const waiting = (await w.as('site_manager').get(`/memberships/sites/${w.site_id}/pending`)).body
    assert.deepEqual(
      waiting.map((m: { why: string; invite: unknown }) => [m.why, m.invite]),
      [
        ['email_differs', { kind: 'email', label: null, invited_by: 'Ada Admin' }],
        ['email_unverified', { kind: 'email', label: null, invited_by: 'Ada Admin' }],
      ],
    )
  })

  test('§3 a coordinator’s invitation gives a pending membership, a site manager’s an active one', async () => {
    const w = await house.world()
    const by = async (as: Role) => {
      const made = await byLink(w, as, { label: `By ${as}` })
      assert.equal(made.body.approval, as === 'coordinator' ? 'required' : 'none')
      return (await accept(await w.stranger(), made.body.token)).body
    }
    const waits = await by('coordinator')
    assert.deepEqual([waits.status, waits.why_pending], ['pending', 'inviter'])
    assert.equal((await by('site_manager')).status, 'active')
    const [waiting] = (await w.as('admin').get(`/memberships/sites/${w.site_id}/pending`)).body
    assert.deepEqual(waiting.invite, { kind: 'link', label: 'By coordinator', invited_by: 'Cora Coordinator' })
    const asked = await byLink(w, 'admin', { approval: 'required' })
    assert.equal((await accept(await w.stranger(), asked.body.token)).body.why_pending, 'approval')
    const many = await byLink(w, 'admin', { max_uses: 101 })
    assert.equal(many.body.approval, 'required')
  })

  test('§3 a link shows its token, URL and QR code only once, and has seven days and fifty uses by default', async () => {
    const w = await house.world()
    const made = await byLink(w, 'admin', { label: 'Gate B poster' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(
      [made.body.kind, made.body.max_uses, made.body.expires_at, made.body.email],
      ['link', 50, '2026-03-23T09:00:00.000Z', null],
    )
    assert.equal(made.body.url, `${JOIN}${made.body.token}`)
    assert.match(made.body.qr_svg, /^<svg/)
    assert.ok(!JSON.stringify(await list(w)).includes(made.body.token))
    const key = { 'idempotency-key': 'poster-1' }
    const path = `/invite-links/sites/${w.site_id}`
    const [one, two] = [await w.as('admin').post(path, { role: 'viewer' }, key), await w.as('admin').post(path, { role: 'viewer' }, key)]
    assert.equal(one.text, two.text, 'sent twice with one key: one link, the same token')
    assert.equal((await list(w)).length, 2)
  })

  test('§3 of twenty people at the same time on five uses, five become members and fifteen are refused because it is used up', async () => {
    const w = await house.world()
    const { token, id } = (await byLink(w, 'admin', { max_uses: 5 })).body
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => w.stranger(`Racer ${i}`)))
    const answers = await Promise.all(people.map(who => accept(who, token)))
    assert.deepEqual(answers.map(a => a.status).sort(), [...Array(5).fill(201), ...Array(15).fill(409)])
    assert.ok(answers.every(a => a.status === 201 || a.body.error.reason === 'invite_used_up'))
    const [seen] = await list(w, 'admin', `id=${id}`)
    assert.deepEqual([seen.uses, seen.status, seen.accepted_by.length], [5, 'used_up', 5])
    const { rows } = await house.house.database.pool.query(`select count(*)::int as n from membership where invite_id = $1`, [id])
    assert.equal(rows[0].n, 5)
  })

  test('§3 one person who accepts several times at once gets one membership and counts as one use', async () => {
    const w = await house.world()
    const { token, id } = (await byLink(w, 'admin')).body
    const who = await w.stranger()
    const both = await Promise.all([accept(who, token), accept(who, token), accept(who, token)])
    assert.deepEqual(both.map(a => a.status).sort(), [200, 200, 201])
    assert.equal(new Set(both.map(a => a.body.id)).size, 1)
    assert.equal((await list(w, 'admin', `id=${id}`))[0].uses, 1)
  })

  test('§3 a member keeps their role and contractor: an invitation never changes them, and no use is counted', async () => {
    const w = await house.world()
    const { token, id } = (await byLink(w, 'admin', { role: 'viewer' })).body
    const came = await accept(w.as('hse'), token)
    assert.deepEqual([came.status, came.body.role], [200, 'hse'])
    assert.equal((await list(w, 'admin', `id=${id}`))[0].uses, 0)
  })

  test('§3 an unknown token gives 404; expired, used-up and revoked invitations have different reasons; earlier members stay', async () => {
    const w = await house.world()
    const who = await w.stranger()
    for (const token of ['nothing', 'A'.repeat(43), '%00', 'x'.repeat(400)]) assert.equal((await accept(who, token)).status, 404, token)
    assert.equal((await house.nobody.post(`/invite-links/accept/${'A'.repeat(43)}`, {})).body.error.reason, 'missing')
    const { token, id } = (await byLink(w, 'admin')).body
    const early = await w.stranger('Earl Early')
    assert.equal((await accept(early, token)).status, 201)
    assert.deepEqual(reason(await soon(7 * 24 * 60, () => accept(who, token))), [409, 'invite_expired'])
    assert.equal((await soon(7 * 24 * 60 - 1, () => accept(who, token))).status, 201, 'valid to the last minute')
    assert.equal((await w.as('coordinator').del(`/invites/${id}`)).status, 204)
    assert.equal((await w.as('coordinator').del(`/invites/${id}`)).status, 204, 'twice')
    assert.deepEqual(reason(await accept(await w.stranger(), token)), [409, 'invite_revoked'])
    assert.equal((await early.get(`/sites/${w.site_id}`)).status, 200)
    assert.deepEqual(
      (await list(w, 'admin', 'status=revoked')).map((i: { id: string }) => i.id),
      [id],
    )
  })

  test('§3 after a resend the first token stops working immediately, the second lets people join, and the validity starts again', async () => {
    const w = await house.world()
    const made = await byMail(w, 'admin', { email: 'rosa@example.com', expires_at: '2026-03-18T09:00:00Z' })
    const first = await tokenFor('rosa@example.com')
    const resend = () => w.as('coordinator').post(`/invites/${made.body.id}/resend`)
    const early = await resend()
    assert.deepEqual([early.status, early.headers['retry-after']], [429, '60'])
    const rosa = await house.person('Rosa', { email: 'rosa@example.com' })
    await soon(3 * 24 * 60, async () => {
      assert.deepEqual(reason(await accept(rosa, first)), [409, 'invite_expired'])
      const again = await resend()
      assert.deepEqual(
        [again.status, again.body.sends, again.body.status, again.body.expires_at],
        [200, 2, 'open', '2026-03-21T09:00:00.000Z'],
        again.text,
      )
      assert.equal((await accept(rosa, first)).status, 404)
      const second = await tokenFor('rosa@example.com')
      assert.notEqual(second, first)
      assert.equal((await accept(rosa, second)).status, 201)
      const late = await soon(2, resend)
      assert.deepEqual([late.status, late.body.error.code, late.body.error.status], [409, 'invalid_transition', 'accepted'])
    })
    const link = await byLink(w, 'admin')
    assert.equal((await w.as('admin').post(`/invites/${link.body.id}/resend`)).body.error.code, 'invalid_transition')
  })

  test('1098 the history of an invitation, with the address in it, and that of its uses are only for those who can invite people', async () => {
    const w = await house.world()
    const made = await byMail(w, 'admin', { email: 'nia@example.com', name: 'Nia New', role: 'viewer' })
    const nia = await house.person('Nia New', { email: 'nia@example.com' })
    assert.equal((await accept(nia, await tokenFor('nia@example.com'))).status, 201)
    const [use] = await house.rows('select id from invite_use where invite_id = $1', [made.body.id])
    for (const [kind, id] of [
      ['invite', made.body.id],
      ['invite_use', use.id],
    ]) {
      const status = async (by: Caller) => (await by.get(`/audit/entity/${kind}/${id}`)).status
      for (const role of ['member', 'contractor_hse', 'viewer', 'client', 'commercial'] as const)
        assert.equal(await status(w.as(role)), 404, `${kind} ${role}`)
      assert.equal(await status(nia), 404)
      for (const role of ['coordinator', 'hse', 'admin'] as const) assert.equal(await status(w.as(role)), 200, `${kind} ${role}`)
    }
  })

  test('1092 nobody can resend an invitation that they couldn’t send: its new link would give them a role above their own', async () => {
    const w = await house.world()
    const made = await byMail(w, 'admin', { email: 'boss@example.com', role: 'admin' })
    await soon(2, async () => {
      const [listed] = (await w.as('coordinator').get(`/invites/sites/${w.site_id}?id=${made.body.id}`)).body
      assert.deepEqual([listed.permissions.can_resend, listed.permissions.resend.because[0].code], [false, 'forbidden'])
      const refused = await w.as('coordinator').post(`/invites/${made.body.id}/resend`)
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'])
      assert.equal((await w.as('admin').post(`/invites/${made.body.id}/resend`)).status, 200)
    })
  })

  test('1092 a person who can’t admit members and passes a link on by hand makes its membership wait for approval', async () => {
    const w = await house.world()
    const made = await byMail(w, 'admin', { email: 'una@example.com', role: 'member' })
    assert.equal(made.body.approval, 'none')
    const again = await soon(2, () => w.as('coordinator').post(`/invites/${made.body.id}/resend`))
    assert.deepEqual([again.status, again.body.approval], [200, 'required'])
    const una = await house.person('Una', { email: 'una@example.com' })
    const joined = await soon(3, () => accept(una, again.body.join_url.split('#')[1]))
    assert.deepEqual([joined.body.status, joined.body.why_pending], ['pending', 'inviter'])
  })

  test('1092 an invitation lets people in at once only while its inviter could admit them', async () => {
    const w = await house.world()
    const gone = await w.join('admin', null, 'Gone Admin')
    const lower = await w.join('site_manager', null, 'Lower Manager')
    const links = await Promise.all(
      [gone, lower, w.as('admin')].map(by => by.post(`/invite-links/sites/${w.site_id}`, { role: 'member', approval: 'none' })),
    )
    const membership = async ({ user_id }: Caller) =>
      (await w.as('admin').get(`/sites/${w.site_id}/members?id=${user_id}`)).body[0].membership_id
    assert.equal((await w.superadmin.del(`/memberships/${await membership(gone)}`)).status, 204)
    assert.equal((await w.superadmin.post(`/memberships/${await membership(lower)}/approve`, { role: 'coordinator' })).status, 200)
    const joined: unknown[] = []
    for (const { body } of links) {
      // What the invitation says of itself is what happens.
      const [site] = (await house.nobody.get(`/sites/public?token=${body.token}`)).body
      joined.push([site.invite.approval, (await accept(await w.stranger(), body.token)).body.why_pending])
    }
    assert.deepEqual(joined, [
      ['required', 'inviter'],
      ['required', 'inviter'],
      ['none', null],
    ])
  })

  test('1109 a poster of a contractor that has left lets nobody in without approval, and says so before anyone signs in', async () => {
    const w = await house.world()
    const acme = await w.contractor('Acme')
    const { body: link } = await byLink(w, 'admin', { contractor_id: acme })
    const { body: choice } = await byLink(w, 'admin', { contractor_choice: true })
    const says = async () => (await house.nobody.get(`/sites/public?token=${link.token}`)).body[0].invite.approval
    assert.equal(await says(), 'none')
    assert.equal((await w.as('coordinator').patch(`/contractors/${acme}`, { status: 'left' })).status, 200)
    assert.equal(await says(), 'required')
    const came = await accept(await w.stranger(), link.token)
    assert.deepEqual([came.status, came.body.status, came.body.why_pending], [201, 'pending', 'approval'], came.text)
    assert.equal((await accept(await w.stranger(), choice.token, { contractor_id: acme })).status, 422)
    const account = { name: 'Rita Register', email: 'rita@example.com', password: 'a poster from before' }
    const registered = await house.nobody.post(`/invite-links/register/${link.token}`, account)
    assert.deepEqual([registered.status, registered.body.membership_status], [201, 'pending'], registered.text)
    assert.equal((await w.as('coordinator').patch(`/contractors/${acme}`, { status: 'active' })).status, 200)
    assert.equal((await accept(await w.stranger(), link.token)).body.status, 'active')
  })

  test('§3 an invitation can be resent five times a day, not six', async () => {
    const w = await house.world()
    const made = await byMail(w, 'admin', { email: 'sid@example.com' })
    for (let i = 1; i <= 6; i++) {
      const again = await soon(i * 2, () => w.as('admin').post(`/invites/${made.body.id}/resend`))
      assert.equal(again.status, i <= 5 ? 200 : 429, `${i}: ${again.text}`)
      if (i === 6) assert.equal(again.headers['retry-after'], String(24 * 3600 - 10 * 60))
    }
    assert.equal((await soon(24 * 60 + 3, () => w.as('admin').post(`/invites/${made.body.id}/resend`))).status, 200)
    const done = await soon(30 * 60, () => sendMails(house))
    assert.deepEqual(done.filter(d => d.outcome === 'not_wanted').length >= 6, true, 'only the newest email is sent')
  })

  test('§3 an invitation to a person on site, an invited one or an address that bounces gives 409, each with its reason', async () => {
    const w = await house.world()
    const hal = (await w.as('admin').get(`/sites/${w.site_id}/members?role=hse`)).body[0].email
    assert.deepEqual(reason(await byMail(w, 'admin', { email: hal.toUpperCase() })), [409, 'already_member'])
    const first = await byMail(w, 'admin', { email: 'tom@example.com' })
    const second = await byMail(w, 'coordinator', { email: 'TOM@example.com' })
    assert.deepEqual([...reason(second), second.body.error.existing_id], [409, 'already_invited', first.body.id])
    await w.as('admin').del(`/invites/${first.body.id}`)
    assert.equal((await byMail(w, 'admin', { email: 'tom@example.com' })).status, 201)
    const racers = await Promise.all(Array.from({ length: 6 }, () => byMail(w, 'admin', { email: 'race@example.com' })))
    assert.deepEqual(racers.map(r => r.status).sort(), [201, 409, 409, 409, 409, 409])
    await house.house.database.pool.query(
      `insert into email_suppression (email, reason, first_at, last_at) values ('dead@example.com', 'hard_bounce', now(), now())`,
    )
    const dead = await byMail(w, 'admin', { email: 'Dead@Example.com' })
    assert.deepEqual([...reason(dead), dead.body.error.suppression], [409, 'email_suppressed', 'hard_bounce'])
  })

  test('§3 if the address is suppressed before the email is sent, the invitation is bounced; once it is cleared, it can be resent', async () => {
    const w = await house.world()
    const made = await byMail(w, 'coordinator', { email: 'uma@example.com' })
    const { pool } = house.house.database
    await pool.query(
      `insert into email_suppression (email, reason, first_at, last_at) values ('uma@example.com', 'complaint', now(), now())`,
    )
    assert.deepEqual((await sendMails(house)).at(-1)?.outcome, 'suppressed')
    assert.deepEqual(mailsTo(house, 'uma@example.com'), [])
    const [seen] = await list(w, 'admin', 'status=bounced')
    assert.deepEqual([seen.id, seen.status], [made.body.id, 'bounced'])
    const { rows } = await pool.query(`select payload from event where site_id = $1 and kind = 'invite.bounced'`, [w.site_id])
    assert.equal(rows[0].payload.inviter_id, w.as('coordinator').user_id)
    const resend = () => soon(2, () => w.as('admin').post(`/invites/${made.body.id}/resend`))
    assert.deepEqual(reason(await resend()), [409, 'email_suppressed'])
    await pool.query(`update email_suppression set cleared_at = now() where email = 'uma@example.com'`)
    assert.deepEqual([(await resend()).body.status, (await soon(3, () => tokenFor('uma@example.com'))).length], ['open', 43])
  })

  test('§3 nobody can invite above their own rank; a link can give only the roles of a poster; every fault of the form is reported at once', async () => {
    const w = await house.world()
    const high = await byMail(w, 'coordinator', { email: 'v@example.com', role: 'site_manager' })
    assert.deepEqual([high.status, high.body.error.because[0].code], [403, 'rank'])
    assert.equal((await byMail(w, 'admin', { email: 'v@example.com', role: 'admin' })).status, 201)
    assert.equal((await w.superadmin.post(`/invites/sites/${w.site_id}`, { email: 'w@example.com', role: 'admin' })).status, 201)
    for (const role of ['coordinator', 'hse', 'site_manager', 'admin'])
      assert.deepEqual(
        (await byLink(w, 'admin', { role })).body.error.fields.map((f: { path: string }) => f.path),
        ['role'],
      )
    const bad = await byMail(w, 'admin', { email: 'no address', role: 'boss', expires_at: 'soon', message: 'x'.repeat(1001), nonsense: 1 })
    assert.deepEqual(bad.body.error.fields.map((f: { path: string }) => f.path).sort(), [
      'email',
      'expires_at',
      'message',
      'nonsense',
      'role',
    ])
    assert.equal((await byMail(w, 'admin', {})).body.error.fields[0].path, 'email')
    for (const email of ['a@b', 'Ö.müller@bau.example']) assert.equal((await byMail(w, 'admin', { email })).status, 201, email)
    for (const email of ['a b@c.d', 'a@b@c', '<a@b.c>', 'a@b.c, d@e.f', 'a@b.c\r\nBcc: x@y.z', '@b.c'])
      assert.equal((await byMail(w, 'admin', { email })).status, 422, email)
    const late = async (expires_at: string, kind: typeof byMail | typeof byLink) =>
      (await kind(w, 'admin', { email: undefined, expires_at, ...(kind === byMail ? { email: 'x@example.com' } : {}) })).status
    assert.deepEqual(
      [await late('2026-03-16T08:59:00Z', byLink), await late('2026-06-14T09:00:01Z', byLink), await late('2026-06-14T09:00:00Z', byLink)],
      [422, 422, 201],
    )
    assert.deepEqual([await late('2026-05-15T09:00:01Z', byMail), await late('2026-05-15T09:00:00Z', byMail)], [422, 201])
    assert.deepEqual([(await byLink(w, 'admin', { max_uses: 501 })).status, (await byLink(w, 'admin', { max_uses: 0 })).status], [422, 422])
    assert.equal((await byLink(w, 'admin', { role: 'contractor_hse' })).body.error.fields[0].path, 'contractor_id')
    assert.equal(
      (await byLink(w, 'admin', { contractor_id: '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e' })).body.error.fields[0].path,
      'contractor_id',
    )
    const gone = await w.contractor('Gone Ltd')
    await w.as('admin').patch(`/contractors/${gone}`, { status: 'left' })
    assert.deepEqual(reason(await byLink(w, 'admin', { contractor_id: gone })), [409, 'contractor_left'])
  })

  test('§3 a contractor’s H&S person invites only for their own contractor, and sees no others’ invitations', async () => {
    const w = await house.world()
    const other = await w.contractor('Other Ltd')
    const own = (await w.as('contractor_hse').get('/auth/me')).body.memberships[0].contractor_id
    const forced = await byLink(w, 'contractor_hse', { role: 'contractor_hse' })
    assert.deepEqual([forced.status, forced.body.contractor_id, forced.body.approval], [201, own, 'required'], forced.text)
    const foreign = await byLink(w, 'contractor_hse', { role: 'viewer', contractor_id: other })
    assert.deepEqual([foreign.status, foreign.body.error.because[0].code], [403, 'own_firm'])
    assert.equal((await byLink(w, 'contractor_hse', { role: 'viewer', contractor_choice: true })).status, 403)
    assert.equal((await byLink(w, 'contractor_hse', { role: 'member' })).status, 403, 'the member role ranks higher')
    const theirs = await byLink(w, 'admin', { contractor_id: other })
    assert.deepEqual(
      (await list(w, 'contractor_hse')).map((i: { id: string }) => i.id),
      [forced.body.id],
    )
    assert.deepEqual(await list(w, 'contractor_hse', `contractor_id=${other}`), [])
    assert.equal((await w.as('contractor_hse').del(`/invites/${theirs.body.id}`)).status, 404)
    assert.equal((await w.as('contractor_hse').del(`/invites/${forced.body.id}`)).status, 204)
  })

  test('§3 people who can’t invite can’t see or change invitations; those of another site give 404', async () => {
    const w = await house.world()
    const made = await byLink(w, 'admin')
    for (const role of ['member', 'viewer', 'client', 'commercial'] as const) {
      assert.equal((await w.as(role).get(`/invites/sites/${w.site_id}`)).status, 403)
      assert.equal((await byLink(w, role)).status, 403)
      assert.equal((await byMail(w, role, { email: 'x@example.com' })).status, 403)
      assert.equal((await w.as(role).del(`/invites/${made.body.id}`)).status, 403)
      assert.equal((await w.as(role).post(`/invites/${made.body.id}/resend`)).status, 403)
    }
    const elsewhere = await house.world()
    assert.equal((await elsewhere.as('admin').get(`/invites/sites/${w.site_id}`)).status, 404)
    assert.equal((await elsewhere.as('admin').del(`/invites/${made.body.id}`)).status, 404)
    assert.equal((await elsewhere.as('admin').post(`/invites/${made.body.id}/resend`)).status, 404)
    assert.equal((await house.nobody.get(`/invites/sites/${w.site_id}`)).status, 401)
  })

  test('§3 the list is newest first, filtered by kind, status, contractor and text, page by page', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Listed Ltd')
    for (const [i, label] of ['Gate A', 'Gate B', 'Canteen'].entries())
      await soon(i, () => byLink(w, 'admin', { label, ...(i === 2 ? { contractor_id: contractor } : {}) }))
    await soon(5, () => byMail(w, 'admin', { email: 'gate@example.com', name: 'Gus' }))
    const names = (rows: { label: string | null; email: string | null }[]) => rows.map(r => r.label ?? r.email)
    assert.deepEqual(names(await list(w)), ['gate@example.com', 'Canteen', 'Gate B', 'Gate A'])
    assert.deepEqual(names(await list(w, 'admin', 'kind=link&q=gate')), ['Gate B', 'Gate A'])
    assert.deepEqual(names(await list(w, 'admin', `contractor_id=${contractor}`)), ['Canteen'])
    const first = await w.as('hse').get(`/invites/sites/${w.site_id}?limit=3`)
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1]?.slice(4) ?? ''
    assert.deepEqual(names((await w.as('hse').get(next)).body), ['Gate A'])
    assert.equal((await w.as('hse').get(`/invites/sites/${w.site_id}?colour=red`)).status, 422)
  })

  test('§3 a link with a choice lets people choose their contractor, or type one and wait for approval', async () => {
    const w = await house.world()
    const contractor = await w.contractor('Picked Ltd')
    const { token, approval } = (await byLink(w, 'admin', { contractor_choice: true })).body
    assert.equal(approval, 'required')
    assert.equal((await accept(await w.stranger(), token)).body.error.fields[0].path, 'contractor_id')
    const picked = await accept(await w.stranger(), token, { contractor_id: contractor })
    assert.deepEqual([picked.body.status, picked.body.why_pending, picked.body.contractor_id], ['pending', 'approval', contractor])
    const typed = await accept(await w.stranger(), token, { contractor_name: 'Northgate Steel' })
    assert.deepEqual(
      [typed.body.why_pending, typed.body.contractor_id, typed.body.requested_contractor_name],
      ['unknown_firm', null, 'Northgate Steel'],
    )
    const let_in = await w.as('site_manager').post(`/memberships/${typed.body.id}/approve`, { create_contractor: true })
    assert.equal(let_in.body.status, 'active')
    const elsewhere = await house.world()
    assert.equal((await accept(await w.stranger(), token, { contractor_id: await elsewhere.contractor('Foreign') })).status, 422)
    assert.equal((await accept(await w.stranger(), token, { contractor_id: contractor, contractor_name: 'Both' })).status, 422)
    const fixed = (await byLink(w, 'admin', { contractor_id: contractor })).body.token
    assert.equal((await accept(await w.stranger(), fixed, { contractor_name: 'Other' })).status, 422)
    assert.equal((await byLink(w, 'admin', { contractor_choice: true, contractor_id: contractor })).status, 422)
  })

  test('§3 a person who was removed can’t rejoin with the poster; one who left can', async () => {
    const w = await house.world()
    const { token, id } = (await byLink(w, 'admin')).body
    const [out, left] = [await w.stranger('Otto Out'), await w.stranger('Lea Leaves')]
    const one = (await accept(out, token)).body.id
    const two = (await accept(left, token)).body.id
    await w.as('site_manager').del(`/memberships/${one}`)
    await left.del(`/memberships/${two}`)
    const back = await accept(out, token)
    assert.deepEqual([back.status, back.body.status, back.body.why_pending], [201, 'pending', 'approval'])
    assert.deepEqual([(await accept(left, token)).body.status, (await list(w, 'admin', `id=${id}`))[0].uses], ['active', 2])
    await byMail(w, 'admin', { email: 'mia@example.com' })
    const mia = await house.person('Mia', { email: 'mia@example.com' })
    const mailed = await tokenFor('mia@example.com')
    await w.as('admin').del(`/memberships/${(await accept(mia, mailed)).body.id}`)
    assert.deepEqual(reason(await accept(mia, mailed)), [409, 'invite_used_up'], 'an email invites a person only once')
  })

  test('§3 a removed person doesn’t get in once the request that waited for approval has lapsed', async () => {
    const w = await house.world()
    const { token } = (await byLink(w, 'admin', { expires_at: '2026-05-30T09:00:00.000Z' })).body
    const out = await w.stranger('Otto Out')
    await w.as('site_manager').del(`/memberships/${(await accept(out, token)).body.id}`)
    assert.equal((await soon(1, () => accept(out, token))).body.status, 'pending')
    await soon(31 * 24 * 60, async () => {
      await runSchedules(house.house, 'memberships_due')
      const again = (await accept(out, token)).body
      assert.deepEqual([again.status, again.why_pending], ['pending', 'approval'])
    })
  })

  test('§3 an email invitation from before a person was removed waits for approval; one from afterwards doesn’t', async () => {
    const w = await house.world()
    await byMail(w, 'admin', { email: 'pia@example.com', role: 'coordinator' })
    const early = await tokenFor('pia@example.com')
    const pia = await house.person('Pia', { email: 'pia@example.com' })
    const joined = (await accept(pia, (await byLink(w, 'admin')).body.token)).body
    await soon(1, () => w.as('admin').del(`/memberships/${joined.id}`))
    const back = await soon(2, async () => (await accept(pia, early)).body)
    assert.deepEqual([back.status, back.why_pending], ['pending', 'approval'])
    await soon(3, () => w.as('admin').del(`/memberships/${back.id}`))
    await soon(4, () => byMail(w, 'admin', { email: 'pia@example.com', role: 'coordinator' }))
    const late = await soon(4, () => tokenFor('pia@example.com'))
    assert.equal((await soon(5, () => accept(pia, late))).body.status, 'active')
  })

  test('§3 a person who leaves gets back what they left with: a higher role or another contractor needs approval', async () => {
    const w = await house.world()
    const [own, other] = [await w.contractor('Alpha Ltd'), await w.contractor('Beta Ltd')]
    const poster = async (body: Record<string, unknown>): Promise<string> => (await byLink(w, 'admin', body)).body.token
    const [member, viewer] = [await poster({ contractor_id: own }), await poster({ role: 'viewer', contractor_id: own })]
    const returning = async (token: string) => {
      const person = await w.stranger('Vera')
      const { id } = (await accept(person, member)).body
      await w.as('admin').post(`/memberships/${id}/approve`, { role: 'viewer' })
      assert.equal((await person.del(`/memberships/${id}`)).status, 204)
      const { status, why_pending } = (await accept(person, token)).body
      return [status, why_pending]
    }
    assert.deepEqual(await returning(member), ['pending', 'approval'], 'a higher role')
    assert.deepEqual(await returning(viewer), ['active', null], 'the same terms')
    assert.deepEqual(await returning(await poster({ role: 'viewer', contractor_id: other })), ['pending', 'approval'], 'another contractor')
  })

  test('§3 a locked site accepts nobody, and tells anonymous callers only that; a deleted site gives 404', async () => {
    const w = await house.world()
    const { token } = (await byLink(w, 'admin')).body
    await byMail(w, 'admin', { email: 'zoe@example.com' })
    await w.as('admin').post(`/sites/${w.site_id}/lock`, { locked: true, reason: 'Dispute with the client' })
    const shut = await accept(await w.stranger(), token)
    assert.deepEqual(reason(shut), [409, 'site_locked'])
    assert.ok(!shut.text.includes('Dispute') && !shut.text.includes('Ada'))
    assert.deepEqual(reason(await byLink(w, 'admin')), [409, 'site_locked'])
    assert.equal((await sendMails(house)).at(-1)?.state, 'failed')
    assert.deepEqual(mailsTo(house, 'zoe@example.com'), [])
    await w.as('admin').del(`/sites/${w.site_id}`)
    assert.equal((await accept(await w.stranger(), token)).status, 404)
  })

  test('§3 no token is stored in plain text: not in the database, the audit log, the queue or any log line', async () => {
    const w = await house.world()
    const lines: string[] = []
    const { log } = house.house
    const keep = (line: unknown) => lines.push(JSON.stringify(line))
    Object.assign(house.house, { log: Object.assign(Object.create(log), { info: keep, warn: keep, error: keep }) })
    const { token } = (await byLink(w, 'admin', {})).body
    await byMail(w, 'admin', { email: 'quiet@example.com' })
    const mailed = await tokenFor('quiet@example.com')
    await accept(await w.stranger(), token)
    await accept(await w.stranger(), 'B'.repeat(43))
    Object.assign(house.house, { log })
    assert.ok(lines.some(line => line.includes('invite.accept')))
    for (const secret of [token, mailed, 'B'.repeat(43), 'quiet@example.com']) assert.ok(!lines.join('\n').includes(secret), secret)
    const { pool } = house.house.database
    const { rows: tables } = await pool.query(
      `select table_schema as s, table_name as t from information_schema.tables where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
    )
    for (const { s, t } of tables) {
      const { rows } = await pool.query(`select count(*)::int as n from ${s}.${t} x where x::text like $1 or x::text like $2`, [
        `%${token}%`,
        `%${mailed}%`,
      ])
      assert.equal(rows[0].n, 0, t)
    }
  })
})
