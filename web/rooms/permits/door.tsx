// What other rooms show of permits.
export { type CardPermit, PermitCard } from './parts/card.tsx'
export { MARKS, StatusMark, StatusShape } from './parts/status.tsx'
export { TypeChip } from './parts/type-chip.tsx'
export { type Standing, standingOf, waitsForMe } from './standing.ts'
