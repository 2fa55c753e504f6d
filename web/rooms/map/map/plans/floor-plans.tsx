import type { Map as MapLibre } from 'maplibre-gl'
import { useState } from 'react'
import { Go, usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { Menu } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import type { Frame } from '../model.ts'
import type { Floor } from '../scene.ts'
import { failedSince, isOnFloor, type Level, levelName, planKey } from './plan-list.ts'
import { olderOf, PlanRow, PlanState, stateOf } from './plan-row.tsx'
import { type FloorPlan, showPlan } from './plans-data.ts'
import { t } from './says.ts'
import { Versions } from './versions.tsx'

type Given = {
  map: MapLibre | null
  levels: readonly Level[]
  frame: Frame
  floor: Floor
  zone: string
  onUpload(of: FloorPlan): void
}

/** The floor plans by building and level. */
export function FloorPlans({ map, levels, frame, floor, zone, onUpload }: Given) {
  const [versions, setVersions] = useState<string | null>(null)
  const features = [...new Map(levels.map(one => [one.feature.id, one.feature])).values()]
  const opened = levels.find(one => planKey(one.current) === versions)
  return (
    <>
      <h3>{t('plans.floor_plans')}</h3>
      {features.length === 0 && <p className="soft small">{t('plans.no_floor_plans')}</p>}
      {features.map(feature => {
        const own = levels.filter(one => one.feature.id === feature.id)
        return (
          <details key={feature.id} open={features.length === 1 || floor?.building === feature.id || own.some(waits) || undefined}>
            <summary>
              <bdi>{feature.name}</bdi> <span className="soft small">{t('plans.count', { n: own.length })}</span>
            </summary>
            <ul className="plain stack tight">
              {own.map(level => (
                <LevelRow
                  key={level.level_index}
                  {...{ map, level, frame, floor, onUpload }}
                  onVersions={() => setVersions(planKey(level.current))}
                />
              ))}
            </ul>
          </details>
        )
      })}
      {opened !== undefined && <Versions level={opened} zone={zone} onClose={() => setVersions(null)} />}
    </>
  )
}

/** Returns whether a level waits for a person, or for the service. */
const waits = (level: Level): boolean => level.current.status !== 'ready' || level.current.outdated || failedSince(level) !== null

/** Returns the name of a plan with that of its level. */
const nameOf = ({ feature, level_index, current }: Level): string => {
  const level = levelName(feature, level_index)
  return level === null || current.name.toLowerCase().startsWith(level.toLowerCase())
    ? current.name
    : t('plans.at', { level, name: current.name })
}

type RowGiven = { map: MapLibre | null; level: Level; frame: Frame; floor: Floor; onUpload(of: FloorPlan): void; onVersions(): void }

function LevelRow({ map, level, frame, floor, onUpload, onVersions }: RowGiven) {
  const here = useHere()
  const [, setPlace] = usePlace()
  const sending = useSend()
  const { current: plan, feature } = level
  const edits = here.canChange('floor_plan_edit')
  const drawable = plan.status === 'ready' && plan.content_version > 0 && plan.visible
  const drawn = drawable && isOnFloor(plan, frame, floor)
  const building = feature.kind === 'building' ? feature.id : (feature.building_id ?? null)
  const name = nameOf(level)
  const failed = failedSince(level)
  const hint = [
    ...(plan.revision === null ? [] : [t('plans.revision', { revision: plan.revision })]),
    ...(plan.visible ? [] : [t('plans.hidden_all')]),
    stateOf(plan),
    ...olderOf(plan),
  ].join(' · ')
  return (
    <PlanRow
      device_key={planKey(plan)}
      name={name}
      opacity={plan.opacity}
      hint={hint}
      drawn={drawn}
      menu={
        edits && (
          <Menu label={t('plans.more', { name })} face={<Glyph name="more" size={16} />}>
            {plan.permissions.place?.allowed === true && (
              <Go className="item" to={paths.plan(here.site_id, 'floor-plans', plan.id)}>
                {t(plan.placement === null ? 'plans.place' : 'plans.place_again')}
              </Go>
            )}
            <button type="button" className="item" onClick={() => onUpload(plan)}>
              {t('plans.new_version')}
            </button>
            <button type="button" className="item" onClick={onVersions}>
              {t('plans.versions')}
            </button>
            {plan.status === 'ready' && (
              <button type="button" className="item" onClick={() => void sending.send(() => showPlan(plan.id, !plan.visible))}>
                {t(plan.visible ? 'plans.hide_all' : 'plans.show_all')}
              </button>
            )}
          </Menu>
        )
      }
    >
      <div className="stack tight plan-next">
        {sending.fault !== null && <FaultNote error={sending.fault} />}
        {edits && <PlanState plan={failed ?? plan} />}
        {edits && plan.status === 'needs_placement' && (
          <Go className="btn" to={paths.plan(here.site_id, 'floor-plans', plan.id)}>
            {t('plans.place')}
          </Go>
        )}
        {edits && (failed ?? plan).status === 'failed' && (
          <span className="row">
            <Button onClick={() => onUpload(plan)}>{t('plans.try_again')}</Button>
            <Button onClick={onVersions}>{t('plans.versions')}</Button>
          </span>
        )}
        {drawable && !drawn && building !== null && (
          <Button
            look="quiet"
            onClick={() => {
              setPlace({ building, level: String(feature.level_from ?? level.level_index), chosen: undefined })
              const [west, south, east, north] = plan.bounds ?? []
              if (west !== undefined && south !== undefined && east !== undefined && north !== undefined)
                map?.fitBounds([west, south, east, north], { padding: 32, maxZoom: 20, animate: false })
            }}
          >
            {t('plans.go')}
          </Button>
        )}
      </div>
    </PlanRow>
  )
}
