export {
  type Brought,
  bringIn,
  bytesFault,
  download,
  keepFile,
  pictureForPaper,
  smaller,
  sniff,
  type Taking,
  variantOf,
} from './actions/files.ts'
export { type FileRow, fileOf, filesAfter } from './queries.ts'
