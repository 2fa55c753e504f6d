import { kind } from '../../kernel/records/door.ts'
import type { SetRow } from './queries.ts'

/** An upload of a register as a record; those who run the sets see it. */
export const permitSet = kind<SetRow>({
  name: 'permit_set',
  param: 'set_id',
  label: row => row.filename,
  sees: ctx => ctx.actor.can('contractor_manage'),
  revert: 'import',
})
