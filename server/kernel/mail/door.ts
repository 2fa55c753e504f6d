export { type Letter, type MailKind, mailJob, plugMail, queueMail, suppress } from './actions.ts'
export { addressKey } from './domain/bounce.ts'
export { type Suppression, suppressionOf } from './queries.ts'
