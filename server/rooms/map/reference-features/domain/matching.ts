// Matches place texts in registers ("Block A / Level 3") with the frame of the site (`map.md` §1, Ties). Never guesses: a text with two matches,
// or only a partial one, stays unresolved, with the reason.
import { capitalized } from '../../../../../shared/text.ts'
import type { Id } from '../../../../base/ids.ts'
import { remembered } from '../../../../base/memo.ts'
import { keyOf, type Level, type LevelNames, levelNamed, levelNames, levelWord, surelyLevel } from './levels.ts'

/** A feature, as far as its names and place matter. */
export type NamedFeature = {
  id: Id
  kind: 'area' | 'building' | 'zone'
  code: string | null
  name: string
  aliases: readonly string[]
  levels: readonly Level[]
  building_id: Id | null
  level_from: number | null
  level_to: number | null
  parent_area_id: Id | null
}

/** What a row says about its place. */
export type PlaceTexts = { location: string | null; zone: string | null; level: string | null }
/** The place that it means. */
export type NamedPlace = { building_id?: Id; level_index?: number; zone_id?: Id }
/** Says what couldn't be matched; null for a match, and for a row without a place. */
export type FoundPlace = { place: NamedPlace; matched: true; why: null } | { place: null; matched: false; why: string | null }

/** What a piece of text can mean: a feature, or a level. */
type Meaning = { feature: NamedFeature } | { level: string }
/** A piece of text with every possible meaning. */
type Piece = { text: string; meanings: Meaning[] }

type Frame = {
  byKey: Map<string, NamedFeature[]>
  byId: Map<Id, NamedFeature>
  levels: Map<Id, LevelNames>
  levelKeys: Set<string>
}

const MOST_PIECES = 12
const MOST_READINGS = 200

/** Describes a feature in words; an indoor zone with its building. */
function called(frame: Frame, feature: NamedFeature): string {
  const home = feature.building_id === null ? undefined : frame.byId.get(feature.building_id)
  return `${feature.kind} ${feature.name}${feature.code === null ? '' : ` (${feature.code})`}${home === undefined ? '' : ` of ${home.name}`}`
}

/** Prepares the frame once. The returned function looks one row up without asking the database, and remembers earlier rows. */
export function finderOf(features: readonly NamedFeature[]): (texts: PlaceTexts) => FoundPlace {
  const frame = frameOf(features)
  const seen = new Map<string, FoundPlace>()
  return texts => remembered(seen, JSON.stringify([texts.location, texts.zone, texts.level]), () => placeIn(frame, texts))
}

function frameOf(features: readonly NamedFeature[]): Frame {
  const frame: Frame = { byKey: new Map(), byId: new Map(), levels: new Map(), levelKeys: new Set() }
  for (const feature of features) {
    frame.byId.set(feature.id, feature)
    const names = [feature.name, ...(feature.code === null ? [] : [feature.code]), ...feature.aliases]
    for (const key of new Set(names.map(keyOf))) if (key !== '') remembered(frame.byKey, key, () => []).push(feature)
    if (feature.levels.length > 0) {
      const own = levelNames(feature.levels)
      frame.levels.set(feature.id, own)
      for (const key of own.keys()) frame.levelKeys.add(key)
    }
  }
  return frame
}

const blank = (text: string | null): boolean => text === null || keyOf(text) === ''

