import { textLabels } from './actions.ts'

/** A text label as a record. */
export const textLabel = textLabels.kind
