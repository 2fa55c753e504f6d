// Only the service uses the data directory: it contains the database, the stored files, emails with links in them, and keys.
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeIn } from '../../shared/narrow.ts'
import { type Account, accountFor } from './engine-files.ts'

/** The names of the files that the service itself puts into its data directory. */
const OURS = /^(pg|pg\.log|pg\.half|engine|run|run\.path|files|tmp|keys|outbox|demo-sign-in\.(txt|unseen)|lost\+found)$/

/** Creates the data directory for its owner only, or closes it if others can enter it. `embedded`: it also contains the database. */
export async function closeDataDir(data_dir: string, embedded: boolean, say: (line: string) => void): Promise<void> {
  // Directories above it can be entered by everyone, as usual.
  await mkdir(dirname(data_dir), { recursive: true })
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  const fault = await openness(data_dir)
  const account = embedded ? await accountFor() : null
  if (fault !== null && !(await isOurs(data_dir))) {
    say(
      `${fault} It also contains files that aren’t Walkdown’s, so Walkdown didn’t change the mode. Move those files, or run: chmod 700 ${data_dir}`,
    )
    return
  }
  try {
    await give(data_dir, account)
    if (fault === null) return
    await chmod(data_dir, 0o700)
    say(`${fault} Now only its owner can open it.`)
  } catch (error) {
    if (codeIn(error) !== 'EPERM') throw error
    if (fault !== null) say(`${fault} This account can’t change the mode. The owner of the directory must run: chmod 700 ${data_dir}`)
  }
}

/** Returns what is wrong with the mode of the data directory, in a sentence; null if only its owner can enter it. */
export async function openness(data_dir: string): Promise<string | null> {
  const info = await stat(data_dir).catch(() => null)
  const mode = (info?.mode ?? 0) & 0o777
  return info === null || (mode & 0o077) === 0
    ? null
    : `The data directory ${data_dir} is open to other accounts on this machine (mode ${mode.toString(8).padStart(4, '0')}).`
}

const isOurs = async (data_dir: string): Promise<boolean> => (await readdir(data_dir)).every(name => OURS.test(name))

/** For root, the account that runs the database owns the directory, because it must be able to enter it; root can do so anyway. */
async function give(data_dir: string, account: Account | null): Promise<void> {
  if (account === null) return
  const { uid } = await stat(data_dir)
  if (uid !== account.uid && (await isOurs(data_dir))) await chown(data_dir, account.uid, account.gid)
}
