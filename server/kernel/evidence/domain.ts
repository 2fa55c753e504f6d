/** The true type of a file, from its bytes. */
export type Sniffed = { type: string; ext: string; width: number | null; height: number | null; pages: number }

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

/** Its response: width and height as displayed, and how many pictures the file has (more than one: animated). */
export type PictureAnswer = { width: number; height: number; pages: number }

/** Why a picture has no preview, in words for the person who wants to see it. */
export const PREVIEW_PROBLEMS = {
  damaged: 'This picture is damaged and can’t be shown. The original can still be downloaded.',
  missing: 'This picture is missing from the storage.',
} as const
export type PreviewProblem = keyof typeof PREVIEW_PROBLEMS

/** Returns the picture that is shown in place of a preview: a crossed-out frame with the reason. */
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
