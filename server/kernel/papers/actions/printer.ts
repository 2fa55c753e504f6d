// The printing process, seen from the service.
import { programOf } from '../../../base/built.ts'
import { type ChildHow, ChildProblem, openChild } from '../../../base/child/open.ts'
import type { Printed, Setting, Sheet } from '../domain.ts'

const USUAL: ChildHow = {
  entry: programOf(new URL('./child.ts', import.meta.url)),
  silence_ms: 20_000,
  orders: 500,
  memory_mb: 500,
  waiting: 200,
  says: {
    late: 'This document took too long to create. Try again in a moment.',
    gone: 'The document couldn’t be created. Try again in a moment.',
    busy: 'Too many documents are being created. Try again in a moment.',
  },
}

/** Opens a printer; tests give it other limits. It starts no process before the first sheet. */
export function openPrinter(given: Partial<ChildHow> = {}) {
  const { ask, starts, close } = openChild<Sheet, Setting>({ ...USUAL, ...given })
  return {
    /** Makes a sheet; further sheets wait in line. */
    async print(sheet: Sheet): Promise<Printed> {
      try {
        const { pdf, pages, illegible } = await ask(sheet)
        return { pdf: Buffer.from(pdf), pages, illegible }
      } catch (error) {
        if (error instanceof ChildProblem) throw new Error(`The document can’t be created: ${error.message}`)
        throw error
      }
    },
    starts,
    close,
  }
}

/** The one printer of this process. */
export const printer = openPrinter()
