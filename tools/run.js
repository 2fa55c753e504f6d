// Starts a TypeScript file on Node 24: `node tools/run.js FILE [ARGUMENTS]`. Plain JavaScript, because an older Node may start it
// (20.19 or later): then the Node 24 that npm installed (`node-linux-*`) takes over.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED = [24, 7]

/** Returns the path of a Node that is new enough: this one, or the packaged one; null when there is none. */
export function newNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return process.execPath
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    const carried = join(dirname(manifest), 'bin', 'node')
    return existsSync(carried) ? carried : null
  } catch {
    return null
  }
}

/** The environment variable with the id of the process that our child processes must not outlive. */
export const PARENT = 'WALKDOWN_PARENT'

/**
 * Keeps compiled code in the package, where only the account that installed it can write: a start then reads it instead of compiling 2,500 files. Node checks
 * each file against what it compiled. If the directory can't be written, everything is compiled, as before.
 */
function keepCompiled() {
  if (process.env.NODE_COMPILE_CACHE === undefined) module.enableCompileCache?.(fileURLToPath(COMPILED))
}

/** Where compiled code is kept. */
const COMPILED = new URL('../node_modules/.cache/walkdown/code', import.meta.url)

/** Runs `file` with `args` on a Node that is new enough and ends with its exit code. */
export function runOnCarriedNode(file, args) {
  const node = newNode()
  if (node === null) {
    const installed = existsSync(new URL('../node_modules', import.meta.url))
    console.error(
      `${installed ? '' : 'The packages aren’t installed yet: run npm ci first. '}Walkdown needs Node.js ${NEEDED.join('.')} or newer here (found ${process.versions.node}); no carried one fits ${process.platform}-${process.arch}.`,
    )
    process.exit(1)
  }
  const path = fileURLToPath(file)
  if (node === process.execPath) {
    keepCompiled()
    process.argv = [process.execPath, path, ...args]
    import(pathToFileURL(path).href)
    // A newer Node starts here again, and comes through the branch above.
  } else runBeside(node, [fileURLToPath(import.meta.url), path, ...args])
}

/** Runs a command as a child of this process: signals are passed on, and this process ends when the command does, in the same way. */
export function runBeside(command, args) {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, [PARENT]: String(process.pid) } })
  const pass = signal => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass)
  child.on('error', error => {
    console.error(`${command} can’t be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.off(signal, pass)
    process.kill(process.pid, signal)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  runOnCarriedNode(pathToFileURL(process.argv[2]), process.argv.slice(3))
}
