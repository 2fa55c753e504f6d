// A first day with the product, from outside: the service as a separate process, through the API and the terminal alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMail } from './outbox.ts'
import { CHECKLIST } from './permits.ts'
import { openServed, type Served } from './served.ts'

const ROLES = ['admin', 'site_manager', 'coordinator', 'hse', 'member', 'viewer', 'client', 'commercial', 'contractor_hse'] as const
const REGISTER = readFileSync(fileURLToPath(new URL('./data/permits/register-2000.xlsx', import.meta.url)))
const MAIN = fileURLToPath(new URL('../bin/walkdown.js', import.meta.url))
const HOUR = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what it finds.
type Said = { status: number; body: any }
type Who = { id: string; token: string }

describe('a first day, from outside', () => {
  const opened: { it: Served | null } = { it: null }
  const served = (): Served => opened.it ?? assert.fail('The service is there once the tests run.')
  const people = new Map<string, Who>()
  const site = { id: '', contractor: '' }

  const send = async (who: string, method: string, path: string, body?: unknown): Promise<Said> => {
    const form = body instanceof FormData
    const answer = await fetch(`${served().url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${people.get(who)?.token ?? assert.fail(who)}`,
        ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const must = async (reply: Promise<Said>): Promise<Said['body']> => {
    const { status, body } = await reply
    assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
    return body
  }
  const gateOf = ({ status, body }: Said) => [status, body.error.gate ?? body.error.code]
  const come = async (key: string, name: string, email: string) => {
    const token = await served().token({ subject: key, name, email })
    people.set(key, { id: '', token })
    people.set(key, { id: (await must(send(key, 'GET', '/auth/me'))).user.id, token })
  }
  /** Returns the token in the last email to an address, once it has been sent. */
  const invitedBy = async (email: string): Promise<string> => {
    const folder = join(served().data_dir, 'outbox')
    for (let tries = 0; tries < 200; tries++) {
      const mails = (
        await Promise.resolve()
          .then(() => readdirSync(folder))
          .catch(() => [])
      ).filter(file => file.endsWith('.eml'))
      const mine = mails.map(file => readMail(readFileSync(join(folder, file), 'utf8'))).find(mail => mail.to.includes(email))
      const token = mine === undefined ? null : /\/join#([\w-]+)/.exec(mine.text)
      if (token?.[1] !== undefined) return token[1]
      await wait(100)
    }
    return assert.fail(`No mail to ${email} lies in the outbox.`)
  }
  const walkdown = (...args: string[]) =>
    new Promise<{ code: number | null; said: string }>(done => {
      let said = ''
      const env = { PATH: process.env.PATH ?? '', DATA_DIR: served().data_dir, PUBLIC_URL: served().url, DEMO: '0', LOG_LEVEL: 'fatal' }
      const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      child.stdout.on('data', chunk => (said += chunk))
      child.stderr.on('data', chunk => (said += chunk))
      child.once('exit', code => done({ code, said }))
    })
  const permit = (more: Record<string, unknown> = {}) =>
    must(
      send('member', 'POST', '/permits/applications', {
        site_id: site.id,
        categories: ['HW'],
        contractor_id: site.contractor,
        title: 'Weld handrails',
        description: 'Weld handrails on stair 3',
        controls: 'Fire blankets, watch',
        receiver_id: people.get('receiver')?.id,
        start_at: new Date(Date.now() + HOUR).toISOString(),
        end_at: new Date(Date.now() + 5 * HOUR).toISOString(),
        ...more,
      }),
    )
  const step = (who: string, id: string, verb: string, body: unknown = {}) => send(who, 'POST', `/permits/applications/${id}/${verb}`, body)

  before(async () => {
    opened.it = await openServed()
    await served().start()
    await come('root', 'Sam Root', 'root@walkdown.test')
  })
  after(async () => {
    await opened.it?.close()
  })

  test('on a site in London people in all roles are invited by email and join, and the issuer is appointed', async () => {
    site.id = (await must(send('root', 'POST', '/sites/', { name: 'Quay House', timezone: 'Europe/London' }))).id
    site.contractor = (await must(send('root', 'POST', '/contractors/', { site_id: site.id, name: 'Acme Scaffolding Ltd' }))).id
    for (const who of [...ROLES, 'issuer', 'receiver']) {
      const role = who === 'issuer' || who === 'receiver' ? 'member' : who
      const contractor = role === 'contractor_hse' || who === 'member' || who === 'receiver' ? { contractor_id: site.contractor } : {}
      await must(send('root', 'POST', `/invites/sites/${site.id}`, { role, email: `${who}@quay.test`, name: who, ...contractor }))
    }
    for (const who of [...ROLES, 'issuer', 'receiver']) {
      await come(who, `${who} of Quay House`, `${who}@quay.test`)
      const came = await must(send(who, 'POST', `/invite-links/accept/${await invitedBy(`${who}@quay.test`)}`, {}))
      assert.equal(came.status, 'active', who)
    }
    await must(send('hse', 'POST', '/permits/appointments', { site_id: site.id, user_id: people.get('issuer')?.id }))
  })

  test('register-2000.xlsx is imported twice, and the second time creates and changes nothing', async () => {
    const upload = () => {
      const form = new FormData()
      form.append('file', new Blob([REGISTER]), 'register-2000.xlsx')
      return must(send('admin', 'POST', `/permits/upload?site_id=${site.id}`, form))
    }
    const first = await upload()
    assert.ok(first.new >= 1392)
    const second = await upload()
    assert.deepEqual([second.new, second.updated, second.unchanged, second.contractors_created], [0, first.new, first.new, []])
  })

  test('a two-stage permit and a single-stage one go from draft to closed, with each refusal of the rules on the way', async () => {
    const types = await must(send('hse', 'GET', `/permits/types?site_id=${site.id}`))
    const typeOf = (code: string) => types.find((type: { code: string }) => type.code === code)
    const one = await permit()
    assert.deepEqual(gateOf(await step('hse', one.id, 'submit')), [403, 'permit_ownership_error'], 'rule 4')
    await must(step('member', one.id, 'submit'))
    assert.deepEqual(gateOf(await step('viewer', one.id, 'endorse')), [404, 'not_found'], 'rule 10')
    assert.deepEqual(gateOf(await step('member', one.id, 'endorse')), [403, 'forbidden'], 'rule 3')
    await must(step('coordinator', one.id, 'endorse'))
    assert.deepEqual(gateOf(await step('coordinator', one.id, 'approve')), [403, 'forbidden'], 'rule 3')
    await must(step('hse', one.id, 'approve'))
    for (const who of ['admin', 'root'])
      assert.deepEqual(gateOf(await step(who, one.id, 'issue')), [409, 'no_active_appointment'], `rule 1: ${who}`)
    await must(step('issuer', one.id, 'issue'))
    for (const who of ['member', 'root'])
      assert.deepEqual(gateOf(await step(who, one.id, 'countersign')), [409, 'not_named_receiver'], `rule 2: ${who}`)
    assert.equal((await must(step('receiver', one.id, 'countersign'))).status, 'issued')
    assert.deepEqual(
      gateOf(await step('coordinator', one.id, 'close-out', { checklist: { ...CHECKLIST, fire_watch_complete: false } })),
      [409, 'checklist_incomplete'],
      'rule 6',
    )
    await must(send('hse', 'PATCH', `/permits/types/${typeOf('HW').id}`, { is_extendable: false }))
    const later = { requested_end_at: new Date(Date.now() + 8 * HOUR).toISOString(), reason: 'Late steel' }
    const asked = await send('receiver', 'POST', `/permits/applications/${one.id}/extensions`, later)
    assert.deepEqual(gateOf(asked), [409, 'not_extendable'], 'rule 9')
    const child = await permit({ parent_id: one.id, categories: ['HW'] })
    await must(step('member', child.id, 'submit'))
    assert.deepEqual(gateOf(await step('coordinator', one.id, 'close-out', { checklist: CHECKLIST })), [409, 'open_children'], 'rule 6')
    await must(step('hse', child.id, 'reject', { reason: 'Not needed' }))
    assert.equal((await must(step('coordinator', one.id, 'close-out', { checklist: CHECKLIST }))).status, 'closed')

    await must(
      send('hse', 'PATCH', `/permits/types/${typeOf('GEN').id}`, {
        single_stage: true,
        expected_attachments: [{ label: 'Method statement', required: true }],
      }),
    )
    const two = await permit({ categories: ['GEN'] })
    const lacking = await step('member', two.id, 'submit')
    assert.deepEqual([...gateOf(lacking), lacking.body.error.missing_labels], [409, 'missing_attachments', ['Method statement']], 'rule 8')
    const file = new FormData()
    file.append('slot', 'Method statement')
    file.append('file', new Blob([readFileSync(new URL('./shown.test.ts', import.meta.url))], { type: 'text/plain' }), 'method.txt')
    await must(send('member', 'POST', `/permits/applications/${two.id}/attachments`, file))
    await must(step('member', two.id, 'submit'))
    assert.deepEqual(gateOf(await step('coordinator', two.id, 'endorse')), [409, 'invalid_transition'])
    await must(step('hse', two.id, 'approve'))
    await must(step('issuer', two.id, 'issue'))
    await must(step('receiver', two.id, 'countersign'))
    assert.equal((await must(step('hse', two.id, 'close-out', { checklist: CHECKLIST }))).status, 'closed')
  })

  test('rule 7: with the close-out gate on, no permit is issued to a contractor with an expired, unclosed permit; the refusal shows its number', async () => {
    await must(send('hse', 'PUT', '/permits/config', { site_id: site.id, close_out_gate_enabled: true }))
    const short = await permit({ start_at: new Date(Date.now() - HOUR).toISOString(), end_at: new Date(Date.now() + 4_000).toISOString() })
    const next = await permit()
    for (const one of [short, next]) {
      await must(step('member', one.id, 'submit'))
      await must(step('coordinator', one.id, 'endorse'))
      await must(step('hse', one.id, 'approve'))
    }
    await must(step('issuer', short.id, 'issue'))
    await must(step('receiver', short.id, 'countersign'))
    const number = (await must(send('hse', 'GET', `/permits/applications/${short.id}`))).permit_number
    const status = async () => (await must(send('hse', 'GET', `/permits/applications/${short.id}`))).status
    for (let tries = 0; tries < 400 && (await status()) !== 'expired'; tries++) await wait(250)
    assert.equal(await status(), 'expired')
    const refused = await step('issuer', next.id, 'issue')
    assert.deepEqual(gateOf(refused), [409, 'close_out_gate'])
    assert.ok(refused.body.error.detail.includes(number), refused.body.error.detail)
    await must(step('coordinator', short.id, 'close-out', { checklist: CHECKLIST }))
    await must(step('issuer', next.id, 'issue'))
  })

  test('in a workflow without countersign a permit goes live at issue, while an earlier permit still waits for its countersignature', async () => {
    const old = await permit()
    await must(step('member', old.id, 'submit'))
    await must(step('coordinator', old.id, 'endorse'))
    await must(step('hse', old.id, 'approve'))
    const made = await must(send('hse', 'POST', '/permits/workflow/clone', { site_id: site.id }))
    const transitions = made.transitions.filter((t: { action: string }) => t.action !== 'countersign')
    await must(send('hse', 'PUT', `/permits/workflow/${made.id}`, { states: made.states, transitions }))
    const young = await permit()
    await must(step('member', young.id, 'submit'))
    await must(step('coordinator', young.id, 'endorse'))
    await must(step('hse', young.id, 'approve'))
    assert.equal((await must(step('issuer', young.id, 'issue'))).status, 'issued')
    const waits = await must(step('issuer', old.id, 'issue'))
    assert.deepEqual([waits.status, waits.awaiting_countersign], ['approved', true])
    assert.equal((await must(step('receiver', old.id, 'countersign'))).status, 'issued')
  })

  test('the terminal verifies the chain; one byte changed in the database is found and located', async () => {
    const whole = await walkdown('verify', '--site', site.id)
    assert.equal(whole.code, 0, whole.said)
    await served().looking(async house => {
      const client = await house.database.pool.connect()
      try {
        await client.query('begin')
        await client.query('set local session_replication_role = replica')
        await client.query(
          `update audit_entry set changes = replace(changes::text, 'Acme Scaffolding', 'Acme Scaffoldinh')::jsonb where site_id = $1 and seq = (
          select seq from audit_entry where site_id = $1 and entity_type = 'contractor' order by seq limit 1)`,
          [site.id],
        )
        await client.query('commit')
      } finally {
        client.release()
      }
    })
    const broken = await walkdown('verify', '--site', site.id)
    assert.equal(broken.code, 1, broken.said)
    assert.match(broken.said, /entry \d+/)
  })
})
