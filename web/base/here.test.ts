import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Schemas } from './api.ts'
import { hereOf, lockFlag, type Me } from './here.ts'

const SITE = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'

/** A person on one site, with what `hereOf` reads. */
const meOn = (locked: boolean, permissions: string[], is_superadmin = false, groups_off?: string[]) =>
  ({
    user: { id: SITE, name: 'Max', is_superadmin },
    memberships: [
      {
        site_id: SITE,
        site_name: 'Quayside Yard',
        timezone: 'Europe/London',
        role: 'member',
        status: 'active',
        permissions,
        flags: { locked, ...(groups_off === undefined ? {} : { groups_off }) },
      },
    ],
  }) as unknown as Me // the rest isn't read
const at = (locked_at: string | null, settings = {}) =>
  ({ name: 'Quayside Yard', timezone: 'Europe/London', locked_at, settings }) as Schemas['Site'] // the rest isn't read

describe('the current site', () => {
  test('9.3 on a locked site a person keeps what they can read, and no change is offered, not even to a superadmin', () => {
    for (const [locked, offered] of [
      [false, true],
      [true, false],
    ] as const) {
      const here = hereOf(meOn(locked, ['map_view', 'permit_request']), SITE, undefined) ?? assert.fail('a member')
      assert.deepEqual(
        [here.can('map_view'), here.can('permit_request'), here.can('site_configure'), here.canChange('permit_request')],
        [true, true, false, offered],
      )
      assert.equal(here.canChange('site_configure'), false)
      assert.equal(hereOf(meOn(locked, [], true), SITE, undefined)?.canChange('site_configure'), offered)
      const outside = hereOf({ ...meOn(false, [], true), memberships: [] }, SITE, at(locked ? '2026-03-16T09:00:00.000Z' : null))
      assert.deepEqual([outside?.can('site_configure'), outside?.canChange('site_configure')], [true, offered])
      const flag = lockFlag(here)
      assert.equal(flag.allowed, offered)
      assert.equal(flag.because.length, locked ? 1 : 0)
    }
  })

  test('1024 groups that the site has switched off come with the membership, for a superadmin with the site; what an older app stored lists none', () => {
    const offFor = (me: Me, site?: Schemas['Site']) => hereOf(me, SITE, site)?.groups_off
    assert.deepEqual(offFor(meOn(false, [], false, ['map'])), ['map'])
    assert.deepEqual(offFor(meOn(false, [])), [])
    const outside = { ...meOn(false, [], true), memberships: [] }
    assert.deepEqual([offFor(outside, at(null, { groups: { off: ['conflicts'] } })), offFor(outside, at(null, {}))], [['conflicts'], []])
  })
})
