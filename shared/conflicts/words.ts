// A rule and the reasons of a clash in words (`conflict-and-planning.md` §0.4, §1), for the person who asks why something is red. Pure.
import { type Reader, sentenceOf } from '../predicates/explain.ts'
import { capitalized, counted } from '../text.ts'
import { FLOOR } from './matrix.ts'
import { pairSubjectOf } from './pair.ts'
import { type Sides, UNNAMED } from './pair-words.ts'
import { type Cells, isMatrix, type LevelRule, type RuleContent, weightOf } from './rules.ts'

const KINDS: Record<string, string> = {
  worker: 'a gang',
  plant: 'a machine',
  delivery: 'a delivery',
  active_area: 'an active area',
  permit: 'a permit',
}

const either = (words: readonly string[]): string =>
  words.length <= 1 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** Returns the kinds of a side in words: “a gang or a machine”. */
export const kindWords = (kinds: readonly string[]): string => either(kinds.map(kind => KINDS[kind] ?? kind))

const PLURALS: Record<string, string> = {
  worker: 'gangs',
  plant: 'machines',
  delivery: 'deliveries',
  active_area: 'active areas',
  permit: 'permits',
}

/** Returns the two sides in words: “two deliveries”, “a gang and a machine”. A list of kinds on one side is kept apart from the other side by “together with”. */
const sidesOf = ({ a, b }: RuleContent): string => {
  const [one, two] = [a, b].map(side => kindWords(side.kinds))
  if (one === two) return `${a.kinds.length > 1 ? 'any ' : ''}two ${either(a.kinds.map(kind => PLURALS[kind] ?? kind))}`
  return `${one} ${a.kinds.length + b.kinds.length > 2 ? 'together with' : 'and'} ${two}`
}

const ONE: Record<string, string> = { worker: 'gang', plant: 'machine', delivery: 'delivery', active_area: 'active area', permit: 'permit' }

/** Returns what the two sides are called in the condition: “the gang”, “the second machine”. Where one thing could be on either side, they are only first and second. */
function namesOf({ a, b }: RuleContent): Sides {
  const [one, two] = [a, b].map(side => either(side.kinds.map(kind => ONE[kind] ?? kind)))
  if (!a.kinds.some(kind => b.kinds.includes(kind))) return { a: `the ${one}`, b: `the ${two}` }
  return one === two && a.kinds.length === 1 ? { a: `the first ${one}`, b: `the second ${two}` } : UNNAMED
}

/** Returns levels in words: “at most 1 level apart”. */
export const levelWords = (levels: LevelRule): string =>
  levels.mode === 'same'
    ? 'on the same level'
    : levels.mode === 'any'
      ? 'on any levels'
      : `at most ${counted(levels.max_gap, 'level')} apart`

/** Explains a rule in a few sentences. It must have no faults. */
export function explainRule(content: RuleContent, reader: Reader = {}): string {
  const { outcome, when, levels, time_buffer_minutes: buffer, min_overlap_minutes: least } = content
  const clause = sentenceOf(pairSubjectOf(namesOf(content)), when, reader)
  const [always, never] = [clause === 'Always', clause === 'Never']
  const condition = always || never ? '' : ` if ${clause.charAt(0).toLowerCase()}${clause.slice(1)}`
  const time = `at the same time${least > 0 ? ` for ${counted(least, 'minute')} or longer` : ''}${condition}`
  const sentences = isMatrix(outcome)
    ? [`${capitalized(sidesOf(content))}, ${time}: the types of the two permits decide.`, cellWords(outcome.cells)]
    : [`${capitalized(outcome.severity)}: ${sidesOf(content)}, ${levelWords(levels)}, ${time}.`]
  if (buffer > 0) sentences.push(bufferWords(buffer))
  if (never) sentences.push('The condition is never met, so this rule finds nothing.')
  return sentences.join(' ')
}

/** Says what a time buffer does. It widens the time of both, so two things can clash that are up to twice as far apart in time. */
const bufferWords = (buffer: number): string =>
  `Each counts from ${counted(buffer, 'minute')} before it starts until ${counted(buffer, 'minute')} after it ends.`

/** Counts the cells of a matrix, each pair of types once. */
function cellWords(cells: Cells): string {
  const pairs = new Map<string, 0 | 1 | 2>()
  for (const [key, cell] of Object.entries(cells))
    if (key !== FLOOR) pairs.set(key.split('|').sort().join('|'), weightOf(typeof cell === 'string' ? cell : cell.outcome))
  const count = (weight: number) => [...pairs.values()].filter(one => one === weight).length
  const floor = cells[FLOOR] ?? 'off'
  return `${counted(count(2), 'pair')} of types are red and ${count(1)} amber; all others are ${typeof floor === 'string' ? floor : floor.outcome}.`
}
