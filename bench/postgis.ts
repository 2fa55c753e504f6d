// A PostGIS of its own for comparisons, from the packages of Debian; null where it isn't installed (apt-get install postgresql-15-postgis-3).
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/** A database with PostGIS. */
export type PostGis = {
  client: pg.Client
  version: string
  /** Its folder, in which its socket is, and the name of its account. */
  host: string
  user: string
  close(): Promise<void>
}

/** Starts one, without a network, and with the memory of a small server. */
export async function openPostGis(): Promise<PostGis | null> {
  const control = globSync('/usr/share/postgresql/*/extension/postgis.control').sort().at(-1)
  const bin = control?.replace('/usr/share', '/usr/lib').replace('extension/postgis.control', 'bin')
  if (bin === undefined || !existsSync(join(bin, 'initdb'))) return null
  const folder = mkdtempSync(join(tmpdir(), 'walkdown-postgis-'))
  // The server refuses to run as root, so it runs as the account that the package made.
  const isRoot = process.getuid?.() === 0
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim())
  const account = isRoot ? { uid: id('-u'), gid: id('-g') } : {}
  if (isRoot) chownSync(folder, id('-u'), id('-g'))
  const data = join(folder, 'data')
  const run = (program: string, ...args: string[]) => execFileSync(join(bin, program), args, { ...account, cwd: folder, stdio: 'ignore' })
  run('initdb', '-D', data, '-U', 'bench', '--auth=trust', '-E', 'UTF8', '--no-locale')
  const settings = `-c listen_addresses='' -k ${folder} -c shared_buffers=256MB -c work_mem=64MB -c fsync=off`
  run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', settings, 'start')
  const client = new pg.Client({ host: folder, user: 'bench', database: 'postgres' })
  await client.connect()
  await client.query('create extension postgis')
  const { rows } = await client.query<{ version: string }>('select postgis_lib_version() as version')
  return {
    client,
    version: rows[0]?.version ?? '',
    host: folder,
    user: 'bench',
    async close() {
      await client.end()
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
