// Tokens of a tile that are alike, with what differs between them packed: to make thousands of objects would take longer than to make the tile. Pure.
import type { Areal, LonLat } from '../../../../../shared/geometry/plane.ts'
import { remembered } from '../../../../base/memo.ts'

/** Tokens that have most properties in common, `alike`; the others are lists, in the same order. */
export type Group<Alike> = {
  alike: Alike
  /** Of each, the 16 bytes of its id and its longitude and latitude as 8 bytes each. */
  spots: Buffer
  names: string[]
  /** The schedule of each; null if none has one. */
  series: (string | null)[] | null
  /** The polygon of each; null if none has one. */
  polygons: (Areal | null)[] | null
}

/** How many bytes the id and the position of a token have, and where its position begins. */
const [SPOT, PLACE] = [32, 16]
/** The two hexadecimal characters of each byte. */
const HEX = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join(''))
/** The id that was written last, with its hyphens. */
const id = Buffer.from('00000000-0000-0000-0000-000000000000')

/** Writes the id of a token as text; thousands are faster this way than as strings. The next one takes its place. */
export function idText(spots: Buffer, n: number): Buffer {
  let to = 0
  for (let i = 0; i < PLACE; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) to++
    const byte = spots[n * SPOT + i] ?? 0
    id[to++] = HEX[byte * 2] ?? 0
    id[to++] = HEX[byte * 2 + 1] ?? 0
  }
  return id
}

/** Returns the position of a token. */
export const placeOf = (spots: Buffer, n: number): LonLat => ({
  lon: spots.readDoubleBE(n * SPOT + PLACE),
  lat: spots.readDoubleBE(n * SPOT + PLACE + 8),
})

/** Returns groups without the tokens that have these ids. Groups that have none of them are the same objects. */
export function without<Alike>(groups: readonly Group<Alike>[], ids: readonly string[]): Group<Alike>[] {
  const leaving = new Set(ids)
  // The end of an id is a random number, so hardly any other token has the same.
  const ends = new Set(ids.map(one => Number.parseInt(one.slice(-8), 16)))
  return groups.flatMap(group => {
    const { spots, names, series, polygons } = group
    const stays = names.map((_, n) => !(ends.has(spots.readUInt32BE(n * SPOT + PLACE - 4)) && leaving.has(idText(spots, n).toString())))
    if (!stays.includes(false)) return [group]
    if (!stays.includes(true)) return []
    const rest = <T>(list: T[] | null) => list?.filter((_, n) => stays[n]) ?? null
    return [
      {
        alike: group.alike,
        spots: Buffer.concat(names.flatMap((_, n) => (stays[n] ? [spots.subarray(n * SPOT, (n + 1) * SPOT)] : []))),
        names: names.filter((_, n) => stays[n]),
        series: rest(series),
        polygons: rest(polygons),
      },
    ]
  })
}

const weighed = new WeakMap<Group<unknown>, number>()

/** Returns about how many bytes groups take. A group is weighed once: most stay the same from one change to the next, and polygons can be long. */
export const bytesOf = (groups: readonly Group<unknown>[]): number =>
  groups.reduce((sum, group) => sum + remembered(weighed, group, () => bytesIn(group)), 0)

function bytesIn({ spots, names, series, polygons }: Group<unknown>): number {
  const text = names.reduce((length, name) => length + name.length, 0) + (polygons === null ? 0 : JSON.stringify(polygons).length)
  return 500 + spots.length + 2 * text + 50 * (series?.length ?? 0)
}
