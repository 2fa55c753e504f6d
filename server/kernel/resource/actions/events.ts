import type { TableName } from '../../../base/rows.ts'
import { type EventKind, eventsOf } from '../../events/door.ts'
import type { GivenResource } from './given.ts'

/** Returns the events of an area: one for each write, and one for each step. None if it publishes its writes itself. */
export function eventsFor<T extends TableName>({ kind, noun, bin, fields, lifecycle, tell }: GivenResource<T>): EventKind[] {
  if (tell !== undefined) return []
  const steps: Record<string, string> =
    lifecycle === undefined ? {} : { from_status: 'State before the step', status: 'State after the step' }
  return eventsOf(
    kind,
    { contractor_id: 'Contractor of the record', ...steps },
    {
      created: `A ${noun} was created`,
      changed: `A ${noun} was changed`,
      deleted: `A ${noun} was deleted`,
      ...(bin ? { restored: `A ${noun} was restored` } : {}),
      ...Object.fromEntries(Object.values(lifecycle?.steps ?? {}).map(({ event: { verb, says } }) => [verb, says])),
    },
    'contractor_id' in fields ? { contractors: { own: 'contractor_id' } } : {},
  )
}
