// The smart groups of the demo site: three that everyone sees, and one that the coordinator keeps for the morning round.
import type { Id } from '../base/ids.ts'
import type { Row } from './reply.ts'

type Call = (by: string, method: 'POST', path: string, body: unknown) => Promise<Row>

/** Names of the groups, in the order in which they are created. */
export const GROUPS = {
  lifting: 'Lifting plant',
  gangs: 'Northgate gangs',
  hot: 'Hot work for the fire watch',
  own: 'Gangs without a live permit',
} as const

/** Creates the groups. Returns the one that a clash rule uses. */
export async function makeGroups(call: Call, site_id: Id, contractors: ReadonlyMap<string, Id>): Promise<Id> {
  const shared = { site_id, visibility: 'shared' }
  const gang = { field: 'kind', op: 'eq', value: 'worker' }
  await call('cora', 'POST', '/smart-groups', {
    ...{ ...shared, name: GROUPS.lifting, subject: 'entity', colour: '#b45309' },
    description: 'Cranes, hoists and other plant that lifts. Everyone who works near it is warned before each lift.',
    predicate: { field: 'lifting', op: 'eq', value: true },
  })
  const { id } = await call('cora', 'POST', '/smart-groups', {
    ...{ ...shared, name: GROUPS.gangs, subject: 'entity', colour: '#b3261e' },
    description: 'Steel erectors and riggers of Northgate.',
    predicate: { all: [gang, { field: 'contractor_id', op: 'eq', value: contractors.get('northgate') }] },
  })
  await call('hal', 'POST', '/smart-groups', {
    ...{ ...shared, name: GROUPS.hot, subject: 'permit' },
    description: 'Hot work that isn’t closed out. Each place is looked at an hour after the work has stopped.',
    predicate: {
      all: [
        { field: 'permit_types', op: 'contains', value: 'HW' },
        { field: 'status', op: 'in', value: ['issued', 'expired'] },
      ],
    },
  })
  await call('cora', 'POST', '/smart-groups', {
    ...{ site_id, name: GROUPS.own, subject: 'entity' },
    description: 'To ask about on the morning round.',
    predicate: { all: [gang, { field: 'has_live_permit', op: 'eq', value: false }] },
  })
  return id
}
