/** Reads a number of a file; NaN for anything else, such as empty text. */
export const numberIn = (text: string): number => (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN)

/**
 * Reads a number of a property. Null for anything else, and for whole numbers that a number can't have exactly, such as identifiers of eighteen digits: they stay
 * text, because a wrong digit would make them those of something else.
 */
export function exactNumber(text: string): number | null {
  const value = numberIn(text)
  if (!Number.isFinite(value)) return null
  return /^[-+]?\d{16,}$/.test(text) && !Number.isSafeInteger(value) ? null : value
}
