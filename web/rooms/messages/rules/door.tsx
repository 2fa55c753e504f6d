// What other rooms use of the notification rules: the editor of conditions, and how conditions are read and written.
import './rules.css'

export { type Field, type Group, readCondition, writeCondition } from './condition.ts'
export { Condition } from './parts/condition.tsx'
