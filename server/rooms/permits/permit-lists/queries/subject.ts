// Permits as the subject of conditions (`conflict-and-planning.md` §0.4, fields of `permit`): the relation that expressions use, and the fields.
import type { Field } from '../../../../../shared/predicates/language.ts'
import { PERMIT_FIELDS } from '../../../../../shared/predicates/permit.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Condition, type Expression, type Subject, timeSql } from '../../../../kernel/predicates/door.ts'
import { ownerThen } from '../../../../kernel/site/door.ts'
import type { Viewer } from '../../kit/domain/visibility.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { visibleTo } from '../../kit/queries/visible.ts'

/** A permit as conditions see it. */
export type PermitSubjectRow = PermitRow & { kind: 'permit'; label: string; single_stage: boolean }

/** Returns the permits of a site that aren't drafts, for a viewer or (null) all of them. One that can still be edited counts with its types as they are now. */
export const permitsAsMembers = (site_id: Id, viewer: Viewer | null): Expression => sql`
  (select p.*, 'permit' as kind, coalesce(p.permit_number, p.title, 'Permit') as label, ${ownerThen('p')} as owner_id,
    coalesce(case when p.status in ('draft', 'corrections_requested') then null else p.pinned_single_stage end,
      coalesce((select bool_and(t.single_stage) from permit_type t where t.site_id = p.site_id and t.code = any(p.categories)), false)) as single_stage
  from permit p where p.site_id = ${site_id} and p.status <> 'draft' and ${viewer === null ? sql`true` : visibleTo(viewer)})`

/** Returns these permits of a site as a relation for conditions, also those that the caller doesn’t see. */
export const permitsAmong = (site_id: Id, ids: readonly Id[]): Expression =>
  sql`(select m.* from ${permitsAsMembers(site_id, null)} m where m.id = any(${ids}::uuid[]))`

/** Returns permits of a site as conditions see them, by id. */
export async function permitSubjects(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitSubjectRow[]> {
  const { rows } = await sql<PermitSubjectRow>`select m.*, m.owner_id as contractor_id from ${permitsAmong(site_id, ids)} m`.execute(db)
  return rows
}

/** Returns the permits that a viewer sees and that meet a condition. */
export async function permitIds(db: Db, site_id: Id, viewer: Viewer, condition: Condition): Promise<Id[]> {
  const { rows } = await sql<{ id: Id }>`select m.id from ${permitsAsMembers(site_id, viewer)} m where ${condition}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the labels of those of these permits that the viewer sees. */
export async function permitLabels(db: Db, site_id: Id, viewer: Viewer, ids: readonly Id[]): Promise<Map<Id, string>> {
  const { rows } = await sql<{ id: Id; label: string }>`
    select p.id, coalesce(p.permit_number, p.title, 'Draft permit') as label from permit p
    where p.site_id = ${site_id} and p.id = any(${ids}::uuid[]) and ${visibleTo(viewer)}`.execute(db)
  return new Map(rows.map(row => [row.id, row.label]))
}

/** The expressions of fields that aren't a column of the same name. */
const EXPRESSIONS: Partial<Record<string, Pick<Field<PermitSubjectRow, Expression>, 'sql' | 'column'>>> = {
  kind: { sql: () => sql`'permit'::text` },
  contractor_id: { sql: () => sql.ref('m.owner_id'), column: true },
  permit_types: { sql: () => sql.ref('m.categories'), column: true },
  single_stage: { sql: () => sql.ref('m.single_stage') },
  zone_ids: { sql: () => sql`array_remove(array[m.zone_id], null)` },
  work_line_id: { sql: () => sql`null::uuid` },
}

/** What conditions on permits can ask: the fields that the app has in memory, with their SQL. */
export const permitSubject: Subject<PermitSubjectRow> = {
  name: 'permit',
  label: 'permits',
  fields: PERMIT_FIELDS.map(field =>
    field.expanded
      ? field
      : {
          ...field,
          ...(EXPRESSIONS[field.path] ?? timeSql(field.path, 'm') ?? { sql: () => sql.ref(`m.${field.path}`), column: true as const }),
        },
  ),
}
