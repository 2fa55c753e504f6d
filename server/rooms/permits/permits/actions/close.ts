import type { Ctx } from '../../../../base/ctx.ts'
import { codeOf, notFound, type Refusal, Refused } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { decide } from '../../../../kernel/lifecycle/domain/decide.ts'
import type { Checklist } from '../domain/facts.ts'
import { words } from '../domain/words.ts'
import { type PermitRow, permitsLocked } from '../queries/permits.ts'
import { act } from './act.ts'
import { judgeOne, seesThis } from './facts.ts'

/** The result of a bulk close-out, in which each permit is checked by the same rules as on its own. */
export type BulkClosed = {
  closed: { permit_id: Id; permit_number: string | null }[]
  refused: { permit_id: Id; permit_number: string | null; code: string; detail: string }[]
}

/** Closes out several permits, children before parents. A refusal of one doesn't affect the others. */
export async function closeOutBulk(
  ctx: Ctx,
  site_id: Id,
  permit_ids: readonly Id[],
  given: { checklist?: Checklist | undefined; note?: string | null | undefined },
): Promise<BulkClosed> {
  const rows = await permitsLocked(ctx.db, site_id, permit_ids)
  const answer: BulkClosed = { closed: [], refused: [] }
  const refuse = (permit_id: Id, permit_number: string | null, refusal: Refusal) =>
    answer.refused.push({ permit_id, permit_number, code: codeOf(refusal), detail: refusal.detail })
  const seen: PermitRow[] = []
  for (const id of permit_ids) {
    const row = rows.find(r => r.id === id)
    if (row === undefined || !(await seesThis(ctx, row))) refuse(id, null, notFound())
    else seen.push(row)
  }
  for (const row of childrenFirst(seen)) {
    try {
      // This is checked before anything is written, so that a refusal leaves nothing behind.
      const { facts, graph } = await judgeOne(ctx, row, given)
      const [refusal] = decide(graph, words, row.status, 'close_out', facts, given).refusals
      if (refusal !== undefined) {
        refuse(row.id, row.permit_number, refusal)
        continue
      }
      await act(ctx, row, 'close_out', { ...given, bulk: true })
      answer.closed.push({ permit_id: row.id, permit_number: row.permit_number })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      refuse(row.id, row.permit_number, error.refusal)
    }
  }
  return answer
}

/** Sorts permits so that each comes before its parent. */
export function childrenFirst<T extends { id: Id; parent_id: Id | null }>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  const depth = (row: T): number => {
    let at: T | undefined = row
    let n = 0
    while (at?.parent_id != null && n <= rows.length) {
      at = byId.get(at.parent_id)
      n++
    }
    return n
  }
  return [...rows].sort((a, b) => depth(b) - depth(a))
}
