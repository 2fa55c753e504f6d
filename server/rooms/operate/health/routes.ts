import { refuse, unavailable } from '../../../base/errors.ts'
import { answer, get } from '../../../base/http.ts'
import { ref } from '../../../base/schema.ts'
import { checksOf } from './actions.ts'
import { notReady, overall } from './domain.ts'
import { Alive, Health, Ready } from './schema.ts'

export const routes = [
  get('/health/live', {
    name: 'health.live',
    summary: 'Check that the process is alive',
    says: 'Responds as long as the event loop runs. Fails only when a restart would help.',
    access: { open: true },
    rank: 'vital',
    reply: ref(Alive),
    handle: () => ({ status: 'ok' }),
  }),
  get('/health/ready', {
    name: 'health.ready',
    summary: 'Check that the process accepts requests',
    says: 'Checks the database and its schema, and that the process isn’t shutting down. An overloaded process stays ready: it serves as many requests as it can, and refuses the others with 503 and `Retry-After`.',
    access: { open: true },
    rank: 'vital',
    reply: ref(Ready),
    refuses: ['unavailable'],
    handle: async ({ ctx: { house } }) => {
      const failing = house.process.draining ? ['draining'] : notReady(await checksOf(house))
      if (failing.length > 0) refuse(unavailable(`This process isn’t ready (${failing.join(', ')}). Try again later.`, { failing }))
      return { status: 'ok', draining: false }
    },
  }),
  get('/health', {
    name: 'health.show',
    summary: 'Show service health',
    says: 'Returns the state of the service. Individual checks are shown only to a superadmin, or to an IP address in HEALTH_TRUSTED.',
    access: { open: true },
    rank: 'vital',
    reply: ref(Health),
    refuses: ['unavailable'],
    handle: async ({ ctx: { house, actor }, wire }) => {
      const checks = await checksOf(house)
      const trusted = actor.is_superadmin || house.settings.health_trusted.includes(wire.address)
      const status = overall(checks)
      const said = { status, version: house.process.version, started_at: house.process.started_at, ...(trusted ? { checks } : {}) }
      return answer(said, { status: status === 'down' ? 503 : 200 })
    },
  }),
]
