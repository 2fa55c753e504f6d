import { account, accountMails, accountSchedules } from '../../../kernel/accounts/door.ts'
import { mailJob } from '../../../kernel/mail/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'auth',
  says: 'The signed-in person and their password.',
  routes,
  kinds: [account],
  jobs: [mailJob],
  mails: accountMails,
  schedules: accountSchedules,
})
