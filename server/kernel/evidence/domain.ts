/** What a file really is, by its bytes. */
export type Sniffed = { type: string; ext: string; width: number | null; height: number | null; pages: number }

/** Pictures that get a preview. */
export const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/gif', 'image/tiff']

/** What a permit or record takes as an attachment. */
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

/** Longest side of the variants of a picture, in pixels. */
export const VARIANTS = { preview: 1600, thumb: 320 } as const
export type Variant = keyof typeof VARIANTS

/** Key of a variant in the storage. */
export const variantKey = (sha256: string, variant: string): string => `${sha256}.${variant}.webp`
