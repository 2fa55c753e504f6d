import { useState } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Menu } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { stampOf } from '../../../../base/time.ts'
import { PlannedMaps, UseHistory, UseWindow } from './map-use.tsx'
import { mapKey } from './plan-list.ts'
import { olderOf, PlanRow, PlanState, stateOf } from './plan-row.tsx'
import { activateMap, type SiteMap, useActivations } from './plans-data.ts'
import { t } from './says.ts'

type Given = { active: SiteMap | null; maps: readonly SiteMap[]; now: number; onUpload(): void }

/** The site map in use, and when which was; for managers, the others too. */
export function SiteMaps({ active, maps, now, onUpload }: Given) {
  const here = useHere()
  const sending = useSend()
  const manages = here.canChange('site_map_manage')
  const turns = useActivations(here.site_id, manages)
  const since = turns.data?.find(one => one.site_map_id === active?.id && one.to === null)?.from
  const latest = maps.find(one => one.id === active?.id) ?? active
  const others = maps.filter(one => one.id !== active?.id)
  // What can be done next is visible; what is older is folded.
  const [next, older] = [others.slice(0, 1), others.slice(1)]
  const [asked, setAsked] = useState<SiteMap | null>(null)
  const [past, setPast] = useState(false)
  const stop = () =>
    void sending.send(async () => {
      await activateMap(here.site_id, null, { accept_poor: false, from: null, seen: turns.data ?? [] })
      toast(t('plans.stopped'))
    })
  const shown = (map: SiteMap) => (
    <PlanRow
      key={map.id}
      device_key={mapKey(here.site_id)}
      name={map.name}
      hint={[
        stateOf(map),
        ...olderOf(map),
        ...(map.id === active?.id && since !== undefined ? [t('plans.in_use', { time: stampOf(since, here.zone) })] : []),
      ].join(' · ')}
      drawn={map.id === active?.id && map.content_version > 0}
      menu={
        manages && (
          <Menu label={t('plans.more', { name: map.name })} face={<Glyph name="more" size={16} />}>
            {map.permissions.calibrate?.allowed === true && (
              <Go className="item" to={paths.plan(here.site_id, 'site-maps', map.id)}>
                {t(map.calibration === null ? 'plans.calibrate' : 'plans.calibrate_again')}
              </Go>
            )}
            {map.id === active?.id && (
              <button type="button" className="item" onClick={stop}>
                {t('plans.stop_using')}
              </button>
            )}
            <button type="button" className="item" onClick={onUpload}>
              {t('plans.new_version')}
            </button>
          </Menu>
        )
      }
    >
      <Next map={map} in_use={map.id === active?.id} onUse={() => setAsked(map)} onUpload={onUpload} />
    </PlanRow>
  )
  return (
    <>
      <h3>{t('plans.site_map')}</h3>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      {latest === null && <p className="soft small">{t('plans.no_site_map')}</p>}
      <ul className="plain stack tight">
        {latest !== null && shown(latest)}
        {next.map(shown)}
      </ul>
      {older.length > 0 && (
        <details>
          <summary>{t('plans.other_maps', { n: older.length })}</summary>
          <ul className="plain stack tight">{older.map(shown)}</ul>
        </details>
      )}
      {turns.error !== null && <FaultNote error={turns.error} onRetry={() => void turns.refetch()} />}
      {manages && <PlannedMaps turns={turns.data ?? []} maps={maps} now={now} />}
      <Button look="quiet" onClick={() => setPast(true)}>
        {t('plans.history')}
      </Button>
      {asked !== null && <UseWindow map={asked} turns={turns.data ?? []} now={now} onClose={() => setAsked(null)} />}
      {past && <UseHistory now={now} onClose={() => setPast(false)} />}
    </>
  )
}

type NextGiven = { map: SiteMap; in_use: boolean; onUse(): void; onUpload(): void }

/** What a site map waits for. */
function Next({ map, in_use, onUse, onUpload }: NextGiven) {
  const here = useHere()
  if (!here.canChange('site_map_manage')) return null
  return (
    <div className="stack tight plan-next">
      <PlanState plan={map} />
      {map.status === 'needs_calibration' && map.permissions.redraw?.allowed !== true && (
        <Go className="btn" to={paths.plan(here.site_id, 'site-maps', map.id)}>
          {t('plans.calibrate')}
        </Go>
      )}
      {map.status === 'ready' && !in_use && <Button onClick={onUse}>{t('plans.use')}</Button>}
      {map.status === 'failed' && <Button onClick={onUpload}>{t('plans.try_again')}</Button>}
    </div>
  )
}
