// The nearest help from where a person is, or from a place that they choose on the map: what it is, how far, its phone, and where the map shows it.
import './near.css'
import { type GeoJSONSource, type Map as MapLibre, type MapMouseEvent, Marker } from 'maplibre-gl'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { useTheme } from '../../../../base/looks.ts'
import { hexOf } from '../../../../base/theme/contrast.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { boxOf, type Frame, type Spot, spotIn } from '../model.ts'
import { type Found, type Near, nearestOfEach, type Work, workAt } from '../nearest.ts'
import { t, tOf } from '../says.ts'
import type { Floor } from '../scene.ts'
import type { Poi } from '../signs.ts'
import { whereAmI } from './boundary-ways.tsx'
import { dialOf, SignMark, Where } from './points.tsx'

const SOURCE = 'td-near'

type Given = { map: MapLibre | null; points: readonly Poi[]; frame: Frame; floor: Floor; onDone(): void }

/** Where the list starts: a place on the map, or this device, with its accuracy in metres. */
type From = { spot: Spot; accuracy: number | null }

/** Lists the nearest help. On a device that already shares its location with the app, it starts there. */
export function NearPanel({ map, points, frame, floor, onDone }: Given) {
  const [from, setFrom] = useState<From | null>(null)
  const [target, setTarget] = useState<string | null>(null)
  const [finding, setFinding] = useState(false)
  const [lost, setLost] = useState(false)
  const take = (next: From) => {
    setLost(false)
    setTarget(null)
    setFrom(next)
  }
  const locate = async () => {
    setFinding(true)
    try {
      const found = await whereAmI()
      take(found)
      map?.easeTo({ center: [...found.spot], zoom: Math.max(map.getZoom(), NEAR_ZOOM), animate: false })
    } catch {
      setLost(true)
    } finally {
      setFinding(false)
    }
  }
  const now = useRef({ take, locate })
  now.current = { take, locate }
  useEffect(() => {
    void navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => (state === 'granted' ? now.current.locate() : undefined))
      .catch(() => undefined)
  }, [])
  useEffect(() => {
    if (map === null) return
    const tapped = ({ lngLat: { lng, lat } }: MapMouseEvent) => now.current.take({ spot: [lng, lat], accuracy: null })
    map.on('click', tapped)
    return () => void map.off('click', tapped)
  }, [map])
  const work = useMemo(() => (from === null ? null : workAt(from.spot, frame, floor)), [from, frame, floor])
  const near = useMemo(() => (work === null ? null : nearestOfEach(points, work)), [work, points])
  const shown = near === null ? null : ([...near.emergency, ...near.facilities].find(one => one.found?.point.id === target)?.found ?? null)
  useShown(map, from?.spot ?? null, shown)
  const show = ({ point }: Found) => {
    setTarget(point.id)
    const to = spotIn(point.place.point)
    const box = boxOf([], [...(from === null ? [] : [from.spot]), ...(to === null ? [] : [to])])
    if (map === null || box === null) return
    map.fitBounds([...box], { padding: ROOM_PX, maxZoom: CLOSE_ZOOM, animate: false })
    // On a phone the map is above the list.
    map.getContainer().scrollIntoView({ block: 'nearest' })
  }
  const section = useRef<HTMLElement>(null)
  // On a phone the panel is below the map: nobody should have to look for it.
  useEffect(() => void section.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <section ref={section} className="panel stack" aria-label={t('help.title')}>
      <h2>{t('help.title')}</h2>
      <p className="small">{t('near.how')}</p>
      <div className="row">
        <Button look="primary" aria-busy={finding} onClick={() => void locate()}>
          <Glyph name="pin" size={16} />
          {t('near.from_here')}
        </Button>
        <Button
          disabled={map === null}
          onClick={() => {
            const centre = map?.getCenter()
            if (centre !== undefined) take({ spot: [centre.lng, centre.lat], accuracy: null })
          }}
        >
          {t('near.from_cross')}
        </Button>
      </div>
      <div role="status" className="stack tight">
        {finding && <p className="small">{t('token.finding')}</p>}
        {lost && <Note kind="warn">{t('near.no_position')}</Note>}
        {work !== null && from !== null && (
          <p className="small">
            {from.accuracy === null ? t('near.from_place') : t('near.from_location', { n: from.accuracy })} {levelSaid(work, frame)}
          </p>
        )}
      </div>
      {near !== null && (
        <>
          <NearList {...{ frame, target }} rows={near.emergency} onShow={show} />
          {near.facilities.length > 0 && (
            <details>
              <summary>{t('near.facilities')}</summary>
              <NearList {...{ frame, target }} rows={near.facilities} onShow={show} />
            </details>
          )}
          <p className="soft small">{t('near.straight')}</p>
        </>
      )}
      <div className="row">
        <Button onClick={onDone}>{t('common.close')}</Button>
      </div>
    </section>
  )
}

