import { SEVERITIES } from '../../../../shared/conflicts/rules.ts'
import { SIDE_KINDS } from '../../../../shared/predicates/entity.ts'
import {
  anything,
  flag,
  id,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  onSite,
  optional,
  orNull,
  type Static,
  shape,
  text,
} from '../../../base/schema.ts'

export const PreviewRule = shape('PreviewClashRule', 'A rule as it is being written, and where it is tried', {
  ...onSite,
  definition: optional(anything('Content of the rule, as in POST /clash-rules; default that of `rule_id`')),
  rule_id: optional(id('Rule that it would replace; default none')),
  from: optional(instant('Start of the period; default now')),
  to: optional(instant('End of the period; default 7 days after its start, at most 31')),
  limit: optional(integer('Matches in the sample; default 50', { min: 0, max: 50, example: 50 })),
  include: optional(list(oneOf(['registry'], 'Part'), 'registry: the fields, operators and named predicates for an editor', { max: 1 })),
})
export type PreviewRule = Static<typeof PreviewRule>

const note = object({
  path: text('Where', { max: 500, example: 'when.all[1].value' }),
  code: text('Code', { max: 60, example: 'unbounded_reach' }),
  message: text('What it is', { max: 1000 }),
})
const side = (says: string) =>
  object(
    {
      kind: oneOf(SIDE_KINDS, 'Kind'),
      id: orNull(id('Record; null for a permit that the caller can’t see')),
      label: orNull(text('Name or number; null for a permit that the caller can’t see', { max: 300 })),
      title: orNull(
        text('What is done under a permit; null for everything else, and for a permit that the caller can’t see', {
          max: 200,
          example: 'Weld handrails, stair 3',
        }),
      ),
      contractor_id: orNull(id('Contractor; null if there is none, or for a permit that the caller can’t see')),
    },
    says,
  )
const point = object({ lon: number('Longitude', { min: -180, max: 180 }), lat: number('Latitude', { min: -90, max: 90 }) })
const match = object({
  severity: oneOf(SEVERITIES, 'Severity'),
  from_at: instant('Start'),
  to_at: orNull(instant('End (exclusive); null while it is open')),
  a: side('Side a'),
  b: side('Side b'),
  distance_m: number('Least distance, metres; rounded up to 5 m if a side is hidden', { min: 0 }),
  nearest: orNull(list(point, 'The closest points of side a and side b; null if a side is hidden', { max: 2 })),
})

export const ClashRulePreview = shape('ClashRulePreview', 'What a rule would find', {
  valid: flag('Whether the rule has no faults'),
  problems: list(note, 'Every fault', { max: 1000 }),
  warnings: list(note, 'What people should know about it', { max: 1000 }),
  explanation: orNull(text('The rule in words; null if it has faults', { max: 10_000 })),
  reach_m: orNull(
    number('How far two sides can be from each other and still clash, metres; null if it has faults, or if only a shared zone limits it', {
      min: 0,
    }),
  ),
  matches: object(
    {
      red: integer('Red clashes'),
      amber: integer('Amber clashes'),
      episodes: integer('Episodes'),
      sample: list(match, 'The first clashes, by start', { max: 50 }),
    },
    'What it finds in the period',
  ),
  against_current: object(
    {
      added: integer('Pairs that the rule as it is saved doesn’t find'),
      removed: integer('Pairs that only the rule as it is saved finds'),
      changed: integer('Pairs whose severity differs'),
    },
    'What differs from the rule that it would replace',
  ),
  compared: object(
    {
      a: integer('Things that can be side a'),
      b: integer('Things that can be side b'),
      all: integer('Things that can be side a or side b, each counted once'),
    },
    'What is there in the period for the rule to compare, whether or not its condition applies',
  ),
  partial: flag('Whether there was too much to look at, so that only a part of the period was'),
  registry: optional(
    object(
      {
        fields: list(
          object({
            path: text('Path', { max: 100, example: 'pair.distance_m' }),
            type: text('Type', { max: 40, example: 'metres' }),
            label: text('Name in words', { max: 200 }),
            refers: orNull(text('What its ids or codes refer to; null if to nothing', { max: 60 })),
            values: list(text('Value', { max: 60 }), 'Possible values, if they are few', { max: 100 }),
            operators: list(text('Operator', { max: 20, example: 'lte' }), 'Operators', { max: 40 }),
          }),
          'Fields of pairs',
          { max: 200 },
        ),
        named: list(
          object({ name: text('Name', { max: 60, example: 'within_m' }), takes: text('What it takes', { max: 200 }) }),
          'Named predicates',
          { max: 50 },
        ),
      },
      'What conditions can ask; with include=registry',
    ),
  ),
})