function placeIn(frame: Frame, texts: PlaceTexts): FoundPlace {
  const read: Piece[] = []
  for (const column of ['location', 'zone', 'level'] as const) {
    const text = texts[column]
    if (text === null || blank(text)) continue
    const found = readColumn(frame, text.trim(), column)
    if (typeof found === 'string') return { place: null, matched: false, why: found }
    read.push(...found)
  }
  if (read.length === 0) return { place: null, matched: false, why: null }
  const pieces = onceEach(read)
  const all = readings(pieces)
  if (all === null) return { place: null, matched: false, why: 'The text can be read in too many ways.' }
  const places = new Map<string, { place: NamedPlace; reading: Meaning[] }>()
  let why: string | null = null
  for (const reading of all) {
    const answer = combined(frame, reading)
    if (typeof answer === 'string') why ??= answer
    else places.set(JSON.stringify([answer.building_id, answer.level_index, answer.zone_id]), { place: answer, reading })
  }
  const [one, other] = [...places.values()]
  if (one === undefined) return { place: null, matched: false, why: capitalized(why ?? 'The place is ambiguous.') }
  if (other !== undefined) return { place: null, matched: false, why: twice(frame, pieces, one.reading, other.reading) }
  return { place: one.place, matched: true, why: null }
}

const sameMeaning = (a: Meaning | undefined, b: Meaning | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  ('level' in a ? 'level' in b && a.level === b.level : 'feature' in b && a.feature.id === b.feature.id)

/** Describes both meanings of an ambiguous text. */
function twice(frame: Frame, pieces: readonly Piece[], one: readonly Meaning[], other: readonly Meaning[]): string {
  const words = (meaning: Meaning | undefined) =>
    meaning === undefined ? 'nothing' : 'level' in meaning ? `the level ${meaning.level}` : called(frame, meaning.feature)
  const at = pieces.findIndex((_, i) => !sameMeaning(one[i], other[i]))
  return `“${pieces[at]?.text ?? ''}” matches two places: ${words(one[at])} and ${words(other[at])}.`
}

/** Returns every interpretation of the pieces; null when there are too many. */
function readings(pieces: readonly Piece[]): Meaning[][] | null {
  let all: Meaning[][] = [[]]
  for (const piece of pieces) {
    all = all.flatMap(head => piece.meanings.map(meaning => [...head, meaning]))
    if (all.length > MOST_READINGS) return null
  }
  return all
}

/** Removes repeated pieces. */
const onceEach = (pieces: readonly Piece[]): Piece[] => [
  ...new Map(pieces.map(piece => [JSON.stringify([keyOf(piece.text), piece.meanings.length]), piece])).values(),
]

const SEPARATORS = /\s*[/\\,;|>:\n]\s*|\s+[-–—]\s+/g

/** Splits a cell into pieces, or returns why it can't be read. */
function readColumn(frame: Frame, text: string, column: keyof PlaceTexts): Piece[] | string {
  if (column === 'level' && isLevel(frame, text)) return [{ text, meanings: [{ level: text }] }]
  const meant = (slice: string, strict: boolean): Meaning[] => [
    ...(frame.byKey.get(keyOf(slice)) ?? []).map(feature => ({ feature })),
    // "3" in a column of zones is an unknown zone, not level 3.
    ...((strict ? surelyLevel(slice) || (/\p{L}{2}/u.test(slice) && frame.levelKeys.has(keyOf(slice))) : isLevel(frame, slice))
      ? [{ level: slice }]
      : []),
  ]
  const parts = cover(text, splitAt(text, SEPARATORS), slice => meant(slice, column === 'zone'))
  // If nothing separates the words ("Block A L3"), only a certain level counts as one.
  const words = parts ?? cover(text, splitAt(text, new RegExp(`${SEPARATORS.source}|\\s+`, 'g')), slice => meant(slice, true))
  return words ?? `“${text}” isn’t a ${column === 'level' ? 'level' : 'building or zone'} on this site.`
}

const isLevel = (frame: Frame, text: string): boolean => levelWord(text) !== null || frame.levelKeys.has(keyOf(text))

type Stretch = { from: number; to: number }

function splitAt(text: string, separator: RegExp): Stretch[] {
  const out: Stretch[] = []
  let from = 0
  for (const { index, 0: hit } of text.matchAll(separator)) {
    if (index > from) out.push({ from, to: index })
    from = index + hit.length
  }
  if (from < text.length) out.push({ from, to: text.length })
  return out
}

/** Covers a text completely with pieces that mean something, longer ones first; null when that isn't possible. */
function cover(text: string, atoms: readonly Stretch[], meant: (slice: string) => Meaning[]): Piece[] | null {
  if (atoms.length > MOST_PIECES) return null
  const stuck = new Set<number>()
  const from = (i: number): Piece[] | null => {
    if (i === atoms.length) return []
    if (stuck.has(i)) return null
    for (let j = atoms.length; j > i; j--) {
      const slice = text.slice(atoms[i]?.from, atoms[j - 1]?.to)
      const meanings = meant(slice)
      const rest = meanings.length === 0 ? null : from(j)
      if (rest !== null) return [{ text: slice, meanings }, ...rest]
    }
    stuck.add(i)
    return null
  }
  return from(0)
}

const only = (features: readonly NamedFeature[], kind: NamedFeature['kind']): NamedFeature[] => [
  ...new Map(features.filter(feature => feature.kind === kind).map(feature => [feature.id, feature])).values(),
]

/** Turns one reading into a place, or returns why it isn't one. */
function combined(frame: Frame, reading: readonly Meaning[]): NamedPlace | string {
  const features = reading.flatMap(meaning => ('feature' in meaning ? [meaning.feature] : []))
  const words = reading.flatMap(meaning => ('level' in meaning ? [meaning.level] : []))
  for (const kind of ['building', 'zone', 'area'] as const) {
    const [one, other] = only(features, kind)
    if (one !== undefined && other !== undefined)
      return `The text refers to two ${kind}s: ${called(frame, one)} and ${called(frame, other)}.`
  }
  const [named] = only(features, 'building')
  const [zone] = only(features, 'zone')
  const [area] = only(features, 'area')
  const home = zone?.building_id == null ? undefined : frame.byId.get(zone.building_id)
  if (named !== undefined && zone !== undefined && home !== undefined && named.id !== home.id)
    return `${called(frame, zone)} is in ${called(frame, home)}, not in ${called(frame, named)}.`
  const building = named ?? home
  const anchor = building ?? zone
  if (anchor === undefined)
    return area === undefined
      ? `“${words[0] ?? ''}” is a level, but no building is named.`
      : `${called(frame, area)} is an area: a place must be a building or a zone.`
  if (area !== undefined && anchor.parent_area_id !== null && anchor.parent_area_id !== area.id)
    return `${called(frame, anchor)} isn’t in ${called(frame, area)}.`
  const level = levelFrom(frame, words, building, zone)
  if (typeof level === 'string') return level
  return {
    ...(building === undefined ? {} : { building_id: building.id }),
    ...(level === null ? {} : { level_index: level }),
    ...(zone === undefined ? {} : { zone_id: zone.id }),
  }
}

/** Returns the level that the words mean; null when they mention none; a sentence when they can't mean one. */
function levelFrom(
  frame: Frame,
  words: readonly string[],
  building: NamedFeature | undefined,
  zone: NamedFeature | undefined,
): number | null | string {
  if (building === undefined) {
    const above = words.find(word => levelWord(word) !== 0)
    return above === undefined ? null : `${zone === undefined ? 'The place' : called(frame, zone)} is outdoors and has no level “${above}”.`
  }
  const indexes = new Set<number>()
  for (const word of words) {
    const { index, why } = levelNamed(word, building.levels, called(frame, building), frame.levels.get(building.id))
    if (index === null) return why
    indexes.add(index)
  }
  const [index, other] = [...indexes]
  if (index !== undefined && other !== undefined)
    return `The text refers to two levels of ${called(frame, building)}: ${index} and ${other}.`
  const indoors = zone !== undefined && zone.building_id !== null && zone.level_from !== null
  const [low, high] = indoors ? [zone.level_from ?? 0, zone.level_to ?? zone.level_from ?? 0] : [null, null]
  if (index === undefined) return low !== null && low === high ? low : null
  if (zone !== undefined && low !== null && (index < low || index > high))
    return `${called(frame, zone)} is on levels ${low} to ${high}, not on ${index}.`
  return index
}
