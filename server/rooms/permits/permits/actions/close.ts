import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { decide } from '../../../../kernel/lifecycle/domain/decide.ts'
import { takeEach } from '../../../../kernel/lifecycle/door.ts'
import { judgeOne, seesThis } from '../../kit/actions/facts.ts'
import type { Checklist } from '../../kit/domain/facts.ts'
import { words } from '../../kit/domain/words.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { changedSince } from '../../permit-signatures/door.ts'
import { permitsLocked } from '../queries/permits.ts'
import { act } from './act.ts'

/** The result of a bulk close-out, in which each permit is checked by the same rules as on its own. */
export type BulkClosed = {
  closed: { permit_id: Id; permit_number: string | null }[]
  refused: { permit_id: Id; permit_number: string | null; code: string; detail: string }[]
}

type Given = {
  checklist?: Checklist | undefined
  note?: string | null | undefined
  content_hashes?: Record<Id, string> | undefined
}

/** Closes out several permits, children before parents. A refusal of one doesn't affect the others. */
export async function closeOutBulk(
  ctx: Ctx,
  site_id: Id,
  permit_ids: readonly Id[],
  { content_hashes = {}, ...given }: Given,
): Promise<BulkClosed> {
  const rows = await permitsLocked(ctx.db, site_id, permit_ids)
  const seen: PermitRow[] = []
  for (const row of rows) if (await seesThis(ctx, row)) seen.push(row)
  const { done, refused } = await takeEach(permit_ids, childrenFirst(seen), {
    async verdict(row) {
      const { facts, graph, around } = await judgeOne(ctx, row, given)
      const { refusals } = decide(graph, words, row.status, 'close_out', facts, given)
      return refusals[0] ?? changedSince(content_hashes[row.id], row, around)
    },
    take: async row => void (await act(ctx, row, 'close_out', { ...given, bulk: true })),
  })
  return {
    closed: done.map(({ id, permit_number }) => ({ permit_id: id, permit_number })),
    refused: refused.map(({ id, row, code, detail }) => ({ permit_id: id, permit_number: row?.permit_number ?? null, code, detail })),
  }
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
