import type { Exif } from 'exif-reader'
import { DAY, type Instant, instantOf, isWorkDate, readInstant } from '../../../shared/time.ts'

/** What a picture says about itself: the wall-clock time at which it was taken, the offset of its clock if it is known, and the position. */
export type PictureFacts = { taken: string | null; offset: string | null; lon: number | null; lat: number | null }

/** The true type of a file, from its bytes. */
export type Sniffed = {
  type: string
  ext: string
  width: number | null
  height: number | null
  pages: number
  facts: PictureFacts | null
}

/** Pictures that get a preview. */
export const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/gif', 'image/tiff']

/** File types that a permit or record accepts as an attachment. */
export const DOCUMENTS = [
  ...PICTURES,
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/msword',
  'application/vnd.ms-excel',
  'application/x-cfb',
  'text/plain',
  'text/csv',
  'video/mp4',
  'audio/mpeg',
]

/** The largest picture that is decoded, in pixels. */
export const PIXELS_AT_MOST = 120_000_000

/** A request to the picture process: the displayed size of a picture, or a smaller version of it, upright and without metadata. */
export type PictureOrder =
  | { task: 'measure'; path: string }
  | { task: 'make'; path: string; heic: boolean; side: number; as: 'webp' | 'jpeg'; out: string }

/** Its response: width and height as displayed, how many pictures the file has (more than one: animated), and what it says about itself. */
export type PictureAnswer = { width: number; height: number; pages: number; facts?: PictureFacts | null }

/** Reads time and position from EXIF. Cameras write nonsense (0000:00:00, 91° north): what isn't a time or a position is null. */
export function factsFrom(exif: Exif): PictureFacts | null {
  const { Photo = {}, Image = {}, GPSInfo = {} } = exif
  // The library reads the wall clock of the camera as if it were UTC.
  const at = Photo.DateTimeOriginal ?? Photo.DateTimeDigitized ?? Image.DateTime
  const taken = at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString().slice(0, 19) : null
  const said = Photo.OffsetTimeOriginal ?? Photo.OffsetTimeDigitized ?? Photo.OffsetTime
  const offset = typeof said === 'string' && /^[+-]\d{2}:\d{2}$/.test(said.trim()) ? said.trim() : null
  const lat = degrees(GPSInfo.GPSLatitude, GPSInfo.GPSLatitudeRef, 'S', 90)
  const lon = degrees(GPSInfo.GPSLongitude, GPSInfo.GPSLongitudeRef, 'W', 180)
  const placed = lat !== null && lon !== null && (lat !== 0 || lon !== 0)
  if (taken === null && !placed) return null
  return { taken, offset: taken === null ? null : offset, lon: placed ? lon : null, lat: placed ? lat : null }
}

/** Returns degrees, minutes and seconds as degrees, at most six decimals (0.1 m). */
function degrees(parts: unknown, side: unknown, negative: string, most: number): number | null {
  if (!Array.isArray(parts) || typeof side !== 'string') return null
  const [d = Number.NaN, m = 0, s = 0] = parts.map(Number)
  const value = d + m / 60 + s / 3600
  if (!Number.isFinite(value) || value < 0 || value > most) return null
  const exact = Math.round(value * 1e6) / 1e6
  return side.trim().toUpperCase() === negative ? -exact : exact
}

/**
 * Returns when a picture was taken: by the offset of its own clock if that is known, otherwise by the site's time zone. Null for a time that doesn't
 * exist, is before 1990, or is more than a day ahead: then the clock of the camera was wrong.
 */
export function takenAt(facts: PictureFacts | null, timezone: string, now: Instant): Instant | null {
  if (facts?.taken == null) return null
  const [date = '', time = ''] = facts.taken.split('T')
  if (!isWorkDate(date) || date < '1990-01-01') return null
  const at =
    facts.offset === null
      ? instantOf(timezone, date, time.slice(0, 5), Number(time.slice(6)))
      : readInstant(`${facts.taken}${facts.offset}`)
  return at === null || Date.parse(at) > Date.parse(now) + DAY ? null : at
}

/** What a file shows of the work: before, during or after it, its surroundings, or a document about it. */
export const ROLES = ['before', 'after', 'during', 'context', 'document'] as const
export type Role = (typeof ROLES)[number]

/** Where a file was taken, as marked on the plan: a point of an area, building or zone, and the level of a building. */
export type Pin = { feature_id: string; level_index: number | null; lon: number; lat: number }

/** Largest number of files of one record. */
export const FILES_AT_MOST = 50
/** A person can remove their own file for this long. */
export const OWN_FOR = DAY

const MB = 1024 * 1024
/** File types of evidence, with the largest size of each in bytes (`flow-of-work.md` §0.5). */
export const EVIDENCE_TYPES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'].map(type => [type, 20 * MB])),
  'application/pdf': 50 * MB,
  'video/mp4': 100 * MB,
  'video/quicktime': 100 * MB,
}

/** Why a picture has no preview, in words for the person who wants to see it. */
export const PREVIEW_PROBLEMS = {
  damaged: 'This picture is damaged and can’t be shown. The original can still be downloaded.',
  missing: 'This picture is missing from the storage.',
} as const
export type PreviewProblem = keyof typeof PREVIEW_PROBLEMS

/** Returns the placeholder that is shown instead of a preview: a crossed-out frame with the reason. */
export const placeholder = (problem: PreviewProblem, side: number): string => {
  const words = PREVIEW_PROBLEMS[problem].split(/(?<=\.) /)
  const lines = words.map((line, i) => `<text x="400" y="${430 + i * 40}">${line}</text>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${Math.round((side * 3) / 4)}" viewBox="0 0 800 600" role="img"><title>${PREVIEW_PROBLEMS[problem]}</title><rect width="800" height="600" fill="#f1efeb"/><g fill="none" stroke="#54585d" stroke-width="14" stroke-linecap="round" stroke-linejoin="round"><rect x="290" y="130" width="220" height="190" rx="16"/><path d="M300 300l70-80 50 55 30-30 50 55M270 350L530 100"/></g><g fill="#17191b" font-family="sans-serif" font-size="30" text-anchor="middle">${lines}</g></svg>`
}

/** Longest side of the variants of a picture, in pixels. */
export const VARIANTS = { preview: 1600, thumb: 320 } as const
export type Variant = keyof typeof VARIANTS

/** Returns the storage key of a variant. */
export const variantKey = (sha256: string, variant: string): string => `${sha256}.${variant}.webp`
