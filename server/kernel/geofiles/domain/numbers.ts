/** Reads a number of a file; NaN for anything else, such as empty text. */
export const numberIn = (text: string): number => (/^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN)
