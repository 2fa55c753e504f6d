// What other rooms can show of clashes; it brings the texts of clashes with it.
export { DAYS, useEpisode } from './data.ts'
export { called, gives, type Side } from './sides.ts'
export type { Episode } from './types.ts'
