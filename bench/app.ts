// What the benchmarks of the app share: an instance of the service that serves the built app, and a browser.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launch } from '../tests/browser/kit.ts'
import { openTestEngine } from '../tests/engine.ts'
import { freePort } from '../tests/port.ts'
import { openTestHouse } from '../tests/world.ts'
import type { Bench } from './kit.ts'

/** An instance that serves the app at `url`, and the browser that opens it. */
export type AppBench = Omit<Bench, 'address'> & { url: string; browser: Browser }

/** Builds the app and starts the service with it, as in production. */
export async function openAppBench(): Promise<AppBench> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  spawnSync(process.execPath, ['tools/build-web.ts', '--if-needed'], { cwd: root, stdio: 'inherit' })
  const { engine, env, stop } = await openTestEngine(process.env.DATABASE_URL)
  Object.assign(process.env, env, { NODE_ENV: 'production' })
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = { CLOCK: 'system', PUBLIC_URL: url, PORT: String(port), RATE_LIMIT_PER_MINUTE: '1000000' }
  const house = await openTestHouse(settings, { web: true, strict_replies: false })
  await house.edge.app.listen({ host: '127.0.0.1', port })
  const browser = await launch()
  const { rows } = await house.house.database.pool.query('select current_database() as name')
  return {
    house,
    url,
    browser,
    database: rows[0].name,
    connection: engine.connection as Bench['connection'], // as openTestEngine makes it
    async close() {
      await browser.close()
      await house.close()
      await stop()
    },
  }
}
