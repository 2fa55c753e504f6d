// The fonts of the family, and which signs they have: read from their own tables, since a missing sign gives no warning.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const FACES = [
  ['ibm-plex-sans', ['400Regular', '600SemiBold', '400Regular_Italic']],
  ['ibm-plex-mono', ['400Regular', '600SemiBold']],
  ['noto-sans', ['400Regular', '600SemiBold', '400Regular_Italic']],
] as const

/** Directories of the fonts; one each, for the whole packages hold a hundred files. */
export function fontFolders(): string[] {
  const { resolve } = createRequire(import.meta.url)
  return FACES.flatMap(([family, faces]) => {
    const home = dirname(resolve(`@expo-google-fonts/${family}/package.json`))
    return faces.map(face => join(home, face))
  })
}

/** Whether the family can show a code point in every weight that it uses: in Plex Sans, or else in Noto Sans. */
export function coverage(): (codepoint: number) => boolean {
  const { resolve } = createRequire(import.meta.url)
  const signs = (family: string, name: string, face: string) =>
    signsOf(readFileSync(join(dirname(resolve(`@expo-google-fonts/${family}/package.json`)), face, `${name}_${face}.ttf`)))
  const weights = ['400Regular', '600SemiBold', '400Regular_Italic'].map(
    face => new Set([...signs('ibm-plex-sans', 'IBMPlexSans', face), ...signs('noto-sans', 'NotoSans', face)]),
  )
  return codepoint => weights.every(weight => weight.has(codepoint))
}

/** Code points that a TrueType file has signs for (its `cmap`, formats 4 and 12). */
export function signsOf(font: Buffer): number[] {
  const tables = font.readUInt16BE(4)
  for (let i = 0; i < tables; i++) {
    const at = 12 + i * 16
    if (font.toString('latin1', at, at + 4) === 'cmap') return signsIn(font, font.readUInt32BE(at + 8))
  }
  return []
}

function signsIn(font: Buffer, cmap: number): number[] {
  const out: number[] = []
  const encodings = font.readUInt16BE(cmap + 2)
  for (let i = 0; i < encodings; i++) {
    const platform = font.readUInt16BE(cmap + 4 + i * 8)
    const table = cmap + font.readUInt32BE(cmap + 8 + i * 8)
    const format = font.readUInt16BE(table)
    if (platform !== 0 && platform !== 3) continue
    if (format === 12) {
      const groups = font.readUInt32BE(table + 12)
      for (let g = 0; g < groups; g++) {
        const [from, to] = [font.readUInt32BE(table + 16 + g * 12), font.readUInt32BE(table + 20 + g * 12)]
        for (let c = from; c <= to; c++) out.push(c)
      }
    }
    if (format === 4) {
      const twice = font.readUInt16BE(table + 6)
      for (let s = 0; s < twice; s += 2) {
        const end = font.readUInt16BE(table + 14 + s)
        const start = font.readUInt16BE(table + 16 + twice + s)
        const delta = font.readUInt16BE(table + 16 + 2 * twice + s)
        const offset_at = table + 16 + 3 * twice + s
        const offset = font.readUInt16BE(offset_at)
        for (let c = start; c <= end && c !== 0xffff; c++) {
          const sign = offset === 0 ? (c + delta) & 0xffff : font.readUInt16BE(offset_at + offset + (c - start) * 2)
          if (sign !== 0) out.push(c)
        }
      }
    }
  }
  return out
}
