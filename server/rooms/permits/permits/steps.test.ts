// No step is possible that the tables of permits.md don't list: every state × step × caller, compared with a table written here by hand.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHECKLIST, type Permit, type PermitWorld, permitWorld, type State } from '../../../../tests/permits.ts'
import { type Caller, useHouse } from '../../../../tests/world.ts'
import { sweepPermits } from './actions/sweeps.ts'

const S1 = ['admin', 'site_manager', 'hse', 'coordinator', 'superadmin']
const S2 = ['admin', 'site_manager', 'hse', 'superadmin']
const OWNER = ['requestor', 'superadmin']
const CONTRACTOR = ['colleague', 'contractor_hse']

/** Who can take which step from which state, for a two-stage permit of a type that can't be extended. */
const TABLE: Partial<Record<State, Record<string, string[]>>> = {
  draft: { submit: OWNER, withdraw: OWNER },
  requested: { endorse: S1, 'request-corrections': S1, reject: S1, withdraw: OWNER },
  endorsed: { approve: S2, 'request-corrections': S2, reject: S2, withdraw: OWNER },
  approved: { issue: ['issuer'], 'hand-back': ['issuer', 'receiver', ...S2], withdraw: OWNER },
  signed: { countersign: ['receiver'], 'hand-back': ['issuer', 'receiver', ...S2] },
  issued: { 'hand-back': ['receiver', ...S2], 'close-out': [...S1, 'issuer'], reissue: ['requestor', 'receiver', ...CONTRACTOR, ...S1] },
  expired: { 'hand-back': ['receiver', ...S2], 'close-out': [...S1, 'issuer'], reissue: ['requestor', 'receiver', ...CONTRACTOR, ...S1] },
  closed: { reissue: ['requestor', 'receiver', ...CONTRACTOR, ...S1] },
  rejected: {},
  withdrawn: {},
  corrections_requested: { submit: OWNER, withdraw: OWNER },
}

/** Who sees a permit in which state (R10 and permits-decisions §1). */
const SEES: Partial<Record<State, string[]>> = {
  draft: ['requestor', 'superadmin'],
  withdrawn: ['requestor', 'superadmin'],
}
const IN_REVIEW = ['requestor', 'receiver', ...CONTRACTOR, ...S1]
const ONCE_APPROVED = [...IN_REVIEW, 'issuer']
const ONCE_ISSUED = [...ONCE_APPROVED, 'viewer', 'client', 'commercial']
for (const state of ['requested', 'endorsed', 'rejected', 'corrections_requested'] as const) SEES[state] = IN_REVIEW
for (const state of ['approved', 'signed'] as const) SEES[state] = ONCE_APPROVED
for (const state of ['issued', 'expired', 'closed'] as const) SEES[state] = ONCE_ISSUED

const VERBS: Record<string, object> = {
  submit: {},
  withdraw: {},
  endorse: {},
  approve: {},
  reject: { reason: 'No' },
  'request-corrections': { note: 'Mend it' },
  'hand-back': { note: 'Not ready' },
  issue: {},
  countersign: {},
  'close-out': { checklist: CHECKLIST },
  reissue: {},
}
const DRAFT_WRITES = ['submit', 'withdraw']

