// What is selected on the map: one thing of everything that it shows, and where its panel opens.
import type { Alert } from '../../messages/alerts/door.tsx'
import { type Area, areaGround } from './areas/areas.ts'
import { clashOf, clashSpot, type MapClash } from './clashes/clashes.ts'
import { type Feature, type Frame, groundOf, type Marked, type Spot, spotOf, topOf } from './model.ts'
import type { Poi, TextLabel } from './signs.ts'
import { type Token, tokenSpot } from './tokens.ts'

type Shown<P extends Marked> = {
  frame: Frame
  permits: readonly P[]
  points: readonly Poi[]
  alerts: readonly Alert[]
  areas: readonly Area[]
  clashes: readonly MapClash[]
}
type Held = { token: Token | undefined; label: TextLabel | undefined }
/** What is selected; at most one of these, besides a permit of the same id. */
export type Chosen<P extends Marked> = {
  permit: P | undefined
  feature: Feature | undefined
  point: Poi | undefined
  alert: Alert | undefined
  area: Area | undefined
  clash: MapClash | undefined
  spot: Spot | null
}

/** Returns what is selected, and its position. */
export function chosenOf<P extends Marked>(id: string | null, { token, label }: Held, { frame, ...shown }: Shown<P>): Chosen<P> {
  const find = <T extends { id: string }>(all: readonly T[]): T | undefined => all.find(one => one.id === id)
  const [permit, point, alert, area] = [find(shown.permits), find(shown.points), find(shown.alerts), find(shown.areas)]
  const feature = frame.get(id ?? '')
  const clash = clashOf(shown.clashes, id)
  const spot = () => {
    if (clash !== undefined) return clashSpot(clash)
    if (feature !== undefined) return topOf(groundOf(feature))
    if (token !== undefined) return tokenSpot(token)
    const ground = area === undefined ? null : areaGround(area)
    return ground === null ? spotOf((permit ?? point ?? label ?? alert)?.place ?? null, frame) : topOf(ground)
  }
  return { permit, feature, point, alert, area, clash, spot: spot() }
}
