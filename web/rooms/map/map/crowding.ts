// Zoomed out, the signs of thousands of workers and machines, or hundreds of text labels, would cover each other: each is a dot then (decision 986). None is
// ever left out.
import { flat, METRES, metresAPixel } from './finding.ts'
import { boxOf, type Spot, spotIn } from './model.ts'
import type { TextLabel } from './signs.ts'
import { type Token, tokenSpot } from './tokens.ts'

/** Up to this many are always signs. */
const FEW = 300
/** The width of a sign with its edge, and half of what it covers, in pixels. */
const SIGN_PX = 30
const HALF_PX = 14
/** The share of the ground that signs can cover. */
const SHARE = 0.5
const CLOSEST = 20

/** The width of a square as large as the words of a usual label, in pixels. */
const WORDS_PX = 52

/** Returns the zoom from which signs of a width at these positions are apart; 0 for a few, which are always signs. */
export function apartFrom(spots: readonly Spot[], sign_px = SIGN_PX): number {
  if (spots.length <= FEW) return 0
  const [west, south, east, north] = boxOf([], spots) ?? [0, 0, 0, 0]
  const middle = (south + north) / 2
  const area = Math.max(1, (east - west) * METRES * flat(middle) * (north - south) * METRES)
  const pixel = Math.sqrt((SHARE * area) / spots.length) / sign_px
  return Math.min(CLOSEST, Math.max(0, Math.round(Math.log2(metresAPixel(middle, 0) / pixel))))
}

const known = (spots: readonly (Spot | null)[]): Spot[] => spots.filter(spot => spot !== null)

/** Returns the zoom from which tokens are signs; 0 if they always are. */
export const signsFrom = (tokens: readonly Token[]): number => apartFrom(known(tokens.map(tokenSpot)))

/** Returns the zoom from which text labels are words; 0 if they always are. */
export const wordsFrom = (labels: readonly TextLabel[]): number =>
  apartFrom(known(labels.map(({ place }) => spotIn(place.point))), WORDS_PX)

/** Returns the zoom below which ground around a position is hidden behind its sign. */
export const seenFrom = (radius_m: number, lat: number): number =>
  Math.max(0, Math.floor(Math.log2((HALF_PX * metresAPixel(lat, 0)) / radius_m)))
