// Permits as the subject of conditions (`conflict-and-planning.md` §0.4, fields of `permit`): the relation that expressions use, and the fields.
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { type Condition, type Expression, type Subject, timeFields } from '../../../../kernel/predicates/door.ts'
import { STATUSES } from '../../kit/domain/facts.ts'
import type { Viewer } from '../../kit/domain/visibility.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { visibleTo } from '../../kit/queries/visible.ts'

/** A permit as conditions see it. */
export type PermitSubjectRow = PermitRow & { kind: 'permit'; label: string; single_stage: boolean }

/** Returns the permits of a site that aren't drafts, for a viewer or (null) all of them. One that can still be edited counts with its types as they are now. */
export const permitsAsMembers = (site_id: Id, viewer: Viewer | null): Expression => sql`
  (select p.*, 'permit' as kind, coalesce(p.permit_number, p.title, 'Permit') as label,
    coalesce(case when p.status in ('draft', 'corrections_requested') then null else p.pinned_single_stage end,
      coalesce((select bool_and(t.single_stage) from permit_type t where t.site_id = p.site_id and t.code = any(p.categories)), false)) as single_stage
  from permit p where p.site_id = ${site_id} and p.status <> 'draft' and ${viewer === null ? sql`true` : visibleTo(viewer)})`

/** Returns permits of a site as conditions see them, by id. */
export async function permitSubjects(db: Db, site_id: Id, ids: readonly Id[]): Promise<PermitSubjectRow[]> {
  const { rows } =
    await sql<PermitSubjectRow>`select m.* from ${permitsAsMembers(site_id, null)} m where m.id = any(${ids}::uuid[])`.execute(db)
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

const column = <K extends keyof PermitSubjectRow>(path: K) => ({
  path,
  get: (row: PermitSubjectRow) => row[path],
  sql: () => sql.ref(`m.${path}`),
  column: true as const,
})

/** What conditions on permits can ask. */
export const permitSubject: Subject<PermitSubjectRow> = {
  name: 'permit',
  label: 'permits',
  fields: [
    { path: 'kind', type: 'enum', values: ['permit'], label: 'the kind', get: () => 'permit', sql: () => sql`'permit'::text` },
    { ...column('id'), type: 'id', refers: 'permit', label: 'the permit' },
    { ...column('permit_number'), type: 'text', label: 'the number' },
    {
      path: 'permit_types',
      type: 'set of code',
      refers: 'permit_type',
      label: 'the set of types',
      get: row => row.categories,
      sql: () => sql.ref('m.categories'),
      column: true,
    },
    { ...column('status'), type: 'enum', values: STATUSES, label: 'the status' },
    { ...column('source'), type: 'enum', values: ['requested', 'imported'], label: 'the source' },
    { ...column('contractor_id'), type: 'id', refers: 'contractor', label: 'the contractor' },
    { ...column('requestor_id'), type: 'id', refers: 'user', label: 'the requestor' },
    { ...column('receiver_id'), type: 'id', refers: 'user', label: 'the receiver' },
    { ...column('parent_id'), type: 'id', refers: 'permit', label: 'the parent' },
    {
      path: 'single_stage',
      type: 'boolean',
      label: 'the permit goes through one review',
      otherwise: 'the permit goes through two reviews',
      get: row => row.single_stage,
      sql: () => sql.ref('m.single_stage'),
    },
    ...timeFields<PermitSubjectRow>(row => row, 'm'),
    { ...column('building_id'), type: 'id', refers: 'reference_feature', label: 'the building' },
    { ...column('level_index'), type: 'integer', label: 'the level' },
    {
      path: 'zone_ids',
      type: 'set of id',
      refers: 'reference_feature',
      label: 'the set of zones',
      get: row => (row.zone_id === null ? [] : [row.zone_id]),
      sql: () => sql`array_remove(array[m.zone_id], null)`,
    },
    {
      path: 'group_ids',
      type: 'set of id',
      refers: 'smart_group',
      operators: ['overlaps', 'contains', 'contains_all', 'disjoint'],
      label: 'the set of groups',
      expanded: true,
    },
    // Work lines come with their own area; until then no permit has one.
    { path: 'work_line_id', type: 'id', label: 'the work line', get: () => null, sql: () => sql`null::uuid` },
  ],
}
