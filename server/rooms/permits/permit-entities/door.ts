import { part } from '../kit/kinds.ts'

/** The link between a permit and work on the map, as a record. */
export const permitEntity = part('permit_entity', 'Link to work on the map')
