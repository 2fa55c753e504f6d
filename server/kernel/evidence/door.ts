export {
  type Brought,
  bringIn,
  bytesFault,
  download,
  keepFile,
  pictureForPaper,
  smaller,
  sniff,
  variantOf,
} from './actions/files.ts'
export { fileOf, filesAfter } from './queries.ts'
