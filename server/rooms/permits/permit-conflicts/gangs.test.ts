import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Chance, chance, seedOf } from '../../../../tests/chance.ts'
import { type Permit, type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { spot } from '../../../../tests/sides.ts'
import { useHouse } from '../../../../tests/world.ts'

const at = (time: string) => `2026-03-17T${time}:00.000Z`
const place = (east: number) => {
  const [lon, lat] = spot(east, 0)
  return { point: { lon, lat } }
}
const work = (code: string, east: number | null) => ({
  ...{ categories: [code], start_at: at('08:00'), end_at: at('12:00') },
  place: east === null ? null : place(east),
})
/** Rounds are this far apart, so that none meets another. */
const APART_M = 400

/** Does two things within a few milliseconds of each other, either one first. */
function nearlyTogether<A, B>(c: Chance, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const late = c.below(12)
  return Promise.all([wait(Math.max(0, late - 6)).then(one), wait(Math.max(0, 6 - late)).then(other)])
}

describe('approvals while gangs move', () => {
  const house = useHouse()

  async function gang(w: PermitWorld, east: number, start_at = at('08:00'), end_at = at('12:00')): Promise<Permit> {
    const made = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, name: 'Welders', trade: 'welder', radius_m: 1, place: place(east), contractor_id: w.acme },
      ...{ start_at, end_at },
    })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const link = (w: PermitWorld, permit: Permit, one: Permit) =>
    w.as('coordinator').post(`/permits/applications/${permit.id}/link`, { entity_type: 'worker', entity_ids: [one.id] })
  const linked = async (w: PermitWorld, permit: Permit, one: Permit) => assert.equal((await link(w, permit, one)).status, 200)
  const patch = (w: PermitWorld, one: Permit, body: object) => w.as('coordinator').patch(`/workers/${one.id}`, body)

  /** Ways in which a gang brings a red conflict to a permit that has none. Each returns the permit that is approved, what changes, and the record that the change is of. */
  const WAYS = {
    'the gang of another permit moves next to it': async (w: PermitWorld, x: number) => {
      const own = await w.at('endorsed', work('HW', x))
      const one = await gang(w, x + 100)
      await linked(w, await w.at('requested', work('CSE', null)), one)
      return { own, id: one.id, change: () => patch(w, one, { place: place(x + 5) }) }
    },
    'its own gang moves next to another permit': async (w: PermitWorld, x: number) => {
      const own = await w.at('endorsed', work('HW', null))
      const one = await gang(w, x + 100)
      await linked(w, own, one)
      await w.at('requested', work('CSE', x))
      return { own, id: one.id, change: () => patch(w, one, { place: place(x + 5) }) }
    },
    'the gang of another permit comes to the place earlier': async (w: PermitWorld, x: number) => {
      const own = await w.at('endorsed', work('HW', x))
      const one = await gang(w, x + 5, at('14:00'), at('16:00'))
      await linked(w, await w.at('requested', { ...work('CSE', null), end_at: at('18:00') }), one)
      return { own, id: one.id, change: () => patch(w, one, { start_at: at('09:00'), end_at: at('11:00') }) }
    },
    'a gang within its reach comes under another permit': async (w: PermitWorld, x: number) => {
      const own = await w.at('endorsed', work('HW', x))
      const one = await gang(w, x + 5)
      const other = await w.at('requested', work('CSE', null))
      return { own, id: other.id, change: () => link(w, other, one) }
    },
  }

  /** Returns the place of the newest entry about a record in the history of its site. */
  async function newest(w: PermitWorld, id: string): Promise<number> {
    const { rows } = await house.house.database.pool.query(
      'select max(seq)::int as seq from audit_entry where site_id = $1 and (entity_id = $2 or parent_id = $2)',
      [w.site_id, id],
    )
    return rows[0].seq
  }

  test('R5 raced: an approval together with a gang that moves, is retimed or comes under a permit is refused, or precedes it: the approver is shown every red conflict of that instant', async t => {
    const c = chance(seedOf(97, 'changes'))
    t.diagnostic(`SEED=${c.seed}`)
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const outcomes = { approved: 0, refused: 0 }
    for (const [n, way] of [...Object.keys(WAYS), ...Object.keys(WAYS)].entries()) {
      const { own, id, change } = await WAYS[way as keyof typeof WAYS](w, n * APART_M) // a key of it
      const { conflicts, conflicts_hash } = await w.read(own, hse)
      assert.deepEqual(conflicts, [], way)
      const approve = () => w.step(own, 'approve', hse, { red_conflict_reason: 'Nothing was near', conflicts_hash })
      const [approval, changed] = await nearlyTogether(c, approve, change)
      assert.equal(changed.status, 200, `${way}: ${changed.text}`)
      if (approval.status === 200) {
        outcomes.approved += 1
        // The hash is that of no conflict at all.
        assert.equal(approval.body.approval_note, null, way)
        assert.ok(
          (await newest(w, own.id)) < (await newest(w, id)),
          `${way}: approved after the change, without having been shown its conflict`,
        )
      } else {
        outcomes.refused += 1
        assert.deepEqual([approval.body.error.gate, approval.body.error.red_conflicts], ['red_conflicts_unacknowledged', 1], way)
      }
      const [conflict, ...others] = (await w.read(own, hse)).conflicts
      assert.deepEqual([conflict?.severity, others.length], ['red', 0], way)
    }
    t.diagnostic(JSON.stringify(outcomes))
  })

  test('R9 R5 raced: the approval of an extension together with a gang that moves into its longer time is refused, or precedes it', async t => {
    const c = chance(seedOf(98, 'changes'))
    t.diagnostic(`SEED=${c.seed}`)
    const w = await permitWorld(house)
    const hse = w.as('hse')
    const outcomes = { approved: 0, refused: 0 }
    const [ends, later, leaves] = ['2026-03-16T18:30:00.000Z', '2026-03-16T20:00:00.000Z', '2026-03-16T21:00:00.000Z']
    for (let n = 0; n < 8; n++) {
      const x = (n + 20) * APART_M
      const own = await w.at('issued', { categories: ['GEN'], place: place(x) })
      assert.ok(own.end_at < ends, own.end_at)
      const one = await gang(w, x + 100, ends, leaves)
      await linked(w, await w.at('requested', { categories: ['PRT'], start_at: ends, end_at: leaves }), one)
      const asked = await w.step(own, 'extensions', w.receiver, { requested_end_at: later, reason: 'Late' })
      assert.deepEqual(asked.body.conflicts_added, [], asked.text)
      const approve = () => hse.post(`/permits/extensions/${asked.body.id}/approve`, {})
      const [approval, moved] = await nearlyTogether(c, approve, () => patch(w, one, { place: place(x + 5) }))
      assert.equal(moved.status, 200, moved.text)
      if (approval.status === 200) {
        outcomes.approved += 1
        assert.ok((await newest(w, own.id)) < (await newest(w, one.id)), 'approved after the gang had moved, without its conflict')
        assert.deepEqual((await w.read(own, hse)).conflicts.length, 1)
      } else {
        outcomes.refused += 1
        assert.deepEqual([approval.body.error.gate, approval.body.error.red_conflicts], ['red_conflicts_unacknowledged', 1], approval.text)
      }
    }
    t.diagnostic(JSON.stringify(outcomes))
  })
})
