import { plants } from './actions.ts'

/** A machine at a place as a record, and its schedules. */
export const plant = plants.area.kind
export const plantSchedule = plants.group

export { dayOf, examinationState, exclusionShapes } from './domain.ts'
