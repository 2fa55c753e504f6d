import { refuse, unavailable } from '../../base/errors.ts'
import { answer, get } from '../../base/http.ts'
import { ref } from '../../base/schema.ts'
import { checksOf } from './actions.ts'
import { notReady, overall } from './domain.ts'
import { Alive, Health, Ready } from './schema.ts'

export const routes = [
  get('/health/live', {
    name: 'health.live',
    says: 'Answers while the event loop does. Fails only when a restart would help.',
    access: { open: true },
    reply: ref(Alive),
    handle: () => ({ status: 'ok' }),
  }),
  get('/health/ready', {
    name: 'health.ready',
    says: 'Whether this process takes requests: database, schema, a free connection, not draining.',
    access: { open: true },
    reply: ref(Ready),
    refuses: ['unavailable'],
    handle: async ({ ctx: { house } }) => {
      const failing = house.process.draining ? ['draining'] : notReady(await checksOf(house))
      if (failing.length > 0) refuse(unavailable(`Not ready: ${failing.join(', ')}.`, { failing }))
      return { status: 'ok', draining: false }
    },
  }),
  get('/health', {
    name: 'health.show',
    says: 'How the service is. What it leans on, by name, only for a superadmin or an address in HEALTH_TRUSTED.',
    access: { open: true },
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
