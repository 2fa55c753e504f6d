import './map.css'
import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { dateOn, plusDays, startOfDay } from '../../../../shared/time.ts'
import { usePlace } from '../../../base/go.tsx'
import { Skeleton } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { useWide } from '../../../base/wide.ts'
import { t } from './says.ts'
import './areas/areas.css'
import './clashes/loaded.ts'
import { areasShown } from './areas/areas.ts'
import { useAreas } from './areas/data.ts'
import { atCross, LookButtons, StopButton, type Tool, ToolPanel } from './areas/tools.tsx'
import { useDayLine } from './changes-data.ts'
import { chosenOf } from './chosen.ts'
import { useClashes } from './clashes/data.ts'
import { keeper } from './collections.ts'
import { useBoundary, useDayPermits, useFrameAt, useNames, useOnMap } from './data.ts'
import { isOpen, useDragged } from './dragged.ts'
import type { Saved } from './drawing.ts'
import { among, MembersNote, useMembers } from './members.tsx'
import { boxOf, type Feature, groundOf, markersOf, partedAt, pickedAt, type Spot, sayView, type View, viewOf } from './model.ts'
import { RaiseHere } from './parts/alerts.tsx'
import { ChosenNote } from './parts/chosen-note.tsx'
import { DrawMenu, SavedNote } from './parts/draw-menu.tsx'
import { DrawPanel } from './parts/draw-panel.tsx'
import { EmptyGround } from './parts/empty-ground.tsx'
import { Handles } from './parts/handles.tsx'
import { MapHost } from './parts/host.tsx'
import { useMapInSight } from './parts/in-sight.ts'
import { LevelBar } from './parts/level-bar.tsx'
import { MapFault } from './parts/map-fault.tsx'
import { MapForms, type Opened, openedBy, startedWith, writtenAt } from './parts/map-forms.tsx'
import { MapHead } from './parts/map-head.tsx'
import { BY_ID, type Pick } from './parts/picked.ts'
import { SideList } from './parts/side-list.tsx'
import { TimeBar } from './parts/time-bar.tsx'
import { sceneOf } from './scene.ts'
import { floorOf, permitsShown, tokensShown } from './shown.ts'
import type { Kind } from './sketching.ts'
import { useMinutes, useStart } from './start.ts'
import { useTokens } from './tokens-data.ts'
import { BEYOND_PX } from './turning.ts'

