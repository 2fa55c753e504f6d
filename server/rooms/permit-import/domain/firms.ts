// Which contractor a row names: one of the site, one to be created, or two that match equally well (`permits.md` import rule 4,
// `permits-decisions.md` §6).
import { listed } from '../../../../shared/text.ts'
import type { Id } from '../../../base/ids.ts'
import { firmIndex, type Named, nameFault } from '../../contractors/domain.ts'
import type { RegisterRow, RowFault } from './rows.ts'

/** The contractor of a row: none named; known; `made` with the name that this file uses first; or a fault that names both. */
export type FirmOf = { firm: 'none' } | { firm: 'known'; id: Id } | { firm: 'made'; name: string } | { firm: 'fault'; fault: RowFault }

/**
 * Finds the contractors of rows, in their order: by name, then alias, then key. A name that the site doesn't know creates one contractor, whatever
 * its other spellings in the file. Each name is looked up once.
 */
export function firmFinder(firms: readonly Named[]): (row: Pick<RegisterRow, 'row' | 'contractor' | 'written'>) => FirmOf {
  const there = firmIndex(firms)
  const made = firmIndex([])
  const fresh = new Set<Named>()
  const known = new Map<string, Named[]>()
  const find = (name: string): Named[] => {
    const found = there.find(name)
    if (found.length > 0) return found
    const alike = made.find(name)
    if (alike.length > 0) return alike.slice(0, 1)
    const firm = { id: '', name, names: [] }
    fresh.add(firm)
    made.add(firm)
    return [firm]
  }
  return ({ row, contractor, written }) => {
    if (contractor === null) return { firm: 'none' }
    const found = known.get(contractor) ?? find(contractor)
    known.set(contractor, found)
    const [first] = found
    if (first === undefined) return { firm: 'none' }
    if (found.length > 1) {
      const message = `Two contractors of this site match the name "${contractor}": ${listed(found.map(firm => firm.name))}. Enter one of these names in full.`
      return { firm: 'fault', fault: { row, ...written.contractor, code: 'ambiguous_contractor', message } }
    }
    if (!fresh.has(first)) return { firm: 'known', id: first.id }
    const wrong = nameFault(first.name)
    if (wrong === null) return { firm: 'made', name: first.name }
    const message = `The site has no such contractor, and none can be added by this name: it ${wrong}`
    return { firm: 'fault', fault: { row, ...written.contractor, code: 'invalid_contractor', message } }
  }
}
