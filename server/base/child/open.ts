// A child process for work that must not run in the service, because it blocks, may crash, or takes a lot of memory. It handles one order at a time; it is
// started when first needed, replaced when it has grown, and stopped when it hangs.
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as real } from 'node:timers'
import { fieldsIn } from '../../../shared/narrow.ts'
import { refuse, unavailable } from '../errors.ts'

/** How such a process is run. */
export type ChildHow = {
  /** The file that it runs; see `serveOrders`. */
  entry: string
  /**
   * An order is abandoned when the process has neither finished it nor reported progress for this long. This uses real time, because it protects the
   * machine, and `CLOCK=manual` must not stop it.
   */
  silence_ms: number
  /** The process is replaced after this many orders, or when it uses more memory than `memory_mb` after one. */
  orders: number
  memory_mb: number
  /** It is stopped if it uses more memory than this during an order; if left out, there is no limit. */
  memory_at_most_mb?: number
  /** Number of orders that can wait; further ones are refused. */
  waiting: number
  /** The messages for the caller if the order took too long, if the process ended, and if too many orders are waiting. */
  says: { late: string; gone: string; busy: string }
}

/** A message to the process, and from it. */
export type Sent<Order> = { nr: number; order: Order }
export type Heard<Answer> =
  | { ready: true }
  | { nr: number; answer: Answer; memory_mb: number }
  | { nr: number; problem: string }
  | { nr: number; progress: number }

/** Called with the progress of an order, from 0 to 1. */
export type Report = (fraction: number) => void

/** The order could not be carried out, and sending it again would not help. */
export class ChildProblem extends Error {
  override readonly name = 'ChildProblem'
}

type Process = { child: ChildProcess; ready: Promise<unknown>; orders: number }

// One listener for all of them: there are more kinds of processes than Node expects listeners.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Prepares a process; nothing is started before the first order. */
export function openChild<Order, Answer>(how: ChildHow) {
  let current: Process | null = null
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let nr = 0
  const starts: number[] = []

  const start = (): Process => {
    const child = fork(how.entry, how.memory_at_most_mb === undefined ? [] : [String(how.memory_at_most_mb)], {
      // An environment without our URLs and secrets.
      env: { TZ: 'UTC' },
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    starts.push(child.pid ?? 0)
    running.add(child)
    child.once('exit', () => {
      running.delete(child)
      if (current?.child === child) current = null
    })
    // An idle process must not keep the service running.
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

  const take = async (order: Order, report: Report): Promise<Answer> => {
    const one = current ?? start()
    current = one
    one.child.ref()
    one.child.channel?.ref()
    const sent: Sent<Order> = { nr: ++nr, order }
    let silence: NodeJS.Timeout | undefined
    const late = new Promise<'late'>(done => {
      silence = real(() => done('late'), how.silence_ms)
    })
    const listen = (message: unknown) => {
      const { nr: of, progress } = fieldsIn(message)
      if (typeof progress !== 'number' || of !== sent.nr) return
      silence?.refresh()
      report(progress)
    }
    one.child.on('message', listen)
    try {
      const answer = (async () => {
        await one.ready
        const said = heard<Answer>(one.child, reply => 'nr' in reply && reply.nr === sent.nr && !('progress' in reply))
        one.child.send(sent)
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
      clearTimeout(silence)
      one.child.off('message', listen)
      one.child.unref()
      one.child.channel?.unref()
    }
  }

  return {
    /** Carries out an order; further orders wait in line. Throws `ChildProblem` if it can't be carried out. */
    async ask(order: Order, report: Report = () => {}): Promise<Answer> {
      if (waiting >= how.waiting) return refuse(unavailable(how.says.busy))
      waiting++
      const turn = line.then(() => take(order, report))
      line = turn.catch(() => undefined)
      try {
        return await turn
      } finally {
        waiting--
      }
    },
    /** Returns the ids of all processes started so far; the last one is in use. */
    starts: (): readonly number[] => starts,
    close() {
      if (current !== null) end(current)
    },
  }
}

/** The process ended while it was working on an order. */
const GONE = new Error('The process has ended.')

function heard<Answer>(child: ChildProcess, wanted: (said: Heard<Answer>) => boolean): Promise<Heard<Answer>> {
  return new Promise((done, fail) => {
    const off = () => {
      child.off('message', listen)
      child.off('exit', gone)
      child.off('error', gone)
    }
    const listen = (message: unknown) => {
      const said = message as Heard<Answer> // our own process sends nothing else
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
