export { type Brought, bringIn, download, keepFile, pictureForPaper, smaller, sniff, type Taking, variantOf } from './actions.ts'
export { type FileRow, fileOf } from './queries.ts'
