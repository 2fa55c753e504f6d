// Who can say that work has stopped because of a clash (`conflict-and-planning.md` §0.2, §4.7). Pure.
import { forbidden, guard, type Verdict } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { noContractor } from '../../../flow/blockers/domain.ts'

/** What someone can declare: for any side, or for those of these contractors. */
export type Declaring = { any: boolean; own: boolean; scope: ReadonlySet<Id> }

/** Returns why nobody can say yet that work has stopped; null if they can. */
export const cantHaveBegun = (begun: boolean): Verdict =>
  begun ? null : guard('clash_has_begun', 'This clash is still ahead, so nothing has stopped yet. Say who resolves it instead.')

/** Returns why someone can’t say that the work of this side has stopped; null if they can. */
export function cantDeclareFor(contractor_id: Id | null, { any, own, scope }: Declaring): Verdict {
  if (!any && !(own && contractor_id !== null && scope.has(contractor_id)))
    return forbidden(
      'clash_declare_blocker_any',
      'Only people of the contractor whose work has stopped, and coordinators, can say so. Choose the side of your own contractor.',
    )
  return contractor_id === null ? noContractor() : null
}

/** Returns the sides whose work someone can say has stopped. */
export const stoppableSides = (sides: { a: Id | null; b: Id | null }, begun: boolean, who: Declaring): ('a' | 'b')[] =>
  cantHaveBegun(begun) === null ? (['a', 'b'] as const).filter(side => cantDeclareFor(sides[side], who) === null) : []

/** Returns why someone can’t say that the work of either side has stopped; null if they can. */
export function cantDeclare(sides: { a: Id | null; b: Id | null }, begun: boolean, who: Declaring): Verdict {
  const [a, b] = [cantDeclareFor(sides.a, who), cantDeclareFor(sides.b, who)]
  return (a === null || b === null ? null : a.status === 403 ? b : a) ?? cantHaveBegun(begun)
}
