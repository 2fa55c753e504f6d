// A backup on disk: its contents, and the check that it is complete.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dump, digestOf } from '../base/dump.ts'
import type { Id } from '../base/ids.ts'
import { CommandError } from './command.ts'

/** The description of a backup. It is written last, so a backup without it is incomplete. */
export type Manifest = {
  format: 'walkdown-backup'
  format_version: 1
  /** The moment of the backup, by the clock of the service: it contains every write that was acknowledged before. */
  made_at: string
  /** Position in the log of the database server at that moment (an LSN); backups of older versions have none. */
  log_position?: string
  walkdown: string
  dump: Dump
  /** Stored files, by SHA-256. */
  files: { sha256: string; size: number; media_type: string }[]
  /** Heads of the audit chains at the moment of the backup. */
  chains: { site_id: Id; seq: number; hash: string }[]
}

/** Writes the moment of a backup in words. */
export const momentOf = ({ made_at, log_position }: Pick<Manifest, 'made_at' | 'log_position'>): string =>
  log_position === undefined ? made_at : `${made_at} (log position ${log_position})`

/** The manifest, and the file with its digest. */
export const MANIFEST = 'manifest.json'
export const MANIFEST_DIGEST = 'manifest.json.sha256'

/** Returns the path of a stored file in a backup. */
export const filePlace = (sha256: string): string => join('files', sha256.slice(0, 2), sha256)

const broken = (file: string, why: string) => new CommandError(`This backup can’t be restored: ${file} ${why}. Nothing was restored.`, 1)

/** Reads the manifest of a backup; refuses one that is missing, altered or of another format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const given = await digestOf(join(folder, MANIFEST))
  if (given === null) throw broken(MANIFEST, 'is missing: the backup was interrupted, or this isn’t a backup')
  const said = await readFile(join(folder, MANIFEST_DIGEST), 'utf8').catch(() => null)
  if (said === null) throw broken(MANIFEST_DIGEST, 'is missing')
  if (said.slice(0, 64) !== given.sha256) throw broken(MANIFEST, 'was altered')
  const manifest: unknown = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('format' in manifest) || manifest.format !== 'walkdown-backup')
    throw broken(MANIFEST, 'isn’t from a Walkdown backup')
  if (!('format_version' in manifest) || manifest.format_version !== 1) throw broken(MANIFEST, 'is from a newer version of Walkdown')
  return manifest as Manifest // its digest shows that the backup command wrote it
}

/** Compares every file of a backup with its digest; refuses at the first one that is missing, truncated or altered, with its name. */
export async function provenWhole(folder: string, manifest: Manifest): Promise<void> {
  const all = [
    ...manifest.dump.tables.map(({ file, size, sha256 }) => ({ file, size, sha256 })),
    ...manifest.files.map(({ sha256, size }) => ({ file: filePlace(sha256), size, sha256 })),
  ]
  for (const { file, size, sha256 } of all) {
    const found = await digestOf(join(folder, file))
    if (found === null) throw broken(file, 'is missing')
    if (found.size !== size) throw broken(file, `has ${found.size} bytes instead of ${size}`)
    if (found.sha256 !== sha256) throw broken(file, 'was altered')
  }
}
