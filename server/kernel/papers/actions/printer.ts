// The printing process, seen from the service: one at a time, started when first needed, begun anew when it has grown, ended when it hangs.
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as real } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { refuse, unavailable } from '../../../base/errors.ts'
import type { Order, Printed, Said, Sheet } from '../domain.ts'

/** How papers are printed; tests take others. */
export type Printing = {
  entry: string
  /** A sheet that takes longer is given up. Real time on purpose: this guards the machine, and `CLOCK=manual` must not stop it. */
  silence_ms: number
  /** The process is begun anew after so many sheets, or beyond so much memory. */
  sheets: number
  memory_mb: number
  /** Sheets that may wait; more are refused. */
  waiting: number
}

const USUAL: Printing = {
  entry: fileURLToPath(new URL('./child.ts', import.meta.url)),
  silence_ms: 20_000,
  sheets: 500,
  memory_mb: 400,
  waiting: 200,
}

type Process = { child: ChildProcess; ready: Promise<void>; sheets: number; worn: boolean }

/** A printer. It starts nothing before the first sheet. */
export function openPrinter(given: Partial<Printing> = {}) {
  const how = { ...USUAL, ...given }
  let current: Process | null = null
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let nr = 0
  const starts: number[] = []

  const start = (): Process => {
    const child = fork(how.entry, [], {
      // Nothing of our environment: no addresses, no secrets.
      env: { TZ: 'UTC' },
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    starts.push(child.pid ?? 0)
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('exit', () => {
      process.off('exit', kill)
      if (current?.child === child) current = null
    })
    // A process that has nothing to do does not keep the service alive.
    child.unref()
    child.channel?.unref()
    const ready = heard(child, said => ('ready' in said ? true : null)).then(() => undefined)
    ready.catch(() => undefined)
    return { child, ready, sheets: 0, worn: false }
  }

  const end = (one: Process) => {
    if (current === one) current = null
    one.child.kill('SIGKILL')
  }

  const make = async (sheet: Sheet): Promise<Printed> => {
    const one = current ?? start()
    current = one
    one.child.ref()
    one.child.channel?.ref()
    const stop = new AbortController()
    const late = real(how.silence_ms, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const)
    try {
      const order: Order = { nr: ++nr, sheet }
      const answer = (async () => {
        await one.ready
        const said = heard(one.child, reply => ('nr' in reply && reply.nr === order.nr ? reply : null))
        one.child.send(order)
        return said
      })()
      answer.catch(() => undefined)
      const said = await Promise.race([answer, late])
      if (said === 'late') {
        end(one)
        return refuse(unavailable('This paper took too long to be made and was given up. Try again in a moment.'))
      }
      if ('problem' in said) throw new Error(`The paper cannot be set: ${said.problem}`)
      one.sheets++
      if (one.sheets >= how.sheets || said.memory_mb > how.memory_mb) end(one)
      return { pdf: Buffer.from(said.pdf), pages: said.pages, illegible: said.illegible }
    } catch (error) {
      if (error !== GONE) throw error
      end(one)
      return refuse(unavailable('The printing of papers broke off. Try again in a moment.'))
    } finally {
      stop.abort()
      one.child.unref()
      one.child.channel?.unref()
    }
  }

  return {
    /** Makes a sheet; sheets that come meanwhile wait in line. */
    async print(sheet: Sheet): Promise<Printed> {
      if (waiting >= how.waiting) return refuse(unavailable('Too many papers are being made just now. Try again in a moment.'))
      waiting++
      const turn = line.then(() => make(sheet))
      line = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        waiting--
      }
    },
    /** Processes that were started so far, the last of them at work. */
    starts: (): readonly number[] => starts,
    close() {
      if (current !== null) end(current)
    },
  }
}

/** The process ended while something was asked of it. */
const GONE = new Error('The printing process is gone.')

type Answer = Exclude<Said, { ready: true }>

function heard(child: ChildProcess, wanted: (said: Said) => true | null): Promise<true>
function heard(child: ChildProcess, wanted: (said: Said) => Answer | null): Promise<Answer>
function heard<T>(child: ChildProcess, wanted: (said: Said) => T | null): Promise<T> {
  return new Promise((done, fail) => {
    const off = () => {
      child.off('message', listen)
      child.off('exit', gone)
      child.off('error', gone)
    }
    const listen = (said: unknown) => {
      const found = wanted(said as Said) // our own process says nothing else
      if (found === null) return
      off()
      done(found)
    }
    const gone = () => {
      off()
      fail(GONE)
    }
    child.on('message', listen)
    child.once('exit', gone)
    child.once('error', gone)
  })
}

/** The printer of this process, for everybody in it. */
export const printer = openPrinter()
