// What conditions can ask about a permit (`conflict-and-planning.md` §0.4, fields of `permit`): the same fields in memory, in SQL (which the server adds), and in
// the forms of the app.
import { PERMIT_STATUSES } from '../permit-statuses.ts'
import type { FieldInMemory } from './language.ts'
import { type Stretch, timeFields } from './times.ts'

/** A permit as conditions see it. */
export type PermitFacts = Stretch & {
  id: string
  permit_number: string | null
  categories: readonly string[]
  status: string
  source: string
  contractor_id: string | null
  requestor_id: string | null
  receiver_id: string | null
  parent_id: string | null
  single_stage: boolean
  building_id: string | null
  level_index: number | null
  zone_id: string | null
}

const own = <K extends keyof PermitFacts>(path: K) => ({ path, get: (row: PermitFacts) => row[path] })

/** The fields of a permit. */
export const PERMIT_FIELDS: readonly FieldInMemory<PermitFacts>[] = [
  { path: 'kind', type: 'enum', values: ['permit'], label: 'the kind', get: () => 'permit' },
  { ...own('id'), type: 'id', refers: 'permit', label: 'the permit' },
  { ...own('permit_number'), type: 'text', label: 'the number' },
  { path: 'permit_types', type: 'set of code', refers: 'permit_type', label: 'the set of types', get: row => row.categories },
  { ...own('status'), type: 'enum', values: [...PERMIT_STATUSES], label: 'the status' },
  { ...own('source'), type: 'enum', values: ['requested', 'imported'], label: 'the source' },
  { ...own('contractor_id'), type: 'id', refers: 'contractor', label: 'the contractor' },
  { ...own('requestor_id'), type: 'id', refers: 'user', label: 'the requestor' },
  { ...own('receiver_id'), type: 'id', refers: 'user', label: 'the receiver' },
  { ...own('parent_id'), type: 'id', refers: 'permit', label: 'the parent' },
  {
    ...own('single_stage'),
    type: 'boolean',
    label: 'the permit goes through one review',
    otherwise: 'the permit goes through two reviews',
  },
  ...timeFields<PermitFacts>(row => row),
  { ...own('building_id'), type: 'id', refers: 'reference_feature', label: 'the building' },
  { ...own('level_index'), type: 'integer', label: 'the level' },
  {
    path: 'zone_ids',
    type: 'set of id',
    refers: 'reference_feature',
    label: 'the set of zones',
    get: row => (row.zone_id === null ? [] : [row.zone_id]),
  },
  {
    path: 'group_ids',
    type: 'set of id',
    refers: 'smart_group',
    groups: 'permit',
    operators: ['overlaps', 'contains', 'contains_all', 'disjoint'],
    label: 'the set of groups',
    expanded: true,
  },
  // Work lines come with their own area; until then no permit has one.
  { path: 'work_line_id', type: 'id', label: 'the work line', get: () => null },
]
