// The table of a Shapefile (dBASE): its fields, its rows, and the code page of its text.
import { codePageNamed } from './codepages.ts'
import type { GeoProblem } from './files.ts'
import { freeName } from './names.ts'
import { exactNumber } from './numbers.ts'

type Field = { name: string; type: string; at: number; length: number; decimals: number }

/** A table: its number of rows, and each row; null for one that was deleted. */
export type Table = { rows: number; row(index: number): Record<string, unknown> | null }

/** Code pages by the language driver id in the header of a table. */
const DRIVERS: Record<number, string> = {
  1: '437',
  2: '850',
  3: 'windows-1252',
  4: 'macintosh',
  8: '865',
  9: '437',
  10: '850',
  11: '437',
  13: '437',
  14: '850',
  15: '437',
  16: '850',
  17: '437',
  18: '850',
  19: 'shift_jis',
  20: '850',
  21: '437',
  22: '850',
  23: '865',
  24: '437',
  25: '437',
  26: '850',
  27: '437',
  28: '863',
  29: '850',
  31: '852',
  34: '852',
  35: '852',
  36: '860',
  37: '850',
  38: 'ibm866',
  55: '850',
  64: '852',
  77: 'gbk',
  78: 'euc-kr',
  79: 'big5',
  87: 'windows-1252',
  88: 'windows-1252',
  89: 'windows-1252',
  100: '852',
  101: 'ibm866',
  102: '865',
  103: '861',
  104: '895',
  105: '620',
  106: '737',
  107: '857',
  120: 'big5',
  121: 'euc-kr',
  122: 'gbk',
  123: 'shift_jis',
  124: 'windows-874',
  125: 'windows-1255',
  126: 'windows-1256',
  134: '737',
  135: '852',
  136: '857',
  150: 'x-mac-cyrillic',
  151: '10029',
  152: '10006',
  200: 'windows-1250',
  201: 'windows-1251',
  202: 'windows-1254',
  203: 'windows-1253',
  204: 'windows-1257',
}

/** Returns the code page of a table. If nothing says which, it is UTF-8 if all of it is UTF-8, which other text hardly ever is; otherwise Windows-1252. */
export function codePageOf(dbf: Uint8Array, cpg: string | null): string {
  const named = cpg === null ? null : codePageNamed(cpg)
  return named ?? DRIVERS[dbf[29] ?? 0] ?? (isUtf8(dbf) ? 'utf-8' : 'windows-1252')
}

/** Returns whether the names of the fields and all rows of a table are UTF-8. */
function isUtf8(dbf: Uint8Array): boolean {
  if (dbf.length < 33) return false
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const head = new DataView(dbf.buffer, dbf.byteOffset).getUint16(8, true)
  try {
    for (let at = 32; at + 11 <= head && dbf[at] !== 0x0d; at += 32) decoder.decode(nameOf(dbf, at))
    decoder.decode(dbf.subarray(head))
    return true
  } catch {
    return false
  }
}

/** Returns the bytes of the name of a field. */
function nameOf(dbf: Uint8Array, at: number): Uint8Array {
  const bytes = dbf.subarray(at, at + 11)
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? 11 : end)
}

/** Opens a table. `decode` turns the bytes of a text into text. */
export function openTable(dbf: Uint8Array, decode: (bytes: Uint8Array) => string): Table | GeoProblem {
  const damaged = (said: string): GeoProblem => ({ problem: 'damaged', said: `its .dbf ${said}` })
  if (dbf.length < 33) return damaged('is too short')
  const view = new DataView(dbf.buffer, dbf.byteOffset, dbf.byteLength)
  const [rows, head, width] = [view.getUint32(4, true), view.getUint16(8, true), view.getUint16(10, true)]
  const fields: Field[] = []
  const taken = new Map<string, number>()
  let offset = 1
  for (let at = 32; at + 32 <= head && dbf[at] !== 0x0d; at += 32) {
    if (at + 32 > dbf.length) return damaged('ends within its list of fields')
    const name = decode(nameOf(dbf, at)).trim() || `field_${fields.length + 1}`
    const [type, length, decimals] = [String.fromCharCode(dbf[at + 11] ?? 0).toUpperCase(), dbf[at + 16] ?? 0, dbf[at + 17] ?? 0]
    // Long texts have the high byte of their length where numbers have their decimals.
    const whole = type === 'C' ? length + 256 * decimals : length
    // Names are cut to ten characters, so that long ones can become the same.
    fields.push({ name: freeName(name, taken), type, at: offset, length: whole, decimals })
    offset += whole
  }
  if (offset > width || head + rows * width > dbf.length + 1) return damaged('is shorter than its header says')
  return {
    rows,
    row(index) {
      const at = head + index * width
      if (dbf[at] === 0x2a) return null
      return Object.fromEntries(
        fields.map(field => [field.name, fieldValue(field, dbf.subarray(at + field.at, at + field.at + field.length), decode)]),
      )
    },
  }
}

const ascii = (bytes: Uint8Array) =>
  String.fromCharCode(...bytes.subarray(0, 254))
    .replace(/[\0 ]+$/, '')
    .trim()

function fieldValue({ type }: Field, bytes: Uint8Array, decode: (bytes: Uint8Array) => string): unknown {
  switch (type) {
    case 'N':
    case 'F': {
      const text = ascii(bytes)
      return text === '' || /^\*+$/.test(text) ? null : (exactNumber(text.replace(',', '.')) ?? text)
    }
    case 'L': {
      const said = ascii(bytes).toUpperCase()
      return /^[YT]/.test(said) ? true : /^[NF]/.test(said) ? false : null
    }
    case 'D': {
      const day = /^(\d{4})(\d\d)(\d\d)$/.exec(ascii(bytes))
      return day === null || ascii(bytes) === '00000000' ? null : `${day[1]}-${day[2]}-${day[3]}`
    }
    case 'M':
    case 'G':
    case 'P':
      // A number of a block in another file, which belongs to no layer.
      return null
    case 'I':
    case 'B':
    case 'Y':
    case 'T':
      return binaryValue(type, new DataView(bytes.buffer, bytes.byteOffset, bytes.length))
    default: {
      // Text is padded with spaces. In some programs it ends at a zero, and what follows is left over from other text.
      const zero = bytes.indexOf(0)
      const end = bytes.subarray(0, zero < 0 ? bytes.length : zero).findLastIndex(byte => byte !== 0x20) + 1
      if (end === 0) return null
      const text = decode(bytes.subarray(0, end))
      // Programs that cut text to the length of its field can cut its last character.
      return end === bytes.length ? text.replace(/\ufffd$/, '') : text
    }
  }
}

const DAY_MS = 86_400_000
/** The first day of 1970 in days of the Julian period, which FoxPro counts. */
const EPOCH_DAY = 2_440_588

/** Reads a value that isn’t text, as FoxPro stores it; null for an empty time, and for what isn’t as long as its type. */
function binaryValue(type: string, view: DataView): unknown {
  if (type === 'I') return view.byteLength < 4 ? null : view.getInt32(0, true)
  if (view.byteLength !== 8) return null
  if (type === 'Y') return Number(view.getBigInt64(0, true)) / 10_000
  if (type === 'B') return view.getFloat64(0, true)
  const [day, ms] = [view.getInt32(0, true), view.getInt32(4, true)]
  return day <= 0 ? null : new Date((day - EPOCH_DAY) * DAY_MS + ms).toJSON().slice(0, 19)
}
