// Settings → engine → database → service. The only file that reads arguments and the environment.
import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { EngineError } from './base/engine-files.ts'
import { isFull } from './base/full.ts'
import { SettingsError } from './base/settings.ts'
import { backupCommand } from './commands/backup.ts'
import { type Command, CommandError } from './commands/command.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { eraseCommand } from './commands/erase.ts'
import { gisViewsCommand } from './commands/gis-views.ts'
import { importCommand } from './commands/import.ts'
import { migrateCommand } from './commands/migrate.ts'
import { openapiCommand } from './commands/openapi.ts'
import { passwordLinkCommand } from './commands/password-link.ts'
import { restoreCommand } from './commands/restore.ts'
import { rotateKeysCommand } from './commands/rotate-keys.ts'
import { secondFactorCommand } from './commands/second-factor.ts'
import { serveCommand } from './commands/serve.ts'
import { signOutCommand } from './commands/sign-out.ts'
import { superadminCommand } from './commands/superadmin.ts'
import { tokenCommand } from './commands/token.ts'
import { verifyCommand } from './commands/verify.ts'

const commands: readonly Command[] = [
  serveCommand,
  migrateCommand,
  demoCommand,
  importCommand,
  doctorCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
  rotateKeysCommand,
  superadminCommand,
  secondFactorCommand,
  signOutCommand,
  passwordLinkCommand,
  eraseCommand,
  gisViewsCommand,
  tokenCommand,
  openapiCommand,
]

const HELP = `walkdown COMMAND [OPTIONS]

${commands.map(c => `  ${c.usage.padEnd(44)} ${c.says}`).join('\n')}

Each command has --help. Settings come from the environment; see .env.example.
Exit codes: 0 success, 1 the command failed or found a fault, 2 the command was called incorrectly.`

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  console.error(
    `Walkdown runs on Node.js 24.7 or newer; this is ${process.versions.node}. Start Walkdown with bin/walkdown.js, which uses the Node.js that comes with it.`,
  )
  process.exit(2)
}
if (existsSync('.env')) loadEnvFile('.env')

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands.find(c => c.name === name)
if (command === undefined) {
  const asked = name === 'help' || name === '--help' || name === '-h'
  console[asked ? 'log' : 'error'](asked ? HELP : `Unknown command "${name}".\n\n${HELP}`)
  process.exit(asked ? 0 : 2)
}
if (args.includes('--help') || args.includes('-h')) {
  console.log(`walkdown ${command.usage}\n\n${command.says}\n${command.details ?? ''}`)
  process.exit(0)
}
try {
  process.exitCode = await command.run(args, process.env)
} catch (error) {
  const said = error instanceof SettingsError || error instanceof EngineError || error instanceof CommandError
  console.error(
    said ? error.message : isFull(error) ? 'There is no space left on the disk. Free some space, then run the command again.' : error,
  )
  process.exitCode = error instanceof CommandError ? error.code : 1
}
// Ends the process when the command has finished, even if abandoned work is still waiting for something.
setTimeout(() => process.exit(), 500).unref()
