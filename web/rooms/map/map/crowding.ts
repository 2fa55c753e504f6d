// Zoomed out, the signs of thousands of workers and machines would cover each other: each is a dot then (decision 986). None is ever left out.
import { flat, METRES, metresAPixel } from './finding.ts'
import { boxOf, type Spot } from './model.ts'
import { type Token, tokenSpot } from './tokens.ts'

/** Up to this many are always signs. */
const FEW = 300
/** The width of a sign with its edge, and half of what it covers, in pixels. */
const SIGN_PX = 30
const HALF_PX = 14
/** The share of the ground that signs can cover. */
const SHARE = 0.5
const CLOSEST = 20

/** Returns the zoom from which the signs of these positions are apart; 0 for a few, which are always signs. */
export function apartFrom(spots: readonly Spot[]): number {
  if (spots.length <= FEW) return 0
  const [west, south, east, north] = boxOf([], spots) ?? [0, 0, 0, 0]
  const middle = (south + north) / 2
  const area = Math.max(1, (east - west) * METRES * flat(middle) * (north - south) * METRES)
  const pixel = Math.sqrt((SHARE * area) / spots.length) / SIGN_PX
  return Math.min(CLOSEST, Math.max(0, Math.round(Math.log2(metresAPixel(middle, 0) / pixel))))
}

/** Returns the zoom from which tokens are signs; 0 if they always are. */
export function signsFrom(tokens: readonly Token[]): number {
  const spots = tokens.map(tokenSpot)
  return apartFrom(spots.filter(spot => spot !== null))
}

/** Returns the zoom below which ground around a position is hidden behind its sign. */
export const seenFrom = (radius_m: number, lat: number): number =>
  Math.max(0, Math.floor(Math.log2((HALF_PX * metresAPixel(lat, 0)) / radius_m)))