/** The site from above at an instant: its frame, and the permits that are open then. Next to it, the same as a list. */
export default function SiteMap() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const put = useRef(setPlace)
  put.current = setPlace
  const [clock, wide] = [useMinutes(), useWide()]
  useEffect(() => {
    document.title = `${t('map.title')} · ${here.name}`
  }, [here.name])
  const asked = Number.isNaN(Date.parse(place.at ?? '')) ? null : (place.at ?? null)
  const live = asked === null
  const at = asked === null ? clock : Date.parse(asked)
  const ahead = at > clock
  const date = dateOn(here.zone, new Date(at).toISOString())
  const [from, to] = [startOfDay(here.zone, date), startOfDay(here.zone, plusDays(date, 1))]
  const { frame, ...frameAsked } = useFrameAt(here.site_id, asked)
  const boundary = useBoundary(here.site_id)
  const day = useDayPermits(here.site_id, from, to, asked, ahead)
  const line = useDayLine(here.site_id, from, to, live, place.group)
  const { points, words, alerts, ...onMap } = useOnMap(here.site_id, asked)
  const { tokens: all, ...moving } = useTokens(here.site_id, asked)
  const { areas: patches, ...patching } = useAreas(here.site_id, asked)

  const only = useMembers(here.site_id, place.group, asked)
  const building = frame.get(place.building ?? '')
  const floor = useMemo(() => floorOf(building?.id, place.level), [building, place.level])
  const permits = useMemo(
    () => among(permitsShown(day.rows, { at, ahead, clock }, floor, frame), only),
    [day.rows, at, ahead, floor, frame, clock, only],
  )
  const tokens = useMemo(() => among(tokensShown(all, floor), only), [all, floor, only])
  const areas = useMemo(() => among(areasShown(patches, floor), only), [patches, floor, only])
  const clashing = useClashes(here.site_id, asked, floor, [tokens, areas, permits])
  const { clashes } = clashing
  const markers = useMemo(() => markersOf(permits, frame), [permits, frame])
  const chosen = place.chosen ?? null
  const names = useNames(here.site_id)
  const held = useDragged(chosen, tokens, words, live, clock)
  const { token, label, canMove, draft } = held
  const keep = useMemo(keeper, [])
  const scene = useMemo(() => {
    const shown = { boundary: boundary.ground, frame, permits, markers, points, alerts, floor, chosen, label: names.label }
    return sceneOf({ ...shown, ...held.shown, active: areas, clashes }, keep)
  }, [boundary.ground, frame, permits, markers, points, held.shown, alerts, areas, clashes, floor, chosen, names.label, keep])
  const around = useMemo(
    () =>
      boxOf(
        boundary.ground === null ? [...frame.values()].map(groundOf) : [boundary.ground],
        markers.map(marker => marker.spot),
      ),
    [boundary.ground, frame, markers],
  )

  const { permit, feature, spot, ...things } = chosenOf(chosen, held, { frame, permits, points, alerts, areas, clashes })
  // A selected building is shown in full, with its details above it; one that was just drawn is in sight, and the next is often drawn next to it.
  const shown = useMemo(() => (feature === undefined ? null : boxOf([groundOf(feature)])), [feature])
  const marker = pickedAt(markers, chosen)
  const [goTo, setGoTo] = useState<View | null>(null)

  const [map, setMap] = useState<MapLibre | null>(null)
  const [begun, setBegun] = useState<{ kind: Kind; feature: Feature | null } | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  const [form, setForm] = useState<Opened | null>(null)
  const [adds, pointed] = [here.canChange('map_entity_edit'), here.canChange('map_entity_edit_any')]
  // What can be started from everywhere opens its form here.
  const open = form ?? openedBy(place, adds)
  const raises = live && here.canChange('alert_raise')
  const raising = place.add === 'alert' && raises
  // A new site sends its creator here to draw; the URL contains this until it is done.
  const wanted = place.draw === 'boundary' && here.canChange('site_configure') && !boundary.isPending
  const drawing = begun ?? (wanted ? { kind: 'boundary' as const, feature: null } : null)
  const [begunTool, setTool] = useState<Tool | null>(null)
  const tool = begunTool ?? (place.add === 'stop' && live && here.canChange('alert_stop') ? { tool: 'stop' as const } : null)
  const drafting = drawing !== null || tool !== null
  useMapInSight(map, drafting)
  const begin = (kind: Kind, changed: Feature | null = null) => {
    setSaved(null)
    setBegun({ kind, feature: changed })
  }
  const choose = useCallback((id: string | undefined, more: Record<string, string | undefined> = {}) => {
    put.current({ chosen: id, ...more })
  }, [])
  const raise = (spot: Spot | null = null) => {
    if (spot !== null) setGoTo({ spot, zoom: 0 })
    choose(undefined, { add: 'alert' })
  }
  const pick = (picked: readonly Pick[]) => {
    if (drafting || raising) return
    const [top] = picked
    if (top === undefined) return choose(undefined)
    if (top.layer === 'markers') {
      const tapped = markers.find(one => one.key === top.id)
      // A marker of several positions is split when tapped, because opening one position would leave out the others.
      const parted = tapped === undefined ? null : partedAt(markers, tapped)
      if (parted !== null) return setGoTo(parted)
      return choose(tapped?.ids[0])
    }
    if (BY_ID.has(top.layer)) return choose(top.id)
    const found = frame.get(top.id)
    choose(top.id, found?.kind === 'building' && found.id !== floor?.building ? { building: found.id, level: undefined } : {})
  }
  const fault = frameAsked.error ?? day.error ?? boundary.error ?? onMap.error ?? moving.error ?? patching.error ?? clashing.error
  const loading = frameAsked.isPending || boundary.isPending || day.pending
  const empty = !loading && around === null
  const start = useStart(empty)
  const pending = loading || (empty && start === null)
  const timed = { zone: here.zone, date, at, live, day: line }
  const timeBar = !raising && !drafting && <TimeBar {...timed} onAt={next => put.current({ at: next })} />
  return (
    <div className="map-page">
      <MapHead count={permits.length} onRaise={raises && !raising && !pending ? () => raise() : null}>
        {live && !drafting && !pending && !raising && <StopButton onTool={setTool} />}
        {!drafting && !pending && !raising && <LookButtons onTool={setTool} />}
        {(here.canChange('reference_edit') || adds) && !drafting && !pending && !(empty && here.canChange('site_configure')) && (
          <DrawMenu
            bare={boundary.ground === null && here.canChange('site_configure')}
            onDraw={here.canChange('reference_edit') ? kind => begin(kind) : null}
            onPoint={pointed ? () => setForm({ form: 'point', point: null }) : null}
            onLabel={adds ? () => setForm({ form: 'label', label: null }) : null}
            onToken={adds ? kind => setForm(startedWith(kind)) : null}
            onTool={next => {
              setSaved(null)
              setTool(next)
            }}
          />
        )}
      </MapHead>
      {open !== null && (
        <MapForms
          open={open}
          site_id={here.site_id}
          now={clock}
          shown={ahead ? at : clock}
          permits={permits}
          onOpen={setForm}
          onClose={() => {
            setForm(null)
            if (form === null) put.current({ add: undefined, delivery: undefined })
          }}
        />
      )}
      {saved !== null && <SavedNote saved={saved} onClose={() => setSaved(null)} />}
      <MapFault
        error={fault}
        at={frameAsked.data === undefined ? null : day.at}
        onRetry={() => void Promise.all([frameAsked, boundary, day, onMap, moving, patching].map(one => one.refetch()))}
      />
      {wide && timeBar}
      <MembersNote site_id={here.site_id} at={asked} />
      {building !== undefined && (
        <LevelBar
          building={building}
          level={floor?.level ?? null}
          onLevel={next => put.current({ level: next === null ? undefined : String(next) })}
          onLeave={() => put.current({ building: undefined, level: undefined, chosen: undefined })}
        />
      )}
      <div className="map-columns">
        <div className="map-side stack tight">
          {raising && <RaiseHere map={map} floor={floor} onClose={() => put.current({ add: undefined })} />}
          {empty && start !== null && drawing === null && <EmptyGround map={map} start={start} onDraw={() => begin('boundary')} />}
          {pending ? (
            <Skeleton rows={1} height={420} />
          ) : (
            <MapHost
              label={t('map.label')}
              scene={scene}
              styles={names.styles}
              around={around}
              view={viewOf(place.view)}
              start={start?.view ?? null}
              onView={(view, by_person) => {
                // A person who has moved the map can ask for the same place again.
                if (by_person) setGoTo(null)
                if (sayView(view) !== place.view) put.current({ view: sayView(view) })
              }}
              onPick={pick}
              goTo={goTo}
              fit={permit === undefined && !drafting && feature?.id !== saved?.id ? shown : null}
              onMap={setMap}
              cross={raising || atCross(tool)}
              onDouble={adds && live && !drafting && !raising ? spot => setForm(writtenAt(spot, floor, frame)) : null}
              onPress={spot => raises && raise(spot)}
              floating={
                spot === null || drafting || draft !== null || raising
                  ? null
                  : {
                      at: spot,
                      ...(held.canWrite && { away: BEYOND_PX }),
                      content: (
                        <ChosenNote
                          key={chosen}
                          behind={marker?.ids.flatMap(id => permits.find(one => one.id === id) ?? []) ?? null}
                          {...{ ...things, label, token, feature, permits, frame, now: clock, onChoose: choose }}
                          onPoint={pointed && live ? one => setForm({ form: 'point', point: one }) : null}
                          onLabel={held.canWrite ? one => setForm({ form: 'label', label: one }) : null}
                          onToken={canMove ? one => setForm({ form: 'token', kind: one.token, token: one }) : null}
                          onDelivery={id => put.current({ delivery: id })}
                          onMove={canMove ? one => setForm({ form: 'move', token: one }) : null}
                          onFeature={here.canChange('reference_edit') && live ? one => begin(one.kind, one) : null}
                          onTool={isOpen(things.area, live, clock) ? setTool : null}
                          onClose={() => choose(undefined)}
                        />
                      ),
                    }
              }
            />
          )}
          {map !== null && !drafting && !raising && <Handles {...{ map, frame, held }} />}
          {!wide && timeBar}
        </div>
        {drawing !== null && (
          <DrawPanel
            key={drawing.feature?.id ?? drawing.kind}
            {...{ map, scene, frame, ...drawing }}
            onDone={done => {
              setBegun(null)
              setSaved(done)
              if (wanted) put.current({ draw: undefined })
              if (done?.id != null) choose(done.id, wanted ? { draw: undefined } : {})
            }}
          />
        )}
        {tool !== null && (
          <ToolPanel
            {...{ tool, map, scene, frame, floor, areas, tokens, points, chosen }}
            now={clock}
            shown={ahead ? at : clock}
            onDone={(done, id) => {
              setTool(null)
              setSaved(done)
              if (place.add === 'stop') put.current({ add: undefined })
              if (id !== null) choose(id, { add: undefined })
            }}
          />
        )}
        <SideList
          hidden={drafting}
          {...{ map, pending, live, clock, at, permits, tokens, points, words, alerts, areas, clashing, frame, chosen }}
          {...{ site_id: here.site_id, zone: here.zone, from, to }}
          bare={boundary.ground === null}
          today={date === dateOn(here.zone, new Date(clock).toISOString())}
          onDelivery={id => (tokens.some(one => one.id === id) ? choose(id) : put.current({ delivery: id }))}
          onDraw={kind => begin(kind)}
          onChoose={(id, view, more = {}) => {
            setGoTo(view)
            choose(id, more)
          }}
        />
      </div>
    </div>
  )
}
