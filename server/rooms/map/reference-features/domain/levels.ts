// Names of levels (`map.md` §1): one parser for import, forms and search.
import type { FieldFault } from '../../../../base/errors.ts'

/** The indexes that a level of a building can have. */
export const [LOWEST, HIGHEST] = [-50, 300]

/** A level of a building: 0 is the ground, basements are negative. */
export type Level = { index: number; name: string; aliases: string[]; floor_elevation_m: number | null; height_m: number | null }

/**
 * Returns the part of a name that is compared: case folded, spaces and punctuation collapsed, so that `Block-A`, `BLOCK A` and `blockA` are equal. Digits
 * stay apart (`1-1` is not `11`), and a minus before a number isn't a dash.
 */
export function keyOf(text: string): string {
  // Joining can compose characters again (an accent that was on its own), so this repeats until the key no longer changes: the key of a key is the key
  // itself.
  let key = text
  for (let pass = 0; pass < PASSES_AT_MOST; pass++) {
    const next = joined(key)
    if (next === key) break
    key = next
  }
  return key
}

/** Ordinary text doesn't change after the first pass, which the second one confirms. */
const PASSES_AT_MOST = 8

function joined(text: string): string {
  const signed = folded(text)
  const parts = signed.split(/[^\p{L}\p{M}\p{N}−]+/u).filter(part => part !== '')
  return parts.reduce(
    (key, part) => (key !== '' && /^−/.test(part) ? `${key} ${part}` : apart(key, part) ? `${key} ${part}` : key + part),
    '',
  )
}

const apart = (before: string, after: string) => /\p{N}$/u.test(before) && /^\p{N}/u.test(after)

/** Returns text without differences of case, with both kinds of ß and of sigma alike. */
export const caseless = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')

