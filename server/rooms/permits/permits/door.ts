import { part } from '../kit/kinds.ts'

/** A file on a permit as a record. */
export const attachment = part('permit_attachment', 'Attachment')

export { act } from './actions/act.ts'
export { createDraft } from './actions/draft.ts'
export { type Landing, landPermits } from './actions/imported.ts'
export { NOWHERE, placeColumns } from './actions/place.ts'
export type { Given } from './actions/taking.ts'
export { filesOfPermits } from './queries/attachments.ts'
export { decideExtension, insertExtension, supersede } from './queries/extensions.ts'
export {
  deleteImported,
  type Landed,
  type Numbered,
  permitsNumbered,
  placePermits,
  repoint,
} from './queries/imported.ts'
