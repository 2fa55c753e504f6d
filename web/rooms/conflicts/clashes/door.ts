// What other rooms can show of clashes; it brings the texts of clashes with it.
export { DAYS, useEpisode, useSummary as useClashSummary } from './data.ts'
export { DueBadge, Resolving } from './parts/resolving.tsx'
export { called, calledInFull, gives, pairOf, type Side, workOf } from './sides.ts'
export type { Episode } from './types.ts'
