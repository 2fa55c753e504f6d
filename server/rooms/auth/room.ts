import { account, accountMails, accountSchedules } from '../../kernel/accounts/door.ts'
import { mailJob } from '../../kernel/mail/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'auth',
  routes,
  kinds: [account],
  jobs: [mailJob],
  mails: accountMails,
  schedules: accountSchedules,
})
