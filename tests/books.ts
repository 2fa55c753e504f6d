// Workbooks built part by part, so that a test says exactly what is in the file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { strToU8, zipSync } from 'fflate'

/** A cell to write. A bare value is text, a number or a boolean; null is an empty cell. */
export type Written =
  | string
  | number
  | boolean
  | null
  /** A number with a format; with a date format, it is a date. */
  | { number: number; format: string }
  | { error: string }
  /** `t="d"`, as some programs write dates. */
  | { iso: string }
  | { formula: string; value?: string | number }

/** A sheet to write. */
export type Sheet = { name: string; rows: readonly (readonly Written[])[]; state?: 'hidden' | 'veryHidden'; merges?: readonly string[] }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

/** Returns the letters of a column, counted from 0. */
export function letters(column: number): string {
  let name = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26)) name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

function cellXml(cell: Written, place: string, styleOf: (format: string) => number): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if ('error' in cell) return `<c r="${place}" t="e"><v>${escaped(cell.error)}</v></c>`
  if ('iso' in cell) return `<c r="${place}" t="d" s="${styleOf('yyyy\\-mm\\-dd')}"><v>${cell.iso}</v></c>`
  if ('number' in cell) return `<c r="${place}" s="${styleOf(cell.format)}"><v>${cell.number}</v></c>`
  const formula = `<f>${escaped(cell.formula)}</f>`
  if (cell.value === undefined) return `<c r="${place}">${formula}</c>`
  if (typeof cell.value === 'number') return `<c r="${place}">${formula}<v>${cell.value}</v></c>`
  return `<c r="${place}" t="str">${formula}<v>${escaped(cell.value)}</v></c>`
}

/** Parts of a package by name, for a test that damages one of them. */
export function partsOf(sheets: readonly Sheet[], options: { date1904?: boolean } = {}): Record<string, string> {
  const formats: string[] = []
  const styleOf = (format: string) => {
    if (!formats.includes(format)) formats.push(format)
    return formats.indexOf(format) + 1
  }
  const parts: Record<string, string> = {}
  for (const [i, sheet] of sheets.entries()) {
    const rows = sheet.rows.map((row, r) => {
      const cells = row.map((cell, c) => cellXml(cell, `${letters(c)}${r + 1}`, styleOf)).join('')
      return cells === '' ? '' : `<row r="${r + 1}">${cells}</row>`
    })
    const merges = (sheet.merges ?? []).map(range => `<mergeCell ref="${range}"/>`).join('')
    const merged = merges === '' ? '' : `<mergeCells count="${sheet.merges?.length}">${merges}</mergeCells>`
    parts[`xl/worksheets/sheet${i + 1}.xml`] =
      `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData>${merged}</worksheet>`
  }
  const numbered = sheets.map((sheet, i) => ({ ...sheet, id: i + 1 }))
  const codes = formats.map((format, i) => `<numFmt numFmtId="${164 + i}" formatCode="${escaped(format)}"/>`).join('')
  const styles = formats.map((_, i) => `<xf numFmtId="${164 + i}" applyNumberFormat="1"/>`).join('')
  parts['xl/styles.xml'] =
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${codes}</numFmts><cellXfs count="${formats.length + 1}"><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`
  parts['xl/workbook.xml'] =
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${options.date1904 ? ' date1904="1"' : ''}/><sheets>${numbered
      .map(s => `<sheet name="${escaped(s.name)}" sheetId="${s.id}"${s.state ? ` state="${s.state}"` : ''} r:id="rId${s.id}"/>`)
      .join('')}</sheets></workbook>`
  parts['xl/_rels/workbook.xml.rels'] = `${XML}<Relationships xmlns="${PACKAGE}/relationships">${numbered
    .map(s => `<Relationship Id="rId${s.id}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${s.id}.xml"/>`)
    .join('')}<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`
  parts['_rels/.rels'] =
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  parts['[Content_Types].xml'] =
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${numbered
      .map(s => `<Override PartName="/xl/worksheets/sheet${s.id}.xml" ContentType="${type}.worksheet+xml"/>`)
      .join('')}</Types>`
  return parts
}

/** Returns a package of these parts. The date of its entries is fixed, so that the same parts give the same bytes. */
export const packed = (parts: Record<string, string | Uint8Array>, level: 0 | 1 | 6 | 9 = 6): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part])), {
      level,
      mtime: '2026-01-01T00:00:00Z',
    }),
  )

/** Returns a workbook of these sheets. */
export const xlsxOf = (sheets: readonly Sheet[], options: { date1904?: boolean } = {}): Buffer => packed(partsOf(sheets, options))

/** Returns a workbook with one sheet. */
export const bookOf = (rows: Sheet['rows'], options: Partial<Sheet> & { date1904?: boolean } = {}): Buffer =>
  xlsxOf([{ name: 'Register', ...options, rows }], options)

/** Makes a folder for the workbooks of a `describe`; `put` writes a workbook and returns its path. */
export function useFolder(): { put(name: string, bytes: Uint8Array | string): Promise<string>; path(): string } {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'walkdown-books-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))
  return {
    path: () => folder,
    put: async (name, bytes) => {
      const path = join(folder, name)
      await writeFile(path, bytes)
      return path
    },
  }
}

/**
 * Returns the longest turn of the event loop while `work` runs, in milliseconds of this thread's own processor time: the time that we block it, without other
 * work on the machine.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 2)
  try {
    return { result: await work(), milliseconds: longest }
  } finally {
    clearInterval(look)
  }
}
