// Finds a code in a picture: with the device's own reader if it has one, otherwise with ours.

type Detector = { detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]> }
type DetectorClass = { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> }

declare global {
  /** Not every browser has it. */
  var BarcodeDetector: DetectorClass | undefined
}

let detector: Promise<Detector | null> | null = null

async function ownDetector(): Promise<Detector | null> {
  const given = globalThis.BarcodeDetector
  if (given === undefined) return null
  const formats = await given.getSupportedFormats().catch((): string[] => [])
  return formats.includes('qr_code') ? new given({ formats: ['qr_code'] }) : null
}

/** Longest side in pixels that is scanned: more only takes time, because the codes on documents are large. */
const MOST = 1000
const canvas = document.createElement('canvas')

/** Returns the text of a code in a picture or in the current frame of a camera; null when there is none. */
export async function readCode(source: ImageBitmap | HTMLVideoElement): Promise<string | null> {
  const [width, height] = source instanceof HTMLVideoElement ? [source.videoWidth, source.videoHeight] : [source.width, source.height]
  if (width === 0 || height === 0) return null
  detector ??= ownDetector()
  const own = await detector
  if (own !== null) {
    const [found] = await own.detect(source).catch(() => [])
    if (found !== undefined) return found.rawValue
    if (source instanceof HTMLVideoElement) return null
  }
  const { default: read } = await import('jsqr')
  const scale = Math.min(1, MOST / Math.max(width, height))
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  const ground = canvas.getContext('2d', { willReadFrequently: true })
  if (ground === null) return null
  ground.drawImage(source, 0, 0, canvas.width, canvas.height)
  const { data } = ground.getImageData(0, 0, canvas.width, canvas.height)
  const once = source instanceof HTMLVideoElement
  return read(data, canvas.width, canvas.height, { inversionAttempts: once ? 'dontInvert' : 'attemptBoth' })?.data ?? null
}
