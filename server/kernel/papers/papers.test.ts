// Documents are printed by a separate process that can be stopped, and characters that the fonts can't show are always marked.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { readPdf } from '../../../tests/pdf.ts'
import { Refused } from '../../base/errors.ts'
import { coverage, widerCoverage } from './actions/fonts.ts'
import { legible, UNKNOWN } from './domain.ts'
import { openPrinter } from './door.ts'

const sheet = (more: Record<string, unknown> = {}) => ({
  template: 'plain',
  pictures: {},
  data: {
    document: { title: 'A paper', author: 'Riverside', subject: 'Nothing', keywords: ['paper'], lang: 'en' },
    date: { year: 2026, month: 3, day: 16, hour: 9, minute: 0, second: 0 },
    head: { number: 'NO-1', word: 'LIVE', kind: 'Paper', place: 'Riverside' },
    foot: 'As at some time.',
    mark: null,
    body: 'Plain words.',
    ...more,
  },
})

describe('papers: text that the fonts can show', () => {
  const covers = coverage()

  test('P6 the fonts cover Latin, Greek, Cyrillic, Vietnamese and Devanagari, and the replacement character', () => {
    const shown = 'Straße Łódź ångström Ελλάδα Київ Đường phố सुरक्षा “quoted” – … · £ € ² ³ ° µ ≤ ± ½ ×'
    assert.deepEqual(
      [...shown.replaceAll(' ', '')].filter(sign => !covers(sign.codePointAt(0) ?? 0)),
      [],
    )
    assert.ok(covers(UNKNOWN.codePointAt(0) ?? 0))
    for (const sign of '中あ한עعท🔥') assert.ok(!covers(sign.codePointAt(0) ?? 0), sign)
  })

  test('P6 characters that the fonts can’t show are replaced one by one and counted, and their scripts are named', () => {
    const { data, illegible } = legible({ a: 'Hot work 高空', b: ['خطر', 'ok'] }, covers)
    assert.deepEqual(data, { a: `Hot work ${UNKNOWN}${UNKNOWN}`, b: [UNKNOWN.repeat(3), 'ok'] })
    assert.deepEqual(illegible, { count: 5, scripts: ['Arabic', 'Chinese'] })
  })

  test('P6 any text can be shown afterwards, and text that could be shown before is unchanged', () => {
    const run = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string()), { maxLength: 6 })
    fc.assert(
      fc.property(run, pieces => {
        const given = pieces.join(' ')
        const { data } = legible(given, covers)
        for (const sign of data) assert.ok(/[\n \u200b]/.test(sign) || covers(sign.codePointAt(0) ?? 0), JSON.stringify(sign))
        assert.ok(
          data
            .split(/[\n \u200b]/)
            .every(word => [...word.replace(/\p{M}|[\u094d\u09cd\u0a4d\u0acd]./gu, '')].length <= 16 || /^[0-9a-f]{32,64}$/.test(word)),
        )
      }),
      { numRuns: 2000 },
    )
    assert.equal(legible('Plain words, with 12 °C and “quotes”.', covers).data, 'Plain words, with 12 °C and “quotes”.')
    assert.equal(legible('9f86d081884c7d659a2feaa0c55ad015', covers).data, '9f86d081884c7d659a2feaa0c55ad015')
  })
})

