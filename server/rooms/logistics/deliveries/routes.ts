import { placedRoutes } from '../../../kernel/placed/kit.ts'
import { deliveries } from './actions/deliveries.ts'

export const routes = placedRoutes(deliveries, {
  order: 'by start and id',
  removing: {
    alone: true,
    says: 'Deletes a delivery that is only requested, declined or cancelled. Every other one is a record and stays; it can be cancelled until the vehicle has arrived.',
    query: {},
    handle: (ctx, row) => deliveries.remove(ctx, row),
  },
})
