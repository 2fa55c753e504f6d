// What other rooms use of the notification rules: the editor of conditions, and how conditions are read and written.

export { type Field, type Group, keptFor, writeCondition } from './condition.ts'
export { fieldsFor, isComplete, linesIn } from './fields.ts'
export { ConditionField } from './parts/condition-field.tsx'
export { PathList } from './parts/path-list.tsx'
export { SaveBar } from './parts/save-bar.tsx'
export { t as ruleText } from './says.ts'
