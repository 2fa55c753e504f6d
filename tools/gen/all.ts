import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedEngine } from '../../server/base/engine.ts'
import { createDatabase, migrate } from '../../server/base/migrate.ts'
import { tokensCss } from '../../web/base/theme/tokens.ts'
import { asvsPage } from './asvs.ts'
import { contractFiles } from './contract.ts'
import { groupsPage } from './groups.ts'
import { schedulesPage } from './schedules.ts'
import { tableTypes } from './tables.ts'

/** A generated file: its path from the root, and its expected content. */
export type Generated = { path: string; content: string }

/** Generates every file, on a database engine of its own. */
export async function generateAll(): Promise<Generated[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'walkdown-gen-'))
  await chmod(data_dir, 0o755)
  const engine = await embeddedEngine({ data_dir, own: true })
  try {
    await createDatabase(engine, 'gen')
    await migrate(engine, { database: 'gen' })
    return [
      { path: 'server/base/tables.gen.ts', content: await tableTypes(engine, 'gen') },
      ...(await contractFiles()),
      { path: 'docs/groups.md', content: groupsPage() },
      { path: 'docs/schedules.md', content: schedulesPage() },
      { path: 'docs/security/asvs.md', content: asvsPage() },
      { path: 'web/base/theme/tokens.gen.css', content: tokensCss() },
    ]
  } finally {
    await engine.stop()
    await rm(data_dir, { recursive: true, force: true })
  }
}
