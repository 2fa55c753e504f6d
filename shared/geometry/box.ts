/** A box of longitudes and latitudes: minlon, minlat, maxlon, maxlat. */
export type Box = readonly [number, number, number, number]

/** A decimal number: `Number` also reads an empty text and hexadecimal ones. */
const DECIMAL = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i

/** Reads `minlon,minlat,maxlon,maxlat`; returns null when the text isn't such a box. */
export function boxOf(text: string): Box | null {
  const numbers = text.split(',').map(part => (DECIMAL.test(part) ? Number(part) : Number.NaN))
  const [a, b, c, d] = numbers
  if (numbers.length !== 4 || a === undefined || b === undefined || c === undefined || d === undefined) return null
  return numbers.every(Number.isFinite) && a <= c && b <= d ? [a, b, c, d] : null
}
