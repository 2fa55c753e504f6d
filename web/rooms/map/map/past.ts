// The history of a gang, a machine or a delivery in words: from the audit log's entries.
import { isOneOf, textIn } from '../../../../shared/narrow.ts'
import type { Schemas } from '../../../base/api.ts'
import { momentOf } from '../../../base/time.ts'
import { hasWord, t, tOf } from './says.ts'

type Entry = Pick<Schemas['HistoryEntry'], 'action' | 'changes'>

const WHOLE = ['create', 'delete', 'restore'] as const
const TIMES: readonly string[] = ['start_at', 'end_at', 'arrived_at', 'left_at']

/** Returns what an entry did, a line for each thing; none for an entry that changed only what follows from something else. */
export function pastLines({ action, changes }: Entry, zone: string): string[] {
  if (isOneOf(WHOLE, action)) return [t(`past.${action}`)]
  const known = (changes ?? []).filter(({ path }) => hasWord(`past.field.${path}`))
  const status = textIn(changes?.find(({ path }) => path === 'status')?.after)
  const fields = known.map(({ path, after }) => {
    const name = tOf('past.field', path)
    return TIMES.includes(path) && typeof after === 'string' ? `${name} (${momentOf(new Date(after).toISOString(), zone)})` : name
  })
  return [
    ...(status === '' ? [] : [tOf('delivery.status', status)]),
    ...(fields.length === 0 ? [] : [t('draw.changed', { fields: fields.join(', ') })]),
  ]
}
