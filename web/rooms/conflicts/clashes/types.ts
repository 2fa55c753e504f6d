import type { Schemas } from '../../../base/api.ts'

/** The clashes of one rule between the same two things, on which people decide once. */
export type Episode = Schemas['ClashEpisode']
