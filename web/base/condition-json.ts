// A condition as JSON, as people type it.

/** A condition that was typed as JSON: what it is, or why it isn’t JSON. */
export function parsed(text: string): { when: unknown } | { fault: string } {
  try {
    const when: unknown = JSON.parse(text)
    return { when }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : '' }
  }
}

/** Writes a condition as JSON for people. */
export const jsonOf = (when: unknown): string => JSON.stringify(when, null, 2)
