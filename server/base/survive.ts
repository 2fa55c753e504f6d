// The last safeguard: a database error that no caller receives doesn't end the service. Callers get the errors of their own queries.
import { databaseGone } from './db.ts'

/** Keeps the process running if a connection to the database breaks and no caller receives the error. Every other uncaught error ends the process, as usual. */
export function surviveDatabase(say: (line: string) => void): { stop(): void } {
  const judge = (error: unknown) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (databaseGone(error)) return say(`A connection to the database broke, and the service continues: ${words}`)
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
