import { undoingOf } from '../kit/actions/copies.ts'
import { plants } from './actions.ts'

/** A machine at a place as a record, and its schedules. */
export const plant = plants.area.kind
export const plantSchedule = plants.group

/** Undoes copies of plant. */
export const undoingPlant = undoingOf(plants, 'plant_ids')

export { examinationState, exclusionShapes } from './domain.ts'
