import { defineRoom } from '../../../kernel/sockets/door.ts'
import { permitLayer } from './actions/exports.ts'
import { permitChangeSource } from './actions/replay.ts'
import { dutiesOf, permitMembers, permitReference, permitUses, waitingForPlace } from './actions/sockets.ts'
import { liveCounts, liveNumbers } from './queries/counts.ts'
import { permitSubject } from './queries/subject.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-lists',
  area: 'permits',
  says: 'Lists of permits, and permits as they are shown.',
  routes,
  exports: [permitLayer],
  changes: [permitChangeSource],
  duties: [dutiesOf],
  uses: permitUses,
  subjects: [permitSubject],
  members: [permitMembers],
  references: [permitReference],
  site: {
    liveness: [(ctx, site_ids, most) => liveNumbers(ctx.db, site_ids, most)],
    counts: [{ name: 'live_permits', of: (ctx, site_ids) => liveCounts(ctx.db, site_ids) }],
    unplaced: [waitingForPlace],
  },
})
