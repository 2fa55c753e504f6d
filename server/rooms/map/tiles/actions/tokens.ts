// The tokens of vector tiles. A process remembers those of the tiles that it made, so that after a change it reads only the tokens that have changed (decision 1086).
import type { Ctx, House } from '../../../../base/ctx.ts'
import { remembered } from '../../../../base/memo.ts'
import { changedSince } from '../../../../kernel/audit/door.ts'
import type { Wanted } from '../domain/pictures.ts'
import { bytesOf, type Group, without } from '../domain/spots.ts'
import { ABOUT_TOKENS, type Asked, type State, TOKEN_KINDS, type TokenGroup, tokensIn } from '../queries.ts'

type Tokens = Group<Omit<TokenGroup, 'count' | 'spots' | 'names' | 'series' | 'polygons'>>

/** When something on a layer last started or ended, and when the next vehicle is expected to leave. */
export type Clock = Pick<State, 'last' | 'leaves'>

/** The tokens of a tile, how many entries the history of its site had before they were read, and their clock. */
type Remembered = { groups: Tokens[]; entries: number; bytes: number } & Clock
type Memory = { tiles: Map<string, Remembered>; bytes: number }

/** Bytes of the tokens that a process remembers. */
const BYTES_KEPT = 32 * 2 ** 20
/** The most entries of the history that are read in place of the whole tile. */
const ENTRIES_AT_MOST = 200

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
 * Brings the tokens of a tile up to date; null if the whole tile has to be read. As long as the clock is the same, a token that wasn’t changed is there if it was there
 * before, and as it was. What the tile says about it comes from its own row, its contractor, its links to permits and the coverage policy of its site, and the history has an
 * entry for each change of those.
 */
async function renewed(ctx: Ctx, asked: Asked, { groups, entries }: Remembered): Promise<Tokens[] | null> {
  const changed = await changedSince(ctx.db, asked.site_id, entries, [...TOKEN_KINDS, ...ABOUT_TOKENS], ENTRIES_AT_MOST)
  if (changed.length === ENTRIES_AT_MOST || changed.some(({ kind }) => ABOUT_TOKENS.includes(kind))) return null
  const only = [...new Set(changed.map(({ id }) => id))]
  return only.length === 0 ? groups : [...without(groups, only), ...(await read(ctx, asked, { limit: only.length, only }))]
}

function remember(memory: Memory, name: string, tokens: Remembered): void {
  memory.bytes += tokens.bytes - (memory.tiles.get(name)?.bytes ?? 0)
  memory.tiles.delete(name)
  memory.tiles.set(name, tokens)
  for (const [oldest, { bytes }] of memory.tiles) {
    if (memory.bytes <= BYTES_KEPT) break
    memory.tiles.delete(oldest)
    memory.bytes -= bytes
  }
}

/** Returns the tokens of a tile, at most this many. */
export async function tokensOf(ctx: Ctx, making: Asked & Clock & { tile: Wanted }, most: number): Promise<Tokens[]> {
  const { tile, last, leaves, site_id, level_index, at, now } = making
  const { standing } = ctx.actor
  const entries = standing?.site_id === site_id ? standing.entries : undefined
  // Ahead of now, what is expected to leave depends on now, too.
  if (entries === undefined || at > now) return (await whole(ctx, making, most)).groups
  const memory = remembered(memories, ctx.house, () => ({ tiles: new Map(), bytes: 0 }))
  const name = [site_id, level_index ?? '', tile.z, tile.x, tile.y].join(' ')
  const before = memory.tiles.get(name)
  const follows = before !== undefined && before.last === last && before.leaves === leaves && before.entries <= entries
  const newer = follows ? await renewed(ctx, making, before) : null
  const { groups, complete } = newer === null || countOf(newer) > most ? await whole(ctx, making, most) : { groups: newer, complete: true }
  if (complete) remember(memory, name, { groups, entries, last, leaves, bytes: bytesOf(groups) })
  return groups
}

const countOf = (groups: readonly Tokens[]): number => groups.reduce((sum, { names }) => sum + names.length, 0)

/** Reads all tokens of a tile, or the first ones if it has more than `most`. */
async function whole(ctx: Ctx, making: Asked, most: number): Promise<{ groups: Tokens[]; complete: boolean }> {
  const groups = await read(ctx, making, { limit: most + 1 })
  return countOf(groups) > most
    ? { groups: await read(ctx, making, { limit: most, first: true }), complete: false }
    : { groups, complete: true }
}
