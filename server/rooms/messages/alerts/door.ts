import { alerts } from './actions/alerts.ts'

/** An alert as a record. */
export const alert = alerts.kind

export { raise } from './actions/alerts.ts'
export { groundAt, liftFrom, resolveFrom, weatherStops } from './actions/reads.ts'
