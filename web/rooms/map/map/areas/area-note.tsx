// The panel of an active area on the map: what it is for, whose it is, until when, its fill, and the permits in it.
import { useState } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { permitName } from '../../../../base/permit-name.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import type { Frame } from '../model.ts'
import { Around } from '../parts/floating.tsx'
import { Called } from '../parts/place-list.tsx'
import { ScheduleLine } from '../schedule/schedule-line.tsx'
import { AreaVersions } from './area-versions.tsx'
import { type Area, permitsIn } from './areas.ts'
import { targetOf } from './cuts.ts'
import { fillAgain, removeFill, useAreaFlags } from './data.ts'
import { t, tOf } from './says.ts'
import type { Tool } from './tools.tsx'

type Given = {
  area: Area
  frame: Frame
  permits: readonly CardPermit[]
  /** Opens its drawing and its form, or its cuts; null at another time than now. */
  onTool: ((tool: Tool) => void) | null
  onClose(): void
}

const MOST = 5

/** What a member of a fill says about the fill, and what can be done with all of it. */
function FillPart({ area, group_id }: { area: Area; group_id: string }) {
  const { canChange } = useHere()
  const { busy, fault, send } = useSend()
  const changes = canChange('map_entity_edit_any')
  return (
    <>
      <p className="small soft">{t('area.member')}</p>
      {area.fill_stale === true && (
        <Note kind="warn">
          <p>{t('fill.stale')}</p>
          {changes && (
            <Button
              aria-busy={busy}
              onClick={() =>
                void send(async () => {
                  const { created, changed, removed } = await fillAgain(group_id)
                  toast(t('fill.done_again', { created: created.length, changed: changed.length, removed: removed.length }))
                })
              }
            >
              {t('fill.again')}
            </Button>
          )}
        </Note>
      )}
      {changes && (
        <HoldButton
          look="danger"
          onHeld={() =>
            void send(async () => {
              await removeFill(group_id)
              toast(t('fill.undone'))
            })
          }
        >
          {t('fill.remove')}
        </HoldButton>
      )}
      {fault !== null && <FaultNote error={fault} />}
    </>
  )
}

/** A summary of an active area. */
export function AreaNote({ area, frame, permits, onTool, onClose }: Given) {
  const { site_id, zone } = useHere()
  const { data: contractors } = useContractors(site_id, 'all')
  const flags = useAreaFlags(area)
  const [past, setPast] = useState(false)
  const contractor = contractors?.find(one => one.id === area.contractor_id)
  const { place } = area
  const feature = frame.get(place.zone_id ?? '') ?? frame.get(place.building_id ?? '')
  const level = frame.get(place.building_id ?? '')?.levels.find(({ index }) => index === place.level_index)
  const inside = permitsIn(area, permits, frame)
  return (
    <Around label={<bdi>{area.name}</bdi>} onClose={onClose}>
      <p className="small">
        {tOf('active_area_kind', area.area_kind)}
        <span className="soft"> · {t('map.area_size', { n: Math.round(area.area_m2) })}</span>
      </p>
      {area.exclusive && (
        <p>
          <span className="badge warn">{t('area.exclusive_mark')}</span>
        </p>
      )}
      <p className="small">
        {contractor === undefined ? (
          t('token.main_contractor')
        ) : (
          <>
            <span className="swatch" style={{ background: contractor.colour }} aria-hidden /> <bdi>{contractor.name}</bdi>
          </>
        )}
      </p>
      {feature !== undefined && (
        <p className="small">
          <Called feature={feature} />
          {level !== undefined && ` · ${level.name}`}
        </p>
      )}
      <p className="small mono">
        {area.end_at === null ? t('token.since', { time: momentOf(area.start_at, zone) }) : windowOf(area.start_at, area.end_at, zone)}
      </p>
      {area.schedule_group_id !== null && <ScheduleLine kind="active_area" group_id={area.schedule_group_id} edited={area.edited} />}
      {area.notes !== null && <p className="small">{area.notes}</p>}
      {inside.length === 0 ? (
        <p className="small soft">{t('area.no_permits_here')}</p>
      ) : (
        <>
          <h3 className="small">{t('area.permits_here')}</h3>
          {inside.slice(0, MOST).map(permit => (
            <p key={permit.id} className="small">
              <Go to={paths.permit(site_id, permit.id)}>{permitName(permit)}</Go>
              <span className="soft"> · {tOf('status', permit.status)}</span>
            </p>
          ))}
          {inside.length > MOST && <p className="small soft">{t('fill.left_out_more', { n: inside.length - MOST })}</p>}
        </>
      )}
      {past && <AreaVersions area={area} onClose={() => setPast(false)} />}
      <div className="row">
        <Button onClick={() => setPast(true)}>{t('draw.history')}</Button>
      </div>
      {onTool !== null && flags?.can_change === true && (
        <div className="row">
          <Button onClick={() => onTool({ tool: 'area', area })}>{t('common.edit')}</Button>
          {area.fill_group_id === null && <Button onClick={() => onTool({ tool: 'cut', target: targetOf(area) })}>{t('cut.open')}</Button>}
        </div>
      )}
      {onTool !== null && area.fill_group_id !== null && <FillPart area={area} group_id={area.fill_group_id} />}
    </Around>
  )
}
