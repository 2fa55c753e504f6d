import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cellOf } from './csv.ts'
import { plainCell } from './proof/cell.ts'

describe('CSV cells', () => {
  const leads = [
    '',
    ' ',
    '  ',
    '\t',
    '\r',
    '\n',
    '"',
    "'",
    '‘',
    '“',
    '＂',
    '＇',
    ' "',
    '\u00a0',
    '\u3000',
    '\u200b',
    '\ufeff',
    '\u202e',
    '`',
  ]
  const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹢', '﹣', '﹦', '﹫']

  test('10.12 a cell that a spreadsheet would run gets an apostrophe: ASCII, full-width or small, at the start or after blanks and quotes', () => {
    for (const lead of leads)
      for (const start of starts) {
        const text = `${lead}${start}HYPERLINK("https://evil.example","Click")`
        assert.ok(cellOf(text).replace(/^"/, '').startsWith("'"), JSON.stringify(text))
        assert.equal(plainCell(`'${text}`), text)
      }
    for (const text of ['\t1', '\r1', '\n1', ' \t1']) assert.ok(cellOf(text).replace(/^"/, '').startsWith("'"), JSON.stringify(text))
  })

  test('10.12 a cell that no spreadsheet would run is unchanged', () => {
    for (const text of ['Weld handrails', 'a=1', 'PTW-000112', '3 – 4', '(+44) 20', 'O’Hara & Söhne', "'quoted'", '漢字', ''])
      assert.equal(cellOf(text), text)
    assert.equal(cellOf(-3), '-3')
    assert.equal(cellOf(null), '')
    assert.equal(plainCell("'quoted'"), "'quoted'")
  })
})
