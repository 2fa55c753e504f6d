import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { forgetFetched } from '../../../../base/memo.ts'
import { scopeOf } from '../../../../kernel/access/domain.ts'
import { oversightOf } from '../../../../kernel/access/door.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { overseeing } from '../domain.ts'
import { type ContractorRow, contractorsOf, deletePair, insertPair, type PairRow, pairsOf } from '../queries.ts'

/** Lists the contractors that this one oversees, or those that oversee it: direct ones first, then by name. */
export async function listOversight(ctx: Ctx, row: ContractorRow, direction: 'down' | 'up'): Promise<unknown[]> {
  const pairs = await pairsOf(ctx.db, row.site_id)
  const { transitive } = await oversightOf(ctx.db, row.site_id)
  const contractors = new Map((await contractorsOf(ctx.db, row.site_id)).map(contractor => [contractor.id, contractor.name]))
  const turned = direction === 'down' ? pairs : pairs.map(p => ({ ...p, overseer_id: p.subordinate_id, subordinate_id: p.overseer_id }))
  const direct = new Map(turned.filter(p => p.overseer_id === row.id).map(p => [p.subordinate_id, p]))
  const collator = new Intl.Collator('en')
  return [...scopeOf(row.id, turned, transitive)]
    .filter(([id]) => id !== row.id)
    .map(([id, { via }]) => ({
      contractor_id: id,
      name: contractors.get(id) ?? '',
      direct: direct.has(id),
      via: direction === 'down' ? via : [...via].reverse(),
      since: direct.get(id)?.created_at ?? null,
      by: direct.get(id)?.created_by ?? null,
    }))
    .sort((a, b) => Number(b.direct) - Number(a.direct) || collator.compare(a.name, b.name))
}

/** Records that a contractor engaged another. Returns whether that is new. */
export async function addOversight(
  ctx: Ctx,
  row: ContractorRow,
  subordinate_id: Id,
): Promise<{ made: boolean; said: Record<string, unknown> }> {
  // Two pairs that are added at the same time could close a loop together.
  await hold(ctx, 'oversight', row.site_id)
  const contractors = new Map((await contractorsOf(ctx.db, row.site_id)).map(contractor => [contractor.id, contractor]))
  const other = contractors.get(subordinate_id)
  if (other === undefined) return refuse(invalidField('subordinate_id', 'isn’t a contractor on this site.'))
  if (subordinate_id === row.id) refuse(invalidField('subordinate_id', 'can’t be the contractor itself. Choose another contractor.'))
  const pairs = await pairsOf(ctx.db, row.site_id)
  const known = pairs.find(p => p.overseer_id === row.id && p.subordinate_id === subordinate_id)
  const said = (pair: Pick<PairRow, 'created_at' | 'created_by'>) => ({
    contractor_id: subordinate_id,
    name: other.name,
    direct: true,
    via: [],
    since: pair.created_at,
    by: pair.created_by,
  })
  if (known !== undefined) return { made: false, said: said(known) }
  enforce([overseeing(pairs, row.id, subordinate_id, id => contractors.get(id)?.name ?? id)])
  await insertPair(ctx.db, { site_id: row.site_id, id: ids.next(), overseer_id: row.id, subordinate_id })
  forgetFetched(ctx)
  tellOversight(ctx, row, subordinate_id)
  return { made: true, said: said({ created_at: ctx.now, created_by: ctx.actor.id }) }
}

/** Ends an oversight. A derived pair can't be ended: it ends with one of the pairs that it is derived from. */
export async function dropOversight(ctx: Ctx, row: ContractorRow, subordinate_id: Id): Promise<void> {
  const pairs = await pairsOf(ctx.db, row.site_id)
  const pair = pairs.find(p => p.overseer_id === row.id && p.subordinate_id === subordinate_id)
  if (pair === undefined) {
    const { transitive } = await oversightOf(ctx.db, row.site_id)
    const derived = scopeOf(row.id, pairs, transitive).get(subordinate_id)
    if (derived === undefined || subordinate_id === row.id) return refuse(notFound())
    return refuse(
      conflict('derived_pair', 'This oversight follows from other pairs. Remove one of those pairs instead.', { via: derived.via }),
    )
  }
  await deletePair(ctx.db, row.site_id, pair.id)
  forgetFetched(ctx)
  tellOversight(ctx, row, subordinate_id)
}
export function tellOversight(ctx: Ctx, row: ContractorRow, subordinate_id: Id): void {
  ctx.emit({
    kind: 'contractor.oversight_changed',
    site_id: row.site_id,
    subject: { kind: 'contractor', id: row.id, label: row.name },
    contractor_ids: [row.id, subordinate_id],
    payload: { overseer_id: row.id, subordinate_id },
  })
}

/** Lists every pair of a site, by names; on request derived ones too. */
export async function listPairs(ctx: Ctx, site_id: Id, effective: boolean): Promise<unknown[]> {
  const pairs = await pairsOf(ctx.db, site_id)
  const none: Id[] = []
  const direct = pairs.map(p => ({
    overseer_id: p.overseer_id,
    overseer_name: p.overseer_name,
    subordinate_id: p.subordinate_id,
    subordinate_name: p.subordinate_name,
    direct: true,
    via: none,
  }))
  if (!effective) return direct
  const { transitive } = await oversightOf(ctx.db, site_id)
  const names = new Map(pairs.flatMap(p => [[p.overseer_id, p.overseer_name] as const, [p.subordinate_id, p.subordinate_name] as const]))
  const derived = [...new Set(pairs.map(p => p.overseer_id))].flatMap(overseer_id =>
    [...scopeOf(overseer_id, pairs, transitive)]
      .filter(([id, { via }]) => id !== overseer_id && via.length > 0)
      .map(([subordinate_id, { via }]) => ({
        overseer_id,
        overseer_name: names.get(overseer_id) ?? '',
        subordinate_id,
        subordinate_name: names.get(subordinate_id) ?? '',
        direct: false,
        via,
      })),
  )
  const collator = new Intl.Collator('en')
  return [...direct, ...derived].sort(
    (a, b) => collator.compare(a.overseer_name, b.overseer_name) || collator.compare(a.subordinate_name, b.subordinate_name),
  )
}
