/** A box of longitudes and latitudes: minlon, minlat, maxlon, maxlat. */
export type Box = readonly [number, number, number, number]

/** Reads `minlon,minlat,maxlon,maxlat`; returns null when the text isn't such a box. */
export function boxOf(text: string): Box | null {
  const parts = text.split(',')
  const numbers = parts.map(part => (part.trim() === '' ? Number.NaN : Number(part)))
  const [a, b, c, d] = numbers
  if (numbers.length !== 4 || a === undefined || b === undefined || c === undefined || d === undefined) return null
  return numbers.every(Number.isFinite) && a <= c && b <= d ? [a, b, c, d] : null
}
