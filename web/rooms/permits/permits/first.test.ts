import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Facts, firstSteps, nextOf } from './first.ts'

const BARE: Facts = { types: 10, issuers: 0, people: 1, invited: 0, drawn: 0, registers: 0 }
const may =
  (...held: string[]) =>
  (permission: string) =>
    held.includes(permission)

describe('first use: what a site needs before its first permit', () => {
  test('a site manager sees every step, finished ones are ticked, and the first unfinished one is next', () => {
    const steps = firstSteps(BARE, () => true)
    assert.deepEqual(
      steps.map(({ step, done }) => [step, done]),
      [
        ['types', true],
        ['issuers', false],
        ['people', false],
        ['ground', false],
        ['import', false],
        ['request', false],
      ],
    )
    assert.equal(nextOf(steps)?.step, 'issuers')
    assert.equal(nextOf(firstSteps({ ...BARE, issuers: 2, invited: 1, drawn: 3, registers: 1 }, () => true))?.step, 'request')
  })

  test('an invitation is enough; being the only member is not', () => {
    const done = (facts: Partial<Facts>) => firstSteps({ ...BARE, ...facts }, may('member_invite'))[0]?.done
    assert.equal(done({}), false)
    assert.equal(done({ invited: 1 }), true)
    assert.equal(done({ people: 2 }), true)
  })

  test('a member sees only the permit step, a viewer no steps', () => {
    assert.deepEqual(
      firstSteps(BARE, may('permit_request')).map(({ step }) => step),
      ['request'],
    )
    assert.deepEqual(firstSteps(BARE, may('map_view')), [])
  })

  test('1024 on a site that has switched off the map, drawing the site is no step', () => {
    const names = (groups_off: readonly ('map' | 'conflicts')[]) => firstSteps(BARE, () => true, groups_off).map(({ step }) => step)
    assert.deepEqual(
      names([]).filter(step => !names(['map']).includes(step)),
      ['ground'],
    )
    assert.deepEqual(names(['conflicts']), names([]))
  })
})