describe('permits: every step, state and caller', () => {
  const house = useHouse()

  const people = async (w: PermitWorld): Promise<Record<string, Caller>> => ({
    requestor: w.as('member'),
    receiver: w.receiver,
    issuer: w.issuer,
    colleague: await w.join('member', w.acme, 'Cal Colleague'),
    foreigner: await w.join('member', await w.contractor('Other Firm'), 'Fay Foreigner'),
    contractor_hse: w.as('contractor_hse'),
    coordinator: w.as('coordinator'),
    hse: w.as('hse'),
    site_manager: w.as('site_manager'),
    admin: w.as('admin'),
    viewer: w.as('viewer'),
    client: w.as('client'),
    commercial: w.as('commercial'),
    superadmin: w.superadmin,
    stranger: await w.stranger(),
  })

  const bring = async (w: PermitWorld, state: State, more: object = {}): Promise<Permit> => {
    if (state !== 'expired') return w.at(state, { ...more })
    const live = await w.at('issued', { ...more })
    house.clock('2026-03-16T18:00:00.000Z')
    await sweepPermits(house.house)
    house.clock('2026-03-16T09:00:00.000Z')
    return w.read(live)
  }

  for (const state of Object.keys(TABLE) as State[]) {
    test(`R1 R2 R3 R4 R10 in ${state}, exactly the people in the table can see a permit and take each step, and flags and calls agree`, async () => {
      const w = await permitWorld(house)
      const who = await people(w)
      const permit = await bring(w, state)
      const { version } = await w.read(permit, w.superadmin)
      for (const [name, caller] of Object.entries(who)) {
        const seen = await caller.get(`/permits/applications/${permit.id}`)
        assert.equal(seen.status === 200, SEES[state]?.includes(name), `${name} sees a permit that is ${state}: ${seen.status}`)
        const listed = await caller.get(`/permits?site_id=${w.site_id}&id=${permit.id}`)
        assert.equal(
          listed.status === 200 && listed.body.length === 1,
          SEES[state]?.includes(name),
          `${name} lists a permit that is ${state}`,
        )
        for (const [verb, body] of Object.entries(VERBS)) {
          const may = TABLE[state]?.[verb]?.includes(name) ?? false
          const flag = verb.replaceAll('-', '_')
          if (seen.status === 200) {
            assert.equal(
              seen.body.permissions[`can_${flag}`],
              may,
              `${name} ${verb} ${state}: ${JSON.stringify(seen.body.permissions[flag])}`,
            )
            if (!may) assert.ok(seen.body.permissions[flag].because.length > 0 && seen.body.permissions[flag].because[0].detail.length > 10)
          }
          if (may) continue
          const refused = await w.step(permit, verb, caller, body)
          const hidden = seen.status === 404
          if (name === 'stranger') assert.equal(refused.status, 404)
          else if (hidden && ['draft'].includes(state) && DRAFT_WRITES.includes(verb))
            assert.deepEqual([refused.status, refused.body.error.code], [403, 'permit_ownership_error'])
          else if (hidden && state === 'withdrawn' && DRAFT_WRITES.includes(verb)) assert.ok([403, 409].includes(refused.status))
          else if (hidden) assert.equal(refused.status, 404, `${name} ${verb} ${state}`)
          else {
            const code = seen.body.permissions[flag].because[0].code
            const { error } = refused.body
            assert.ok([403, 409].includes(refused.status), `${name} ${verb} ${state}: ${refused.text}`)
            assert.equal(error.gate ?? error.guard ?? error.reason ?? error.code, code, 'the flag and the call say the same')
          }
        }
      }
      assert.equal((await w.read(permit, w.superadmin)).version, version, 'no refused step left anything behind')
    })
  }

  /** Who can make calls that aren't a step of the table, and steps of a type that can be extended. */
  const PARTY = [...S1, 'receiver', 'issuer']
  const BESIDE: Partial<Record<State, Record<string, string[]>>> = {
    draft: { edit: OWNER, delete: OWNER, attach: OWNER },
    requested: { attach: [...S1, 'receiver'] },
    endorsed: { attach: [...S1, 'receiver'] },
    approved: { attach: PARTY },
    signed: { attach: PARTY },
    issued: { attach: PARTY, request_extension: [...PARTY, 'requestor'] },
    expired: { attach: PARTY },
    corrections_requested: { edit: OWNER, attach: ['requestor', 'receiver', ...S1] },
  }
  test('R4 R8 R9 in each state, exactly the people in the table can edit, delete, attach and request an extension', async () => {
    const w = await permitWorld(house)
    const who = await people(w)
    for (const state of Object.keys(TABLE) as State[]) {
      const permit = await bring(w, state, { categories: ['GEN'] })
      for (const [name, caller] of Object.entries(who)) {
        const seen = await caller.get(`/permits/applications/${permit.id}`)
        if (seen.status === 404) continue
        for (const action of ['edit', 'delete', 'attach', 'request_extension'])
          assert.equal(
            seen.body.permissions[`can_${action}`],
            BESIDE[state]?.[action]?.includes(name) ?? false,
            `${name} ${action} a permit that is ${state}`,
          )
      }
    }
  })

  test('everyone who can take a step according to the table can really take it', async () => {
    const w = await permitWorld(house)
    const who = await people(w)
    const reached: Record<string, string> = {
      submit: 'requested',
      withdraw: 'withdrawn',
      endorse: 'endorsed',
      approve: 'approved',
      reject: 'rejected',
      'request-corrections': 'corrections_requested',
      issue: 'approved',
      countersign: 'issued',
      'close-out': 'closed',
    }
    // A step takes a permit to a state in which it serves for another step. States come in the order of their steps.
    const waiting = new Map<string, Permit[]>()
    for (const [state, steps] of Object.entries(TABLE)) {
      // The close of a window ends what still waits to be signed.
      if (state === 'expired') waiting.clear()
      for (const [verb, callers] of Object.entries(steps)) {
        for (const name of new Set(callers)) {
          const caller = who[name]
          if (caller === undefined) throw new Error(name)
          const permit = waiting.get(state)?.pop() ?? (await bring(w, state as State))
          const done = await w.step(permit, verb, caller, VERBS[verb])
          assert.equal(done.status, verb === 'reissue' ? 201 : 200, `${name} ${verb} ${state}: ${done.text}`)
          const expected =
            verb === 'hand-back'
              ? state === 'approved' || state === 'signed'
                ? 'corrections_requested'
                : state
              : verb === 'reissue'
                ? 'draft'
                : reached[verb]
          assert.equal(done.body.status, expected)
          // A permit that was handed back isn’t as it was; a copy leaves its original as it was.
          const now = verb === 'hand-back' ? null : verb === 'reissue' ? state : verb === 'issue' ? 'signed' : done.body.status
          if (now !== null) waiting.set(now, [...(waiting.get(now) ?? []), permit])
        }
      }
    }
  })
})
