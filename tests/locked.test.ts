// On a locked site, flags and calls agree in every room (`site-and-people.md` §0.3): a call that is refused with `site_locked` is never shown as allowed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ground } from './browser/ground.ts'
import { permitWorld } from './permits.ts'
import { useHouse } from './world.ts'

/** Flags of a site that its lock still allows: unlocking or ending it, and removing members. */
const PASSES = ['lock', 'unlock', 'nuke', 'delete', 'manage_members']

describe('flags on a locked site', () => {
  const house = useHouse()

  test('9.3 no flag of any record is allowed where the call is refused', async () => {
    const w = await permitWorld(house)
    const admin = w.superadmin
    const site_id = w.site_id
    const q = `?site_id=${site_id}`
    const must = async (reply: ReturnType<typeof admin.post>) => {
      const { status, body, text } = await reply
      assert.ok(status < 300, text)
      return body
    }
    const workflow = await must(admin.post('/permits/workflow/clone', { site_id }))
    const invite = await must(admin.post(`/invites/sites/${site_id}`, { email: 'new@example.com', role: 'viewer' }))
    await must(
      admin.post('/smart-groups/', {
        site_id,
        subject: 'permit',
        name: 'Live',
        visibility: 'shared',
        predicate: { field: 'status', op: 'eq', value: 'issued' },
      }),
    )
    const feature = await must(
      admin.post('/reference-features/zones', {
        site_id,
        kind: 'zone',
        name: 'Laydown',
        zone_type: 'laydown',
        outline: ground(20, 20, 30, 30),
      }),
    )
    await must(admin.post(`/sites/${site_id}/lock`, { locked: true, reason: 'Handover' }))

    const lists: Record<string, string> = {
      sites: `/sites/${site_id}`,
      contractors: `/contractors/${q}`,
      'permit types': `/permits/types${q}`,
      'permit config': `/permits/config${q}`,
      workflows: `/permits/workflow/definitions${q}`,
      invitations: `/invites/sites/${site_id}`,
      'label styles': `/sites/${site_id}/label-styles/`,
      'smart groups': `/smart-groups/${q}`,
      'permit sets': `/permits/sets${q}`,
      'map features': `/reference-features/features${q}`,
      'one map feature': `/reference-features/features/${feature.id}`,
    }
    /** Lists that are empty on this site. */
    const empty = ['permit sets']
    for (const [name, path] of Object.entries(lists)) {
      const { status, body, text } = await admin.get(path)
      assert.equal(status, 200, `${path} ${text}`)
      const records = (Array.isArray(body) ? body : [body]) as {
        permissions?: Record<string, { allowed: boolean; because: { code: string }[] }>
      }[]
      assert.equal(
        records.some(({ permissions }) => permissions !== undefined),
        !empty.includes(name),
        `${name}: there are flags`,
      )
      for (const { permissions } of records) {
        for (const [action, flag] of Object.entries(permissions ?? {})) {
          if (typeof flag !== 'object' || (name === 'sites' && PASSES.includes(action))) continue
          assert.equal(flag.allowed, false, `${name}: ${action}`)
          assert.ok(
            flag.because.some(b => b.code === 'site_locked'),
            `${name}: ${action} says why`,
          )
        }
      }
    }
    const members: { membership_id: string; role: string }[] = (await admin.get(`/sites/${site_id}/members`)).body
    const viewer = members.find(one => one.role === 'viewer') ?? assert.fail('There is a viewer.')
    const [contractor] = (await admin.get(`/contractors/${q}`)).body
    const calls: [string, ReturnType<typeof admin.post>][] = [
      ['site', admin.patch(`/sites/${site_id}`, { name: 'Other' })],
      ['contractor', admin.patch(`/contractors/${contractor.id}`, { name: 'Other' })],
      ['type', admin.patch(`/permits/types/${w.types.HW?.id}`, { name: 'Other' })],
      ['config', admin.put(`/permits/config${q}`, {})],
      ['workflow', admin.put(`/permits/workflow/${workflow.id}`, { states: workflow.states, transitions: workflow.transitions })],
      ['invite', admin.del(`/invites/${invite.id}`)],
      ['new invite', admin.post(`/invites/sites/${site_id}`, { email: 'other@example.com', role: 'viewer' })],
      ['member', admin.post(`/memberships/${viewer.membership_id}/approve`, { role: 'member' })],
      ['map feature', admin.patch(`/reference-features/features/${feature.id}`, { name: 'Other' })],
      ['end of a map feature', admin.del(`/reference-features/features/${feature.id}`)],
      [
        'new map feature',
        admin.post('/reference-features/zones', { site_id, kind: 'zone', name: 'Two', zone_type: 'work', outline: ground(60, 60, 9, 9) }),
      ],
      ['boundary', admin.put(`/sites/${site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })],
    ]
    for (const [name, call] of calls) assert.equal((await call).body.error?.reason, 'site_locked', name)
    // People can be removed from a locked site.
    assert.equal((await admin.del(`/memberships/${viewer.membership_id}`)).status, 204)
    const history = (await admin.get(`/audit/entity/permit_workflow/${workflow.id}`)).body as { revertible: { allowed: boolean } }[]
    assert.ok(history.length > 0)
    for (const row of history) assert.equal(row.revertible.allowed, false, 'nothing is reverted on a locked site')
  })
})
