import { kind } from '../../../kernel/records/door.ts'
import { seesThis } from '../kit/actions/facts.ts'
import { findRequest, type OpenRequest } from './actions.ts'

/** An extension request as a record, visible to those who see its permit. */
export const extension = kind<OpenRequest>({
  name: 'permit_extension',
  param: 'request_id',
  label: () => 'Extension',
  parent: row => ({ kind: 'permit', id: row.permit_id }),
  find: findRequest,
  sees: (ctx, row) => seesThis(ctx, row.permit),
  revert: 'ledger',
})
