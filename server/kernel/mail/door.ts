export {
  type AddressHearer,
  addressMoved,
  plugReports,
  type Report,
  type ReportHearer,
  takeReport,
  unsuppress,
} from './actions/reports.ts'
export { type Letter, type MailKind, mailJob, plugMail, queueMail } from './actions/send.ts'
export { addressKey } from './domain/bounce.ts'
export { momentIn, wordsFor } from './domain/words.ts'
export { dropOldReports, suppressionOf, suppressionsOf } from './queries.ts'