/** So near that the surroundings of a person can be distinguished, and the nearest that a point is shown. */
const NEAR_ZOOM = 18
const CLOSE_ZOOM = 20
/** Room around the place and the point. */
const ROOM_PX = 64

/** Says which points count. */
function levelSaid({ building, levels }: Work, frame: Frame): string {
  const inside = frame.get(building ?? '')
  if (inside === undefined) return t('near.outdoors')
  const level = levels === null ? undefined : inside.levels.find(({ index }) => index === levels[0])
  return level === undefined ? t('near.in_building', { name: inside.name }) : t('near.on_level', { name: inside.name, level: level.name })
}

type ListGiven = { rows: readonly Near[]; frame: Frame; target: string | null; onShow(found: Found): void }

function NearList({ rows, frame, target, onShow }: ListGiven) {
  return (
    <ul className="frame-list">
      {rows.map(({ kind, found }) => (
        <li key={kind} className="near-row">
          {found === null ? (
            <p className="frame-row">
              <SignMark kind={kind} />
              <span className="grow">{tOf('poi_kind', kind)}</span>
              <span className="soft small">{t('near.none')}</span>
            </p>
          ) : (
            <>
              <button type="button" className="frame-row" aria-pressed={found.point.id === target} onClick={() => onShow(found)}>
                <SignMark kind={kind} />
                <span className="grow">
                  <span className="strong">{tOf('poi_kind', kind)}</span>{' '}
                  <span className="near-name small">
                    <bdi>{found.point.name}</bdi>
                    <Where before=" · " point={found.point} frame={frame} />
                  </span>
                </span>
                <span className="mono">{t('near.metres', { n: Math.round(found.metres) })}</span>
              </button>
              {found.point.phone !== null && (
                <a className="near-phone" href={dialOf(found.point.phone)}>
                  {t('near.call', { phone: found.point.phone })}
                </a>
              )}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Marks the place on the map, and draws a line from it to the point that is shown. */
function useShown(map: MapLibre | null, from: Spot | null, to: Found | null): void {
  const theme = useTheme()
  const [marker] = useState(() => {
    const element = document.createElement('div')
    element.className = 'near-from'
    return new Marker({ element })
  })
  const [lon, lat] = from ?? []
  useEffect(() => {
    if (map === null || lon === undefined || lat === undefined) return
    marker.setLngLat([lon, lat]).addTo(map)
    return () => void marker.remove()
  }, [map, marker, lon, lat])
  useEffect(() => {
    if (map === null) return
    const colour = hexOf(COLOURS[theme].ink)
    map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
    map.addLayer({
      id: SOURCE,
      type: 'line',
      source: SOURCE,
      paint: { 'line-color': colour, 'line-width': 3, 'line-dasharray': [2, 1.5] },
    })
    return () => {
      // A map that was removed has already removed its layers.
      if (!map.getCanvas().isConnected) return
      if (map.getLayer(SOURCE) !== undefined) map.removeLayer(SOURCE)
      if (map.getSource(SOURCE) !== undefined) map.removeSource(SOURCE)
    }
  }, [map, theme])
  const end = to === null ? null : spotIn(to.point.place.point)
  const [x, y] = end ?? []
  useEffect(() => {
    const whole = lon !== undefined && lat !== undefined && x !== undefined && y !== undefined
    const geometry = whole
      ? {
          type: 'LineString' as const,
          coordinates: [
            [lon, lat],
            [x, y],
          ],
        }
      : null
    map
      ?.getSource<GeoJSONSource>(SOURCE)
      ?.setData({ type: 'FeatureCollection', features: geometry === null ? [] : [{ type: 'Feature', properties: {}, geometry }] })
    // The theme made the source again.
    void theme
  }, [map, lon, lat, x, y, theme])
}
