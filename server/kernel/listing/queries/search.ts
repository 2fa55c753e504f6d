import { sql } from '../../../base/db.ts'
import type { Condition } from './pages.ts'

/**
 * Returns the condition that one of these texts contains the words of a search (`q`), whatever their case and their accents. Every list searches in this way; one
 * whose rows are in memory uses `searching` instead.
 */
export const mentions = (texts: readonly Condition[], words: string): Condition => {
  const all = sql.join(
    texts.map(text => sql`coalesce(${text}, '')`),
    sql` || ' ' || `,
  )
  return sql`strpos(search_text(${all}), search_text(${words}::text)) > 0`
}
