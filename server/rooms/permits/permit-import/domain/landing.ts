// Decides what happens to an accepted row when a permit already has its number (`permits.md` import rule 5, `permits-decisions.md` §6).

import type { Instant } from '../../../../../shared/time.ts'
import type { Id } from '../../../../base/ids.ts'
import type { RegisterRow, RowFault } from './rows.ts'

/** The permit of the site that has the row's number. */
export type Present = { id: Id; source: 'imported' | 'requested'; status: string }

/**
 * `revive`: the permit expired and its new end is ahead, so it returns to `issued`. `kept`: people ended it, so its fields stay, but it moves to the new
 * import.
 */
export type Landing =
  | { landing: 'new' }
  | { landing: 'update'; id: Id; revive: boolean }
  | { landing: 'kept'; id: Id; status: string }
  | { landing: 'fault'; fault: RowFault }

/** Maximum length of a title in characters. */
const TITLE_AT_MOST = 200

/** Returns the title of an imported permit: the first line of its description. */
export function titleOf(description: string | null): string | null {
  const line = (description ?? '')
    .split(/\r\n?|\n/)
    .find(one => one.trim() !== '')
    ?.trim()
  if (line === undefined) return null
  const signs = [...line]
  return signs.length <= TITLE_AT_MOST ? line : `${signs.slice(0, TITLE_AT_MOST - 1).join('')}…`
}

/** Decides what happens to a row. A permit that people applied for is never overwritten. */
export function landingOf(
  row: Pick<RegisterRow, 'row' | 'permit_number' | 'end_at' | 'written'>,
  present: Present | null,
  now: Instant,
): Landing {
  if (present === null) return { landing: 'new' }
  if (present.source !== 'imported') {
    const message = `${row.permit_number} is a permit that was requested on this site (${present.status.replaceAll('_', ' ')}). An import never changes such permits. Remove the row, or correct its number.`
    return { landing: 'fault', fault: { row: row.row, ...row.written.permit_number, code: 'number_taken', message } }
  }
  if (present.status === 'issued') return { landing: 'update', id: present.id, revive: false }
  if (present.status === 'expired') return { landing: 'update', id: present.id, revive: row.end_at > now }
  return { landing: 'kept', id: present.id, status: present.status }
}
