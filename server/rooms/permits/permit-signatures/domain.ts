// Whether a permit differs from what was signed because it was returned for corrections, edited, and ended without another review (decision 1113). Its own history in the audit log decides
// that, never its row: who alters a row alters no history.
import { at, fieldsIn, itemsIn, keysOf, textsIn } from '../../../../shared/narrow.ts'
import { canonical } from '../../../kernel/audit/domain.ts'

/** An entry of the audit log about a permit. */
export type Noted = { seq: number; changes: readonly { path: string; before: unknown; after: unknown }[] }

/** A permit as it was signed and as its row is now, with their places as columns; a geometry is a digest, as in the log. */
export type Compared = { signed: Record<string, unknown>; now: Record<string, unknown> }

const same = (a: unknown, b: unknown) => canonical(a ?? null) === canonical(b ?? null)

/** Returns the value of a column as a signature covers it (`contentOf`). */
function covered(column: string, value: unknown): unknown {
  if (column === 'categories') return textsIn(value).toSorted()
  if (column !== 'pre_checks') return value
  return itemsIn(value).map(check => {
    const { code, label, required, answer, comment } = fieldsIn(check)
    return { code, label, required, answer, comment }
  })
}

/**
 * Returns whether everything in which a permit differs from what was signed was edited while it was returned for corrections after the signature, and the permit then ended as it is now.
 * `history`: its entries after the signature, in order.
 */
export function editedAfterReturn({ signed, now }: Compared, history: readonly Noted[]): boolean {
  const steps = history.flatMap(({ seq, changes }) => changes.flatMap(change => (change.path === 'status' ? [{ seq, ...change }] : [])))
  if (steps.length !== 2) return false
  const [returned, ended] = [at(steps, 0), at(steps, 1)]
  if (returned.after !== 'corrections_requested' || ended.before !== 'corrections_requested' || ended.after !== now.status) return false
  const edits = history.flatMap(({ seq, changes }) => (seq > returned.seq && seq < ended.seq ? changes : []))
  return keysOf(signed).every(column => {
    const is = (value: unknown, other: unknown) => same(covered(column, value), covered(column, other))
    if (is(signed[column], now[column])) return true
    const own = edits.filter(({ path }) => path === column)
    return own.length > 0 && is(own.at(0)?.before, signed[column]) && is(own.at(-1)?.after, now[column])
  })
}
