// Runs the product for development and restarts it when a file changes: `npm run dev`.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const child = spawn(process.execPath, ['--watch', '--watch-path=server', '--watch-path=shared', 'server/main.ts', 'serve'], {
  cwd: root,
  stdio: 'inherit',
})
process.on('SIGINT', () => child.kill('SIGINT'))
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', code => process.exit(code ?? 0))
