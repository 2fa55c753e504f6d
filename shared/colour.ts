// Colours as the eye compares them (OKLab), and those that contractors get by themselves (`site-and-people.md` §6), for the service and the app.

/** Hues from here on, in degrees, are for contractors: 15 to 44 are reserved for alarm red. */
export const FIRST_HUE = 45
/** How many degrees of hue are for contractors. */
export const HUES = 330
/** The lightnesses of contractors' colours. */
export const LIGHTNESSES = [0.55, 0.595, 0.64] as const

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const toGamma = (channel: number) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

/** Converts OKLCH to linear sRGB; channels outside 0 to 1 are outside the gamut. */
function linearOf(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const inGamut = (rgb: readonly number[]) => rgb.every(c => c >= 0 && c <= 1)

const hex = (rgb: readonly number[]) =>
  `#${rgb
    .map(c =>
      Math.round(toGamma(c) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Returns the colour of a lightness and a hue with the largest chroma that a screen can show, up to 0.15. */
export function vividColour(lightness: number, hue: number): string {
  for (let step = 30; step > 0; step--) {
    const rgb = linearOf(lightness, step * 0.005, hue)
    if (inGamut(rgb)) return hex(rgb)
  }
  return hex(linearOf(lightness, 0, hue))
}

/** Returns the linear channels of a colour, red first. */
export function channelsOf(colour: string): [number, number, number] {
  const at = (i: number) => toLinear(Number.parseInt(colour.slice(i, i + 2), 16) / 255)
  return [at(1), at(3), at(5)]
}

/** Converts a colour to OKLab, where distance matches what the eye sees. */
export function oklab(colour: string): [number, number, number] {
  const [r, g, b] = channelsOf(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

const STEP = 3
type Lab = readonly [number, number, number]
const apart = ([l, a, b]: Lab, [m, c, d]: Lab): number => (l - m) ** 2 + (a - c) ** 2 + (b - d) ** 2

/** Returns `n` colours for a contractor: the one farthest from all that are in use first, then the one farthest from these and it, and so on. */
export function farthestColours(used: readonly string[], n: number): string[] {
  const taken = used.map(oklab)
  const free = LIGHTNESSES.flatMap(lightness =>
    Array.from({ length: HUES / STEP }, (_, i) => vividColour(lightness, (FIRST_HUE + i * STEP) % 360)),
  ).map(colour => {
    const lab = oklab(colour)
    return { colour, lab, near: Math.min(...taken.map(other => apart(lab, other)), Number.MAX_VALUE) }
  })
  const chosen: string[] = []
  while (chosen.length < n) {
    const best = free.reduce((far, one) => (one.near > far.near ? one : far))
    chosen.push(best.colour)
    for (const one of free) one.near = Math.min(one.near, apart(one.lab, best.lab))
  }
  return chosen
}
