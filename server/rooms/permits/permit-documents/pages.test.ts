import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readPdf } from '../../../../tests/pdf.ts'
import { type PermitWorld, permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'

const words = (text: string) => text.replace(/\s+/g, ' ')

describe('permits: the pages of a document', () => {
  const house = useHouse()

  /** Returns the text of each page of a permit's document. */
  const pagesOf = async (w: PermitWorld, permit: { id: string }): Promise<string[]> => {
    const { statusCode, rawPayload } = await house.edge.app.inject({
      method: 'GET',
      url: `/api/permits/applications/${permit.id}/document`,
      headers: { authorization: `Bearer ${w.as('member').token}` },
    })
    assert.equal(statusCode, 200)
    return readPdf(rawPayload).text.split('\f').map(words)
  }

  test('9.16 a pre-check, its answer and its comment are on one page, wherever the page ends', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await permitWorld(house)
    const made = await w.draft()
    const pre_checks = made.pre_checks.map((check: { code: string }, i: number) => ({
      code: check.code,
      answer: 'not_applicable',
      comment: `Remark ${i} about this check.`,
    }))
    for (const lines of [3, 4, 5, 6]) {
      const edited = await w
        .as('member')
        .patch(`/permits/applications/${made.id}`, { pre_checks, description: Array(lines).fill('Weld the rail.').join('\n') })
      assert.equal(edited.status, 200, edited.text)
      const pages = await pagesOf(w, made)
      made.pre_checks.forEach((check: { label: string }, i: number) => {
        const page = pages.find(text => text.includes(check.label)) ?? assert.fail(check.label)
        assert.ok(page.includes(`Remark ${i} about this check.`), `with ${lines} lines: ${check.label}`)
      })
    }
  })

  test('9.16 what the signature chain proves is above it, so it is never alone on the last page', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await permitWorld(house)
    const text = (await pagesOf(w, await w.at('issued'))).join(' ')
    const [line, first] = ['4 signatures. Each signature covers', 'I have checked this permit'].map(said => text.indexOf(said))
    assert.ok(line !== undefined && first !== undefined && line > 0 && line < first, text)
  })

  test('9.16 a line in Arabic or Hebrew ends at its left, so its full stop is printed there', async () => {
    house.clock('2026-03-16T09:00:00.000Z')
    const w = await permitWorld(house)
    const made = await w.draft({ description: 'First line.\nالعمل على ارتفاع.\nLast line.' })
    const [page = ''] = await pagesOf(w, made)
    // What is printed from left to right on the page: the full stop comes before the letters.
    const [, between = ''] = /First line\.(.*)Last line\./.exec(page) ?? []
    assert.ok(/^\s*\./.test(between), between)
  })
})
