// Whether something on the map, a row called `t`, has a permit (`map.md` §0.8).
import { sql } from '../../base/db.ts'
import type { Id } from '../../base/ids.ts'
import type { Expression } from '../predicates/door.ts'

/** The links of a row. */
export const linkOf = sql`from permit_entity l where l.site_id = t.site_id and l.entity_id = t.id`

/** The condition for what is linked to a permit. */
export const isLinked = sql`exists (select 1 ${linkOf})`

/** The condition for what is linked to no permit. */
export const isUnlinked = sql`not ${isLinked}`

/** The condition for what has no permit although the coverage policy of this site requires one. For the id of a site, the policy is read once and not for each row. */
export const isUncoveredOn = (site_id: Id | Expression) =>
  sql`(exists (select 1 from permit_config c where c.site_id = ${site_id} and c.coverage_policy_enabled) and ${isUnlinked})`

/** The same for rows of any site; what is there and meets it gets the badge. */
export const isUncovered = isUncoveredOn(sql`t.site_id`)
