// When the service must stop: on a signal, or when the process that started it has ended.

/** The parent is checked often, so that the service doesn't outlive it for long; a check is cheap, because it compares one number. */
const LOOK_MS = 250

/** Resolves when the process is asked to end; `now` returns whether it has been asked already. */
export function asked(env: Record<string, string | undefined>): { readonly now: boolean; asked: Promise<void> } {
  let now = false
  const asked = new Promise<void>(done => {
    const stop = () => {
      now = true
      done()
    }
    // The listener stays: a terminal sends Ctrl-C to this process and to its parent, which passes it on. The second signal must not interrupt the stop.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
    const parent = parentToFollow(env)
    if (parent === null) return
    const look = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(look)
      stop()
    }, LOOK_MS)
    look.unref()
  })
  return {
    get now() {
      return now
    },
    asked,
  }
}

/**
 * The process without which the service must not run: the one in tools/run.js that passes signals on, or npm, which can be killed without a signal to us.
 * Null if the service was started by a process that can end, such as a shell or a service manager.
 */
function parentToFollow(env: Record<string, string | undefined>): number | null {
  const named = Number(env.WALKDOWN_PARENT)
  if (Number.isInteger(named) && named > 0) return named
  return env.npm_lifecycle_event === undefined ? null : process.ppid
}
