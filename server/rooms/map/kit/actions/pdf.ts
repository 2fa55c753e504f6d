// PDF pages as pictures, in the process that reads plans. A page is drawn in bands, so that memory doesn't grow with the size of the sheet.
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { PDFiumModule } from '@hyzyla/pdfium'
import { PROBLEMS } from '../domain/orders.ts'
import { pointsOfUnit } from './pdf-lines.ts'
import { ROWS, tiffHead } from './tiff-head.ts'

const POINTS_PER_INCH = 72
const DPI = 300
/** Most pixels that are drawn at once: 200 MB. */
const BAND_PIXELS = 50_000_000
const ANNOTATIONS = 1
const RGBA_ORDER = 16
const BGRA = 4
const WHITE = 0xffffffff
const WRONG_PASSWORD = 4

type Library = Awaited<ReturnType<typeof PDFiumModule>>
type Options = NonNullable<Parameters<typeof PDFiumModule>[0]> & { printErr: (said: string) => void }
let loading: Promise<Library> | null = null

/** What the library says if a page needs more memory than it can have. It then leaves out what needs it, such as the whole sheet that was scanned. */
const NO_MEMORY = 'Cannot enlarge memory'
const TOO_LARGE =
  'has pictures on its page that need too much memory to be drawn. Export it with fewer dots per inch or in fewer colours, and send it again.'
let is_incomplete = false

function library(): Promise<Library> {
  const options: Options = {
    printErr: said => {
      if (said.startsWith(NO_MEMORY)) is_incomplete = true
    },
  }
  loading ??= PDFiumModule(options).then(module => {
    module._FPDF_InitLibraryWithConfig({})
    return module
  })
  return loading
}

/** Opens a PDF for some work on its pages. */
async function withDocument<T>(path: string, work: (pdf: Library, document: number, bytes: Buffer) => Promise<T> | T): Promise<T> {
  const pdf = await library()
  const bytes = await readFile(path)
  const at = pdf.wasmExports.malloc(bytes.length)
  if (at === 0) throw new Error('The PDF needs too much memory.')
  try {
    pdf.HEAPU8.set(bytes, at)
    const document = pdf._FPDF_LoadMemDocument(at, bytes.length, 0)
    if (document === 0) throw new Error(pdf._FPDF_GetLastError() === WRONG_PASSWORD ? PROBLEMS.encrypted : 'The PDF is damaged.')
    try {
      return await work(pdf, document, bytes)
    } finally {
      pdf._FPDF_CloseDocument(document)
    }
  } finally {
    pdf.wasmExports.free(at)
  }
}

async function withPage<T>(pdf: Library, document: number, number: number, work: (page: number) => Promise<T> | T): Promise<T> {
  if (number > pdf._FPDF_GetPageCount(document)) throw new Error(PROBLEMS.no_page)
  const page = pdf._FPDF_LoadPage(document, number - 1)
  if (page === 0) throw new Error('The page is damaged.')
  try {
    return await work(page)
  } finally {
    pdf._FPDF_ClosePage(page)
  }
}

/** Returns the number of pages of a PDF, and the size in pixels at which one is drawn: 300 dots per inch, fewer if that were too many. */
export const measurePdf = (path: string, number: number, most_pixels: number): Promise<{ width: number; height: number; pages: number }> =>
  withDocument(path, (pdf, document, bytes) =>
    withPage(pdf, document, number, async page => {
      // The library that draws pages leaves out their units. The other one takes longer to open a file, and is only asked if the units can be there: in
      // most files they would be seen, in others the pages are compressed.
      const unit = ['/UserUnit', '/ObjStm'].some(word => bytes.includes(word)) ? await pointsOfUnit(bytes, number) : 1
      const [wide, high] = [pdf._FPDF_GetPageWidth(page) * unit, pdf._FPDF_GetPageHeight(page) * unit]
      if (!(wide > 0 && high > 0)) throw new Error('The page has no size.')
      const scale = Math.min(DPI / POINTS_PER_INCH, Math.sqrt(most_pixels / (wide * high)), decodable(pdf, page, Math.max(wide, high)))
      const size = (points: number) => Math.max(1, Math.floor(points * scale))
      return { width: size(wide), height: size(high), pages: pdf._FPDF_GetPageCount(document) }
    }),
  )

