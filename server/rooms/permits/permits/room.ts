import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { permit } from '../kit/kinds.ts'
import { attachment } from './door.ts'
import { jobs, schedules } from './jobs.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { routes } from './routes/permits.ts'

export const room = defineRoom({
  name: 'permits',
  says: 'Permits to work: drafts, reviews, signatures and close-out.',
  routes: [...routes, ...attachmentRoutes],
  jobs,
  schedules,
  kinds: [permit, attachment],
  permissions: {
    permit_request: held(BANDS.contribute, 'Create, edit, submit and withdraw your own permits'),
    permit_approve_stage1: held(BANDS.stage1, 'Endorse permits (stage 1, coordination check)'),
    permit_approve_stage2: held(BANDS.stage2, 'Approve permits (stage 2, H&S desk review)'),
  },
})
