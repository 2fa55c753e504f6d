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
  citedBy,
  type EvidenceRights,
  evidence,
  isPublished,
  type Owner,
  oneEvidence,
  published,
  removeAllEvidence,
  removeEvidence,
  shownEvidence,
} from './actions/records.ts'
export { type CitedRow, evidenceOf, fileOf, filesAfter } from './queries.ts'
