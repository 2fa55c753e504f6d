// Read your writes: what is read of stored clashes waits for the changes before it (`conflict-and-planning.md` §4.3, 3).
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { caughtUp, marksBehind } from '../../../../kernel/events/door.ts'

/** The name of the consumer that computes clashes. */
export const FOLLOWER = 'clashes'

/** Waits, at most two seconds, until what was changed before this request is computed. Returns how many changes aren’t. */
export const pendingOn = async (ctx: Ctx, site_id: Id): Promise<number> =>
  (await caughtUp(ctx.house, [site_id], ({ name }) => name === FOLLOWER)) ? 0 : marksBehind(ctx.db, site_id, FOLLOWER)

/** Returns the header that says how many changes aren’t computed yet. */
export const pendingHeader = (marks: number): Record<string, string> => (marks === 0 ? {} : { 'x-clash-pending': String(marks) })

/** Waits as `pendingOn` does. Returns the header that says what isn’t computed. */
export const upToDate = async (ctx: Ctx, site_id: Id): Promise<Record<string, string>> => pendingHeader(await pendingOn(ctx, site_id))
