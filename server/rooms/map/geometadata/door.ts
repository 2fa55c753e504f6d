import { layers } from './actions/layers.ts'

/** A layer as a record. */
export const geodataLayer = layers.kind

export { type Nearby, nearby } from './actions/features.ts'
