// Stops work at a place of the map: a place, a reason, and a button that is held. What it stops is listed before.
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, TextField, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useTheme } from '../../../../base/looks.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { hexOf } from '../../../../base/theme/contrast.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { type Frame, type Ground, groundIn, type Spot } from '../model.ts'
import type { Floor, Scene } from '../scene.ts'
import { OutlineFields } from './corners.tsx'
import { t, tOf } from './says.ts'
import { stopWork, useStopPreview } from './stop-data.ts'
import { RADII, STOP_REASONS, type StopWay, stopPlaces, whereOf } from './stopping.ts'
import { useOutline } from './use-outline.ts'

type Given = {
  map: MapLibre | null
  frame: Frame
  floor: Floor
  scene: Scene
  chosen: string | null
  /** Closes the tool, with the alert of a stop that was made. */
  onDone(alert_id: string | null): void
}

const SOURCE = 'td-stop'

/** Draws on the map what would be stopped. */
function useShownArea(map: MapLibre | null, area: unknown): void {
  const theme = useTheme()
  useEffect(() => {
    if (map === null) return
    const colour = hexOf(COLOURS[theme].stop)
    map.addSource(SOURCE, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
    map.addLayer({ id: `${SOURCE}-fill`, type: 'fill', source: SOURCE, paint: { 'fill-color': colour, 'fill-opacity': 0.22 } })
    map.addLayer({ id: `${SOURCE}-line`, type: 'line', source: SOURCE, paint: { 'line-color': colour, 'line-width': 4 } })
    return () => {
      // A map that was removed has already removed its layers.
      if (!map.getCanvas().isConnected) return
      for (const part of ['fill', 'line']) if (map.getLayer(`${SOURCE}-${part}`) !== undefined) map.removeLayer(`${SOURCE}-${part}`)
      if (map.getSource(SOURCE) !== undefined) map.removeSource(SOURCE)
    }
  }, [map, theme])
  useEffect(() => {
    const source = map?.getSource<GeoJSONSource>(SOURCE)
    const ground = groundIn(area)
    source?.setData({ type: 'FeatureCollection', features: ground === null ? [] : [{ type: 'Feature', geometry: ground, properties: {} }] })
    // The theme made the source again.
    void theme
  }, [map, area, theme])
}

/** The place under the cross of the map, whenever it has stopped moving. */
function useSpot(map: MapLibre | null): Spot | null {
  const [spot, setSpot] = useState<Spot | null>(null)
  useEffect(() => {
    if (map === null) return
    const read = () => {
      const { lng, lat } = map.getCenter()
      setSpot([lng, lat])
    }
    read()
    map.on('moveend', read)
    return () => void map.off('moveend', read)
  }, [map])
  return spot
}

function Drawn({
  map,
  scene,
  ground,
  onGround,
}: Pick<Given, 'map' | 'scene'> & { ground: Ground | null; onGround(ground: Ground | null): void }) {
  const outline = useOutline({ map, ground, onGround, scene, without: null })
  return <OutlineFields before={null} ground={ground} outline={outline} />
}

/** Stops work at a place. */
export function StopPanel({ map, frame, floor, scene, chosen, onDone }: Given) {
  const { site_id } = useHere()
  const places = stopPlaces(frame)
  const [way, setWay] = useState<StopWay>(() =>
    places.some(({ id }) => id === chosen) ? { way: 'zone', id: chosen ?? '' } : { way: 'around', radius_m: 25 },
  )
  const [ground, setGround] = useState<Ground | null>(null)
  const [reason, setReason] = useState('')
  const [only_level, setOnlyLevel] = useState(floor?.level != null)
  const spot = useSpot(map)
  const where = whereOf(way, { spot, ground, frame, floor, only_level })
  const preview = useStopPreview(site_id, where)
  useShownArea(map, where === null ? null : preview.data?.area)
  const { busy, fault, send } = useSend()
  const ready = where !== null && reason.trim() !== '' && !busy
  const stop = () =>
    void send(async () => {
      if (where === null || !ready) return
      const made = await stopWork({ site_id, ...where, reason: reason.trim() })
      toast(t('stop.done', { n: made.permits.length }))
      onDone(made.alert_id)
    })
  const { permits = [], unchecked = [] } = where === null ? {} : (preview.data ?? {})
  return (
    <section className="panel stack stop-panel" data-unsaved aria-label={t('stop.title')}>
      <h2>{t('stop.title')}</h2>
      <fieldset className="fieldset stack tight">
        <legend>{t('stop.where')}</legend>
        <div className="row">
          {RADII.map(radius_m => (
            <Button
              key={radius_m}
              aria-pressed={way.way === 'around' && way.radius_m === radius_m}
              onClick={() => setWay({ way: 'around', radius_m })}
            >
              {t('stop.around', { m: radius_m })}
            </Button>
          ))}
          <Button aria-pressed={way.way === 'drawn'} onClick={() => setWay({ way: 'drawn' })}>
            {t('stop.draw')}
          </Button>
        </div>
        {way.way === 'around' && <p className="small soft">{t('stop.cross')}</p>}
        <Choice
          label={t('stop.zone')}
          value={way.way === 'zone' ? way.id : ''}
          empty={t('stop.no_zone')}
          options={places.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={event => setWay(event.target.value === '' ? { way: 'around', radius_m: 25 } : { way: 'zone', id: event.target.value })}
        />
        {way.way === 'drawn' && <Drawn map={map} scene={scene} ground={ground} onGround={setGround} />}
        {floor?.level != null && (
          <Tick label={t('stop.only_level')} checked={only_level} onChange={event => setOnlyLevel(event.target.checked)} />
        )}
      </fieldset>
      <fieldset className="fieldset stack tight">
        <legend>{t('stop.reason')}</legend>
        <div className="row">
          {STOP_REASONS.map(one => (
            <Button key={one} aria-pressed={reason === tOf('stop_reason', one)} onClick={() => setReason(tOf('stop_reason', one))}>
              {tOf('stop_reason', one)}
            </Button>
          ))}
        </div>
        <TextField label={t('stop.own_reason')} value={reason} required maxLength={500} onChange={event => setReason(event.target.value)} />
      </fieldset>
      <div role="status" className="stack tight">
        {where === null && <p className="soft">{t('stop.no_place')}</p>}
        {where !== null && preview.data !== undefined && (
          <p className="strong">{permits.length === 0 ? t('stop.stops_none') : t('stop.stops', { n: permits.length })}</p>
        )}
      </div>
      {preview.error !== null && where !== null && <FaultNote error={preview.error} onRetry={() => void preview.refetch()} />}
      {permits.length > 0 && (
        <ul className="stop-list">
          {permits.map(permit => (
            <li key={permit.id}>
              <span className="mono">{permit.permit_number}</span> <bdi>{permit.title}</bdi>
            </li>
          ))}
        </ul>
      )}
      {unchecked.length > 0 && (
        <Note kind="warn" title={t('stop.unchecked', { n: unchecked.length })}>
          <p className="small">{unchecked.map(permit => permit.permit_number ?? permit.title).join(', ')}</p>
        </Note>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <HoldButton look="danger" wide aria-disabled={!ready || undefined} onHeld={stop}>
        <Glyph name="stop" size={20} />
        {t('stop.hold', { n: permits.length })}
      </HoldButton>
      <p className="small soft">{reason.trim() === '' ? t('stop.needs_reason') : t('stop.then')}</p>
      <Button onClick={() => onDone(null)}>{t('common.cancel')}</Button>
    </section>
  )
}
