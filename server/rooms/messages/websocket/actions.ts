import { later } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { enforce } from '../../../base/errors.ts'
import { liveProcesses } from '../../../kernel/live/door.ts'
import type { LiveQuery } from './schema.ts'

/** Each process reports every five seconds, so one that has been silent for thirty seconds has ended. */
const SILENT_MS = 30_000

/** Lists open connections: those of all processes for a superadmin, those of a site for its site managers and administrators. */
export async function liveStats(ctx: Ctx, { site_id }: LiveQuery): Promise<Record<string, unknown>> {
  enforce([ctx.actor.lacks(site_id === undefined ? 'platform_operate' : 'job_view')])
  const rows = await liveProcesses(ctx.db, later(ctx.now, -SILENT_MS))
  if (site_id !== undefined) {
    const own = rows.map(row => row.state.sites[site_id]).filter(one => one !== undefined)
    return { subscribers: own.reduce((sum, one) => sum + one.subscribers, 0), users: own.reduce((sum, one) => sum + one.users, 0) }
  }
  const sites = new Map<string, number>()
  const last_minute: Record<string, number> = { events: 0, frames: 0, merged: 0, gaps: 0, closed_slow: 0, auth_failed: 0 }
  for (const { state } of rows) {
    for (const [id, { subscribers }] of Object.entries(state.sites)) sites.set(id, (sites.get(id) ?? 0) + subscribers)
    for (const name of Object.keys(last_minute)) last_minute[name] = (last_minute[name] ?? 0) + (state.last_minute[name] ?? 0)
  }
  return {
    processes: rows.map(({ id, state: { sites: _sites, last_minute: _minute, ...open } }) => ({ id, ...open })),
    sites: [...sites].map(([id, subscribers]) => ({ site_id: id, subscribers })),
    last_minute,
  }
}
