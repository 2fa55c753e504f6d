// The metrics of the service (`/metrics`).
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { House } from './ctx.ts'

/** Sets up the metrics of the service. */
export function measure(registry: Registry, house: House) {
  const requests = new Counter({
    name: 'walkdown_requests_total',
    help: 'Requests that received a response',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'walkdown_request_seconds',
    help: 'Response time',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'walkdown_database_connections',
    help: 'Connections in the pool, busy or idle, and callers waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = house.database.stats()
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'walkdown_admission',
    help: 'Requests in progress and waiting, and requests admitted and refused since the process started, by rank',
    labelNames: ['state', 'rank'],
    registers: [registry],
    collect() {
      const { working, waiting, admitted, refused } = house.admission.state()
      this.set({ state: 'working', rank: 'all' }, working)
      this.set({ state: 'waiting', rank: 'all' }, waiting)
      for (const [state, counts] of Object.entries({ admitted, refused }))
        for (const [rank, count] of Object.entries(counts)) this.set({ state, rank }, count)
    },
  })
  new Gauge({
    name: 'walkdown_resident_bytes',
    help: 'Memory used by the process',
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  return { requests, seconds }
}
