import './map.css'
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Schemas } from '../../../base/api.ts'
import { Button } from '../../../base/kit/button.tsx'
import { Choice, Choices } from '../../../base/kit/field.tsx'
import { FaultNote, Skeleton } from '../../../base/kit/note.tsx'
import { Window } from '../../../base/kit/window.tsx'
import { useTheme } from '../../../base/looks.ts'
import { useHere } from '../../../base/site.tsx'
import { collection, shape } from './collections.ts'
import { useBoundary, useFrameAt, useNames } from './data.ts'
import { boxOf, type Ground, groundIn, groundOf, middleOf, type Spot, spotIn } from './model.ts'
import { DragHandle } from './parts/drag-handle.tsx'
import { MapHost } from './parts/host.tsx'
import type { Sketch } from './parts/sketch.ts'
import { useShownPlans } from './plans/shown-plans.ts'
import { t } from './says.ts'
import { type Floor, sceneOf } from './scene.ts'
import { useStart } from './start.ts'
import { buildingAt } from './within.ts'

/** `title`: what is chosen, if it isn’t the place of a permit; `only_point`: an area is no answer. */
type Given = {
  title?: string
  only_point?: boolean
  place: Schemas['GivenPlace'] | null
  /** The level that is looked at: what is put in that building is on it, unless the person says otherwise. */
  seen?: Floor
  onChoose(place: Schemas['GivenPlace'] | null): void
  onClose(): void
  /** What is said about the place that is chosen at the moment, before it is taken. */
  live?(place: Schemas['GivenPlace'] | null): ReactNode
}

