import '../map.css'
import './plans.css'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { CHOICES, type Size } from '../../../../../shared/calibration/calibrate.ts'
import { isOneOf } from '../../../../../shared/narrow.ts'
import type { Schemas } from '../../../../base/api.ts'
import { Go, useGo } from '../../../../base/go.tsx'
import { Choice, Choices, Tick } from '../../../../base/kit/field.tsx'
import { PageWait, toast, Wait } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { type Sending, useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { sayView } from '../model.ts'
import { ByGrid } from './by-grid.tsx'
import { ByHand } from './by-hand.tsx'
import { FitNote } from './fit-note.tsx'
import { FitOnto } from './fit-onto.tsx'
import { codeOf, IN_DEGREES } from './grid-typed.tsx'
import type { Lying } from './hand.ts'
import { MapView, PinOnMap } from './map-view.tsx'
import { matrixIn } from './matrices.ts'
import { changed, LEAST, nextOf, pairsOf, pointsOf, put, wholeOf, withCorners, withEmpty, without, worstOf, worthOf } from './pairs.ts'
import { PlanState } from './plan-row.tsx'
import { PlanView } from './plan-view.tsx'
import { calibrateMap, type FloorPlan, placePlan, type SiteMap, useEveryPlan, usePicture, useSiteMap } from './plans-data.ts'
import { PointList } from './point-list.tsx'
import { SaveRow } from './save-row.tsx'
import { t, tOf } from './says.ts'

/** Puts a site map or a floor plan on the ground. */
export default function Calibrate() {
  const here = useHere()
  const { mapId = null, planId = null } = useParams({ strict: false })
  const map = useSiteMap(mapId)
  const plans = useEveryPlan(here.site_id, planId !== null)
  const plan = mapId === null ? plans.data?.find(one => one.id === planId) : map.data
  useEffect(() => {
    document.title = `${plan?.name ?? t('plans.title')} · ${here.name}`
  }, [plan?.name, here.name])
  if (plan === undefined)
    return <PageWait title={t('plans.title')} query={mapId === null && plans.data !== undefined ? GONE : mapId === null ? plans : map} />
  if (plan.width_px === null || plan.height_px === null || plan.status === 'processing' || plan.status === 'failed')
    return (
      <div className="stack">
        <Head plan={plan} />
        <p>{t(plan.status === 'failed' ? 'pair.failed' : 'pair.reading')}</p>
        <PlanState plan={plan} />
      </div>
    )
  const size = { width: plan.width_px, height: plan.height_px }
  return isMap(plan) ? <Calibrating key={plan.id} plan={plan} size={size} /> : <Placing key={plan.id} plan={plan} size={size} />
}

const GONE = { data: undefined, error: new Error(), refetch: () => undefined }

const isMap = (plan: SiteMap | FloorPlan): plan is SiteMap => 'captured_on' in plan

/** Returns the version of a plan to change: the newest, unless someone else has put it somewhere else since the page was opened. */
function useSeenVersion(plan: SiteMap | FloorPlan): number {
  const [seen] = useState(plan)
  const lieOf = (one: SiteMap | FloorPlan) => JSON.stringify(isMap(one) ? one.calibration : one.placement)
  return lieOf(seen) === lieOf(plan) ? plan.version : seen.version
}

function Head({ plan }: { plan: SiteMap | FloorPlan }) {
  const here = useHere()
  return (
    <header className="stack tight">
      <Go to={paths.map(here.site_id)}>{t('pair.back')}</Go>
      <h1>{t(isMap(plan) ? 'pair.calibrate_title' : 'pair.place_title', { name: plan.name })}</h1>
    </header>
  )
}

function Calibrating({ plan, size }: { plan: SiteMap; size: Size }) {
  const here = useHere()
  const go = useGo()
  const sending = useSend()
  const points = usePoints(plan)
  const version = useSeenVersion(plan)
  return (
    <div className="stack pairing" data-unsaved>
      <Head plan={plan} />
      <Pairing
        {...{ plan, size, sending, points }}
        onSave={body =>
          void sending.send(async () => {
            await calibrateMap(plan.id, version, body)
            toast(t('pair.saved', { name: plan.name }))
            go(paths.map(here.site_id))
          })
        }
      />
    </div>
  )
}

const WAYS = ['points', 'hand', 'grid'] as const

/** Puts a floor plan on the ground: by points, by hand, a drawing by its grid, or roughly onto the outline of its feature. */
function Placing({ plan, size }: { plan: FloorPlan; size: Size }) {
  const here = useHere()
  const go = useGo()
  const sending = useSend()
  const { placement } = plan
  const [way, setWay] = useState<(typeof WAYS)[number]>(placement !== null && placement.points.length === 0 ? 'hand' : 'points')
  // What a person has done in one way is still there when they have looked at the other.
  const points = usePoints(plan)
  const [moved, setMoved] = useState<Lying | null>(null)
  const version = useSeenVersion(plan)
  const save = (body: Schemas['PlaceFloorPlan']) =>
    void sending.send(async () => {
      const placed = await placePlan(plan.id, version, body)
      toast(t(placed.placement?.approximate === true ? 'fit.saved' : 'pair.saved', { name: plan.name }))
      go(paths.map(here.site_id, seenAt(placed)))
    })
  return (
    <div className="stack pairing" data-unsaved>
      <Head plan={plan} />
      <FitOnto {...{ plan, sending }} onFit={() => save({ mode: 'fit' })} />
      <Choices
        label={t('place.way')}
        value={way}
        options={WAYS.filter(one => one !== 'grid' || plan.source_kind === 'dxf').map(value => ({ value, label: tOf('place', value) }))}
        onChoose={value => {
          sending.clear()
          setWay(value)
        }}
      />
      {way === 'hand' ? (
        <ByHand {...{ plan, size, sending, moved }} onMove={setMoved} onSave={save} />
      ) : way === 'grid' ? (
        <ByGrid {...{ plan, size, sending }} onSave={save} />
      ) : (
        <Pairing
          {...{ plan, size, sending, points }}
          onSave={(body, epsg) => save({ mode: 'points', ...body, ...(epsg === null ? {} : { epsg }) })}
        />
      )}
    </div>
  )
}

/** The points of a plan, those that were saved to begin with, and the model for them. */
function usePoints(plan: SiteMap | FloorPlan) {
  const sheet = isMap(plan) ? null : matrixIn(plan.sheet_matrix)
  const [pairs, setPairs] = useState(() => pairsOf((isMap(plan) ? plan.calibration : plan.placement)?.points ?? [], sheet))
  const [model, setModel] = useState<(typeof CHOICES)[number]>('auto')
  const [grid, onGrid] = useState(IN_DEGREES)
  return { sheet, pairs, setPairs, model, setModel, grid, onGrid }
}

type PairingGiven = {
  plan: SiteMap | FloorPlan
  size: Size
  sending: Sending
  points: ReturnType<typeof usePoints>
  onSave(body: { points: ReturnType<typeof pointsOf>; model: (typeof CHOICES)[number] }, epsg: number | null): void
}

function Pairing({ plan, size, sending, points: { sheet, pairs, setPairs, model, setModel, grid, onGrid }, onSave }: PairingGiven) {
  const [lying, setLying] = useState(true)
  const path = isMap(plan) ? `/site-maps/${plan.id}/image` : `/floor-plans/${plan.id}/image`
  const picture = usePicture(path)
  const { width, height } = size
  const whole = useMemo(() => ({ width, height }), [width, height])
  const worth = useMemo(() => worthOf(whole, pairs, model), [whole, pairs, model])
  const lies = worth !== null && 'calibration' in worth ? worth.calibration : null
  const worst = lies === null ? null : (wholeOf(pairs)[worstOf(lies)?.index ?? -1]?.key ?? null)
  const { next, n } = nextOf(pairs)
  // Each change is made to the points as they are then: a position in a grid comes back from the service when others may have been typed since.
  const move = (key: number | null) => setPairs(now => ({ ...now, moving: key }))
  const pins = pairs.list.map((pair, i) => ({ ...pair, n: i + 1, moving: pairs.moving === pair.key, worst: pair.key === worst }))
  const flag = isMap(plan) ? plan.permissions.calibrate : plan.permissions.place
  const ready = lies !== null
  return (
    <>
      <p className="strong" role="status">
        {t(`pair.${next}`, { n })}
      </p>
      <div className="pair-panes">
        <section className="stack tight" aria-label={t('pair.plan')}>
          <h2>{t('pair.plan')}</h2>
          <Wait query={picture} rows={1} height={420} />
          {picture.data !== undefined && (
            <PlanView
              picture={picture.data}
              size={size}
              pins={pins.flatMap(pin => (pin.pixel === null ? [] : [{ ...pin, pixel: pin.pixel }]))}
              onPut={pixel => setPairs(now => put(now, { pixel }))}
              onPin={move}
            />
          )}
        </section>
        <section className="stack tight" aria-label={t('pair.map')}>
          <h2>{t('pair.map')}</h2>
          <MapView
            site_map_id={isMap(plan) ? plan.id : null}
            feature_id={isMap(plan) ? null : plan.feature_id}
            picture={path}
            size={whole}
            ink={!isMap(plan) && plan.source_kind === 'dxf'}
            lies={lying ? lies : null}
            fit={lying ? lies : null}
            onPut={spot => setPairs(now => put(now, { spot }))}
          >
            {map =>
              pins.flatMap(pin =>
                pin.spot === null ? [] : [<PinOnMap key={pin.key} map={map} pin={{ ...pin, spot: pin.spot }} onPin={move} />],
              )
            }
          </MapView>
          <Tick checked={lying} label={t('pair.preview')} onChange={event => setLying(event.target.checked)} />
        </section>
      </div>
      <div className="pair-panes">
        <div className="stack">
          <FitNote pairs={pairs} worth={worth} />
          <Choice
            label={t('pair.model')}
            value={model}
            options={CHOICES.map(value => ({ value, label: tOf('fit', value) }))}
            onChange={event => isOneOf(CHOICES, event.target.value) && setModel(event.target.value)}
          />
          <SaveRow
            sending={sending}
            flag={flag}
            ready={ready}
            onSave={() => onSave({ points: pointsOf(pairs, sheet), model }, codeOf(grid))}
          />
          {wholeOf(pairs).filter(one => one.used).length < LEAST && <p className="soft small">{t('pair.too_few')}</p>}
        </div>
        <PointList
          {...{ pairs, size, lies, worst, grid, onGrid }}
          onChange={(key, change) => setPairs(now => changed(now, key, change))}
          onMove={move}
          onRemove={key => setPairs(now => without(now, key))}
          onAdd={() => setPairs(withEmpty)}
          onCorners={() => setPairs(now => withCorners(now, whole))}
        />
      </div>
    </>
  )
}

/** So near that the lines of a plan can be read. */
const NEAR_ZOOM = 18

/** Returns what the map shows of a plan that was placed: its level, near its origin. */
const seenAt = ({ feature_id, level_index, placement }: FloorPlan): Record<string, string> => ({
  building: feature_id,
  level: String(level_index),
  ...(placement === null ? {} : { view: sayView({ spot: [placement.origin.lon, placement.origin.lat], zoom: NEAR_ZOOM }) }),
})
