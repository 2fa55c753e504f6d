// The peers of P5: PostGIS, which cuts the same points into the same tile (ST_AsMVT), and tileserver-gl-light, which serves the tile from a file.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { timed } from './kit.ts'
import { ACCEPTED, openClient, opened } from './load.ts'
import { openPostGis } from './postgis.ts'

/** A tile of the web's usual grid. */
export type TileName = { z: number; x: number; y: number }

/** A peer that makes the same tile as we do, so that we can take turns. */
export type Peer = { time(): Promise<number>; close(): Promise<void> }
/** A peer that serves the same tile as we do. */
export type TilePeer = { address: string; path: string; close(): void }

/**
 * PostGIS, timed from the query to its bytes; null where it isn't installed. Its table has the same numbers of tokens that are there now and that are over, what our tiles say of each, its
 * points are already in the projection of the tile, and both are indexed. It decides nothing: no person, no coverage by permits, no revision.
 */
export async function openPostgisPeer(
  { z, x, y }: TileName,
  spot: (n: string) => string,
  live: number,
  dead: number,
): Promise<Peer | null> {
  const postgis = await openPostGis()
  if (postgis === null) return null
  const { client } = postgis
  await client.query(`create table token as select gen_random_uuid()::text as id, 'worker' as kind, 'Gang ' || n as name, 'Steel fixer' as trade, 6 as headcount, false as no_permit,
      to_char(now() - interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as start_at, to_char(now() + interval '9 hours', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as end_at,
      ST_Transform(ST_SetSRID(ST_MakePoint(lon, lat), 4326), 3857) as geom,
      tstzrange(case when n <= ${live} then now() - interval '1 hour' else now() - (n % 700 + 2) * interval '1 day' end,
        case when n <= ${live} then now() + interval '9 hours' else now() - (n % 700 + 2) * interval '1 day' + interval '10 hours' end) as there
    from (select n, ${spot('n')} from generate_series(1, ${live + dead}) n) r`)
  await client.query('create extension if not exists btree_gist')
  await client.query('create index on token using gist (there, geom)')
  await client.query('vacuum (analyze) token')
  const cut = async () => {
    const { rows } = await client.query<{ tile: Buffer }>(
      `with cut as (
         select id, kind, name, trade, headcount, no_permit, start_at, end_at, ST_AsMVTGeom(geom, ST_TileEnvelope($1, $2, $3), 4096, 256, true) as geom
         from token where there @> now() and geom && ST_TileEnvelope($1, $2, $3, margin => 256.0 / 4096))
       select ST_AsMVT(cut, 'tokens', 4096, 'geom') as tile from cut`,
      [z, x, y],
    )
    if ((rows[0]?.tile.length ?? 0) < 10_000) throw new Error('The tile of PostGIS is empty.')
  }
  await cut()
  return { time: () => timed(cut), close: postgis.close }
}

/**
 * tileserver-gl-light, which serves the same bytes from an MBTiles file, to anyone; null unless TILESERVER is a folder in which it is installed. What it sends is
 * compared with our tile.
 */
export async function openTileserver({ z, x, y }: TileName, tile: Uint8Array): Promise<TilePeer | null> {
  const installed = process.env.TILESERVER
  if (installed === undefined) return null
  const main = createRequire(join(installed, 'package.json'))
    .resolve('tileserver-gl-light/package.json')
    .replace('package.json', 'src/main.js')
  if (!existsSync(main)) return null
  const folder = mkdtempSync(join(tmpdir(), 'walkdown-tileserver-'))
  await writeTiles(join(folder, 'tokens.mbtiles'), { z, x, y }, tile)
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ options: {}, styles: {}, data: { tokens: { mbtiles: 'tokens.mbtiles' } } }))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const server = spawn(process.execPath, [main, '--config', 'config.json', '--port', String(port), '--bind', '127.0.0.1', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => server.kill('SIGKILL'))
  const [address, path] = [`http://127.0.0.1:${port}`, `/data/tokens/${z}/${x}/${y}.pbf`]
  const fetchTile = openClient()
  const get = async () => {
    const reply = await fetchTile(address + path, { 'accept-encoding': ACCEPTED })
    if (reply.status !== 200) throw new Error(`tileserver-gl-light responded with ${reply.status}`)
    return opened(reply)
  }
  for (let tries = 0; ; tries++) {
    const found = await get().catch((error: Error) => error)
    if (!(found instanceof Error)) {
      if (!found.equals(tile)) throw new Error('tileserver-gl-light sends another tile.')
      break
    }
    if (tries > 240) throw found
    await wait(250)
  }
  return {
    address,
    path,
    close() {
      server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes a file with one tile (MBTiles 1.3), whose rows count from the south. */
async function writeTiles(file: string, { z, x, y }: TileName, tile: Uint8Array): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(file)
  db.exec(
    'create table metadata (name text, value text); create table tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)',
  )
  const meta = db.prepare('insert into metadata values (?, ?)')
  const facts = {
    name: 'tokens',
    format: 'pbf',
    minzoom: String(z),
    maxzoom: String(z),
    bounds: '-180,-85,180,85',
    json: '{"vector_layers":[{"id":"tokens","fields":{}}]}',
  }
  for (const [name, value] of Object.entries(facts)) meta.run(name, value)
  db.exec('create unique index tile_index on tiles (zoom_level, tile_column, tile_row)')
  db.prepare('insert into tiles values (?, ?, ?, ?)').run(z, x, 2 ** z - 1 - y, gzipSync(tile))
  db.close()
}
