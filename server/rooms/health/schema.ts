import { flag, instant, integer, object, oneOf, optional, record, shape, text } from '../../base/schema.ts'

export const Alive = shape('Alive', 'The event loop answers', { status: oneOf(['ok'], 'Always ok') })

const Check = object({
  status: oneOf(['ok', 'degraded', 'down'], 'How it is'),
  latency_ms: integer('How long the check took, milliseconds'),
  since: instant('Since when it has been so'),
  message: text('What is wrong, without an address, host name or secret', { max: 300 }),
})

export const Health = shape('Health', 'How the service is', {
  status: oneOf(['ok', 'degraded', 'down'], 'Worst of the checks; what can only degrade never makes it down'),
  version: text('Version of the code', { example: '0.1.0' }),
  started_at: instant('When this process began'),
  checks: optional(record(Check, 'By name; only for a superadmin or a trusted address')),
})

export const Ready = shape('Ready', 'This process takes requests', {
  status: oneOf(['ok'], 'Ready'),
  draining: flag('Asked to end'),
})
