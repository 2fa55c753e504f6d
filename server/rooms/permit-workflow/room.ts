import { BANDS, held } from '../../kernel/access/domain.ts'
import { eventsOf, field } from '../../kernel/events/door.ts'
import { defineRoom } from '../../kernel/sockets/door.ts'
import { backTest } from './actions.ts'
import { workflow, workflowVersion } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-workflow',
  routes,
  kinds: [workflow, workflowVersion],
  jobs: [{ kind: 'workflow_backtest', says: 'Runs a draft workflow against the site’s past permits.', run: backTest }],
  permissions: { permit_workflow_author: held(BANDS.manage, 'Author the workflow of the site') },
  events: eventsOf(
    'permit_workflow',
    { permit_type_code: 'Type; null: the site’s', version: field.number('Version') },
    { published: 'A workflow was published', removed: 'A workflow was taken out of force' },
    { sometimes: ['version'] },
  ),
})
