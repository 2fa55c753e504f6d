import './plans.css'
import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo, useState } from 'react'
import { usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, Skeleton } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import type { Frame } from '../model.ts'
import type { Floor } from '../scene.ts'
import { FloorPlanForm } from './floor-plan-form.tsx'
import { FloorPlans } from './floor-plans.tsx'
import { levelsWithPlans } from './plan-list.ts'
import { type FloorPlan, useEveryPlan, useSiteMaps } from './plans-data.ts'
import { t } from './says.ts'
import { useShownPlans } from './shown-plans.ts'
import { SiteMapForm } from './site-map-form.tsx'
import { SiteMaps } from './site-maps.tsx'

type Given = { map: MapLibre | null; at: string | null; now: number; frame: Frame }

/** Site maps and floor plans: what the map shows of them, and what people can do with them. */
export default function PlansPanel({ map, at, now, frame }: Given) {
  const here = useHere()
  const [place] = usePlace()
  const [manages, edits] = [here.canChange('site_map_manage'), here.canChange('floor_plan_edit')]
  const maps = useSiteMaps(here.site_id, manages)
  const every = useEveryPlan(here.site_id, edits && at === null)
  const [form, setForm] = useState<'map' | { of: FloorPlan | null } | null>(null)
  const level = place.level === undefined ? null : Number(place.level)
  const building = place.building ?? null
  const floor = useMemo<Floor>(() => (building === null ? null : { building, level }), [building, level])
  const { active, plans, current, alive, missing } = useShownPlans(map, at, frame, floor)
  const absent = [...(current === null ? [] : [current]), ...alive].filter(({ id }) => missing.has(id)).map(({ name }) => name)
  const listed = every.data ?? alive
  const levels = useMemo(() => levelsWithPlans(listed, frame, at === null ? now : Date.parse(at)), [listed, frame, at, now])
  const error = active.error ?? plans.error ?? maps.error ?? every.error
  const loading = active.isPending || plans.isPending
  const bare = !loading && current === null && levels.length === 0 && (maps.data ?? []).length === 0
  if (bare && !manages && !edits) return null
  return (
    <section className="stack tight plans" aria-label={t('plans.title')}>
      <header className="row spread">
        <h2>{t('plans.title')}</h2>
        <span className="row">
          {manages && <Button onClick={() => setForm('map')}>{t('plans.add_map')}</Button>}
          {edits && frame.size > 0 && <Button onClick={() => setForm({ of: null })}>{t('plans.add_plan')}</Button>}
        </span>
      </header>
      {error !== null && (
        <FaultNote error={error} onRetry={() => void Promise.all([active, plans, maps, every].map(one => one.isError && one.refetch()))} />
      )}
      {absent.length > 0 && <Note kind="warn">{t('plans.missing', { names: absent.join(', ') })}</Note>}
      {loading && error === null && <Skeleton rows={1} height={44} />}
      {bare && <p className="soft small">{t('plans.none')}</p>}
      {edits && frame.size === 0 && <p className="soft small">{t('plans.no_place')}</p>}
      {!loading && !bare && (
        <>
          <SiteMaps active={current} maps={manages ? (maps.data ?? []) : []} now={now} onUpload={() => setForm('map')} />
          <FloorPlans {...{ map, levels, frame, floor }} zone={here.zone} onUpload={of => setForm({ of })} />
        </>
      )}
      {form === 'map' && <SiteMapForm site_id={here.site_id} onClose={() => setForm(null)} />}
      {form !== null && form !== 'map' && (
        <FloorPlanForm site_id={here.site_id} frame={frame} of={form.of} floor={floor} onClose={() => setForm(null)} />
      )}
    </section>
  )
}
