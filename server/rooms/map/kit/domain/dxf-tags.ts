// The pairs of code and value that every DXF file consists of, text or binary, of any release. Pure.
import { codePageNamed, decoderFor } from '../../../../kernel/geofiles/domain/codepages.ts'

/** Why a drawing can't be read, in words that follow "The drawing". */
export class DrawingFault extends Error {
  override readonly name = 'DrawingFault'
}

/** Called with each pair; stops the reading by returning false. */
export type Take = (code: number, value: string | number) => boolean

const SENTINEL = 'AutoCAD Binary DXF\r\n\x1a\0'
const HEAD_BYTES = 65_536
/** The first release whose files are UTF-8. */
const UTF8_FROM = 'AC1021'

/** Returns the encoding of a drawing from its header. */
export function encodingOf(head: string): string {
  const value = (name: string) => new RegExp(`\\$${name}\\s+\\d+\\s+([^\\r\\n]+)`).exec(head)?.[1]?.trim() ?? ''
  if (value('ACADVER') >= UTF8_FROM) return 'utf-8'
  return codePageNamed(value('DWGCODEPAGE')) ?? 'windows-1252'
}

/** Returns a function that decodes the text of a drawing. If its code page is unknown, it is the one that most programs write. */
const decoderOf = (encoding: string) => decoderFor(encoding) ?? ((bytes: Uint8Array) => new TextDecoder('windows-1252').decode(bytes))

const latin = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes)

/** Returns whether a file is a binary DXF file. */
export const isBinary = (bytes: Uint8Array): boolean => latin(bytes.subarray(0, SENTINEL.length)) === SENTINEL

/** Reads all pairs of a drawing, up to the end that it declares. */
export function readTags(bytes: Uint8Array, take: Take): void {
  if (isBinary(bytes)) {
    readBinary(bytes, take)
    return
  }
  const head = latin(bytes.subarray(0, HEAD_BYTES))
  // A byte order mark says more than the header, which some programs leave as it was.
  const text = decoderOf(head.startsWith('\xef\xbb\xbf') ? 'utf-8' : encodingOf(head))(bytes)
  readText(head.includes('\n') ? text : text.replaceAll('\r', '\n'), take)
}

function readText(text: string, take: Take): void {
  // Blank lines before the first pair belong to nothing.
  const blank = /^(?:[ \t]*\r?\n)+/.exec(text)?.[0] ?? ''
  let [at, line] = [blank.length, blank.split('\n').length - 1]
  const next = (): string | null => {
    if (at >= text.length) return null
    let end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    const from = at
    at = end + 1
    line++
    return text.charCodeAt(end - 1) === 13 ? text.slice(from, Math.max(from, end - 1)) : text.slice(from, end)
  }
  for (;;) {
    const first = next()
    if (first === null) return
    const code = Number(first)
    if (first.trim() === '' || !Number.isInteger(code) || code < -5 || code > 1071) {
      if (first.trim() === '' && at >= text.length) return
      throw new DrawingFault(`is damaged at line ${line}: there should be a group code.`)
    }
    const value = next()
    if (value === null) throw new DrawingFault('is cut off: its end is missing.')
    if (code === 999) continue
    if (!take(code, value)) return
  }
}

type Form = 'text' | 'double' | 'int16' | 'int32' | 'int64' | 'bool' | 'chunk'

const FORMS: readonly (readonly [number, Form])[] = [
  [9, 'text'],
  [59, 'double'],
  [79, 'int16'],
  [99, 'int32'],
  [109, 'text'],
  [149, 'double'],
  [159, 'text'],
  [169, 'int64'],
  [179, 'int16'],
  [209, 'text'],
  [239, 'double'],
  [269, 'text'],
  [289, 'int16'],
  [299, 'bool'],
  [309, 'text'],
  [319, 'chunk'],
  [369, 'text'],
  [389, 'int16'],
  [399, 'text'],
  [409, 'int16'],
  [419, 'text'],
  [429, 'int32'],
  [439, 'text'],
  [459, 'int32'],
  [469, 'double'],
  [1003, 'text'],
  [1004, 'chunk'],
  [1009, 'text'],
  [1059, 'double'],
  [1070, 'int16'],
  [1071, 'int32'],
]

function readBinary(bytes: Uint8Array, take: Take): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decode = decoderOf(binaryEncoding(bytes))
  let at = SENTINEL.length
  // Since release 13, group codes have two bytes; before, one.
  const wide = bytes[at + 1] === 0
  const need = (length: number) => {
    if (at + length > bytes.length) throw new DrawingFault('is cut off: its end is missing.')
    at += length
    return at - length
  }
  const codeOf = (): number => {
    if (wide) return view.getInt16(need(2), true)
    const short = bytes[need(1)] ?? 0
    return short === 255 ? view.getInt16(need(2), true) : short
  }
  const read: Record<Form, () => string | number> = {
    text: () => {
      const end = bytes.indexOf(0, at)
      if (end < 0) throw new DrawingFault('is cut off: its end is missing.')
      const from = at
      at = end + 1
      return decode(bytes.subarray(from, end))
    },
    double: () => view.getFloat64(need(8), true),
    int16: () => view.getInt16(need(2), true),
    int32: () => view.getInt32(need(4), true),
    int64: () => Number(view.getBigInt64(need(8), true)),
    bool: () => bytes[need(1)] ?? 0,
    chunk: () => {
      need(bytes[need(1)] ?? 0)
      return ''
    },
  }
  while (at < bytes.length) {
    const code = codeOf()
    const form = FORMS.find(([most]) => code <= most)?.[1]
    if (code < 0 || form === undefined) throw new DrawingFault('is damaged: it has an unknown group code.')
    if (!take(code, read[form]())) return
  }
}

/** Returns the encoding of a binary drawing. */
function binaryEncoding(bytes: Uint8Array): string {
  const head = latin(bytes.subarray(0, HEAD_BYTES))
  const text = (name: string) => new RegExp(`\\$${name}\\0[\\x01\\x03\\x00]*([A-Za-z0-9_-]+)\\0`).exec(head)?.[1] ?? ''
  return encodingOf(`$ACADVER\n1\n${text('ACADVER')}\n$DWGCODEPAGE\n3\n${text('DWGCODEPAGE')}\n`)
}

/** The code pages of characters that drawings write as `\M+18EA2`, by their first digit. */
const ASIAN: Readonly<Record<string, string>> = { 1: 'shift_jis', 2: 'big5', 3: 'euc-kr', 5: 'gbk' }

/** Returns text with the characters that drawings write as `\U+00E9`, or as `\M+18EA2` with their code page. */
export function unescaped(text: string): string {
  if (!/\\[UM]\+/.test(text)) return text
  return text.replace(/\\U\+([0-9A-Fa-f]{4})|\\M\+([1-5])([0-9A-Fa-f]{4})/g, (whole, unicode?: string, page?: string, bytes?: string) => {
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16))
    const named = ASIAN[page ?? '']
    const code = Number.parseInt(bytes ?? '', 16)
    return named === undefined ? whole : new TextDecoder(named).decode(Uint8Array.of(code >> 8, code & 255)).replaceAll('\0', '')
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/
const NAME_LENGTH = 1000

/** Returns a name of a drawing as it is shown and stored: without control characters and halves of characters, and not too long. */
export function nameIn(text: string): string {
  const name = unescaped(text)
  return name.length <= NAME_LENGTH && name.isWellFormed() && !CONTROL.test(name)
    ? name
    : name.replace(new RegExp(CONTROL, 'g'), ' ').slice(0, NAME_LENGTH).toWellFormed()
}
