import { BANDS, held } from '../../../kernel/access/domain.ts'
import { eventsOf, field } from '../../../kernel/events/door.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { backTest, copyWorkflows } from './actions.ts'
import { workflow, workflowVersion } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: 'permit-workflow',
  says: 'Workflows of a site: the steps that its permits go through, with versions and tests on past permits.',
  routes,
  kinds: [workflow, workflowVersion],
  site: { seeds: [{ area: 'permit-workflow', keys: [], copy: copyWorkflows }] },
  jobs: [
    {
      kind: 'workflow_backtest',
      says: 'Runs a draft workflow against the site’s past permits.',
      asked: { name: 'Back-test of a workflow', link: '/sites/{site_id}/settings/workflow' },
      run: backTest,
    },
  ],
  permissions: { permit_workflow_author: held(BANDS.manage, 'Edit the workflows of the site') },
  events: eventsOf(
    'permit_workflow',
    { permit_type_code: 'Permit type; null for the whole site', version: field.number('Version') },
    { published: 'A workflow was published', removed: 'A workflow was removed' },
    { sometimes: ['version'] },
  ),
})