const PICTURE = 3
const JPEG_2000 = 'JPXDecode'
/** Objects of a page that are looked at: a scan is among the first. */
const OBJECTS_AT_MOST = 10_000
/** Most dots of a picture in JPEG 2000 that are decoded: each needs up to 20 bytes, and all are in memory at once. */
const DOTS_AT_MOST = 75_000_000

/**
 * Returns at most how many pixels a point can have, so that the pictures of a page in JPEG 2000 can be decoded: drawn at half of their size, a quarter and so on,
 * they are decoded only as far as that. `longer`: the longer side of the page in points, which a scan covers.
 */
function decodable(pdf: Library, page: number, longer: number): number {
  let most = Number.POSITIVE_INFINITY
  const at = pdf.wasmExports.malloc(64)
  try {
    for (let i = 0; i < Math.min(OBJECTS_AT_MOST, pdf._FPDFPage_CountObjects(page)); i++) {
      const object = pdf._FPDFPage_GetObject(page, i)
      if (pdf._FPDFPageObj_GetType(object) !== PICTURE) continue
      const length = pdf._FPDFImageObj_GetImageFilter(object, 0, at + 8, 56)
      if (Buffer.from(pdf.HEAPU8.subarray(at + 8, at + 7 + Math.min(56, length))).toString('latin1') !== JPEG_2000) continue
      if (pdf._FPDFImageObj_GetImagePixelSize(object, at, at + 4) === 0) continue
      const [width = 0, height = 0] = pdf.HEAP32.subarray(at >> 2, (at >> 2) + 2)
      const halvings = Math.ceil(Math.log2(Math.max(1, (width * height) / DOTS_AT_MOST)) / 2)
      if (halvings > 0) most = Math.min(most, Math.floor(Math.max(width, height) / 2 ** halvings) / longer)
    }
    return most
  } finally {
    pdf.wasmExports.free(at)
  }
}

/** Draws a page into an uncompressed TIFF file. */
export async function drawPdf(
  source: { path: string; page: number; width: number; height: number },
  out: string,
  report: (fraction: number) => void,
): Promise<void> {
  const { width, height } = source
  const file = await open(out, 'w')
  try {
    await withDocument(source.path, (pdf, document) =>
      withPage(pdf, document, source.page, async page => {
        const rows = Math.min(height, Math.max(ROWS, Math.floor(BAND_PIXELS / width / ROWS) * ROWS))
        const buffer = pdf.wasmExports.malloc(rows * width * 4)
        if (buffer === 0) throw new Error('The page needs too much memory.')
        try {
          await file.write(tiffHead({ width, height, channels: 3, orientation: 1 }))
          for (let top = 0; top < height; top += rows) {
            const high = Math.min(rows, height - top)
            const bitmap = pdf._FPDFBitmap_CreateEx(width, high, BGRA, buffer, width * 4)
            pdf._FPDFBitmap_FillRect(bitmap, 0, 0, width, high, WHITE)
            is_incomplete = false
            pdf._FPDF_RenderPageBitmap(bitmap, page, 0, -top, width, height, 0, ANNOTATIONS | RGBA_ORDER)
            pdf._FPDFBitmap_Destroy(bitmap)
            if (is_incomplete) throw new Error(`${PROBLEMS.unread}: ${TOO_LARGE}`)
            await writeRgb(file, pdf.HEAPU8.subarray(buffer, buffer + high * width * 4))
            report((top + high) / height)
          }
        } finally {
          pdf.wasmExports.free(buffer)
        }
      }),
    )
  } finally {
    await file.close()
  }
}

const PIXELS_A_WRITE = 4_000_000

async function writeRgb(file: FileHandle, rgba: Uint8Array): Promise<void> {
  for (let from = 0; from < rgba.length; from += PIXELS_A_WRITE * 4) {
    const part = rgba.subarray(from, Math.min(rgba.length, from + PIXELS_A_WRITE * 4))
    const rgb = Buffer.alloc((part.length / 4) * 3)
    for (let i = 0, k = 0; i < part.length; i += 4) {
      rgb[k++] = part[i] ?? 0
      rgb[k++] = part[i + 1] ?? 0
      rgb[k++] = part[i + 2] ?? 0
    }
    await file.write(rgb)
  }
}
