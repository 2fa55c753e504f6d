// The shapes of evidence: a file of a record, and what is sent to attach, adopt or describe one.
import {
  flag,
  flags,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  orNull,
  Point,
  partial,
  ref,
  shape,
  text,
} from '../../base/schema.ts'
import { FILES_AT_MOST, ROLES } from './domain.ts'

const PinShape = object(
  {
    feature_id: id('Area, building or zone'),
    level_index: orNull(integer('Level of the building; null for none', { min: -100, max: 300, example: 2 })),
    lon: number('Degrees east', { min: -180, max: 180, example: -0.0877 }),
    lat: number('Degrees north', { min: -85.05, max: 85.05, example: 51.5079 }),
  },
  'Place where the picture was taken, as a person marked it on the plan; null if no one has',
)
const role = oneOf(ROLES, 'What the file shows: the work before, after or during; its surroundings (`context`); or a document about it')
const caption = orNull(text('Caption; null if there is none', { max: 500, example: 'Gap next to the door frame' }))
const taken_at = orNull(instant('Time when the picture was taken; null if unknown'))
const pin = orNull(PinShape)

/** A file of a record, as the API shows it. */
export const Evidence = shape('Evidence', 'A file attached to a record', {
  id: id('Id'),
  role,
  caption,
  filename: text('File name', { max: 200, example: 'IMG_0421.jpg' }),
  media_type: text('Media type, detected from the bytes', { max: 100, example: 'image/jpeg' }),
  size: integer('Size, bytes', { max: Number.MAX_SAFE_INTEGER, example: 1_048_576 }),
  width: orNull(integer('Width as displayed, pixels; null if the file isn’t a picture')),
  height: orNull(integer('Height as displayed, pixels; null if the file isn’t a picture')),
  sha256: text('SHA-256 of the bytes, hexadecimal', {
    max: 64,
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  }),
  taken_at: orNull(instant('Time when the picture was taken: from the file if it contains one, otherwise as given; null if unknown')),
  taken_point: orNull(ref(Point, 'Position where the picture was taken, from the file; null if the file contains none')),
  pin,
  adopted_from: orNull(
    object(
      {
        kind: text('Kind of the record that the file was first attached to', { max: 60, example: 'snag' }),
        id: orNull(id('Record that the file was first attached to; null if the caller can’t see it')),
        label: orNull(text('Name of that record; null if the caller can’t see it', { max: 500, example: 'SN-000123' })),
        evidence_id: orNull(id('File on that record; null if the caller can’t see the record')),
        hidden: flag('Whether the caller can’t see that record'),
      },
      'The record that the file was first attached to; null if the file wasn’t adopted',
    ),
  ),
  added_at: instant('Time when the file was attached'),
  added_by: orNull(id('Person who attached the file; null if no person did')),
  permissions: flags(['change', 'remove']),
})

/** The files of a record, for the shape of the record. */
export const evidenceField = list(ref(Evidence), 'Files attached to the record, oldest first', { max: FILES_AT_MOST })

export const NewEvidence = shape('NewEvidence', 'Description of an uploaded file', {
  role,
  caption: optional(caption),
  taken_at: optional(orNull(instant('Time when the picture was taken; a time in the file itself takes precedence'))),
  pin: optional(pin),
})
export const Adoption = shape('EvidenceAdoption', 'A file of another record, to attach to this record too', {
  evidence: object(
    {
      record_kind: text('Kind of the record that has the file', { max: 60, example: 'snag' }),
      record_id: id('Record that has the file'),
      evidence_id: id('File'),
    },
    'The file',
  ),
  role,
  caption: optional(caption),
  pin: optional(pin),
})
export const EvidenceChange = partial('EvidenceChange', 'Description of a file: fields to change', { role, caption, taken_at, pin })
