// Permits as records, and what belongs to them: the endpoints of several rooms are about a permit.
import { kind } from '../../../kernel/records/door.ts'
import { seesAmong, seesShared, seesThis } from './actions/facts.ts'
import { isPrivate, SIGHT } from './domain/visibility.ts'
import { type PermitRow, permitRow } from './queries/permits.ts'

const given = {
  name: 'permit',
  label: (row: PermitRow) => row.permit_number ?? row.title ?? 'Draft permit',
  find: (ctx: Parameters<typeof seesThis>[0], site_id: string, id: string, lock: boolean) =>
    permitRow(ctx.db, site_id, id, lock ? 'change' : 'none'),
  sees: seesThis,
  sees_many: seesAmong,
  sees_all: seesShared,
  sight: SIGHT,
  derived: ['place_bounds', 'touched_at'],
  geometry: ['place_geometry'],
  revert: 'transition' as const,
}

/** A permit as a record; R10 says who can see it. */
export const permit = kind<PermitRow>(given)

/**
 * The kind of permit for the four writes that only the requestor can make: another person's draft is refused with 403, even though reading it gives
 * 404 (R4).
 */
export const draft = kind<PermitRow>({ ...given, sees: async (ctx, row) => isPrivate(row) || seesThis(ctx, row) })

/**
 * The kind of permit for writes that only link work to it or unlink it. They lock the permit against its steps, but not against each other: what changes on the map locks
 * the work first and then its permits, and must not wait for a permit that waits for the work (decision 1091).
 */
export const linkedPermit = kind<PermitRow>({
  ...given,
  find: (ctx, site_id, id, lock) => permitRow(ctx.db, site_id, id, lock ? 'share' : 'none'),
})

/** Makes the kind of what belongs to a permit: those who see the permit see it. */
export const part = (name: string, label: string) =>
  kind<{ id: string; site_id: string; permit_id: string }>({
    name,
    label: () => label,
    sees: async (ctx, row) => {
      const whole = await permitRow(ctx.db, row.site_id, row.permit_id, 'none')
      return whole !== null && seesThis(ctx, whole)
    },
    parent: row => ({ kind: 'permit', id: row.permit_id }),
    revert: 'ledger',
  })