describe('papers: scripts', () => {
  /** A sentence in each script, as a person on a site would write it. */
  const SAID: Record<string, string> = {
    Chinese: '高空作业，注意安全',
    Japanese: '高所作業あぶない',
    Korean: '고소작업 주의',
    Arabic: 'خطر العمل على ارتفاع',
    Hebrew: 'סכנה עבודה בגובה',
    Devanagari: 'सावधान ऊँचाई पर कार्य',
    Thai: 'ระวังงานบนที่สูง',
    Cyrillic: 'Осторожно, работы на высоте',
  }

  test('9.16 a document prints Chinese, Japanese, Korean, Arabic, Hebrew, Devanagari and Thai with embedded fonts, and no character is replaced', async () => {
    const printer = openPrinter()
    try {
      const plain = await printer.print(sheet())
      const { pdf, illegible } = await printer.print(sheet({ body: Object.values(SAID).join('\n') }))
      if (process.env.KEEP_PDF !== undefined) writeFileSync(process.env.KEEP_PDF, pdf)
      assert.deepEqual(illegible, { count: 0, scripts: [] })
      const { text, raw } = readPdf(pdf)
      assert.ok(!text.includes(UNKNOWN))
      const printed = new Set(text)
      for (const [script, said] of Object.entries(SAID)) {
        const letters = [...said.matchAll(/\p{Lo}|\p{Lu}|\p{Ll}/gu)].map(([letter]) => letter)
        // Letters of joined scripts may be drawn as one glyph; most are drawn separately.
        const found = letters.filter(letter => printed.has(letter)).length
        assert.ok(found >= letters.length * 0.8, `${script}: ${found} of ${letters.length}`)
      }
      for (const font of ['NotoSansSC', 'NotoSansKR', 'NotoSansArabic', 'NotoSansHebrew', 'NotoSansThai'])
        assert.match(raw, new RegExp(`/FontName /[A-Z]{6}\\+${font}-Regular`), font)
      assert.ok(!readPdf(plain.pdf).raw.includes('NotoSansSC'))
      assert.ok((await printer.print(sheet())).pdf.equals(plain.pdf), 'a plain document is the same afterwards')
    } finally {
      printer.close()
    }
  })

  test('9.16 a line break in a long word never separates a character from its marks', () => {
    const covers = widerCoverage(coverage())
    const { data } = legible('सावधानऊँचाईपरकार्यसावधानऊँचाईपरकार्य', covers)
    assert.match(data, /\u200b/)
    assert.doesNotMatch(data, /\u200b\p{M}|\u094d\u200b/u)
    const notes = legible('\u{1d165}'.repeat(40), covers)
    assert.deepEqual(
      notes.data.split('\u200b').map(word => word.length),
      [16, 16, 8],
      'marks that are replaced no longer belong to the character before them, so the line breaks between them',
    )
    assert.equal(legible('🔥', covers).illegible.count, 1, 'a character that no font has is still counted')
  })
})

describe('papers: the printing process', () => {
  test('P6 the same sheet gives the same bytes, in the same process and in another', async () => {
    const one = openPrinter()
    const other = openPrinter()
    try {
      const first = await one.print(sheet())
      assert.equal(first.pages, 1)
      assert.ok(first.pdf.subarray(0, 8).toString().startsWith('%PDF-1.7'))
      assert.ok((await one.print(sheet())).pdf.equals(first.pdf))
      assert.ok((await other.print(sheet())).pdf.equals(first.pdf))
      assert.ok(!(await one.print(sheet({ body: 'Other words.' }))).pdf.equals(first.pdf))
    } finally {
      one.close()
      other.close()
    }
  })

  test('P6 nothing from one sheet is left for the next: the picture of the previous sheet can’t be found', async () => {
    const printer = openPrinter()
    try {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>')
      await printer.print({ ...sheet({ picture: 'a.svg' }), pictures: { 'a.svg': svg } })
      await assert.rejects(printer.print(sheet({ picture: 'a.svg' })), /can’t be created.*not found/)
      await assert.rejects(printer.print(sheet({ picture: '/../../package.json' })), /can’t be created/)
      assert.equal((await printer.print(sheet())).pages, 1, 'the process continues')
      assert.equal(printer.starts().length, 1)
    } finally {
      printer.close()
    }
  })

  test('P6 the process is restarted after a number of sheets, and every sheet is made', async () => {
    const printer = openPrinter({ orders: 2 })
    try {
      const made = await Promise.all(Array.from({ length: 5 }, () => printer.print(sheet())))
      assert.equal(made.length, 5)
      assert.equal(printer.starts().length, 3)
    } finally {
      printer.close()
    }
  })

  test('P6 if a process hangs, it is stopped; if it hangs or crashes, the caller gets an error and the next sheet starts a new process', async () => {
    const entry = fileURLToPath(new URL('../../../tests/papers/hangs.ts', import.meta.url))
    const printer = openPrinter({ entry, silence_ms: 700 })
    let turns = 0
    const turning = (async () => {
      while (turns >= 0) {
        await wait(10)
        turns++
      }
    })()
    const refusal = async (data: Record<string, unknown>) => {
      const error = await printer.print(sheet(data)).catch(e => e)
      assert.ok(error instanceof Refused, String(error))
      return error.refusal
    }
    try {
      assert.match((await refusal({})).detail, /took too long/)
      assert.ok(turns > 10, 'other work of the service continued meanwhile')
      assert.equal((await refusal({ dies: true })).code, 'unavailable')
      assert.equal(printer.starts().length, 2)
      for (const pid of printer.starts()) {
        await wait(50)
        assert.throws(() => process.kill(pid, 0), /ESRCH/)
      }
    } finally {
      turns = -1e9
      await turning
      printer.close()
    }
  })

  test('P6 sheets beyond the waiting limit are refused, and those in the queue are made', async () => {
    const printer = openPrinter({ waiting: 2 })
    try {
      const asked = await Promise.allSettled([1, 2, 3].map(() => printer.print(sheet())))
      assert.deepEqual(
        asked.map(a => a.status),
        ['fulfilled', 'fulfilled', 'rejected'],
      )
    } finally {
      printer.close()
    }
  })
})
