// The fonts of the family, and the characters that they have: read from their own tables, because a missing character gives no warning. Fonts for
// further scripts are large, so they are loaded only for a document that needs them.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { remembered } from '../../../base/memo.ts'

type Font = { family: string; name: string; faces: readonly string[] }

const MAIN: readonly Font[] = [
  { family: 'ibm-plex-sans', name: 'IBMPlexSans', faces: ['400Regular', '600SemiBold', '400Regular_Italic'] },
  { family: 'ibm-plex-mono', name: 'IBMPlexMono', faces: ['400Regular', '600SemiBold'] },
  { family: 'noto-sans', name: 'NotoSans', faces: ['400Regular', '600SemiBold', '400Regular_Italic'] },
]

/** Font families for further scripts, in the order in which they are searched; `family.typ` lists them in the same order. */
const FURTHER: readonly Font[] = [
  ['noto-sans-arabic', 'NotoSansArabic'],
  ['noto-sans-hebrew', 'NotoSansHebrew'],
  ['noto-sans-thai', 'NotoSansThai'],
  ['noto-sans-sc', 'NotoSansSC'],
  ['noto-sans-kr', 'NotoSansKR'],
].map(([family = '', name = '']) => ({ family, name, faces: ['400Regular', '600SemiBold'] }))

const { resolve } = createRequire(import.meta.url)
const folderOf = (font: Font, face: string) => join(dirname(resolve(`@expo-google-fonts/${font.family}/package.json`)), face)
const signsOfFace = (font: Font, face: string) => new Set(signsOf(readFileSync(join(folderOf(font, face), `${font.name}_${face}.ttf`))))

/** Lists the folders of the fonts, one for each face, because the whole packages have a hundred files. */
const foldersOf = (fonts: readonly Font[]): string[] => fonts.flatMap(font => font.faces.map(face => folderOf(font, face)))

/** Returns whether fonts can show a code point. */
export type Covers = (codepoint: number) => boolean

/** Makes the check whether the fonts that are always loaded can show a code point in every weight: Plex Sans, or else Noto Sans. */
export function coverage(): Covers {
  const [plex, , noto] = MAIN
  if (plex === undefined || noto === undefined) throw new Error('The standard fonts are missing.')
  const weights = plex.faces.map(face => new Set([...signsOfFace(plex, face), ...signsOfFace(noto, face)]))
  return codepoint => weights.every(weight => weight.has(codepoint))
}

/** Makes the check whether any font of the family can show a code point, including those for further scripts; each of these is read when it is first needed. */
export function widerCoverage(main: Covers): Covers {
  const signs = new Map<Font, Set<number>>()
  return codepoint => main(codepoint) || FURTHER.some(font => remembered(signs, font, () => signsOfFace(font, '400Regular')).has(codepoint))
}

/** Lists the folders of the fonts that are always loaded; with `wide`, also those for further scripts. */
export const fontFolders = (wide: boolean): string[] => foldersOf(wide ? [...MAIN, ...FURTHER] : MAIN)

/** Lists the code points that a TrueType file has glyphs for (its `cmap`, formats 4 and 12). */
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
