import { flag, instant, integer, object, oneOf, optional, record, shape, text } from '../../../base/schema.ts'

export const Alive = shape('Alive', 'Whether the event loop responds', { status: oneOf(['ok'], 'Always ok') })

const Check = object({
  status: oneOf(['ok', 'degraded', 'down'], 'State'),
  latency_ms: integer('Duration of the check, milliseconds'),
  since: instant('Time when the current state began'),
  message: text('Description of the fault, without URLs, host names or secrets; usually empty if the status is ok', { max: 300 }),
})

export const Health = shape('Health', 'State of the service', {
  status: oneOf(['ok', 'degraded', 'down'], 'Worst result of the checks; some checks can make the service degraded but not down'),
  version: text('Version of the software', { example: '0.1.0' }),
  started_at: instant('Start time of this process'),
  checks: optional(record(Check, 'Checks by name; shown only to a superadmin or a trusted IP address')),
})

export const Ready = shape('Ready', 'Whether this process accepts requests', {
  status: oneOf(['ok'], 'Ready'),
  draining: flag('Whether the process is shutting down'),
})
