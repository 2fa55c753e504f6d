// Contrast of two colours, in OKLCH or as `#rrggbb`, by WCAG 2.2: calculated, so that no theme has to be checked by eye.

/** Returns the linear sRGB of a colour, each channel clipped to what a screen can show. */
export function linearOf(colour: string): [number, number, number] {
  if (colour.startsWith('#')) {
    const channel = (at: number): number => {
      const shown = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return shown <= 0.04045 ? shown / 12.92 : ((shown + 0.055) / 1.055) ** 2.4
    }
    return [channel(1), channel(3), channel(5)]
  }
  const parts = /^oklch\(([\d.]+) ([\d.]+)(?: ([\d.]+))?\)$/.exec(colour)
  if (parts === null) throw new Error(`Not an OKLCH colour: ${colour}`)
  const [l, c, h] = [Number(parts[1]), Number(parts[2]), (Number(parts[3] ?? 0) * Math.PI) / 180]
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const cube = (x: number) => x * x * x
  const [L, M, S] = [
    cube(l + 0.3963377774 * a + 0.2158037573 * b),
    cube(l - 0.1055613458 * a - 0.0638541728 * b),
    cube(l - 0.0894841775 * a - 1.291485548 * b),
  ]
  const clip = (x: number) => Math.min(1, Math.max(0, x))
  return [
    clip(4.0767416621 * L - 3.3077115913 * M + 0.2309699292 * S),
    clip(-1.2684380046 * L + 2.6097574011 * M - 0.3413193965 * S),
    clip(-0.0041960863 * L - 0.7034186147 * M + 1.707614701 * S),
  ]
}

const luminance = (colour: string): number => {
  const [r, g, b] = linearOf(colour)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Returns the colour as `#rrggbb`, for consumers that know nothing else. */
export function hexOf(colour: string): `#${string}` {
  const byte = (linear: number) => {
    const shown = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(255 * shown)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${linearOf(colour).map(byte).join('')}`
}
