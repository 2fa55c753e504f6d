// The picture processes: one for sizes, which is quick, and one for decoding, so that an upload never waits for a preview.
import { programOf } from '../../../base/built.ts'
import { type ChildHow, openChild } from '../../../base/child/open.ts'
import type { PictureAnswer, PictureOrder } from '../domain.ts'

const USUAL: ChildHow = {
  entry: programOf(new URL('./child.ts', import.meta.url)),
  silence_ms: 20_000,
  orders: 200,
  memory_mb: 300,
  memory_at_most_mb: 1200,
  waiting: 200,
  says: {
    late: 'This picture took too long to read. Send a smaller picture.',
    gone: 'This picture couldn’t be read. Try again in a moment.',
    busy: 'Too many pictures are being read at the moment. Try again in a moment.',
  },
}

/** Opens a picture process; tests give it other limits. */
export const openPictures = (given: Partial<ChildHow> = {}) => openChild<PictureOrder, PictureAnswer>({ ...USUAL, ...given })

/** Reads the sizes of pictures from their headers. */
export const measuring = openPictures()
/** Decodes pictures. */
export const decoding = openPictures()