/** Where the work is, or something else: a tapped point or a drawn area. The building is found, and its levels offered. */
export default function PlacePicker({ title, only_point = false, place, seen = null, onChoose, onClose, live }: Given) {
  const { site_id } = useHere()
  const theme = useTheme()
  const { frame, ...frameAsked } = useFrameAt(site_id, null)
  const { ground: site, ...boundary } = useBoundary(site_id)
  const [way, setWay] = useState<'point' | 'area'>(place?.polygon == null ? 'point' : 'area')
  const [point, setPoint] = useState<Spot | null>(spotIn(place?.point))
  const [ground, setGround] = useState<Ground | null>(groundIn(place?.polygon))
  const [building, setBuilding] = useState(place?.building_id ?? null)
  const [level, setLevel] = useState(place?.level_index ?? null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const sketch = useRef<Sketch | null>(null)

  // Found on the device, so that a place that is chosen at once, or without a connection, isn’t in the building of the place before.
  const findBuilding = (spot: Spot) => {
    const id = buildingAt(spot, frame.values())?.id ?? null
    setBuilding(id)
    if (id !== building) setLevel(seen !== null && seen.building === id ? seen.level : null)
  }
  const move = (to: Spot) => {
    setPoint(to)
    findBuilding(to)
  }
  const found = useRef(findBuilding)
  found.current = findBuilding
  // biome-ignore lint/correctness/useExhaustiveDependencies: one sketch; it contains what was drawn so far.
  useEffect(() => {
    if (map === null || way !== 'area') return
    let over = false
    void import('./parts/sketch.ts').then(({ beginSketch }) => {
      if (over) return
      sketch.current = beginSketch(map, theme, ground, next => {
        setGround(next)
        if (next !== null) found.current(middleOf(next))
      })
    })
    return () => {
      over = true
      if (map.getCanvas().isConnected) sketch.current?.stop()
      sketch.current = null
    }
  }, [map, way, theme])

  // Before a place is chosen, the plan of the level that is looked at.
  const floor = useMemo<Floor>(() => (building === null ? seen : { building, level }), [building, level, seen])
  useShownPlans(map, null, frame, floor)
  const names = useNames(site_id)
  const drawing = useMemo(
    () => sceneOf({ boundary: site, frame, permits: [], markers: [], floor: null, chosen: building, label: names.label }),
    [site, frame, building, names.label],
  )
  // While the marker is dragged only its own source changes.
  const scene = useMemo(() => {
    const marker = way === 'point' && point !== null ? [shape({ type: 'Point', coordinates: [...point] }, {})] : []
    return { ...drawing, here: collection(marker) }
  }, [drawing, way, point])
  const around = useMemo(() => boxOf(site === null ? [...frame.values()].map(groundOf) : [site]), [site, frame])
  const levels = frame.get(building ?? '')?.levels ?? []
  const chosen = way === 'point' ? point !== null : ground !== null
  const taken = useMemo(() => {
    if (!chosen) return null
    const kept = place?.building_id === building ? { zone_id: place?.zone_id ?? null } : {}
    const where = way === 'point' && point !== null ? { point: { lon: point[0], lat: point[1] } } : { polygon: ground }
    return { ...kept, building_id: building, level_index: level, ...where }
  }, [chosen, place, building, level, way, point, ground])
  const loading = frameAsked.isPending || boundary.isPending
  const empty = !loading && around === null
  const start = useStart(empty)
  const pending = loading || (empty && start === null)
  return (
    <Window
      side
      title={title ?? t('picker.title')}
      onClose={onClose}
      onSubmit={() => {
        if (taken === null) return
        onChoose(taken)
        onClose()
      }}
    >
      {!only_point && (
        <Choices
          label={t('picker.way')}
          hidden
          options={[
            { value: 'point', label: t('picker.point') },
            { value: 'area', label: t('picker.area') },
          ]}
          value={way}
          onChoose={next => setWay(next === 'area' ? 'area' : 'point')}
        />
      )}
      <p className="small">
        {t(way === 'area' ? (ground === null ? 'draw.how' : 'draw.pull') : point === null ? 'picker.tap' : 'picker.drag')}
      </p>
      {frameAsked.error !== null && frameAsked.data === undefined && (
        <FaultNote error={frameAsked.error} onRetry={() => void frameAsked.refetch()} />
      )}
      {pending ? (
        <Skeleton rows={1} height={380} />
      ) : (
        <MapHost
          label={t('picker.label')}
          scene={scene}
          styles={names.styles}
          around={around}
          start={start?.view ?? null}
          onMap={setMap}
          onPick={(_, at) => {
            if (way === 'point') move(at)
          }}
        />
      )}
      {map !== null && way === 'point' && point !== null && (
        <DragHandle map={map} at={point} label={t('picker.handle')} onMove={move} onDrag={setPoint} />
      )}
      {live?.(taken)}
      <div className="pair">
        <Choice
          label={t('request.building')}
          empty={t('request.ground')}
          value={building ?? ''}
          options={[...frame.values()].filter(one => one.kind === 'building').map(one => ({ value: one.id, label: one.name }))}
          onChange={event => {
            const id = event.target.value || null
            setBuilding(id)
            setLevel(null)
            const { centre } = frame.get(id ?? '') ?? {}
            if (centre !== undefined && point === null) setPoint([centre.lon, centre.lat])
          }}
        />
        {levels.length > 0 && (
          <Choice
            label={t('request.level')}
            empty={t('request.level_unknown')}
            value={level === null ? '' : String(level)}
            options={levels.map(one => ({ value: String(one.index), label: one.name }))}
            onChange={event => setLevel(event.target.value === '' ? null : Number(event.target.value))}
          />
        )}
      </div>
      <div className="row">
        <Button type="submit" look="primary" disabled={!chosen}>
          {t('picker.take')}
        </Button>
        {!only_point && (place?.point != null || place?.polygon != null) && (
          <Button
            onClick={() => {
              onChoose({ building_id: building, level_index: level, zone_id: place.zone_id ?? null })
              onClose()
            }}
          >
            {t('picker.drop')}
          </Button>
        )}
      </div>
    </Window>
  )
}
