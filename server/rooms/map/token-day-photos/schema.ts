import { flag, id, number, object, oneOf, optional, orNull, text, workDate } from '../../../base/schema.ts'
import { Evidence } from '../../../kernel/evidence/schema.ts'
import { PHOTO_KINDS, TOKEN_KINDS } from './domain.ts'

/** The fields of a photo, by the name of their column. */
export const fields = {
  token_kind: oneOf(TOKEN_KINDS, 'What the photo shows: a worker or gang, a machine, or a delivery'),
  token_id: id('Worker or gang, machine, or delivery'),
  work_date: workDate('Site day that the photo belongs to: one on which the worker, gang, machine or delivery is on site; default today'),
  photo_kind: oneOf(
    PHOTO_KINDS,
    'What it shows of the day: progress of the work, its start or finish, a condition, or a delivery; default `progress`',
  ),
  caption: orNull(text('Caption; null if there is none', { max: 500, example: 'Slab of level 2, bay 3 poured' })),
  in_diary: flag('Whether the diary of the day can show the photo; default true', { example: true }),
}

const { filename, media_type, size, width, height, sha256, taken_at, taken_point } = Evidence.properties

/** The computed fields of a photo. */
export const computed = {
  schedule_group_id: orNull(id('Schedule that the worker or machine belonged to when the photo was added; null if none')),
  contractor_id: orNull(id('Contractor of the worker, machine or delivery; null for the main contractor’s own')),
  evidence_id: id('File, for records that adopt it'),
  ...{ filename, media_type, size, width, height, sha256, taken_at, taken_point },
  distance_m: orNull(
    number('Distance from where the photo was taken to where the worker, machine or delivery was, metres; null if unknown', {
      min: 0,
      example: 12.4,
    }),
  ),
  date_mismatch: flag('Whether the photo was taken on another site day than the one it belongs to'),
}

export const DownloadQuery = object({
  variant: optional(oneOf(['original', 'preview', 'thumb'], 'Longest side of a preview: 1,600 px, of a thumb: 320 px; default original')),
})
