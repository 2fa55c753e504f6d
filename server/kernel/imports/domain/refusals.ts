// The reasons why a workbook is refused, each with a sentence that its owner can act on. The bytes of a file show its type, and its name must agree.
import { invalidField, type Refusal, tooLarge, unsupportedMedia } from '../../../base/errors.ts'
import { LIMITS } from './cells.ts'

/** Types of workbook by extension, and the container of each: a zip package, or an OLE compound file. */
export const CONTAINERS = { xlsx: 'zip', xlsm: 'zip', xls: 'ole' } as const
export type Extension = keyof typeof CONTAINERS
export type Container = (typeof CONTAINERS)[Extension]

/** What is wrong with a workbook; `said` gives a detail. */
export type Problem = {
  problem:
    | 'too_large'
    | 'bomb'
    | 'too_many_rows'
    | 'too_many_cells'
    | 'too_much_memory'
    | 'unknown_extension'
    | 'not_a_workbook'
    | 'other_document'
    | 'wrong_extension'
    | 'encrypted'
    | 'damaged'
    | 'document_type'
    | 'too_slow'
    | 'reader_died'
  said?: string
}

const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`
/** What the person should do about it. */
export const SAVE = 'Open the file in Excel, save it as an .xlsx file, and upload the new file.'

/** Makes the refusal of a workbook: 413 for its size, 415 if it isn't a workbook or isn't the type that its name says, 422 if it can't be read. */
export function refusalOf({ problem, said }: Problem, filename: string, extensions: readonly Extension[]): Refusal {
  const file = `“${filename}”`
  const context = { problem }
  const kinds = extensions.map(extension => `.${extension}`).join(' or ')
  switch (problem) {
    case 'too_large':
      return tooLarge(`${file} is larger than ${mb(LIMITS.bytes)}. Split the file.`, context)
    case 'bomb':
      return tooLarge(`${file} unpacks to more than is accepted: ${said ?? 'too much'}. ${SAVE}`, context)
    case 'too_many_rows':
      return tooLarge(`The sheet “${said ?? ''}” of ${file} has more than ${LIMITS.rows} rows. Split the file.`, context)
    case 'too_many_cells':
      return tooLarge(`${file} contains too much to be read at once: ${said ?? 'too many cells'}. Split the file.`, context)
    case 'too_much_memory':
      return tooLarge(`${file} needs too much memory. Split the file, or remove everything that isn’t data.`, context)
    case 'unknown_extension':
      return unsupportedMedia(`${file} isn’t a ${kinds} file. ${SAVE}`, context)
    case 'not_a_workbook':
      return unsupportedMedia(`${file} isn’t a workbook: its contents are ${said ?? 'of an unknown kind'}. ${SAVE}`, context)
    case 'other_document':
      return unsupportedMedia(`${file} is ${said ?? 'another kind of document'}. ${SAVE}`, context)
    case 'wrong_extension':
      return unsupportedMedia(`${file} is really a ${said ?? 'different'} file. Rename the file, or save it as a new .xlsx file.`, context)
    case 'encrypted':
      return invalidField('file', `${file} is protected by a password. Remove the password and try again.`, context)
    case 'damaged':
      return invalidField('file', `${file} is damaged: ${said ?? 'it can’t be read'}. ${SAVE}`, context)
    case 'document_type':
      return invalidField('file', `${file} contains a document type declaration, which workbooks don’t need. ${SAVE}`, context)
    case 'too_slow':
      return invalidField('file', `${file} took too long to read. The file is probably damaged. ${SAVE}`, context)
    case 'reader_died':
      return invalidField('file', `${file} couldn’t be read. ${SAVE}`, context)
  }
}

/** Returns the extension of a name in lower case, without the dot; null if it has none. */
export const extensionOf = (filename: string): string | null => /\.([^./\\]{1,10})$/.exec(filename.trim())?.[1]?.toLowerCase() ?? null

/**
 * Compares the name and the first bytes: returns the container to read, or what is wrong. With `by_bytes` the name doesn't count. An OLE file with
 * the name of a zip package may be an encrypted workbook, so the reader opens it.
 */
export function sniffed(
  filename: string,
  head: Uint8Array,
  extensions: readonly Extension[],
  by_bytes = false,
): { container: Container; promised: Extension } | Problem {
  const container = containerOf(head)
  const extension = extensionOf(filename)
  const promised = by_bytes
    ? extensions.find(known => container === null || CONTAINERS[known] === container)
    : extensions.find(known => known === extension)
  if (promised === undefined) return { problem: 'unknown_extension' }
  if (container === null) return { problem: 'not_a_workbook', said: looksLike(head) }
  if (container === 'zip' && CONTAINERS[promised] === 'ole') return { problem: 'wrong_extension', said: '.xlsx' }
  return { container, promised }
}

const isText = (head: Uint8Array) => head.length > 0 && head.every(byte => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13)

const begins = (head: Uint8Array, bytes: readonly number[]) => bytes.every((byte, i) => head[i] === byte)

function containerOf(head: Uint8Array): Container | null {
  if (begins(head, [0x50, 0x4b, 0x03, 0x04])) return 'zip'
  if (begins(head, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) return 'ole'
  return null
}

/** Returns what the bytes look like, for the sentence of the refusal only. */
function looksLike(head: Uint8Array): string {
  if (head.length === 0) return 'empty'
  if (begins(head, [0x25, 0x50, 0x44, 0x46])) return 'a PDF'
  const text = new TextDecoder('utf-8').decode(head)
  if (/^\uFEFF?\s*<(!doctype|html|table|head|body|meta)/i.test(text)) return 'a web page'
  if (/^\uFEFF?\s*</.test(text)) return 'XML'
  return isText(head) ? 'plain text, such as CSV' : 'of an unknown kind'
}
