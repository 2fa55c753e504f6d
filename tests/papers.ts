import { runJob } from '../server/kernel/jobs/door.ts'
import type { TestHouse } from './world.ts'

/** Prints the documents that a site has queued; returns how many there were. */
export async function printAll(house: TestHouse, site_id: string): Promise<number> {
  const runs = await house.rows(
    `select id from job_run where site_id = $1 and kind = 'make_paper' and state = 'queued' order by queued_at, id`,
    [site_id],
  )
  for (const { id } of runs) await runJob(house.house, id)
  return runs.length
}
