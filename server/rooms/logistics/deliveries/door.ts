import { deliveries } from './actions/deliveries.ts'

/** A delivery as a record. */
export const delivery = deliveries.kind
