// A process that processes events or sends due messages, and dies at a chosen statement: `worker.ts relay|send STATEMENT CLOCK DATABASE FOLDER`. With `job` it is
// a worker whose back-tests never end: it says when one has started, and runs until it is killed.
import pg from 'pg'
import { openHouse } from '../../server/app.ts'
import type { Engine } from '../../server/base/engine.ts'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { allJobs, closeQueue, plugJobs, startWorker } from '../../server/kernel/jobs/door.ts'
import { dispatchDue } from '../../server/kernel/notices/door.ts'
import { testSettings } from '../world.ts'

const [phase = '', at = '0', clock = '', database = '', data_dir = ''] = process.argv.slice(2)
const engine: Engine = {
  kind: 'server',
  connection: JSON.parse(process.env.WALKDOWN_TEST_ENGINE ?? '{}'),
  prepared: true,
  data_dir: null,
  stop: async () => {},
}

let sent = 0
const query = pg.Client.prototype.query
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  if (++sent === Number(at)) process.kill(process.pid, 'SIGKILL')
  return Reflect.apply(query, this, given)
} as typeof query

const house = await openHouse(testSettings({ SMTP_URL: process.env.SMTP_URL ?? '', MAIL_FROM: 'permits@walkdown.test' }), engine, {
  database,
  data_dir,
  pool: 4,
})
house.clock.set(clock)
if (phase === 'job') {
  const run = () => {
    console.log('started')
    return new Promise<undefined>(() => {})
  }
  plugJobs(
    allJobs().flatMap(job => (job.kind === 'workflow_backtest' ? { ...job, run } : [])),
    [],
  )
  await startWorker(house)
  await new Promise(() => {})
}
await (phase === 'relay' ? relayEvents(house) : dispatchDue(house))
console.log(sent)
await closeQueue(house)
await house.database.close()
