// Clashes that have begun, for the cases of rooms that declare blockers.
import type { Id } from '../server/base/ids.ts'
import { hse, ok, type Tour } from './calls.ts'
import { pointAt } from './geo.ts'

const TODAY = { start_at: '2026-03-16T06:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }

/** Makes a gang of Acme and one of another contractor that are in each other’s way now, and returns the episode. Each pair is at a place of its own. */
export async function clashNow(t: Tour): Promise<Id> {
  const n = t.fresh()
  const gang = async (east: number, contractor_id: Id | undefined): Promise<Id> => {
    const [lon, lat] = pointAt(((n * 89) % 900) + east, ((n * 61) % 900) - 450)
    const body = { name: `Gang ${t.fresh()}`, trade: 'Steel fixer', radius_m: 1, place: { point: { lon, lat } }, contractor_id, ...TODAY }
    return (await ok(hse(t).post('/workers/', { site_id: t.site_id, ...body }))).id
  }
  const mine = await gang(0, t.acme)
  await gang(4, t.params.contractor_id)
  const find = async () => (await ok(hse(t).get(`/clashes/episodes?site_id=${t.site_id}&side=worker:${mine}`)))[0]
  const found = await find()
  if (found !== undefined) return found.id
  const gangs = { kinds: ['worker'] }
  const rule = { name: `Gangs ${t.fresh()}`, a: gangs, b: gangs, when: { within_m: 8 }, outcome: { severity: 'red' } }
  await ok(hse(t).post('/clash-rules', { site_id: t.site_id, ...rule }))
  return (await find()).id
}

/** Declares that the work of Acme’s gang has stopped, and returns the blocker and the entry of that work. */
export async function stopNow(t: Tour): Promise<{ blocker_id: Id; affected_id: Id }> {
  const episode_id = await clashNow(t)
  const { a } = (await ok(hse(t).get(`/clashes/episodes?site_id=${t.site_id}&id=${episode_id}`)))[0]
  const affected = a.contractor_id === t.acme ? 'a' : 'b'
  const blocker = await ok(hse(t).post('/clashes/declare-blocker', { site_id: t.site_id, episode_id, affected }))
  return { blocker_id: blocker.id, affected_id: blocker.affected[0].id }
}
