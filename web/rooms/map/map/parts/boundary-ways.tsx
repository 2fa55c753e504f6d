import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { config } from '../../../../base/config.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { TextArea, TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useSite } from '../data.ts'
import { addressOf, groundOfFile, groundOfMetres, type Read, ringed, spotIn } from '../finding.ts'
import { boxOf, type Ground, type Spot } from '../model.ts'
import { t } from '../says.ts'

const NEAR = 17
const TOO_FAR = 13

/** Returns this device's position, with the accuracy in metres. */
export const whereAmI = (): Promise<{ spot: Spot; accuracy: number }> =>
  new Promise((done, fail) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done({ spot: [coords.longitude, coords.latitude], accuracy: Math.round(coords.accuracy) }),
      fail,
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 0 },
    ),
  )

const spoken = ([lon, lat]: Spot): string => `${lat.toFixed(6)}, ${lon.toFixed(6)}`

type Given = {
  map: MapLibre | null
  /** Nothing is drawn yet, so the place must be found first. */
  bare: boolean
  onGround(ground: Ground): void
}

/** Ways to draw an area without tapping on an empty map: find the place, walk the corners, metres from a point, a file. */
export function BoundaryWays({ map, bare, onGround }: Given) {
  const [start, setStart] = useState('')
  const [metres, setMetres] = useState('')
  const [corners, setCorners] = useState<Spot[]>([])
  const [busy, setBusy] = useState(false)
  const [read, setRead] = useState<(Read & { name: string }) | null>(null)
  const far = useFar(map)
  const go = (spot: Spot) => {
    setStart(spoken(spot))
    map?.jumpTo({ center: [...spot], zoom: Math.max(NEAR, map.getZoom()) })
  }
  const take = (ground: Ground) => {
    setRead(null)
    onGround(ground)
    const box = boxOf([ground])
    if (box !== null) map?.fitBounds([...box], { padding: 40, maxZoom: 19, animate: false })
  }
  const here = async (then: (at: { spot: Spot; accuracy: number }) => void) => {
    setBusy(true)
    try {
      then(await whereAmI())
    } catch {
      toast(t('find.no_position'), { stop: true })
    } finally {
      setBusy(false)
    }
  }
  const from = spotIn(start)
  const bad = from === null || metres.trim() === '' ? null : groundOfMetres(from, metres)
  return (
    <div className="stack">
      {bare && far && <Note kind="act">{t('find.first')}</Note>}
      <Button
        look={bare && far ? 'primary' : undefined}
        disabled={busy}
        onClick={() =>
          void here(({ spot, accuracy }) => {
            go(spot)
            toast(t('find.found_you', { n: accuracy }))
          })
        }
      >
        {t('find.my_position')}
      </Button>
      {config().geocoder_enabled && <AddressSearch onFound={go} />}
      <TextField
        label={t('find.coordinates')}
        hint={t('find.coordinates_hint')}
        className="mono"
        value={start}
        fault={start !== '' && from === null ? t('find.no_coordinates') : undefined}
        onChange={event => {
          setStart(event.target.value)
          const spot = spotIn(event.target.value)
          if (spot !== null) map?.jumpTo({ center: [...spot], zoom: Math.max(NEAR, map.getZoom()) })
        }}
      />
      <details>
        <summary>{t('find.walk')}</summary>
        <div className="stack">
          <p className="small">{t('find.walk_says')}</p>
          <Button
            disabled={busy}
            onClick={() =>
              void here(({ spot, accuracy }) => {
                const next = [...corners, spot]
                setCorners(next)
                go(spot)
                toast(t('find.corner_added', { n: next.length, m: accuracy }))
                const ground = ringed(next)
                if (ground !== null) take(ground)
              })
            }
          >
            {t('find.add_corner')}
          </Button>
          {corners.length > 0 && (
            <>
              <ol className="small mono">
                {corners.map(spot => (
                  <li key={spoken(spot)}>{spoken(spot)}</li>
                ))}
              </ol>
              <Button look="quiet" onClick={() => setCorners(corners.slice(0, -1))}>
                {t('find.drop_corner')}
              </Button>
            </>
          )}
        </div>
      </details>
      <details>
        <summary>{t('find.metres')}</summary>
        <TextArea
          label={t('find.metres_label')}
          hint={t(from === null ? 'find.metres_start' : 'find.metres_hint')}
          rows={4}
          className="input mono"
          value={metres}
          fault={typeof bad === 'string' ? t('draw.no_corner', { line: bad }) : undefined}
          onChange={event => {
            setMetres(event.target.value)
            const ground = from === null ? null : groundOfMetres(from, event.target.value)
            if (ground !== null && typeof ground !== 'string') take(ground)
          }}
        />
      </details>
      <label className="stack tight">
        <span>{t('find.file')}</span>
        <input
          type="file"
          className="input"
          accept=".geojson,.json,.kml,application/geo+json,application/vnd.google-earth.kml+xml"
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            void file?.text().then(text => {
              const found = groundOfFile(text)
              if (found === null) return toast(t('find.no_ground', { name: file.name }), { stop: true })
              take(found.ground)
              setRead({ ...found, name: file.name })
            })
          }}
        />
      </label>
      <div role="status" className="stack tight">
        {read !== null && read.holes > 0 && <Note kind="warn">{t('find.holes', { n: read.holes, name: read.name })}</Note>}
        {read !== null && read.inside > 0 && <Note kind="warn">{t('find.inside', { n: read.inside, name: read.name })}</Note>}
        {read !== null && read.flats > 0 && <Note kind="warn">{t('find.flats', { n: read.flats, name: read.name })}</Note>}
      </div>
    </div>
  )
}

/** Returns whether the map shows too large an area to draw a site on it. */
function useFar(map: MapLibre | null): boolean {
  const [far, setFar] = useState(true)
  useEffect(() => {
    if (map === null) return
    const look = () => setFar(map.getZoom() < TOO_FAR)
    look()
    map.on('zoomend', look)
    return () => {
      map.off('zoomend', look)
    }
  }, [map])
  return far
}

/** Searches for an address, starting with the site's own. */
function AddressSearch({ onFound }: { onFound(spot: Spot): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const [typed, setTyped] = useState<string | null>(null)
  const [found, setFound] = useState<{ name: string; point: { lon: number; lat: number } }[] | null>(null)
  const site = useSite(site_id)
  const q = typed ?? addressOf(site.data)
  const search = () =>
    send(async () => setFound(await ask(client.GET('/sites/{site_id}/geocode', { params: { path: { site_id }, query: { q } } }))))
  return (
    <div className="stack tight">
      <TextField
        label={t('find.address')}
        type="search"
        maxLength={200}
        value={q}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          event.preventDefault() // the form around it saves the drawing
          void search()
        }}
      />
      <Button disabled={busy || q.trim().length < 3} onClick={() => void search()}>
        {t('find.search')}
      </Button>
      {fault !== null && <FaultNote error={fault} />}
      {found?.length === 0 && <p className="soft">{t('find.nothing')}</p>}
      <ul className="frame-list" hidden={found === null || found.length === 0}>
        {found?.map(one => (
          <li key={one.name}>
            <button type="button" className="frame-row" onClick={() => onFound([one.point.lon, one.point.lat])}>
              {one.name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
