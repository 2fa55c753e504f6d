// P7: the time from starting the process to its first authenticated response, with all routes, on an existing database; compared with starting
// PostgreSQL and an empty Node process.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { embeddedEngine } from '../server/base/engine.ts'
import { openServed } from '../tests/served.ts'
import { median } from './kit.ts'

/** Medians in seconds; memory of the idle process in MB, after the last run. */
export type StartBench = { seconds: number; engine_seconds: number; bare_node_seconds: number; ratio: number; idle_mb: number }

const bareNode = () =>
  new Promise<number>(done => {
    const began = performance.now()
    spawn(process.execPath, ['-e', '0']).once('exit', () => done((performance.now() - began) / 1000))
  })

/** Cold-starts the built service, including the database engine, `runs` times, after one run to warm up. */
export async function startBench(runs = 5): Promise<StartBench> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  spawnSync(process.execPath, ['tools/build-server.ts', '--if-needed'], { cwd: root, stdio: 'inherit' })
  const served = await openServed()
  await served.start()
  const token = await served.token({ subject: 'root', name: 'Sam Root', email: 'root@walkdown.test' })
  const whole: number[] = []
  const engines: number[] = []
  const nodes: number[] = []
  let idle_mb = 0
  for (let run = 0; run <= runs; run++) {
    // A service that stopped in order has stored its compiled code.
    await (run === 0 ? served.stop() : served.kill())
    await (await embeddedEngine({ data_dir: served.data_dir, own: true })).stop()
    nodes.push(await bareNode())
    let began = performance.now()
    const engine = await embeddedEngine({ data_dir: served.data_dir, own: true })
    const alone = (performance.now() - began) / 1000
    await engine.stop()
    began = performance.now()
    const up = served.start()
    for (;;) {
      const answer = await fetch(`${served.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } }).catch(() => null)
      if (answer?.status === 200) break
      await wait(5)
    }
    const seconds = (performance.now() - began) / 1000
    await up
    if (run === 0) continue
    whole.push(seconds)
    engines.push(alone)
    await wait(500)
    idle_mb = served.pid === null ? 0 : Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${served.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  }
  await served.close()
  const seconds = median(whole)
  const engine_seconds = median(engines)
  const bare_node_seconds = median(nodes)
  return { seconds, engine_seconds, bare_node_seconds, ratio: seconds / (engine_seconds + bare_node_seconds), idle_mb }
}
