import { openEdge, openHouse } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { readSettings, type Settings } from '../base/settings.ts'
import { startRelay } from '../kernel/events/door.ts'
import { closeQueue, startWorker } from '../kernel/jobs/door.ts'
import { startDispatch } from '../kernel/notices/door.ts'
import { type Command, CommandError, openEngine, upgrade } from './command.ts'
import { BROKEN_OFF, bringDemo, brokenOff, type Demo, signIns } from './demo.ts'
import { listenFault, portFault } from './port.ts'

const OPEN_REQUESTS_MS = 25_000

export const serveCommand: Command = {
  name: 'serve',
  usage: 'serve',
  says: 'Brings up the service: database, API, background work.',
  details: `On an empty embedded database it first makes the demo site and says who to sign in as (DEMO=0: it does not).
It stops on SIGTERM or SIGINT: no new requests, those under way end (25 s), then it leaves.`,
  async run(_args, env) {
    const end = asked()
    const say = (line: string) => console.log(line)
    const settings = readSettings(env)
    if (settings.roles.web) {
      const fault = await portFault(settings.host, settings.port)
      if (fault !== null) throw new CommandError(fault, 1)
    }
    const { engine, data_dir, database } = await openEngine(settings, true, say)
    try {
      const house = await openHouse(settings, engine, { data_dir, ...(database === undefined ? {} : { database }) })
      await upgrade(house, engine, database, say)
      const wanted = settings.demo ?? engine.kind === 'embedded'
      const demo = wanted ? await bringDemo(house, { only_empty: true, say, stopped: () => end.now }).catch(brokenOff) : null
      if (!end.now) await serve(house, settings, demo, end.asked, say)
      await closeQueue(house)
      await house.lines.flush()
      await house.database.close()
      house.log.flush()
    } finally {
      await engine.stop()
    }
    return 0
  },
}

/** Serves until the process is asked to end, and lets what is under way come to its end. */
async function serve(house: House, settings: Settings, demo: Demo | null, end: Promise<void>, say: (line: string) => void): Promise<void> {
  const worker = settings.roles.worker ? await startWorker(house) : null
  const relay = settings.roles.worker ? await startRelay(house) : null
  const dispatch = settings.roles.worker ? startDispatch(house) : null
  const edge = settings.roles.web ? await openEdge(house, { web: true }) : null
  if (edge !== null) {
    await edge.app.listen({ host: settings.host, port: settings.port }).catch(error => {
      throw new CommandError(listenFault(error, settings.host, settings.port), 1)
    })
  }
  for (const line of greeting(house, demo)) say(line)
  await end
  house.process.draining = true
  say('Stopping: requests under way end first…')
  if (edge !== null) await Promise.race([edge.app.close(), new Promise(done => setTimeout(done, OPEN_REQUESTS_MS).unref())])
  await relay?.stop()
  await dispatch?.stop()
  await worker?.stop()
}

/** What the terminal says once the service is up. */
export function greeting(house: Pick<House, 'settings' | 'process'>, demo: Demo | null): string[] {
  const { public_url, oidc_issuer, roles } = house.settings
  if (!roles.web) return [`Walkdown ${house.process.version} works in the background.`]
  const lines = [`Walkdown ${house.process.version} is up at ${public_url}`, `  reference of the API: ${public_url}/api/docs`]
  if (demo?.outcome === 'broken off') lines.push(BROKEN_OFF)
  if (demo?.outcome !== 'made') return lines
  lines.push('', `The demo site has ${demo.permits} permits in every state.`)
  if (oidc_issuer !== null || demo.passphrase === null) {
    lines.push('People sign in through the provider of OIDC_ISSUER; a superadmin (SUPERADMIN_EMAILS) sees the site.')
    return lines
  }
  return [
    ...lines,
    ...signIns(demo.passphrase),
    'A token for the API, in a terminal with the same settings:  npx walkdown token EMAIL',
    'This is said once; it stays in demo-sign-in.txt of the data directory.',
  ]
}

/** Resolves when the process is asked to end; `now` says whether it was. */
function asked(): { readonly now: boolean; asked: Promise<void> } {
  let now = false
  const asked = new Promise<void>(done => {
    const stop = () => {
      now = true
      done()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  })
  return {
    get now() {
      return now
    },
    asked,
  }
}
