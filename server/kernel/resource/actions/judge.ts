// Who can do what with a record of a plain area.
import type { Ctx } from '../../../base/ctx.ts'
import { forbidden } from '../../../base/errors.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row, TableName } from '../../../base/rows.ts'
import { isOwnRecord } from '../../access/domain.ts'
import { myScope } from '../../access/door.ts'
import type { GivenResource, Plain } from './given.ts'
import type { Judge } from './steps.ts'

/** Makes the function that reads what the caller acts for, and then decides about any record. It reads only what can decide: rules of a lifecycle can ask about anything. */
export function judging<T extends TableName>(
  { access, evidence, lifecycle }: GivenResource<T>,
  plain: (row: Row<T>) => Plain,
): (ctx: Ctx) => Promise<Judge<Row<T>>> {
  const shared = [access.create, access.change, access.remove, ...(evidence === undefined ? [] : [evidence.add])].filter(
    needs => typeof needs !== 'string',
  )
  return async ctx => {
    const asks = lifecycle !== undefined || shared.some(needs => !ctx.actor.can(needs.any))
    const scope = asks ? await myScope(ctx) : new Set<Id>()
    return (needs, row) => {
      if (typeof needs === 'string') return ctx.actor.lacks(needs)
      if (ctx.actor.can(needs.any)) return null
      const lacks = ctx.actor.lacks(needs.own)
      if (lacks !== null) return lacks
      return isOwnRecord(plain(row), ctx.actor.id, scope)
        ? null
        : forbidden(needs.any, 'You can only do this with records of your contractor, or of contractors that it oversees.')
    }
  }
}
