// Whether a database has the demo site, and whether making it was interrupted.
import type { House } from '../base/ctx.ts'
import { DEMO_CODE } from '../kernel/site/domain.ts'
import { emailOf, MAKING_CODE, OWNER, PEOPLE } from './site.ts'

/**
 * Returns whether the demo site exists: complete, interrupted, or not at all; whether the database has any site or person; and whether it has none but those of
 * the demo.
 */
export async function demoState(house: House): Promise<{ demo: 'there' | 'interrupted' | 'absent'; empty: boolean; alone: boolean }> {
  const { pool } = house.database
  const { rows: sites } = await pool.query<{ code: string }>('select code from site')
  const { rows: people } = await pool.query<{ email: string | null }>('select email from app_user limit 100')
  const codes = sites.map(row => row.code)
  const ours = new Set([OWNER, ...PEOPLE].map(person => emailOf(person.key)))
  const alone = codes.every(code => code === MAKING_CODE) && people.every(({ email }) => email !== null && ours.has(email))
  const empty = sites.length === 0 && people.length === 0
  // Its people are created before the site.
  const begun = codes.includes(MAKING_CODE) || (alone && !empty)
  return { demo: codes.includes(DEMO_CODE) ? 'there' : begun ? 'interrupted' : 'absent', empty, alone }
}

/** Thrown when making the demo site was interrupted. */
export class DemoInterrupted extends Error {
  override readonly name = 'DemoInterrupted'
}
