// A site with one of everything that a path can refer to, and a successful call for every endpoint that writes.
import sharp from 'sharp'
import type { Route } from '../server/base/http.ts'
import { type Id, ids } from '../server/base/ids.ts'
import { routes } from '../server/groups.ts'
import { bookOf } from './books.ts'
import { type PermitWorld, permitWorld } from './permits.ts'
import { PASSPHRASE, personWithAccount } from './provider.ts'
import type { Caller, Part, Reply, TestHouse } from './world.ts'

/** A site with a record for every path. */
export type Tour = PermitWorld & {
  house: TestHouse
  /** A value for each path parameter: `permit_id` is a live permit with a file and an open extension request. */
  params: Record<string, string>
  /** Returns a number that has not been used before. */
  fresh(): number
}

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const file = (value: Buffer, filename: string): Part => ({ name: 'file', value, filename })

/** Returns a rule of a site, as it is written. */
const ruleOf = (site_id: Id, name: string) => ({
  site_id,
  name,
  event_kind: 'permit.submitted',
  audience: [{ band: 'stage1' }],
  title: 'Permit {{permit_number}} was submitted',
})

/** Returns a square area, in a different place for each number. */
const square = (n: number) => {
  const [x, y] = [-0.09 + (n % 40) * 0.0005, 51.5 + Math.floor(n / 40) * 0.0005]
  const at = (dx: number, dy: number) => [x + dx * 0.0002, y + dy * 0.0002]
  return { type: 'Polygon', coordinates: [[at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0, 0)]] }
}

/** Returns a register of one permit, as an upload sends it. */
const register = (t: Pick<Tour, 'fresh' | 'site_id'>, place: string | null = null): Part[] => {
  const header = ['Permit No', 'Type(s)', 'Contractor', 'Location', 'Level', 'Start', 'Finish', 'Description']
  const book = bookOf([header, [`BP-${t.fresh()}`, 'HW', null, place, null, '01/04/2026', '02/04/2026', null]])
  return [{ name: 'site_id', value: t.site_id }, file(book, 'register.xlsx')]
}

/** Keys as a browser makes them (from RFC 8291, Appendix A). */
const DEVICE_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const HOT = { field: 'permit_types', op: 'contains', value: 'HW' }

let counter = 0

/** Returns the response of a call that prepares a test: it must have succeeded. */
async function ok(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply
  if (status >= 300) throw new Error(`The way there is barred: ${status} ${text}`)
  return body
}

