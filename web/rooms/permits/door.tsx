// What other rooms may show of a permit.
export { type CardPermit, PermitCard } from './parts/card.tsx'
export { MARKS, StatusMark, StatusShape } from './parts/status.tsx'
export { type Standing, standingOf, waitsForMe } from './standing.ts'
