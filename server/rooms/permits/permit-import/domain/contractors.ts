// Which contractor a row refers to: one of the site, one to be created, or two that match equally well (`permits.md` import rule 4,
// `permits-decisions.md` §6).
import { listed } from '../../../../../shared/text.ts'
import type { Id } from '../../../../base/ids.ts'
import { contractorIndex, type Named, nameFault } from '../../../site/contractors/domain.ts'
import type { RegisterRow, RowFault } from './rows.ts'

/** The contractor of a row: none; known; `made` with the spelling that this file uses first; or a fault that shows both. */
export type ContractorOf = { is: 'none' } | { is: 'known'; id: Id } | { is: 'made'; name: string } | { is: 'fault'; fault: RowFault }

/**
 * Returns a function that finds the contractor of each row, in order: by name, then alias, then key. A name that the site doesn't know creates one
 * contractor, whatever its other spellings in the file. Each name is looked up once.
 */
export function contractorFinder(
  contractors: readonly Named[],
): (row: Pick<RegisterRow, 'row' | 'contractor' | 'written'>) => ContractorOf {
  const there = contractorIndex(contractors)
  const made = contractorIndex([])
  const fresh = new Set<Named>()
  const known = new Map<string, Named[]>()
  const find = (name: string): Named[] => {
    const found = there.find(name)
    if (found.length > 0) return found
    const alike = made.find(name)
    if (alike.length > 0) return alike.slice(0, 1)
    const one = { id: '', name, names: [] }
    fresh.add(one)
    made.add(one)
    return [one]
  }
  return ({ row, contractor, written }) => {
    if (contractor === null) return { is: 'none' }
    const found = known.get(contractor) ?? find(contractor)
    known.set(contractor, found)
    const [first] = found
    if (first === undefined) return { is: 'none' }
    if (found.length > 1) {
      const message = `More than one contractor on this site matches the name “${contractor}”: ${listed(found.map(one => one.name))}. Enter one of these names in full.`
      return { is: 'fault', fault: { row, ...written.contractor, code: 'ambiguous_contractor', message } }
    }
    if (!fresh.has(first)) return { is: 'known', id: first.id }
    const wrong = nameFault(first.name)
    if (wrong === null) return { is: 'made', name: first.name }
    const message = `This site has no contractor with this name, and Walkdown can’t create the contractor: the name ${wrong} Correct the name.`
    return { is: 'fault', fault: { row, ...written.contractor, code: 'invalid_contractor', message } }
  }
}
