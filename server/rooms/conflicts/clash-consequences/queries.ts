import type { Consequence } from '../../../../shared/conflicts/consequences.ts'
import { type Db, sql } from '../../../base/db.ts'
import { type Id, ids } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'

/** A consequence as it is stored. */
export type ConsequenceRow = Row<'clash_consequence'>

/** Lists the consequences that a site has set. */
export const consequenceRows = (db: Db, site_id: Id): Promise<ConsequenceRow[]> =>
  db.selectFrom('clash_consequence').selectAll().where('site_id', '=', site_id).execute()

/** Returns the consequence of a rule; null if the site hasn't set one. */
export async function consequenceOf(db: Db, site_id: Id, clash_rule_id: Id, lock: boolean): Promise<ConsequenceRow | null> {
  const query = db.selectFrom('clash_consequence').selectAll().where('site_id', '=', site_id).where('clash_rule_id', '=', clash_rule_id)
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** Stores the consequence of a rule; returns whether it is new. */
export async function keepConsequence(db: Db, site_id: Id, clash_rule_id: Id, set: Consequence): Promise<boolean> {
  const known = await consequenceOf(db, site_id, clash_rule_id, true)
  if (known !== null) await db.updateTable('clash_consequence').set(set).where('site_id', '=', site_id).where('id', '=', known.id).execute()
  else
    await db
      .insertInto('clash_consequence')
      .values({ site_id, id: ids.next(), clash_rule_id, ...set })
      .execute()
  return known === null
}

/** Deletes a consequence. */
export async function dropConsequence(db: Db, site_id: Id, id: Id): Promise<void> {
  await sql`delete from clash_consequence where site_id = ${site_id} and id = ${id}`.execute(db)
}
