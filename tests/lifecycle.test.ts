// R1 over HTTP: random commands by random callers against the running service, compared with a model written from the specification alone. After each:
// status and code of the response, what callers can see, their flags, the permit's state, signatures, gate tasks and events.
// MODEL_HTTP sets the number of commands, SEED selects them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sweepPermits } from '../server/rooms/permits/permits/actions/sweeps.ts'
import { chance, seedOf, times } from './chance.ts'
import * as model from './model.ts'
import { CHECKLIST, permitWorld } from './permits.ts'
import { type Caller, MONDAY, type Reply, useHouse } from './world.ts'

const COMMANDS = times('MODEL_HTTP', 600)
/** At most this many times as many commands, until each of the covered steps was taken and refused. */
const MORE = 4
const COVERED = ['submit', 'endorse', 'approve', 'issue', 'countersign', 'hand_back', 'close_out', 'request_corrections']
const A_WORLD = 200
const SEED = seedOf(11, 'changes')
const at = (ms: number) => new Date(ms).toISOString()
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

describe('R1 the lifecycle against an independent model, over HTTP', () => {
  const house = useHouse()

  /** Opens a site and creates its model. */
  async function open() {
    house.clock(MONDAY)
    const w = await permitWorld(house)
    const other = await w.contractor('Other Firm')
    const { superadmin } = w
    const callers = new Map<string, Caller>()
    const people: model.Person[] = []
    const enter = (caller: Caller, role: model.Role | null, more: Partial<model.Person> = {}) => {
      callers.set(caller.user_id, caller)
      people.push({ id: caller.user_id, role, superadmin: false, contractor: null, appointed: new Set(), ...more })
      return caller
    }
    for (const role of ['admin', 'site_manager', 'coordinator', 'hse', 'viewer', 'client', 'commercial'] as const) enter(w.as(role), role)
    enter(superadmin, null, { superadmin: true })
    enter(w.as('member'), 'member', { contractor: w.acme })
    enter(w.receiver, 'member', { contractor: w.acme })
    enter(w.as('contractor_hse'), 'contractor_hse', { contractor: w.acme })
    enter(await w.join('member', other, 'Fay Foreigner'), 'member', { contractor: other })
    enter(w.issuer, 'member', { appointed: new Set(['*']) })
    const partly = enter(await w.join('member', other, 'Pat Partly'), 'member', { contractor: other })
    const nominee = enter(await w.join('viewer', null, 'Nell Nominee'), 'viewer')
    enter(await w.stranger(), null)
    const hse = w.as('hse')
    const world: model.World = {
      now: Date.parse(MONDAY),
      lead: 24,
      gate: false,
      nominees: new Set([nominee.user_id]),
      numbers: 0,
      permits: new Map(),
      kinds: {
        GEN: { single: false, extendable: true, needs_parent: false, slots: [], hours: 168 },
        HW: { single: false, extendable: false, needs_parent: false, slots: [], hours: 12 },
        EXC: { single: false, extendable: true, needs_parent: false, slots: ['Plan'], hours: 12 },
        CRO: { single: false, extendable: true, needs_parent: true, slots: [], hours: 12 },
        LIFT: { single: true, extendable: true, needs_parent: false, slots: [], hours: 12 },
      },
      people,
    }
    const retype = async (code: string) => {
      const kind = world.kinds[code]
      const done = await hse.patch(`/permits/types/${w.types[code]?.id}`, {
        single_stage: kind?.single,
        is_extendable: kind?.extendable,
        requires_parent: kind?.needs_parent,
        expected_attachments: kind?.slots.map(label => ({ label, required: true })),
      })
      assert.equal(done.status, 200, done.text)
    }
    for (const code of Object.keys(world.kinds)) await retype(code)
    const configure = () =>
      hse.put(`/permits/config?site_id=${w.site_id}`, { close_out_gate_enabled: world.gate, nominee_user_id: nominee.user_id })
    await configure()
    return { w, world, callers, people, retype, configure, partly, hse }
  }

  type Site = Awaited<ReturnType<typeof open>>

  let titles = 0
  const call = (site: Site, p: model.Permit, who: Caller, action: string, body: model.Body): Promise<Reply> => {
    const url = `/permits/applications/${p.id}`
    const checklist = Object.fromEntries(Object.keys(CHECKLIST).map((item, i) => [item, body.checklist?.[i] === true]))
    const said = (name: 'note' | 'reason') => (body[name] === undefined ? {} : { [name]: body[name] })
    switch (action) {
      case 'edit':
        // Another one each time: an edit that changes nothing has no event (decision 1047).
        return who.patch(url, { title: `Title ${++titles}` })
      case 'delete':
        return who.del(url)
      case 'attach': {
        const slots = p.codes.flatMap(code => site.world.kinds[code]?.slots ?? [])
        const slot = slots.length > 0 ? [{ name: 'slot', value: slots[0] ?? '' }] : []
        return who.send('POST', `${url}/attachments`, [
          { name: 'file', value: PDF, filename: 'plan.pdf', type: 'application/pdf' },
          ...slot,
        ])
      }
      case 'request_extension':
        return who.post(`${url}/extensions`, { requested_end_at: at(body.end ?? 0) })
      case 'approve_extension':
        return who.post(`/permits/extensions/${p.extension?.id ?? p.id}/approve`, {})
      case 'reject_extension':
        return who.post(`/permits/extensions/${p.extension?.id ?? p.id}/reject`, said('reason'))
      case 'close_out':
        return who.post(`${url}/close-out`, { checklist, ...said('note') })
      case 'reject':
      case 'withdraw':
        return who.post(`${url}/${action}`, said('reason'))
      case 'submit':
      case 'reissue':
        return who.post(`${url}/${action}`, {})
      default:
        return who.post(`${url}/${action.replaceAll('_', '-')}`, said('note'))
    }
  }

  const answered = ({ status, body }: Reply) => {
    if (status < 300) return `${status}`
    const { code, gate, guard, reason } = body.error
    return status === 422 ? '422' : `${status} ${code} ${gate ?? guard ?? reason ?? ''}`.trim()
  }
  const expected = (a: model.Answer) =>
    a.status < 300 || a.status === 422 ? `${a.status}` : `${a.status} ${a.code} ${a.word ?? ''}`.trim()

  /** The complete state of the permits, as stored in the database. */
  async function written(site_id: string, ids: readonly string[]) {
    const rows = await house.rows(
      `select p.id, p.status, p.permit_number as number, p.issuer_id as issuer,
        (select coalesce(json_agg(json_build_object('kind', s.kind, 'by', s.signer_id, 'voided', s.voided_at is not null) order by s.number), '[]')
          from permit_signature s where s.site_id = p.site_id and s.permit_id = p.id) as signatures,
        (select coalesce(json_agg(json_build_object('kind', t.kind, 'bands', t.bands, 'users', (select coalesce(json_agg(u order by u), '[]') from unnest(t.user_ids) u))), '[]')
          from task t where t.site_id = p.site_id and t.subject_id = p.id and t.status = 'open') as tasks,
        (select coalesce(json_object_agg(e.kind, e.n), '{}') from (select kind, count(*) as n from event where site_id = p.site_id and subject_id = p.id and kind like 'permit.%' group by kind) e) as events
      from permit p where p.site_id = $1 and p.id = any($2::uuid[])`,
      [site_id, ids],
    )
    return new Map(rows.map(row => [row.id as string, row]))
  }

  async function compare(site: Site, permits: readonly model.Permit[], context: string) {
    const { world, w } = site
    const rows = await written(
      w.site_id,
      permits.map(p => p.id),
    )
    for (const p of permits) {
      const row = rows.get(p.id)
      assert.ok(row !== undefined, `${p.id} is gone; ${context}`)
      const task = model.taskOf(world, p)
      assert.deepEqual(
        { status: row.status, number: row.number, issuer: row.issuer, signatures: row.signatures, tasks: row.tasks, events: row.events },
        {
          status: p.status,
          number: p.number,
          issuer: p.issuer,
          signatures: p.signatures,
          tasks: task === null ? [] : [task],
          events: p.events,
        },
        context,
      )
    }
  }

  async function look(site: Site, p: model.Permit, who: model.Person, context: string) {
    const seen = await site.callers.get(who.id)?.get(`/permits/applications/${p.id}`)
    const may = (who.superadmin || who.role !== null) && model.sees(p, who, site.world)
    assert.equal(seen?.status, may ? 200 : 404, `R10 ${who.role} sees ${JSON.stringify(p)}; ${context}`)
    if (!may) return
    const shown = Object.fromEntries([...model.FLAGS, 'revalidate'].map(action => [action, seen?.body.permissions[`can_${action}`]]))
    assert.deepEqual(shown, model.flags(site.world, p, who), `flags of ${who.role} on ${JSON.stringify(p)}; ${context}`)
  }

  test(`permits.md rules 1 to 10, C1: after ${COMMANDS} commands, state, tasks, events, signatures, flags and refusals equal the model’s`, async () => {
    const tally = new Map<string, number>()
    let site = await open()
    let c = chance(SEED)
    const uncovered = () => COVERED.filter(action => !tally.has(`${action} yes`) || !tally.has(`${action} no`))
    // Steps that few people can take come up rarely: with some seeds, they need more commands.
    for (let n = 0; n < COMMANDS || (n < MORE * COMMANDS && uncovered().length > 0); n++) {
      if (n > 0 && n % A_WORLD === 0) {
        await compare(site, [...site.world.permits.values()], `SEED=${SEED}, whole site at ${n}`)
        site = await open()
        c = chance(SEED * 1_000_003 + n)
      }
      const { world, w, callers, people } = site
      const context = `SEED=${SEED}, command ${n}`
      const all = [...world.permits.values()]
      const open_ones = all.filter(p => !['closed', 'rejected', 'withdrawn'].includes(p.status))
      const dice = c.below(100)
      if (dice < (open_ones.length < 6 ? 8 : 1) || all.length === 0) {
        const writer = c.of(people)
        const parents = open_ones.filter(p => model.sees(p, writer, world))
        const contractor = writer.contractor ?? c.of([null, w.acme])
        const parent = c.odds(0.4) && parents.length > 0 ? c.of(parents).id : null
        const receiver = c.odds(0.8) ? c.of([w.receiver, w.issuer, w.as('member')]).user_id : null
        const codes = [...new Set([c.of(Object.keys(world.kinds)), ...(c.odds(0.3) ? [c.of(['GEN', 'LIFT'])] : [])])].sort()
        const window = c.odds(0.95)
        const end = world.now + (6 + c.below(60)) * model.HOUR
        const made = await callers.get(writer.id)?.post('/permits/applications', {
          site_id: w.site_id,
          categories: codes,
          contractor_id: contractor,
          receiver_id: receiver,
          parent_id: parent,
          ...(window ? { start_at: at(world.now - model.HOUR), end_at: at(end) } : {}),
        })
        const asks = writer.superadmin || !['viewer', 'client', 'commercial', null].includes(writer.role)
        const standing = writer.superadmin || writer.role !== null
        assert.equal(made?.status, asks ? 201 : standing ? 403 : 404, `${context}: ${made?.text}`)
        if (!asks) continue
        const p = model.fresh(world, {
          id: made?.body.id,
          requestor: writer.id,
          receiver,
          contractor,
          codes,
          parent,
          start: world.now - model.HOUR,
          end,
          window,
        })
        await compare(site, [p], context)
        continue
      }
      if (dice < 12) {
        const now = world.now + c.below(5) * model.HOUR
        model.sweep(world, now)
        house.clock(at(now))
        await sweepPermits(house.house)
        await compare(site, all, `${context}, the clock`)
        continue
      }
      if (dice < 14) {
        const code = c.of(Object.keys(world.kinds))
        const kind = world.kinds[code]
        if (kind !== undefined) kind[c.of(['single', 'extendable', 'needs_parent'] as const)] = c.odds(0.5)
        await site.retype(code)
        world.gate = c.odds(0.5)
        await site.configure()
        continue
      }
      if (dice < 16) {
        const pat = people.find(who => who.id === site.partly.user_id)
        const code = c.of(['GEN', 'LIFT', 'HW'])
        if (pat?.appointed.has(code)) {
          const [row] = await house.rows(
            'select a.id from permit_appointment a where a.site_id = $1 and a.user_id = $2 and a.permit_type_id = $3 and a.revoked_at is null',
            [w.site_id, pat.id, w.types[code]?.id],
          )
          assert.equal((await site.hse.del(`/permits/appointments/${row.id}`)).status, 204)
          pat.appointed.delete(code)
        } else {
          const made = await site.hse.post('/permits/appointments', {
            site_id: w.site_id,
            user_id: pat?.id,
            permit_type_id: w.types[code]?.id,
          })
          assert.equal(made.status, 201, made.text)
          pat?.appointed.add(code)
        }
        await compare(site, all, `${context}, appointments`)
        continue
      }
      const command = model.anyCommand(c, world)
      if (command === null) continue
      const { permit, who, action, body } = command
      // No extension request is open: the path has no id to use, and nothing exists under it.
      const nameless = action.startsWith('approve_ext') || action.startsWith('reject_ext') ? permit.extension === null : false
      const verdict =
        nameless && !model.malformed(action, body) ? { status: 404, code: 'not_found' } : model.judge(world, permit, who, action, body)
      const caller = callers.get(who.id)
      if (caller === undefined) throw new Error('Nobody.')
      const what = `${context}: ${who.role ?? (who.superadmin ? 'superadmin' : 'stranger')} ${action} ${JSON.stringify({ permit, body })}`
      const reply = await call(site, permit, caller, action, body)
      assert.equal(answered(reply), expected(verdict), `${what} ${reply.text}`)
      const key = `${action} ${verdict.status < 300 ? 'yes' : 'no'}`
      tally.set(key, (tally.get(key) ?? 0) + 1)
      const touched = [permit]
      if (verdict.status < 300) {
        const id = action === 'request_extension' ? reply.body.request_id : (reply.body?.id ?? '')
        model.apply(world, permit, who, action, body, id)
        if (action === 'attach') for (const code of permit.codes) for (const slot of world.kinds[code]?.slots ?? []) permit.files.add(slot)
        const clone = action === 'reissue' ? world.permits.get(id) : undefined
        if (clone !== undefined) touched.push(clone)
        if (action === 'delete') touched.pop()
      }
      await compare(site, touched, what)
      const [first] = touched
      if (first !== undefined) await look(site, first, c.of(people), what)
    }
    await compare(site, [...site.world.permits.values()], `SEED=${SEED}, whole site at the end`)
    house.clock(MONDAY)
    assert.deepEqual(uncovered(), [], JSON.stringify([...tally]))
  })
})
