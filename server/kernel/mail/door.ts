export {
  type AddressHearer,
  addressMoved,
  plugReports,
  type Report,
  type ReportHearer,
  suppress,
  takeReport,
  unsuppress,
} from './actions/reports.ts'
export { type Letter, type MailKind, mailJob, plugMail, queueMail } from './actions/send.ts'
export { addressKey } from './domain/bounce.ts'
export { momentIn, wordsFor } from './domain/words.ts'
export { dropOldReports, type Suppression, type SuppressionRow, suppressionOf, suppressionsOf } from './queries.ts'
