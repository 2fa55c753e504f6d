// The last net: a database error that reaches no caller is no reason to end the service. Callers get the errors of their own queries.
import { databaseGone } from './db.ts'

/** Keeps the process alive when a connection to the database breaks where nobody looks. Every other error that nobody caught ends it, as ever. */
export function surviveDatabase(say: (line: string) => void): { stop(): void } {
  const judge = (error: unknown) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (databaseGone(error)) return say(`A connection to the database broke, and the service goes on: ${words}`)
    console.error(words)
    process.exit(1)
  }
  process.on('uncaughtException', judge)
  process.on('unhandledRejection', judge)
  return {
    stop() {
      process.off('uncaughtException', judge)
      process.off('unhandledRejection', judge)
    },
  }
}
