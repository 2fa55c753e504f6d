// A large number of permits at once, as an import leaves them, written without a history. For tests of what happens to them afterwards.

import type { Id } from '../server/base/ids.ts'
import { SEEDED_ID, SEEDED_VERSION } from '../server/rooms/permits/kit/domain/seed.ts'
import type { TestHouse } from './world.ts'

/** Inserts this many issued, imported permits into a site. */
export async function manyDue(
  house: Pick<TestHouse, 'house'>,
  site_id: Id,
  count: number,
  given: { end_at: string; workflow_definition_id?: Id },
): Promise<void> {
  const client = await house.house.database.pool.connect()
  try {
    // Without triggers: neither stamps nor drafts.
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into permit (site_id, id, version, created_at, updated_at, permit_number, status, source, categories, start_at, end_at, workflow_definition_id, workflow_version,
         pinned_single_stage, pinned_requires_parent, issued_at)
       select $1, gen_random_uuid(), 1, now(), now(), 'DUE-' || n || '-' || $2::int, 'issued', 'imported', '{HW}', $3::timestamptz - interval '8 hours', $3, $4, $5, false, false, $3
       from generate_series(1, $2::int) n`,
      [site_id, count, given.end_at, given.workflow_definition_id ?? SEEDED_ID, SEEDED_VERSION],
    )
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}