/** Folds case, makes every dash the same, and tells a sign before a number from a dash by the character before it. */
const folded = (text: string): string =>
  caseless(text)
    .replace(/[−–—]/g, '-')
    .replace(/(^|[\s(/,;|:])-(?=\p{N})/gu, '$1−')

const NUMBER = '0*(\\d{1,3})'
const ABOVE = new RegExp(`^(?:l|lv|lvl|lev|level|fl|flr|floor)(−?)${NUMBER}$`)
const BEHIND = new RegExp(`^${NUMBER}(?:f|fl|flr|floor|level)$`)
const ORDINAL = new RegExp(`^${NUMBER}(?:st|nd|rd|th)(?:f|fl|flr|floor|level)$`)
const BELOW = new RegExp(`^(?:l|lvl|level)?(?:b|lg|basement|basementlevel|lowerground|lowergroundfloor)-?${NUMBER}$`)
const BARE = new RegExp(`^(−?)${NUMBER}$`)
const GROUND = /^(?:g|gf|ground|groundfloor|groundlevel)$/

/** Returns the index that a level name means by itself; null when it isn't one. `L-1` is ambiguous (level 1 or a basement), so it gives null. */
export function levelWord(text: string): number | null {
  // A space or a point between two numbers is not ignored: `3.5` is not level 35.
  const word = folded(text).replace(/(?<!\d)[\s._/()#]+|[\s._/()#]+(?!\d)/g, '')
  if (GROUND.test(word)) return 0
  const bare = BARE.exec(word) ?? ABOVE.exec(word)
  if (bare !== null) return (bare[1] === '' ? 1 : -1) * Number(bare[2]) + 0
  const above = BEHIND.exec(word) ?? ORDINAL.exec(word)
  if (above !== null) return Number(above[1])
  const below = BELOW.exec(word)
  return below === null || Number(below[1]) === 0 ? null : -Number(below[1])
}

/** Returns whether a word can only be a level: `G` and `3` can be part of a name. */
export const surelyLevel = (text: string): boolean =>
  levelWord(text) !== null && (/\p{L}.*\p{N}|\p{N}.*\p{L}/u.test(text) || /\p{L}{2}/u.test(text))

/** A level that was found by its name, or why there is none. */
export type FoundLevel = { index: number; why: null } | { index: null; why: string }

/** The levels of one building by their keys, for many look-ups. */
export type LevelNames = ReadonlyMap<string, readonly Level[]>

/** Returns names and aliases of levels, as they are compared. */
export function levelNames(levels: readonly Level[]): LevelNames {
  const names = new Map<string, Level[]>()
  for (const level of levels) {
    for (const key of new Set([level.name, ...level.aliases].map(keyOf))) {
      const known = names.get(key)
      if (known === undefined) names.set(key, [level])
      else known.push(level)
    }
  }
  return names
}

/**
 * Returns the level that a text means in a building: its names and aliases come first, then general level names. A level that the building doesn't have is
 * never guessed.
 */
export function levelNamed(text: string, levels: readonly Level[], building: string, names: LevelNames = levelNames(levels)): FoundLevel {
  const named = names.get(keyOf(text)) ?? []
  const [one, other] = named
  if (one !== undefined && other !== undefined)
    return { index: null, why: `“${text}” matches two levels of ${building}: ${one.name} and ${other.name}.` }
  if (one !== undefined) return { index: one.index, why: null }
  const index = levelWord(text)
  if (index === null) return { index: null, why: `“${text}” isn’t a level of ${building}.` }
  return levels.some(level => level.index === index) ? { index, why: null } : { index: null, why: `${building} has no level ${index}.` }
}

/** Returns the default name of a level. */
export const levelName = (index: number): string => (index === 0 ? 'Ground' : index > 0 ? `Level ${index}` : `Basement ${-index}`)

/**
 * Writes levels as a list that `levelsIn` of geodata layers reads: `B1, G, 1, 2`. A number alone would be a number of storeys there, so the only level of a building
 * has a letter.
 */
export const levelList = (levels: readonly { index: number }[]): string =>
  levels.map(({ index }) => (index < 0 ? `B${-index}` : index === 0 ? 'G' : levels.length === 1 ? `L${index}` : `${index}`)).join(', ')

/** A level as the caller sends it. */
export type GivenLevel = { index: number; name?: string; aliases?: string[]; floor_elevation_m?: number | null; height_m?: number | null }

/** Returns levels from the lowest to the highest, with defaults for what was left out. */
export const levelsFrom = (given: readonly GivenLevel[]): Level[] =>
  given
    .map(level => ({
      index: level.index,
      name: level.name ?? levelName(level.index),
      aliases: level.aliases ?? [],
      floor_elevation_m: level.floor_elevation_m ?? null,
      height_m: level.height_m ?? null,
    }))
    .sort((a, b) => a.index - b.index)

/**
 * Returns faults of the levels of a building: a repeated index, or floors that don't rise with the index. Each is reported by its place in the caller's
 * list.
 */
export function levelFaults(given: readonly GivenLevel[], path = 'levels'): FieldFault[] {
  const faults: FieldFault[] = []
  const seen = new Set<number>()
  for (const [i, level] of given.entries()) {
    if (seen.has(level.index))
      faults.push({ path: `${path}[${i}].index`, message: `is ${level.index}, which another level in the list already has.` })
    seen.add(level.index)
  }
  const rising = given
    .map((level, i) => ({ i, index: level.index, floor: level.floor_elevation_m ?? null }))
    .filter(level => level.floor !== null)
    .sort((a, b) => a.index - b.index)
  for (const [k, level] of rising.entries()) {
    const below = rising[k - 1]
    if (below?.floor != null && level.floor !== null && level.index > below.index && level.floor <= below.floor)
      faults.push({
        path: `${path}[${level.i}].floor_elevation_m`,
        message: `must be above that of level ${below.index} (${below.floor} m): floor heights must increase with the level index.`,
      })
  }
  return faults
}
