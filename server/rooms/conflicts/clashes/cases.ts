// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.

import { CONTRIBUTE, COORDINATE, hse, MANAGE, needs, ok, roomCases, type Tour, writes } from '../../../../tests/calls.ts'
import { pointAt } from '../../../../tests/geo.ts'
import { clashNow } from '../../../../tests/stops.ts'

/** Makes two permits that clash, and returns the episode. Each pair is at a place of its own. */
async function make(t: Tour): Promise<string> {
  const n = t.fresh()
  const place = (x: number) => {
    const [lon, lat] = pointAt(((n * 97) % 900) + x, ((n * 53) % 900) - 450)
    return { place: { point: { lon, lat } } }
  }
  const one = await t.at('requested', { categories: ['HW'], ...place(0) })
  await t.at('requested', { categories: ['CSE'], ...place(6) })
  const find = async () => (await ok(hse(t).get(`/clashes/episodes?site_id=${t.site_id}&side=permit:${one.id}`)))[0]
  const episode = (await find()) ?? (await withRule(t, find))
  return episode.id
}

/** Another case may have activated a profile without the standard rules: then a rule of its own finds them. */
async function withRule<T>(t: Tour, find: () => Promise<T>): Promise<T> {
  const permits = { kinds: ['permit'] }
  const rule = { name: `Near ${t.fresh()}`, a: permits, b: permits, when: { within_m: 8 }, outcome: { severity: 'red' } }
  await ok(hse(t).post('/clash-rules', { site_id: t.site_id, ...rule }))
  return find()
}
const settled = (t: Tour, episode_id: string) => ({
  ...{ episode_id, kind: 'accepted', reason: `Number ${t.fresh()}`, controls: 'Fire watch' },
})
const body = async (t: Tour) => ({ site_id: t.site_id, ...settled(t, await make(t)) })

const views = needs('clash_view')
const decides = needs('clash_stance')

export const cases = roomCases({
  held: {
    clash_view_any: [...COORDINATE, 'viewer', 'commercial'],
    clash_stance: CONTRIBUTE,
    clash_stance_any: COORDINATE,
    clash_accept_red: MANAGE,
    clash_declare_blocker: CONTRIBUTE,
    clash_declare_blocker_any: COORDINATE,
  },
  records: async t => ({ episode_id: await make(t) }),
  routes: {
    'clash_episode.list_clashes': views,
    'clash_episode.list_at_time': { ...views, query: 'at=2026-03-16T12:00:00.000Z' },
    'clash_episode.list': views,
    'clash_episode.list_unresolved': views,
    'clash_episode.summarize_unresolved': views,
    'clash_episode.decide': writes(decides, async t => {
      const given = await body(t)
      return { by: hse(t), body: given, other: { ...given, reason: 'Agreed on site' } }
    }),
    'clash_episode.withdraw': writes({ ...decides, absent: true, query: 'episode_id=01890000-0000-7000-8000-000000000000' }, async t => {
      const given = await body(t)
      await ok(hse(t).post('/clashes/stance', given))
      return { by: hse(t), query: `site_id=${t.site_id}&episode_id=${given.episode_id}` }
    }),
    'clash_episode.decide_many': writes(decides, async t => {
      const { site_id, ...given } = await body(t)
      return { by: hse(t), body: { site_id, items: [given] }, other: { site_id, items: [{ ...given, reason: 'Agreed on site' }] } }
    }),
    'clash_episode.declare_blocker': writes(needs('clash_declare_blocker'), async t => {
      const given = { site_id: t.site_id, episode_id: await clashNow(t), affected: 'a' }
      return { by: hse(t), body: given, other: { ...given, affected: 'b' } }
    }),
  },
})
