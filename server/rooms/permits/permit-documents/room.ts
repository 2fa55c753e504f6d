import { paper, paperJob } from '../../../kernel/papers/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { signingKey } from '../../../kernel/statements/door.ts'
import { permitPaper } from './actions/document.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-documents',
  says: 'Permit documents as PDFs, and checks that they are genuine.',
  routes,
  kinds: [paper, signingKey],
  papers: [permitPaper],
  jobs: [paperJob],
})
