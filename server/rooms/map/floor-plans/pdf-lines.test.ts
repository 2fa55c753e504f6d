// Lines of PDF pages as the process that reads plans finds them.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { boxOf, packedPdf, pdfFile, pdfStream } from '../../../../tests/plans.ts'
import { heavy } from '../kit/actions/process.ts'

describe('lines of PDF pages', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'walkdown-pdf-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Returns the box around each line of a page of 200 by 100 points, drawn with two pixels a point. */
  async function boxes(objects: readonly string[], size = { width: 400, height: 200 }): Promise<number[][]> {
    const [path, out] = [join(folder, 'page.pdf'), join(folder, 'lines')]
    writeFileSync(path, pdfFile(objects))
    await heavy.pdfLines({ path, type: 'application/pdf', page: 1, ...size }, out)
    const lines = readFileSync(out, 'utf8').trim().split('\n').filter(Boolean)
    return lines.map(line => boxOf([{ points: JSON.parse(line)[2] }]))
  }

  test('§8 a page whose units are larger than points is drawn as large as its paper, and its lines lie on the drawing', async () => {
    const pages = (unit: string) => [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/UserUnit ${unit}/Contents 4 0 R>>`,
      pdfStream('10 10 m 60 10 l S'),
    ]
    const path = join(folder, 'unit.pdf')
    const sizeWith = async (unit: string) => {
      writeFileSync(path, pdfFile(pages(unit)))
      const { width, height } = await heavy.measure({ path, type: 'application/pdf', page: 1 }, 100_000_000)
      return [width, height]
    }
    assert.deepEqual(
      [await sizeWith('1'), await sizeWith('2.4'), await sizeWith('1e30')],
      [
        [833, 416],
        [2000, 1000],
        [833, 416],
      ],
    )
    assert.deepEqual(await boxes(pages('2.4'), { width: 2000, height: 1000 }), [[100, 900, 600, 900]])
    writeFileSync(path, packedPdf(pages('2.4')))
    const { width, height } = await heavy.measure({ path, type: 'application/pdf', page: 1 }, 100_000_000)
    assert.deepEqual([width, height], [2000, 1000], 'the page is in a compressed stream of objects')
  })

  test('§8 what is on a layer that is switched off isn’t among the lines, nor is a part of the page that refers to one', async () => {
    const layers = '/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[7 0 R]>>>>'
    const resources = '/Properties<</On 6 0 R/Off 7 0 R>>/XObject<</Part 5 0 R>>'
    const content =
      '/OC/On BDC 10 10 m 60 10 l S EMC /OC/Off BDC 10 20 m 60 20 l S /Span BMC 10 30 m 60 30 l S EMC EMC /Part Do 10 90 m 60 90 l S'
    const found = await boxes([
      `<</Type/Catalog/Pages 2 0 R${layers}>>`,
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<${resources}>>>>`,
      pdfStream(content),
      pdfStream('10 40 m 60 40 l S', '/Type/XObject/Subtype/Form/BBox[0 0 200 100]/OC 7 0 R'),
      '<</Type/OCG/Name(Walls)>>',
      '<</Type/OCG/Name(Old)>>',
    ])
    assert.deepEqual(found, [
      [20, 180, 120, 180],
      [20, 20, 120, 20],
    ])
  })

  test('§8 a page that is turned and cropped has its lines where they are in its picture', async () => {
    const found = await boxes(
      [
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1/Rotate 90>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/CropBox[100 50 300 150]/Contents 4 0 R/Resources<<>>>>',
        pdfStream('q 1 0 0 1 100 50 cm 0 0 m 50 0 l S Q'),
      ],
      { width: 200, height: 400 },
    )
    // Turned by 90° clockwise, its lower left corner is at the upper left.
    assert.deepEqual(found, [[0, 0, 0, 100]])
  })

  test('§8 what was cropped off a page isn’t among its lines, and a line across its edge ends there', async () => {
    const found = await boxes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/CropBox[0 0 200 100]/Contents 4 0 R/Resources<<>>>>',
      pdfStream('10 10 m 290 10 l S 210 20 m 290 20 l S 10 30 m 60 30 l 60 150 l 80 150 l 80 30 l S 0 0 m 200 0 l S'),
    ])
    assert.deepEqual(found, [
      [20, 180, 401, 180],
      [20, -1, 120, 140],
      [160, -1, 160, 140],
      [0, 200, 400, 200],
    ])
  })

  test('§8 the lines of a part that is drawn by its own matrix, such as a symbol or a whole view, are where it is on the page', async () => {
    const part = (more = '') => pdfStream('0 0 m 10 0 l S', `/Type/XObject/Subtype/Form/BBox[0 0 10 10]/Matrix[2 0 0 2 50 10]${more}`)
    const found = await boxes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>',
      pdfStream('/A Do q 1 0 0 1 0 40 cm /B Do Q 0 90 m 10 90 l S'),
      part(),
      part('/Group<</S/Transparency>>'),
    ])
    assert.deepEqual(found, [
      [100, 180, 140, 180],
      [100, 100, 140, 100],
      [0, 20, 20, 20],
    ])
  })

  test('§8 what is outside of a view that is clipped isn’t among the lines, and what follows the view is', async () => {
    const found = await boxes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<>>>>',
      pdfStream(
        'q 50 20 100 60 re W n 0 40 m 200 40 l S q 60 0 10 90 re W* n 0 50 m 200 50 l S 0 10 m 200 10 l S Q 0 60 m 200 60 l S Q 0 70 m 200 70 l S',
      ),
    ])
    assert.deepEqual(found, [
      [99, 120, 301, 120],
      [119, 100, 141, 100],
      [99, 80, 301, 80],
      [0, 60, 400, 60],
    ])
  })

  test('§8 the lines of a stamp or a note are where it is on the page', async () => {
    const found = await boxes([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<<>>/Annots[6 0 R]>>',
      pdfStream('10 10 m 60 10 l S'),
      pdfStream('0 0 m 10 0 l S', '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
      '<</Type/Annot/Subtype/Stamp/Rect[100 40 140 60]/AP<</N 5 0 R>>/F 4>>',
    ])
    assert.deepEqual(found, [
      [20, 180, 120, 180],
      [200, 120, 280, 120],
    ])
  })

  test('§7 a page whose scan in JPEG 2000 would need too much memory is drawn at half of its size', async () => {
    const sizeWith = async (width: number, height: number, filter: string) => {
      const path = join(folder, 'scan.pdf')
      const picture = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/${filter}`
      const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 3370 2384]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>'
      const content = pdfStream('q 3370 0 0 2384 0 0 cm /I Do Q')
      const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page, content, pdfStream('x', picture)]
      writeFileSync(path, pdfFile(objects))
      const measured = await heavy.measure({ path, type: 'application/pdf', page: 1 }, 200_000_000)
      return [measured.width, measured.height]
    }
    assert.deepEqual(await sizeWith(14_043, 9933, 'JPXDecode'), [7020, 4966])
    assert.deepEqual(await sizeWith(9933, 7016, 'JPXDecode'), [14_041, 9933])
    assert.deepEqual(await sizeWith(14_043, 9933, 'DCTDecode'), [14_041, 9933])
  })
})
