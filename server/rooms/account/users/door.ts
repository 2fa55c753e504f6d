import { kind } from '../../../kernel/records/door.ts'

/** A person as a record of the platform. What the identity provider says about a person isn't changed here. */
export const user = kind<{ id: string; name: string }>({
  name: 'user',
  table: 'app_user',
  label: row => row.name,
  platform: true,
  sees: (ctx, row) => ctx.actor.is_superadmin || row.id === ctx.actor.id,
  revert: 'access',
  derived: ['claims_at'],
})
