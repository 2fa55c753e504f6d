import { pois } from './actions.ts'

/** A point of interest as a record. */
export const poi = pois.kind
