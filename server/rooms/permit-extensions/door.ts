import { kind } from '../../kernel/records/door.ts'
import { seesThis } from '../permits/door.ts'
import { findRequest, type OpenRequest } from './actions.ts'

/** A request for a longer window as a record: whoever sees its permit sees it. */
export const extension = kind<OpenRequest>({
  name: 'permit_extension',
  param: 'request_id',
  label: () => 'Extension',
  parent: row => ({ kind: 'permit', id: row.permit_id }),
  find: findRequest,
  sees: (ctx, row) => seesThis(ctx, row.permit),
  revert: 'ledger',
})