/** Sets up such a site. */
export async function tour(house: TestHouse): Promise<Tour> {
  const w = await permitWorld(house)
  const { site_id } = w
  const admin = w.as('admin')
  const t: Tour = { ...w, house, params: {}, fresh: () => ++counter }

  const live = await w.at('issued', { categories: ['GEN'] })
  const attached = await ok(
    w.as('coordinator').send('POST', `/permits/applications/${live.id}/attachments`, [file(PDF, `plan ${t.fresh()}.pdf`)]),
  )
  const extension = await ok(w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' }))
  await w.at('requested')
  const [task] = await ok(w.as('hse').get(`/tasks/?site_id=${site_id}&kind=endorse_permit`))
  const [notified] = await ok(w.as('hse').get(`/notifications/?site_id=${site_id}&kind=permit_awaiting_endorsement`))
  const rule = await ok(w.as('hse').post('/notification-rules/', ruleOf(site_id, `Rule ${t.fresh()}`)))
  const contractor = await w.contractor('Birch Steel')
  const under = await w.contractor('Cedar Fixings')
  await ok(admin.post(`/contractors/${contractor}/oversight`, { subordinate_id: under }))
  await ok(admin.patch(`/contractors/${contractor}`, { short_name: 'BIR9' }))
  const [entry] = await ok(admin.get(`/audit/entity/contractor/${contractor}`))
  const leaver = await w.join('viewer', null, 'Lea Leaver')
  const member = (await ok(admin.get(`/sites/${site_id}/members?id=${leaver.user_id}`)))[0]
  const invite = await ok(
    admin.post(`/invite-links/sites/${site_id}`, { role: 'member', contractor_id: w.acme, label: `Gate ${t.fresh()}` }),
  )
  const [shift] = await ok(admin.get(`/shifts/?site_id=${site_id}`))
  const [appointment] = await ok(w.as('hse').get(`/permits/appointments?site_id=${site_id}`))
  const definition = await ok(w.as('hse').post('/permits/workflow/clone', { site_id }))
  const zone = await ok(w.as('hse').post('/reference-features/zones', { site_id, name: `Zone ${t.fresh()}`, outline: square(t.fresh()) }))
  const group = await ok(
    w
      .as('coordinator')
      .post('/smart-groups/', { site_id, name: `Hot ${t.fresh()}`, subject: 'permit', predicate: HOT, visibility: 'shared' }),
  )
  const { set_id } = await ok(admin.send('POST', '/permits/upload', register(t)))
  const email = mail(t)
  await ok(w.superadmin.post('/admin/email/bounce', { events: [{ event_id: `evt-${email}`, type: 'bounce', email, status: '5.1.1' }] }))
  t.params = {
    email,
    site_id,
    set_id,
    permit_id: live.id,
    attachment_id: attached.id,
    request_id: extension.id,
    task_id: task.id,
    notification_id: notified.id,
    rule_id: rule.id,
    kind: 'permit_live',
    channel: 'email',
    contractor_id: contractor,
    subordinate_id: under,
    entity_type: 'contractor',
    entity_id: contractor,
    entry_id: entry.id,
    membership_id: member.membership_id,
    invite_id: invite.id,
    token: 'no-such-token',
    shift_id: shift.id,
    group_id: group.id,
    type_id: w.types.CRO?.id ?? '',
    appointment_id: appointment.id,
    definition_id: definition.id,
    feature_id: zone.id,
  }
  return t
}

/** Returns the path of a route with these values. */
export function pathOf(route: Route, params: Record<string, string>): string {
  return route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`tests/tour.ts has no value for :${name} of ${route.method} ${route.path}.`)
    return value
  })
}

/** Returns whether a route takes `site_id` in its query or in its body. */
export const namesSite = (route: Route, where: 'query' | 'body'): boolean =>
  (route[where] as { properties?: Record<string, unknown> } | undefined)?.properties?.site_id !== undefined

/** A successful call: its caller, its subject and its body; `other`: another valid body. */
export type Call = {
  by: Caller
  params?: Record<string, string>
  query?: string
  body?: unknown
  other?: unknown
  parts?: Part[]
  others?: Part[]
}

type Making = (t: Tour) => Promise<Call> | Call

const permitAt =
  (state: Parameters<PermitWorld['at']>[0], by: (t: Tour) => Caller, body: unknown = {}, other: unknown = null): Making =>
  async t => {
    const { id } = await t.at(state)
    return { by: by(t), params: { permit_id: id }, body, other: other ?? { ...(body as object), site_id: t.site_id } }
  }
const member = (t: Tour) => t.as('member')
const coordinator = (t: Tour) => t.as('coordinator')
const hse = (t: Tour) => t.as('hse')
const site = async (t: Tour): Promise<{ id: Id; code: string }> =>
  ok(t.superadmin.post('/sites/', { name: 'Short Street', timezone: 'UTC' }))
const group = async (t: Tour): Promise<Id> =>
  (
    await ok(
      t
        .as('coordinator')
        .post('/smart-groups/', { site_id: t.site_id, name: `Hot ${t.fresh()}`, subject: 'permit', predicate: HOT, visibility: 'shared' }),
    )
  ).id
const contractor = (t: Tour) => t.contractor(`Firm number ${t.fresh()}`)
const mail = (t: Tour) => `guest${t.fresh()}@example.com`
const extension = async (t: Tour): Promise<Id> => {
  const live = await t.at('issued', { categories: ['GEN'] })
  return (await ok(t.step(live, 'extensions', t.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' }))).id
}
const zone = async (t: Tour): Promise<Id> =>
  (await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, name: `Zone ${t.fresh()}`, outline: square(t.fresh()) }))).id
