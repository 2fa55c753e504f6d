export { type Brought, bringIn, download, keepFile, smaller, sniff, type Taking, variantOf } from './actions.ts'
export { type FileRow, fileOf } from './queries.ts'
