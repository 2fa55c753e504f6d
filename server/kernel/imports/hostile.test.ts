import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { strToU8 } from 'fflate'
import officeCrypto from 'officecrypto-tool'
import { bookOf, packed, partsOf, useFolder, xlsxOf } from '../../../tests/books.ts'
import { guarded } from './actions/guard.ts'
import { lastRowWithValue } from './actions/parse.ts'
import { LIMITS } from './domain/cells.ts'
import { problemOf, readWorkbook } from './door.ts'

const data = (file: string) => fileURLToPath(new URL(`../../../tests/data/hostile/${file}`, import.meta.url))

/** Returns the number of rows that were read, or the problem for which the file was refused. */
const fate = async (path: string, filename = path.split('/').at(-1) ?? ''): Promise<number | string> => {
  try {
    const book = await readWorkbook({ path, filename })
    return book.sheets.reduce((sum, sheet) => sum + sheet.rows.length, 0)
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    return problem
  }
}

describe('imports: hostile files', () => {
  const folder = useFolder()
  const made = async (name: string, bytes: Uint8Array | string) => fate(await folder.put(name, bytes))
  const register = [
    {
      name: 'Register',
      rows: [
        ['Permit No', 'Type'],
        ['PTW-1', 'HW'],
      ],
    },
  ]

  test('§6 encrypted or damaged workbooks and zip bombs are refused completely, with the reason; wrong dimensions and formatted empty rows do no harm', async () => {
    const fates = await Promise.all(
      [
        'inflates-to-256mb.xlsx',
        'entity-expansion.xlsx',
        'external-entity.xlsx',
        'escaping-entry-names.xlsx',
        'truncated.xlsx',
        'empty.xlsx',
        'zip-header-only.xlsx',
        'csv-named.xlsx',
        'html-named.xls',
        'dimension-lies.xlsx',
        'formatted-empty-tail.xlsx',
        'naughty-strings-register.xlsx',
      ].map(async file => [file, await fate(data(file))]),
    )
    assert.deepEqual(Object.fromEntries(fates), {
      'inflates-to-256mb.xlsx': 'bomb',
      'entity-expansion.xlsx': 'document_type',
      'external-entity.xlsx': 'document_type',
      'escaping-entry-names.xlsx': 'damaged',
      'truncated.xlsx': 'damaged',
      'empty.xlsx': 'not_a_workbook',
      'zip-header-only.xlsx': 'damaged',
      'csv-named.xlsx': 'not_a_workbook',
      'html-named.xls': 'not_a_workbook',
      'dimension-lies.xlsx': 41,
      'formatted-empty-tail.xlsx': 41,
      'naughty-strings-register.xlsx': 516,
    })
    assert.ok(!existsSync(data('../outside.txt')) && !existsSync('/absolute.txt'))
  })

  test('§6 a workbook with a password is refused as encrypted', async () => {
    const locked: Buffer = officeCrypto.encrypt(xlsxOf(register), { password: 'x' })
    assert.equal(await made('locked.xlsx', locked), 'encrypted')
    assert.equal(await made('locked.xls', locked), 'encrypted')
  })

  test('§6 a document of another type is described by its type', async () => {
    const said = async (name: string, parts: Record<string, string>) => {
      const path = await folder.put(name, packed(parts))
      const error = await readWorkbook({ path, filename: name }).catch(e => e)
      assert.equal(problemOf(error), 'other_document')
      return error.refusal.detail.split(': by')[0].split('. Open')[0]
    }
    assert.equal(await said('a.xlsx', { 'word/document.xml': '<w/>', '[Content_Types].xml': '<Types/>' }), '“a.xlsx” is a Word document')
    assert.equal(await said('b.xlsx', { 'content.xml': '<o/>', 'META-INF/manifest.xml': '<m/>' }), '“b.xlsx” is an OpenDocument file')
    assert.equal(
      await said('c.xlsx', { 'xl/workbook.bin': 'x', '[Content_Types].xml': '<Types/>' }),
      '“c.xlsx” is a binary workbook (.xlsb)',
    )
    assert.equal(await said('d.xlsx', { 'readme.txt': 'x' }), '“d.xlsx” is a zip archive without a workbook')
    const old = data('../spreadsheets/write.xls')
    assert.equal(await fate(old, 'write.xlsx'), 'wrong_extension')
    assert.equal(await fate(data('../spreadsheets/write.xlsx'), 'write.xls'), 'wrong_extension')
    assert.equal(await fate(old, 'write.csv'), 'unknown_extension')
  })

  test('§7 counts, sizes, ratio, checksums and names in a package are checked before anything is read', async () => {
    const good = partsOf(register)
    const problem = async (bytes: Buffer) => {
      const found = await guarded(bytes)
      return 'problem' in found ? found.problem : null
    }
    assert.equal(await problem(packed(good)), null)
    const many = Object.fromEntries(Array.from({ length: LIMITS.parts }, (_, i) => [`xl/p${i}.xml`, '']))
    assert.equal(await problem(packed({ ...good, ...many })), 'bomb')
    assert.equal(await problem(packed({ ...good, 'xl/worksheets/sheet1.xml': new Uint8Array(30 * 1024 * 1024) }, 9)), 'bomb')
    assert.equal(await problem(packed({ ...good, 'xl/a.xml': '<?xml version="1.0"?><!-- --><!DOCTYPE a><a/>' })), 'document_type')
    const wide = Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le')
    assert.equal(await problem(packed({ ...good, 'xl/a.xml': wide })), 'document_type')
    assert.equal(await problem(packed({ ...good, 'xl/a.xml': Buffer.from(wide).swap16() })), 'document_type')
    assert.equal(await problem(packed({ ...good, 'xl/media/a.svg': '<!DOCTYPE svg>' })), null, 'a picture is not read')
    assert.equal(await problem(packed({ ...good, 'XL/WORKBOOK.XML': '<x/>' })), 'damaged', 'two parts with the same name')
    assert.equal(await problem(packed({ ...good, '../x.xml': '<x/>' })), 'damaged')
    assert.equal(await problem(packed({ ...good, 'C:/x.xml': '<x/>' })), 'damaged')

    const stored = packed(good, 0)
    const at = stored.indexOf(strToU8('PTW-1'))
    stored[at] = 0x51
    assert.equal(await problem(stored), 'damaged', 'a wrong checksum')
    // The directory is at the end. Make its size of the first part smaller, then larger.
    for (const by of [-1, 1]) {
      const lying = packed(good)
      const directory = lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
      lying.writeUInt32LE(lying.readUInt32LE(directory + 24) + by, directory + 24)
      assert.equal(await problem(lying), 'damaged', 'a wrong size')
    }
  })

  test('§7 more rows than the limit are refused, never cut; an empty row far down doesn’t count', async () => {
    const parts = partsOf(register)
    const sheet = (xml: string) => packed({ ...parts, 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${xml}</sheetData></worksheet>` })
    const far = (row: number, cell: string) => sheet(`<row r="1"><c r="A1"><v>1</v></c></row><row r="${row}">${cell}</row>`)
    const value = (row: number) => `<c r="A${row}"><v>1</v></c>`
    assert.equal(await made('last.xlsx', far(50_000, value(50_000))), 2)
    assert.equal(await made('over.xlsx', far(50_001, value(50_001))), 'too_many_rows')
    assert.equal(await made('far.xlsx', far(1_048_576, value(1_048_576))), 'too_many_rows')
    assert.equal(await made('styled.xlsx', far(1_048_576, '<c r="A1048576" s="1"/>')), 1)
    assert.equal(
      lastRowWithValue(Buffer.from('<sheetData><row><c><v>1</v></c></row><row><c/></row><row><c><v>2</v></c></row></sheetData>')),
      3,
    )
    assert.equal(lastRowWithValue(Buffer.from('<x:sheetData><x:row r="9"><x:c><x:v>1</x:v></x:c></x:row></x:sheetData>')), 9)
    assert.equal(lastRowWithValue(Buffer.from('<sheetData/>')), 0)
  })

  test('§7 cells beyond the edge of a sheet, and rows as wide as a sheet, do no harm', async () => {
    const parts = partsOf(register)
    const sheet = (xml: string) => packed({ ...parts, 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${xml}</sheetData></worksheet>` })
    assert.equal(await made('nowhere.xlsx', sheet('<row r="1"><c r="A4294967294"><v>1</v></c><c r="A2"><v>1</v></c></row>')), 1)
    assert.equal(await made('wide.xlsx', sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')), 1)
    assert.equal(await made('loud.xlsx', sheet('<row r="1"><c r="A1"><v>abc</v></c><c r="B1" t="e"><v>#SPILL!</v></c></row>')), 1)
  })

  test('§7 one long string in very many cells is refused before it fills the memory', async () => {
    const parts = partsOf(register)
    const row = (r: number) => `<row r="${r}">${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`
    const rows = Array.from({ length: 2000 }, (_, i) => row(i + 1)).join('')
    const types = (parts['[Content_Types].xml'] ?? '').replace(
      '</Types>',
      '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    )
    const book = packed({
      ...parts,
      '[Content_Types].xml': types,
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(32_000)}</t></si></sst>`,
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })
    assert.equal(await made('loud.xlsx', book), 'too_many_cells')
  })

  test('a file over 20 MB is refused before it is opened', async () => {
    assert.equal(await made('large.xlsx', Buffer.concat([bookOf([['x']]), Buffer.alloc(LIMITS.bytes)])), 'too_large')
  })
})
