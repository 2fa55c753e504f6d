// What other rooms show of permits.
export { TypeChip } from './parts/type-chip.tsx'
