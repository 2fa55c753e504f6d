import { openEdge, openHouse } from '../app.ts'
import { readSettings } from '../base/settings.ts'
import { closeQueue, startWorker } from '../kernel/jobs/door.ts'
import { type Command, openEngine, upgrade } from './command.ts'

const OPEN_REQUESTS_MS = 25_000

export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve',
  says: 'Brings up the service: database, API, background work.',
  details: 'It stops on SIGTERM or SIGINT: no new requests, those under way end (25 s), then it leaves.',
  async run(_args, env) {
    const say = (line: string) => console.log(line)
    const settings = readSettings(env)
    const { engine, data_dir, database } = await openEngine(settings, true, say)
    const house = await openHouse(settings, engine, { data_dir, ...(database === undefined ? {} : { database }) })
    await upgrade(house, engine, database, say)
    const worker = settings.roles.worker ? await startWorker(house) : null
    const edge = settings.roles.web ? await openEdge(house) : null
    if (edge !== null) {
      await edge.app.listen({ host: settings.host, port: settings.port })
      say(`Walkdown ${house.process.version} is up at ${settings.public_url}`)
      say(`  reference of the API: ${settings.public_url}/api/docs`)
    }
    await asked()
    house.process.draining = true
    say('Stopping: requests under way end first…')
    if (edge !== null) await Promise.race([edge.app.close(), new Promise(done => setTimeout(done, OPEN_REQUESTS_MS).unref())])
    await worker?.stop()
    await closeQueue(house)
    await house.database.close()
    await engine.stop()
    house.log.flush()
    return 0
  },
}

/** Resolves when the process is asked to end. */
const asked = () =>
  new Promise<void>(done => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => done())
  })
