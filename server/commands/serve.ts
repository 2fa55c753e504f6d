import { setTimeout as wait } from 'node:timers/promises'
import { openEdge, openHouse } from '../app.ts'
import { type Budget, budget } from '../base/budget.ts'
import type { House } from '../base/ctx.ts'
import type { Engine } from '../base/engine.ts'
import { surviveFullLog } from '../base/log.ts'
import { readSettings } from '../base/settings.ts'
import { surviveDatabase } from '../base/survive.ts'
import { startRelay } from '../kernel/events/door.ts'
import { encryptSecrets } from '../kernel/identity/door.ts'
import { closeQueue, startWorker } from '../kernel/jobs/door.ts'
import { startDispatch } from '../kernel/notices/door.ts'
import { wrapPersonKeys } from '../kernel/person-data/door.ts'
import { asked } from './asked.ts'
import { type Command, CommandError, openEngine, startOver, upgrade } from './command.ts'
import { bringDemo, brokenOff, DEMO_INTERRUPTED, type Demo, signInElsewhere, signIns, signInWasShown } from './demo.ts'
import { sweepLeftovers } from './leftovers.ts'
import { listenFault, portFault } from './port.ts'

/** Longest time that a stop can take after DRAIN_SECONDS, whatever is running. */
const STOP_MS = 10_000
/** Part of that time: how long requests and background work can continue before they are interrupted or returned to the queue. */
const UNDER_WAY_MS = 6000

export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve',
  says: 'Starts the service: database, API, background jobs.',
  details: `On an empty embedded database it first creates the demo site and prints who you can sign in as; DEMO=0 prevents this.
If the creation of the demo site was interrupted and the database contains nothing else, it is created again. The service stops on SIGTERM,
SIGINT or SIGHUP, or when the npm process that started it has ended. It stops within 10 seconds: it accepts no new requests, and requests and
background jobs under way have 6 seconds to finish. Jobs that aren’t done by then return to the queue for another process. With DRAIN_SECONDS (5 with DATABASE_URL) it first keeps serving
for that long while /api/health/ready responds 503, so that a load balancer sends new requests to other processes.`,
  async run(_args, env) {
    const end = asked(env)
    const say = (line: string) => console.log(line)
    surviveFullLog()
    const settings = readSettings(env)
    if (settings.roles.web) {
      const fault = await portFault(settings.host, settings.port)
      if (fault !== null) throw new CommandError(fault, 1)
    }
    const { engine, data_dir, database } = await openEngine(settings, true, say)
    const net = surviveDatabase(say)
    try {
      const house = await openHouse(settings, engine, { data_dir, traces: true, ...(database === undefined ? {} : { database }) })
      await upgrade(house, engine, database, say)
      await encryptSecrets(house)
      await wrapPersonKeys(house)
      sweepLeftovers(house, engine.kind === 'embedded').catch(error => house.log.error({ err: error }, 'leftovers'))
      const wanted = settings.demo ?? engine.kind === 'embedded'
      // Only the embedded engine is certainly used by this process alone: on a server, another process may be making the demo site.
      const again = engine.kind === 'embedded' ? { start_over: () => startOver(house, engine, database, say) } : {}
      const demo = wanted ? await bringDemo(house, { only_empty: true, say, stopped: () => end.now, ...again }).catch(brokenOff) : null
      const time = end.now ? budget(STOP_MS) : await serve(house, engine, demo, end.asked, say)
      for (const close of [
        () => closeQueue(house),
        () => house.lines.flush(),
        () => house.database.close(),
        async () => house.tracing?.close(),
      ])
        await time.within(close(), STOP_MS / 10)
      house.log.flush()
    } finally {
      await engine.stop()
      net.stop()
    }
    return 0
  },
}

/** Serves until the process is asked to stop, and gives running work a few seconds. Returns the time that is left for the rest. */
async function serve(house: House, engine: Engine, demo: Demo | null, end: Promise<void>, say: (line: string) => void): Promise<Budget> {
  const { settings } = house
  // The embedded database belongs to one process at a time.
  const worker = settings.roles.worker ? await startWorker(house, { alone: engine.kind === 'embedded' }) : null
  const relay = settings.roles.worker ? await startRelay(house) : null
  const dispatch = settings.roles.worker ? startDispatch(house) : null
  const edge = settings.roles.web ? await openEdge(house, { web: true }) : null
  if (edge !== null) {
    await edge.app.listen({ host: settings.host, port: settings.port }).catch(error => {
      throw new CommandError(listenFault(error, settings.host, settings.port), 1)
    })
  }
  for (const line of greeting(house, demo)) say(line)
  if (demo !== null) await signInWasShown(house, demo)
  await end
  house.process.draining = true
  const drain_ms = edge === null ? 0 : settings.drain_seconds * 1000
  const time = budget(drain_ms + STOP_MS)
  say('Stopping: waiting for requests under way…')
  const requests = async () => {
    if (edge === null) return
    // From now on `ready` fails, and everything else continues until load balancers have noticed.
    await wait(drain_ms)
    if (!(await budget(UNDER_WAY_MS).within(edge.app.close()))) edge.app.server.closeAllConnections()
  }
  const background = [relay?.stop(), dispatch?.stop(), worker?.stop(UNDER_WAY_MS)]
  await time.within(Promise.allSettled([requests(), ...background]), STOP_MS / 5)
  return time
}

/** Lists the lines that the terminal shows once the service is running. */
export function greeting(house: Pick<House, 'settings' | 'process'>, demo: Demo | null): string[] {
  const { public_url, oidc_issuer, roles } = house.settings
  if (!roles.web) return [`Walkdown ${house.process.version} is running as a worker.`]
  const lines = [`Walkdown ${house.process.version} is running at ${public_url}`, `  API reference: ${public_url}/api/docs`]
  if (demo?.outcome === 'interrupted') lines.push(DEMO_INTERRUPTED)
  if (demo?.outcome === 'there' && demo.unseen !== null) lines.push('', ...demo.unseen.trimEnd().split('\n'))
  if (demo?.outcome !== 'made') return lines
  lines.push('', `The demo site has ${demo.permits} permits, with every state among them.`)
  if (oidc_issuer !== null || demo.passphrase === null) {
    return [...lines, ...signInElsewhere(house.settings)]
  }
  return [
    ...lines,
    ...signIns(demo.passphrase),
    'To get an API token, run this in a terminal with the same settings:  npx walkdown token EMAIL',
    'Later starts don’t show the passphrase. It is stored in demo-sign-in.txt in the data directory.',
  ]
}
