import { ROLES } from '../../../base/actor.ts'
import { flag, id, list, object, oneOf, optional, orNull, shape, text } from '../../../base/schema.ts'

export const UserName = shape('UserName', 'A person’s name', {
  id: id('Person'),
  name: text('Name; "Former user" after erasure', { max: 200, example: 'Ana Ruiz' }),
  initials: text('Initials', { max: 4, example: 'AR' }),
  disabled: flag('Whether the account is disabled'),
  role: optional(
    oneOf(ROLES, 'Role on the requested site; left out without an active membership, and for callers who can’t see the people of the site'),
  ),
  contractor_id: optional(orNull(id('Contractor on the requested site; null for the main contractor'))),
})

export const BulkQuery = object({
  id: list(id('Person'), 'People, 1 to 200', { min: 1, max: 200 }),
  site_id: optional(id('Site whose roles and contractors are added')),
})