const draftOf = async (t: Tour): Promise<{ id: Id; graph: { states: unknown; transitions: unknown } }> => {
  const { code } = await ok(hse(t).post('/permits/types', { site_id: t.site_id, code: `T${t.fresh()}` }))
  const made = await ok(hse(t).post('/permits/workflow/clone', { site_id: t.site_id, permit_type_code: code }))
  return { id: made.id, graph: { states: made.states, transitions: made.transitions } }
}
const invited = async (t: Tour): Promise<Id> =>
  (await ok(t.as('admin').post(`/invites/sites/${t.site_id}`, { email: mail(t), role: 'viewer' }))).id
const linked = async (t: Tour): Promise<string> =>
  (await ok(t.as('admin').post(`/invite-links/sites/${t.site_id}`, { role: 'viewer', label: `Gate ${t.fresh()}` }))).token
const picture = (t: Tour) => sharp({ create: { width: 8 + (t.fresh() % 200), height: 8, channels: 3, background: '#123456' } })
const later = (t: Tour) => t.house.clock(new Date(Date.parse(t.house.house.clock.now()) + 120_000).toISOString())
const CHECKED = { work_complete_tools_removed: true, area_safe_clean_checked: true, fire_watch_complete: true }

/** For every endpoint that writes, by name, a call that succeeds on a tour. */
export const WRITES: Record<string, Making> = {
  'audit.revert': async t => {
    const id = await contractor(t)
    await ok(t.as('admin').patch(`/contractors/${id}`, { short_name: `S${t.fresh()}` }))
    const [entry] = await ok(t.as('admin').get(`/audit/entity/contractor/${id}`))
    return { by: t.as('admin'), params: { entry_id: entry.id }, body: { reason: 'A slip' }, other: { reason: 'Another slip' } }
  },
  'account.change_password': async t => {
    const email = mail(t)
    const { account_id } = await personWithAccount(t.house, 'Olive Owner', email)
    const by = await t.house.person('Olive Owner', { subject: account_id, email })
    const current_password = PASSPHRASE
    return {
      by,
      body: { current_password, new_password: 'kelp barn tax window' },
      other: { current_password, new_password: 'moss lamp ten kettle' },
    }
  },
  'email.take_bounce': t => {
    const events = [{ event_id: `evt-${t.fresh()}`, type: 'bounce', email: mail(t), status: '5.1.1' }]
    return { by: t.superadmin, body: { events }, other: { events: [{ ...events[0], event_id: 'evt-0' }] } }
  },
  'email.clear_suppression': async t => {
    const email = mail(t)
    await ok(
      t.superadmin.post('/admin/email/bounce', { events: [{ event_id: `evt-${t.fresh()}`, type: 'bounce', email, status: '5.1.1' }] }),
    )
    return { by: t.superadmin, params: { email }, body: { reason: 'Repaired' }, other: { reason: 'Mended' } }
  },
  'site.create': t => ({
    by: t.superadmin,
    body: { name: `Site ${t.fresh()}`, timezone: 'Europe/London' },
    other: { name: 'Elsewhere', timezone: 'UTC' },
  }),
  'site.change': t => ({ by: t.as('admin'), body: { locality: `Town ${t.fresh()}` } }),
  'site.delete': async t => ({ by: t.superadmin, params: { site_id: (await site(t)).id } }),
  'site.lock': async t => ({
    by: t.superadmin,
    params: { site_id: (await site(t)).id },
    body: { locked: true, reason: 'Handed over' },
    other: { locked: true, reason: 'In dispute' },
  }),
  'site.set_main_contractor': async t => ({ by: t.as('admin'), body: { contractor_id: await contractor(t) } }),
  'site.set_observation_threshold': t => ({ by: t.as('admin'), body: { risk_score: 1 + (t.fresh() % 14) } }),
  'site.set_oversight_transitive': t => ({ by: t.as('admin'), body: { oversight_transitive: true } }),
  'site.set_boundary': t => ({ by: t.as('admin'), body: { geometry: square(t.fresh()) } }),
  'site.delete_boundary': async t => {
    await ok(t.as('admin').put(`/sites/${t.site_id}/boundary`, { geometry: square(t.fresh()) }))
    return { by: t.as('admin') }
  },
  'site.nuke': async t => {
    const { id, code } = await site(t)
    await ok(t.superadmin.del(`/sites/${id}`))
    return { by: t.superadmin, params: { site_id: id }, body: { confirm: code, reason: 'Made by mistake' } }
  },
  'membership.approve': async t => {
    const who = await t.join('viewer', null, `Vera ${t.fresh()}`)
    const [row] = await ok(t.as('admin').get(`/sites/${t.site_id}/members?id=${who.user_id}`))
    return { by: t.as('admin'), params: { membership_id: row.membership_id }, body: { role: 'client' }, other: { role: 'commercial' } }
  },
  'membership.end': async t => {
    const who = await t.join('viewer', null, `Vera ${t.fresh()}`)
    const [row] = await ok(t.as('admin').get(`/sites/${t.site_id}/members?id=${who.user_id}`))
    return { by: t.as('admin'), params: { membership_id: row.membership_id } }
  },
  'invite.send': t => ({
    by: t.as('admin'),
    body: { email: mail(t), role: 'viewer' },
    other: { email: mail(t), role: 'viewer' },
  }),
  'invite.revoke': async t => ({ by: t.as('admin'), params: { invite_id: await invited(t) } }),
  'invite.resend': async t => {
    const invite_id = await invited(t)
    later(t) // an email is not sent twice within a minute
    return { by: t.as('admin'), params: { invite_id } }
  },
  'invite.make_link': t => ({ by: t.as('admin'), body: { role: 'viewer', label: `Gate ${t.fresh()}` }, other: { role: 'client' } }),
  'invite.accept': async t => ({
    by: await t.stranger(`Nora ${t.fresh()}`),
    params: { token: await linked(t) },
    body: {},
    other: { contractor_id: null },
  }),
  'invite.register': async t => {
    later(t) // the number of calls per minute without an account is limited
    const body = { name: 'Nina New', email: mail(t), password: PASSPHRASE }
    return { by: t.house.nobody, params: { token: await linked(t) }, body, other: { ...body, name: 'Nina Newer' } }
  },
  'contractor.create': t => ({
    by: coordinator(t),
    body: { site_id: t.site_id, name: `Works ${t.fresh()} Ltd`, confirm_similar: true },
    other: { site_id: t.site_id, name: `Works ${t.fresh()} Ltd`, confirm_similar: true },
  }),
  'contractor.change': async t => ({ by: coordinator(t), params: { contractor_id: await contractor(t) }, body: { short_name: 'XY12' } }),
  'contractor.delete': async t => ({ by: t.as('admin'), params: { contractor_id: await contractor(t) } }),
  'contractor.set_logo': async t => ({
    by: coordinator(t),
    params: { contractor_id: await contractor(t) },
    parts: [file(await picture(t).png().toBuffer(), 'logo.png')],
  }),
  'contractor.delete_logo': async t => {
    const contractor_id = await contractor(t)
    await ok(coordinator(t).send('PUT', `/contractors/${contractor_id}/logo`, [file(await picture(t).png().toBuffer(), 'logo.png')]))
    return { by: coordinator(t), params: { contractor_id } }
  },
  'contractor.add_oversight': async t => ({
    by: t.as('admin'),
    params: { contractor_id: await contractor(t) },
    body: { subordinate_id: await contractor(t) },
    other: { subordinate_id: t.params.subordinate_id },
  }),
  'contractor.drop_oversight': async t => {
    const [contractor_id, subordinate_id] = [await contractor(t), await contractor(t)]
    await ok(t.as('admin').post(`/contractors/${contractor_id}/oversight`, { subordinate_id }))
    return { by: t.as('admin'), params: { contractor_id, subordinate_id } }
  },
  'push_subscription.put': t => {
    const body = { endpoint: `https://fcm.googleapis.com/fcm/send/${t.fresh()}`, keys: DEVICE_KEYS }
    return { by: t.as('member'), body, other: { ...body, device_label: 'Other' } }
  },
  'push_subscription.delete': t => ({
    by: t.as('member'),
    query: `endpoint=${encodeURIComponent(`https://fcm.googleapis.com/${t.fresh()}`)}`,
  }),
  'smart_group.create': t => {
    const body = { site_id: t.site_id, name: `Hot ${t.fresh()}`, subject: 'permit', predicate: HOT, visibility: 'shared' }
    return { by: coordinator(t), body, other: { ...body, predicate: true } }
  },
  'smart_group.change': async t => ({
    by: coordinator(t),
    params: { group_id: await group(t) },
    body: { sort: t.fresh() },
    other: { sort: t.fresh() },
  }),
  'smart_group.delete': async t => ({ by: coordinator(t), params: { group_id: await group(t) } }),
  'shift.create': t => {
    const body = { site_id: t.site_id, name: `Late ${t.fresh()}`, start_time: '18:00', end_time: '22:00', weekdays: [6] }
    return { by: hse(t), body, other: { ...body, end_time: '23:00' } }
  },
  'shift.end': async t => {
    const body = { site_id: t.site_id, name: `Late ${t.fresh()}`, start_time: '18:00', end_time: '22:00', weekdays: [7] }
    return { by: hse(t), params: { shift_id: (await ok(hse(t).post('/shifts/', body))).id } }
  },
  'task.acknowledge': async t => {
    const permit = await t.at('requested')
    const tasks = (await ok(hse(t).get(`/tasks/?site_id=${t.site_id}&kind=endorse_permit`))) as { id: Id; subject: { id: Id } }[]
    const task_id = tasks.find(task => task.subject.id === permit.id)?.id ?? ''
    return { by: hse(t), params: { task_id }, body: {}, other: { taking: true } }
  },
  'notification.mark_read': t => ({ by: hse(t), body: {}, other: { read: false } }),
  'notification.mark_all_read': t => ({ by: hse(t), body: { site_id: t.site_id }, other: { site_id: t.site_id, kind: 'permit_live' } }),
  'notification.test_dispatch': async t => {
    const by = await t.join('hse', null, `Tess ${t.fresh()}`)
    const body = { site_id: t.site_id, channels: ['in_app'] }
    return { by, body, other: { ...body, channels: ['in_app', 'push'] } }
  },
  'notification_preference.set': t => ({ by: hse(t), body: { enabled: t.fresh() % 2 === 0 } }),
  'notification_preference.drop': async t => {
    await ok(hse(t).patch('/notification-prefs/permit_approved/email', { enabled: true }))
    return { by: hse(t), params: { kind: 'permit_approved' } }
  },
  'notification_rule.create': t => ({
    by: hse(t),
    body: ruleOf(t.site_id, `Rule ${t.fresh()}`),
    other: ruleOf(t.site_id, `Rule ${t.fresh()}`),
  }),
  'notification_rule.change': t => ({ by: hse(t), body: { title: `Submitted, number ${t.fresh()}` } }),
  'notification_rule.delete': async t => {
    const { id } = await ok(hse(t).post('/notification-rules/', ruleOf(t.site_id, `Rule ${t.fresh()}`)))
    return { by: hse(t), params: { rule_id: id } }
  },
  'notification_rule.clone': t => ({ by: hse(t), body: {}, other: { name: `Copy ${t.fresh()}` } }),
  'notification_rule.switch': async t => {
    const { id } = await ok(hse(t).post('/notification-rules/', ruleOf(t.site_id, `Rule ${t.fresh()}`)))
    return { by: hse(t), params: { rule_id: id }, body: { enabled: true }, other: { enabled: false } }
  },
  'permit_type.create': t => ({
    by: hse(t),
    body: { site_id: t.site_id, code: `T${t.fresh()}` },
    other: { site_id: t.site_id, code: `T${t.fresh()}` },
  }),
  'permit_type.change': t => ({ by: hse(t), body: { name: `Cranes ${t.fresh()}` } }),
  'permit_appointment.create': async t => {
    const body = { site_id: t.site_id, user_id: (await t.join('member', t.acme, `Ian ${t.fresh()}`)).user_id }
    return { by: hse(t), body, other: { ...body, permit_type_id: t.types.HW?.id } }
  },
  'permit_appointment.revoke': async t => {
    const { user_id } = await t.join('member', t.acme, `Ian ${t.fresh()}`)
    const { id } = await ok(hse(t).post('/permits/appointments', { site_id: t.site_id, user_id }))
    return { by: hse(t), params: { appointment_id: id } }
  },
  'permit_config.replace': t => ({ by: hse(t), body: { site_id: t.site_id, expiring_warning_lead_hours: 1 + (t.fresh() % 700) } }),
  'permit_config.apply_regime': async t => {
    const { id: site_id } = await site(t)
    return { by: t.superadmin, body: { site_id, regime: 'major_hazard' }, other: { site_id, regime: 'generic_cdm' } }
  },
  'permit_workflow.clone': async t => {
    const { code } = await ok(hse(t).post('/permits/types', { site_id: t.site_id, code: `T${t.fresh()}` }))
    const body = { site_id: t.site_id, permit_type_code: code }
    return { by: hse(t), body, other: { ...body, name: 'Ours' } }
  },
  'permit_workflow.publish': async t => {
    const { id, graph } = await draftOf(t)
    return { by: hse(t), params: { definition_id: id }, body: { ...graph, name: 'Ours' } }
  },
  'permit_workflow.remove': async t => ({ by: hse(t), params: { definition_id: (await draftOf(t)).id } }),
  'permit_workflow.back_test': async t => {
    const { id, graph } = await draftOf(t)
    return { by: hse(t), params: { definition_id: id }, body: {}, other: graph }
  },
  'permit_set.import': t => ({ by: t.as('admin'), parts: register(t), others: register(t) }),
  'permit_set.re_resolve': async t => {
    const name = `Tower ${t.fresh()}`
    const { set_id } = await ok(t.as('admin').send('POST', '/permits/upload', register(t, name)))
    await ok(hse(t).post('/reference-features/zones', { site_id: t.site_id, kind: 'building', name, outline: square(t.fresh()) }))
    return { by: t.as('admin'), body: { site_id: t.site_id, set_id }, other: { site_id: t.site_id } }
  },
  'permit_set.delete': async t => {
    const { set_id } = await ok(t.as('admin').send('POST', '/permits/upload', register(t)))
    return { by: t.as('admin'), params: { set_id } }
  },
  'permit.create': t => {
    const body = { site_id: t.site_id, categories: ['HW'], title: `Weld ${t.fresh()}` }
    return { by: member(t), body, other: { ...body, categories: ['CSE'] } }
  },
  'permit.create_family': t => {
    const body = { site_id: t.site_id, parent: { categories: ['GEN'], title: `Roof ${t.fresh()}` }, children: [{ categories: ['HW'] }] }
    return { by: member(t), body, other: { ...body, children: [{ categories: ['HW'] }, { categories: ['WAH'] }] } }
  },
  'permit.close_out_bulk': async t => {
    const body = { site_id: t.site_id, permit_ids: [(await t.at('issued')).id], checklist: CHECKED }
    return { by: coordinator(t), body, other: { ...body, note: 'All done' } }
  },
  'permit.edit': permitAt('draft', member, { title: 'Weld gates' }),
  'permit.delete': permitAt('draft', member, undefined),
  'permit.submit': permitAt('draft', member),
  'permit.withdraw': permitAt('requested', member),
  'permit.endorse': permitAt('requested', coordinator),
  'permit.approve': permitAt('endorsed', hse),
  'permit.reject': permitAt('requested', hse, { reason: 'Unsafe' }),
  'permit.request_corrections': permitAt('requested', hse, { note: 'Name the fire watch' }),
  'permit.hand_back': permitAt('issued', t => t.receiver, { work_complete: true, note: 'Done' }),
  'permit.issue': permitAt('approved', t => t.issuer),
  'permit.countersign': permitAt('signed', t => t.receiver),
  'permit.close_out': permitAt('issued', coordinator, { checklist: CHECKED }),
  'permit.reissue': permitAt('closed', member),
  'permit_attachment.create': async t => ({
    by: member(t),
    params: { permit_id: (await t.draft()).id },
    parts: [file(PDF, `a${t.fresh()}.pdf`)],
    others: [file(Buffer.concat([PDF, Buffer.from('2')]), 'b.pdf')],
  }),
  'permit_attachment.delete': async t => {
    const { id } = await t.draft()
    const made = await ok(member(t).send('POST', `/permits/applications/${id}/attachments`, [file(PDF, `a${t.fresh()}.pdf`)]))
    return { by: member(t), params: { permit_id: id, attachment_id: made.id } }
  },
  'permit_extension.create': async t => ({
    by: member(t),
    params: { permit_id: (await t.at('issued', { categories: ['GEN'] })).id },
    body: { requested_end_at: '2026-03-16T20:00:00.000Z' },
    other: { requested_end_at: '2026-03-16T21:00:00.000Z' },
  }),
  'permit_extension.approve': async t => ({ by: hse(t), params: { request_id: await extension(t) }, body: {}, other: { note: 'Fine' } }),
  'permit_extension.reject': async t => ({
    by: hse(t),
    params: { request_id: await extension(t) },
    body: { reason: 'Too long' },
    other: { reason: 'Too late' },
  }),
  'reference_feature.create': t => {
    const body = { site_id: t.site_id, name: `Zone ${t.fresh()}`, outline: square(t.fresh()) }
    return { by: hse(t), body, other: { ...body, name: `Zone ${t.fresh()}` } }
  },
  'reference_feature.change': async t => ({ by: hse(t), params: { feature_id: await zone(t) }, body: { name: `Yard ${t.fresh()}` } }),
  'reference_feature.end': async t => ({ by: hse(t), params: { feature_id: await zone(t) } }),
  'reference_feature.clean_up': async t => {
    const feature_id = await zone(t)
    const { name } = await ok(hse(t).get(`/reference-features/features/${feature_id}`))
    await ok(hse(t).patch(`/reference-features/features/${feature_id}`, { name, effective_at: '2026-03-20T00:00:00.000Z' }))
    return { by: t.as('admin'), body: { site_id: t.site_id, dry_run: false }, other: { site_id: t.site_id, dry_run: true } }
  },
  'label_style.set': async t => {
    const shown = await ok(hse(t).get(`/sites/${t.site_id}/label-styles/`))
    const [first, ...rest] = shown.styles as { size_px: number }[]
    return { by: hse(t), body: { styles: [{ ...first, size_px: first?.size_px === 17 ? 18 : 17 }, ...rest] } }
  },
}

