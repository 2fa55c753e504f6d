// Which test an error belongs to, without a hook for every promise. node:test finds it by a hook that follows each promise, timer and socket from the test that
// made it, which took an eighth of the processor time of the tests. A lane runs one test after another, so an error that nobody caught belongs to the test that is
// running. Each lane imports this before node:test, which makes its hook when it is loaded.
import hooks, { AsyncResource, executionAsyncId, type HookCallbacks } from 'node:async_hooks'

/** An id that nothing has. */
const NOTHING = -1
/** The classes of node:test whose functions run in a scope. */
const RUNS = ['Test', 'TestHook', 'Suite']

const { createHook } = hooks
const unused: ReturnType<typeof createHook> = { enable: () => unused, disable: () => unused }

/** Follows the tests with the functions of that hook: `init` notes that an id belongs to an object, if that is a test; `destroy` forgets it. */
function follow({ init, destroy }: HookCallbacks): void {
  let running: AsyncResource | null = null
  // The scope of a function lasts until its first `await`. What a suite describes in it belongs to the suite.
  AsyncResource.prototype.runInAsyncScope = new Proxy(AsyncResource.prototype.runInAsyncScope, {
    apply(run, it: AsyncResource, args) {
      if (RUNS.includes(it.constructor.name)) {
        running = it
        init?.(it.asyncId(), 'Test', NOTHING, it)
      }
      return Reflect.apply(run, it, args)
    },
  })
  const attribute = () => {
    if (running === null) return
    const id = executionAsyncId()
    init?.(id, 'Error', NOTHING, running)
    queueMicrotask(() => destroy?.(id)) // after the listener of node:test
  }
  process.prependListener('uncaughtException', attribute).prependListener('unhandledRejection', attribute)
}

hooks.createHook = callbacks => {
  hooks.createHook = createHook // only the first hook is that of node:test
  follow(callbacks)
  return unused
}
