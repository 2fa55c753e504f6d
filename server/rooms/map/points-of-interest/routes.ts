import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { pois, removePoi } from './actions.ts'
import { force } from './schema.ts'

export const routes = placedRoutes(pois, {
  order: 'by kind, name and id, or by distance with `near`',
  removing: {
    says: 'The last assembly point of the site is only ended with force=true, which requires map_entity_purge.',
    query: { force },
    handle: (ctx, row, query) => removePoi(ctx, row, query.force === true),
  },
})