/** Endpoints that write and that can't be called successfully yet, each with the reason. */
export const NO_CALL: Record<string, string> = {
  'task.resolve': 'no kind of task can be resolved by hand yet',
}

/** Returns the endpoint with this name. */
export function routeNamed(name: string): Route {
  const route = routes.find(r => r.name === name)
  if (route === undefined) throw new Error(`There is no endpoint ${name}.`)
  return route
}

/** Makes a call of the table; `more` replaces its body, adds headers, or sets another caller. */
export function makeCall(
  t: Tour,
  route: Route,
  call: Call,
  more: { other?: boolean; headers?: Record<string, string>; by?: Caller } = {},
): Promise<Reply> {
  const by = more.by ?? call.by
  const path = `${pathOf(route, { ...t.params, ...call.params })}${call.query === undefined ? '' : `?${call.query}`}`
  const parts = more.other ? call.others : call.parts
  if (parts !== undefined) return by.send(route.method, path, parts, more.headers)
  const body = more.other ? (call.other ?? { site_id: t.site_id }) : call.body
  if (route.method === 'POST') return by.post(path, body, more.headers)
  if (route.method === 'PUT') return by.put(path, body, more.headers)
  if (route.method === 'PATCH') return by.patch(path, body, more.headers)
  return by.del(path, body, more.headers)
}

/** An id that belongs to nothing. */
export const nothing = (): Id => ids.next()
