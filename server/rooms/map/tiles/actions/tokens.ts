// The tokens of vector tiles. A process remembers those of the places of which it made tiles: it cuts other tiles from them (decision 1104), and after a change it reads only
// the tokens that have changed (decision 1086).
import type { Ctx, House } from '../../../../base/ctx.ts'
import { remembered } from '../../../../base/memo.ts'
import { changedSince } from '../../../../kernel/audit/door.ts'
import { BUFFER, groundOfTile } from '../domain/ground.ts'
import type { Wanted } from '../domain/pictures.ts'
import { bytesOf, type Group, without } from '../domain/spots.ts'
import { ABOUT_TOKENS, type Asked, type State, TOKEN_KINDS, type TokenGroup, tokensIn } from '../queries.ts'

type Tokens = Group<Omit<TokenGroup, 'count' | 'spots' | 'names' | 'series' | 'polygons'>>

/** When something on a layer last started or ended, and when the next vehicle is expected to leave. */
export type Clock = Pick<State, 'last' | 'leaves'>

/** The tokens of a place, null if it has too many to be remembered; how many entries the history of its site had before they were read; and when the next vehicle leaves. */
type Remembered = { groups: Tokens[] | null; entries: number; bytes: number } & Pick<Clock, 'leaves'>
/** What a process remembers of places, and which it is reading. */
type Memory = { places: Map<string, Remembered>; reading: Map<string, Promise<unknown>>; bytes: number }

/**
 * The tokens of a tile of this zoom are read at once, and all tiles within it are cut from them: a map that is opened, moved or enlarged asks for a dozen tiles, and reading each would take
 * as long as this one. At the latitude of London it is 1.5 km wide, which is most sites.
 */
const PLACE_ZOOM = 14
/** Bytes of the tokens that a process remembers. */
const BYTES_KEPT = 32 * 2 ** 20
/** The most entries of the history that are read in place of the whole tile. */
const ENTRIES_AT_MOST = 200
/** What a place takes of which no tokens are remembered, bytes. */
const NO_TOKENS = 100

const memories = new WeakMap<House, Memory>()

async function read(ctx: Ctx, asked: Asked, how: Parameters<typeof tokensIn>[2]): Promise<Tokens[]> {
  const rows = await tokensIn(ctx.db, asked, how)
  return rows.map(({ count: _count, spots, names, series, polygons, ...alike }) => ({
    alike,
    spots: Buffer.from(spots, 'base64'),
    names: names.split('\n'),
    series,
    polygons,
  }))
}

/**
 * Brings the tokens of a place up to date; null if all of them have to be read. As long as the clock is the same, a token that wasn’t changed is there if it was there
 * before, and as it was. What a tile says about it comes from its own row, its contractor, its links to permits and the coverage policy of its site, and the history has an
 * entry for each change of those.
 */
async function renewed(ctx: Ctx, asked: Asked, groups: Tokens[], since: number): Promise<Tokens[] | null> {
  const changed = await changedSince(ctx.db, asked.site_id, since, [...TOKEN_KINDS, ...ABOUT_TOKENS], ENTRIES_AT_MOST)
  if (changed.length === ENTRIES_AT_MOST || changed.some(({ kind }) => ABOUT_TOKENS.includes(kind))) return null
  const only = [...new Set(changed.map(({ id }) => id))]
  return only.length === 0 ? groups : [...without(groups, only), ...(await read(ctx, asked, { limit: only.length, only }))]
}

function remember(memory: Memory, name: string, tokens: Remembered): void {
  memory.bytes += tokens.bytes - (memory.places.get(name)?.bytes ?? 0)
  memory.places.delete(name)
  memory.places.set(name, tokens)
  for (const [oldest, { bytes }] of memory.places) {
    if (memory.bytes <= BYTES_KEPT) break
    memory.places.delete(oldest)
    memory.bytes -= bytes
  }
}

const countOf = (groups: readonly Tokens[]): number => groups.reduce((sum, { names }) => sum + names.length, 0)

/** Reads the tokens of a place, or what has changed of them; null if it has more than `most`. */
async function refreshed(ctx: Ctx, asked: Asked, before: Remembered | undefined, most: number): Promise<Tokens[] | null> {
  const newer = before?.groups == null ? null : await renewed(ctx, asked, before.groups, before.entries)
  const groups = newer ?? (await read(ctx, asked, { limit: most + 1 }))
  return countOf(groups) > most ? null : groups
}

/** Returns the tokens of all levels of a place as they are remembered, up to date; null if it has more than `most`. */
async function tokensAround(ctx: Ctx, making: Asked & Clock, place: Wanted, entries: number, most: number): Promise<Tokens[] | null> {
  const memory = remembered(memories, ctx.house, () => ({ places: new Map(), reading: new Map(), bytes: 0 }))
  const { site_id, last, leaves } = making
  const name = [site_id, last ?? '', place.z, place.x, place.y].join(' ')
  // Tiles of the same place that are asked for together are cut from what the first of them reads.
  for (let other = memory.reading.get(name); other !== undefined; other = memory.reading.get(name)) await other
  const found = memory.places.get(name)
  const before = found?.leaves === leaves ? found : undefined
  // Whether a place still has too many is looked at after as many changes as would have it read as a whole, anyway.
  const changes = before?.groups === null ? ENTRIES_AT_MOST : 1
  if (before !== undefined && entries < before.entries + changes) {
    remember(memory, name, before)
    return before.groups
  }
  const work = refreshed(ctx, { ...making, box: groundOfTile(place, BUFFER.points), level_index: undefined }, before, most)
  memory.reading.set(
    name,
    work.catch(() => undefined),
  )
  try {
    const groups = await work
    remember(memory, name, { groups, entries, leaves, bytes: groups === null ? NO_TOKENS : bytesOf(groups) })
    return groups
  } finally {
    memory.reading.delete(name)
  }
}

/** Returns tokens among which are those of a tile, at most this many: others of its place can be among them, too. */
export async function tokensOf(ctx: Ctx, making: Asked & Clock & { tile: Wanted }, most: number): Promise<Tokens[]> {
  const { tile, site_id, level_index, at, now } = making
  const { standing } = ctx.actor
  const entries = standing?.site_id === site_id ? standing.entries : undefined
  // Ahead of now, what is expected to leave depends on now, too.
  const places = entries === undefined || at > now ? [] : placesOf(tile)
  for (const place of places) {
    const groups = await tokensAround(ctx, making, place, entries ?? 0, most)
    if (groups !== null) return level_index === undefined ? groups : groups.filter(({ alike }) => alike.level_index === level_index)
  }
  // The tile itself had too many, whatever their level.
  const crowded = places.length > 0 && level_index === undefined
  const groups = crowded ? null : await read(ctx, making, { limit: most + 1 })
  return groups === null || countOf(groups) > most ? read(ctx, making, { limit: most, first: true }) : groups
}

/** Returns the places whose tokens are remembered for a tile, the largest first; the tile itself where they have too many. */
function placesOf(tile: Wanted): Wanted[] {
  const up = tile.z - PLACE_ZOOM
  return up > 0 ? [{ z: PLACE_ZOOM, x: tile.x >> up, y: tile.y >> up }, tile] : [tile]
}
