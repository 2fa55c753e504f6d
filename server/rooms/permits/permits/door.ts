import { kind } from '../../../kernel/records/door.ts'
import { isPrivate } from '../kit/domain/visibility.ts'
import { type PermitRow, permitRow } from '../kit/queries/permits.ts'
import { seesAmong, seesThis } from './actions/facts.ts'

const given = {
  name: 'permit',
  label: (row: PermitRow) => row.permit_number ?? row.title ?? 'Draft permit',
  find: (ctx: Parameters<typeof seesThis>[0], site_id: string, id: string, lock: boolean) =>
    permitRow(ctx.db, site_id, id, lock ? 'change' : 'none'),
  sees: seesThis,
  sees_many: seesAmong,
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

const part = (name: string, label: string) =>
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

/** A signature as a record. */
export const signature = part('permit_signature', 'Signature')
/** A file on a permit as a record. */
export const attachment = part('permit_attachment', 'Attachment')

export { act } from './actions/act.ts'
export { forgetFacts, judgeOne, seesThis, siteFacts, viewerOn } from './actions/facts.ts'
export { type Landing, landPermits } from './actions/imported.ts'
export { keepPermitPaper, statementOf } from './actions/paper.ts'
export { shownExtension, showPermit } from './actions/show.ts'
export type { Given } from './actions/taking.ts'
export { filesOfPermits } from './queries/attachments.ts'
export { decideExtension, insertExtension, supersede } from './queries/extensions.ts'
export {
  countBySet,
  deleteImported,
  type Landed,
  type Numbered,
  permitsNumbered,
  permitsOfSet,
  placePermits,
  repoint,
} from './queries/imported.ts'
export { type PaperRows, paperFacts } from './queries/paper.ts'
export { unplacedPermits } from './queries/places.ts'
export { permitSubjects } from './queries/subject.ts'
