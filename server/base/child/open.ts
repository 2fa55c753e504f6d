// A process of our own for work that must not run in the service: it blocks, it may crash, or it takes a great deal of memory. One order at a time;
// started when first needed, replaced when it has grown, ended when it hangs.
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as real } from 'node:timers/promises'
import { refuse, unavailable } from '../errors.ts'

/** How such a process is kept. */
export type ChildHow = {
  /** The file that it runs; see `serveOrders`. */
  entry: string
  /** An order that takes longer is given up. Real time on purpose: this guards the machine, and `CLOCK=manual` must not stop it. */
  silence_ms: number
  /** The process is replaced after this many orders, or when it uses more memory than `memory_mb` after one. */
  orders: number
  memory_mb: number
  /** It is killed when it uses more than this during an order; left out: no limit. */
  memory_at_most_mb?: number
  /** Orders that may wait; more are refused. */
  waiting: number
  /** The problems that the caller gets when the order took too long, when the process ended, and when too many orders are waiting. */
  says: { late: string; gone: string; busy: string }
}

/** What a process is sent, and what it sends. */
export type Sent<Order> = { nr: number; order: Order }
export type Heard<Answer> = { ready: true } | { nr: number; answer: Answer; memory_mb: number } | { nr: number; problem: string }

/** The order could not be done, and would not be if it were sent again. */
export class ChildProblem extends Error {
  override readonly name = 'ChildProblem'
}

type Process = { child: ChildProcess; ready: Promise<unknown>; orders: number }

/** Prepares a process; nothing is started before the first order. */
export function openChild<Order, Answer>(how: ChildHow) {
  let current: Process | null = null
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let nr = 0
  const starts: number[] = []

  const start = (): Process => {
    const child = fork(how.entry, how.memory_at_most_mb === undefined ? [] : [String(how.memory_at_most_mb)], {
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
    const ready = heard<Answer>(child, said => 'ready' in said)
    ready.catch(() => undefined)
    return { child, ready, orders: 0 }
  }

  const end = (one: Process) => {
    if (current === one) current = null
    one.child.kill('SIGKILL')
  }

  const take = async (order: Order): Promise<Answer> => {
    const one = current ?? start()
    current = one
    one.child.ref()
    one.child.channel?.ref()
    const stop = new AbortController()
    const late = real(how.silence_ms, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const)
    try {
      const sent: Sent<Order> = { nr: ++nr, order }
      const answer = (async () => {
        await one.ready
        const said = heard<Answer>(one.child, reply => 'nr' in reply && reply.nr === sent.nr)
        one.child.send(sent as object)
        return said
      })()
      answer.catch(() => undefined)
      const said = await Promise.race([answer, late])
      if (said === 'late') {
        end(one)
        return refuse(unavailable(how.says.late))
      }
      if ('problem' in said) throw new ChildProblem(said.problem)
      if (!('answer' in said)) throw GONE
      one.orders++
      if (one.orders >= how.orders || said.memory_mb > how.memory_mb) end(one)
      return said.answer
    } catch (error) {
      if (error !== GONE) throw error
      end(one)
      return refuse(unavailable(how.says.gone))
    } finally {
      stop.abort()
      one.child.unref()
      one.child.channel?.unref()
    }
  }

  return {
    /** Has an order done; orders that come meanwhile wait in line. Throws `ChildProblem` when it cannot be done. */
    async ask(order: Order): Promise<Answer> {
      if (waiting >= how.waiting) return refuse(unavailable(how.says.busy))
      waiting++
      const turn = line.then(() => take(order))
      line = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        waiting--
      }
    },
    /** Process ids that were started so far, the last of them at work. */
    starts: (): readonly number[] => starts,
    close() {
      if (current !== null) end(current)
    },
  }
}

/** The process ended while something was asked of it. */
const GONE = new Error('The process is gone.')

function heard<Answer>(child: ChildProcess, wanted: (said: Heard<Answer>) => boolean): Promise<Heard<Answer>> {
  return new Promise((done, fail) => {
    const off = () => {
      child.off('message', listen)
      child.off('exit', gone)
      child.off('error', gone)
    }
    const listen = (message: unknown) => {
      const said = message as Heard<Answer> // our own process says nothing else
      if (!wanted(said)) return
      off()
      done(said)
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
