// What the clock does on the demo site while its plan is carried out.
import type { House } from '../base/ctx.ts'
import { rooms } from '../groups.ts'
import { relayEvents } from '../kernel/events/door.ts'

/** Runs the scheduled jobs that are due at this time. */
export async function sweep(past: House): Promise<void> {
  for (const schedule of rooms.flatMap(room => room.schedules ?? []))
    if (schedule.kind === 'permit_sweep' || schedule.kind === 'permit_warnings') await schedule.run(past)
  await relayEvents(past) // people are notified at the time of the event, not all at once at the end
}
