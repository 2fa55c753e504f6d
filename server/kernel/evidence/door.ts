export {
  type Brought,
  bringIn,
  bytesFault,
  download,
  keepFile,
  pictureForPaper,
  readFileOf,
  smaller,
  sniff,
} from './actions/files.ts'
export {
  adoptEvidence,
  attachEvidence,
  changeEvidence,
  type EvidenceRights,
  evidence,
  type Owner,
  oneEvidence,
  removeAllEvidence,
  removeEvidence,
  shownEvidence,
} from './actions/records.ts'
export { fileOf, filesAfter } from './queries.ts'
