export { shownAttachment, shownExtension, showPermit } from './actions/show.ts'
export { unplacedPermits } from './queries/places.ts'
export { permitSubjects } from './queries/subject.ts'
