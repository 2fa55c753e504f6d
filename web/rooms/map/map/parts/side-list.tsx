// The map as lists: workers and plant, permits, points, and the frame; for people who can't see it, and for people who prefer to read.
import type { Map as MapLibre } from 'maplibre-gl'
import { Suspense, useMemo } from 'react'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { part } from '../../../../base/part.tsx'
import { useHere } from '../../../../base/site.tsx'
import { clockOf, momentOf } from '../../../../base/time.ts'
import type { Alert } from '../../../messages/alerts/door.tsx'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import { AreaList } from '../areas/area-list.tsx'
import { type Area, areaSpot } from '../areas/areas.ts'
import { ClashList } from '../clashes/clash-list.tsx'
import { clashSpot, countsOf } from '../clashes/clashes.ts'
import type { Clashes } from '../clashes/data.ts'
import { type Feature, type Frame, nearTo, type Spot, spotIn, spotOf, type View } from '../model.ts'
import { t } from '../says.ts'
import type { Poi, TextLabel } from '../signs.ts'
import type { Kind } from '../sketching.ts'
import { type Token, tokenSpot } from '../tokens.ts'
import { AlertList } from './alerts.tsx'
import { NothingDrawn } from './draw-menu.tsx'
import { LabelList } from './labels.tsx'
import { LayerPanel } from './layer-panel.tsx'
import { Legend } from './legend.tsx'
import { FrameList, PermitList } from './place-list.tsx'
import { PointList } from './points.tsx'
import { TokenList } from './tokens.tsx'

const DeliveryList = part(() => import('./delivery-list.tsx'))
const PlansPanel = part(() => import('../plans/panel.tsx'))

type Given = {
  hidden: boolean
  map: MapLibre | null
  pending: boolean
  site_id: string
  zone: string
  live: boolean
  clock: number
  at: number
  permits: readonly CardPermit[]
  tokens: readonly Token[]
  points: readonly Poi[]
  words: readonly TextLabel[]
  alerts: readonly Alert[]
  areas: readonly Area[]
  clashing: Clashes
  frame: Frame
  bare: boolean
  /** The site day, and whether it is today. */
  from: string
  to: string
  today: boolean
  onDelivery(id: string): void
  chosen: string | null
  onDraw(kind: Kind): void
  /** Selects something, and shows its place on the map. */
  onChoose(id: string, view: View | null, more?: Record<string, string | undefined>): void
}

/** The lists next to the map. */
export function SideList({
  hidden,
  map,
  pending,
  site_id,
  zone,
  live,
  clock,
  at,
  permits,
  tokens,
  points,
  words,
  alerts,
  areas,
  clashing,
  frame,
  bare,
  from,
  to,
  today,
  onDelivery,
  chosen,
  onDraw,
  onChoose,
}: Given) {
  const { can } = useHere()
  const counts = useMemo(() => countsOf(clashing.clashes), [clashing.clashes])
  const show = (id: string, spot: Spot | null) => onChoose(id, nearTo(spot))
  return (
    <section hidden={hidden} className="map-list stack" aria-label={t('map.list')}>
      <AlertList alerts={alerts} chosen={chosen} onChoose={one => show(one.id, spotOf(one.place, frame))} />
      {!pending && <TokenList {...{ tokens, counts }} chosen={chosen} onChoose={one => show(one.id, tokenSpot(one))} />}
      {!pending && can('clash_view') && (
        <ClashList
          {...{ ...clashing, chosen }}
          now={clock}
          onChoose={one => show(one.id, clashSpot(one))}
          onSide={id => onChoose(id, null)}
        />
      )}
      {!pending && <AreaList areas={areas} chosen={chosen} onChoose={one => show(one.id, areaSpot(one))} />}
      {!pending && (
        <Suspense fallback={<Skeleton rows={1} />}>
          <DeliveryList {...{ site_id, zone, from, to, today, chosen }} onChoose={onDelivery} />
        </Suspense>
      )}
      <h2>{t('map.permits')}</h2>
      <p className="soft small">
        {live
          ? t('map.now_means', { time: clockOf(new Date(clock).toISOString(), zone) })
          : t(at > clock ? 'map.ahead_means' : 'map.at_means', { time: momentOf(new Date(at).toISOString(), zone) })}
      </p>
      {pending ? (
        <Skeleton rows={3} />
      ) : (
        <PermitList
          site_id={site_id}
          zone={zone}
          now={clock}
          permits={permits}
          frame={frame}
          chosen={chosen}
          onChoose={id => {
            const found = permits.find(one => one.id === id)
            show(id, found === undefined ? null : spotOf(found.place, frame))
          }}
        />
      )}
      {!pending && (
        <Suspense fallback={<Skeleton rows={1} />}>
          <PlansPanel map={map} at={live ? null : new Date(at).toISOString()} now={clock} frame={frame} />
        </Suspense>
      )}
      <LayerPanel map={map} at={live ? null : new Date(at).toISOString()} />
      <PointList points={points} chosen={chosen} onChoose={one => show(one.id, spotIn(one.place.point))} />
      <LabelList labels={words} {...{ live, chosen }} onChoose={one => onChoose(one.id, nearTo(spotIn(one.place.point), one.min_zoom))} />
      <Legend />
      <h2>{t('map.frame')}</h2>
      {!pending && frame.size === 0 && <NothingDrawn bare={bare} onDraw={onDraw} />}
      <FrameList
        frame={frame}
        chosen={chosen}
        onChoose={(one: Feature) => onChoose(one.id, null, one.kind === 'building' ? { building: one.id, level: undefined } : {})}
      />
    </section>
  )
}
