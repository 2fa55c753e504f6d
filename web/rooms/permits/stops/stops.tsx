import './stops.css'
import { useEffect, useState } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { FlagButton } from '../../../base/kit/button.tsx'
import { TextArea } from '../../../base/kit/field.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { paths } from '../../../base/paths.ts'
import { RecordForm } from '../../../base/records/form.tsx'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { momentOf } from '../../../base/time.ts'
import { type AreaStop, liftStop, useStops } from './data.ts'
import { t } from './says.ts'

/** Where work is stopped on the site, which permits still have to be revalidated, and what ends a stop. */
export default function Stops() {
  const here = useHere()
  const [place] = usePlace()
  const [lifting, setLifting] = useState<AreaStop | null>(null)
  const stops = useStops(here.site_id, place.lifted === '1')
  useEffect(() => {
    document.title = `${t('stops.title')} · ${here.name}`
  }, [here.name])
  const add = here.canChange('alert_stop') && (
    <Go className="btn danger" to={paths.map(here.site_id, { add: 'stop' })}>
      <Glyph name="stop" size={16} />
      {t('stops.begin')}
    </Go>
  )
  return (
    <div className="stack">
      <h1>{t('stops.title')}</h1>
      <Listing
        label={t('stops.title')}
        query={stops}
        rows={stops.data ?? []}
        idOf={one => one.id}
        nameOf={one => one.reason}
        row={one => <Row stop={one} onLift={() => setLifting(one)} />}
        isPast={one => one.state === 'lifted' && one.waiting === 0}
        flush
        search={{
          label: t('stops.find'),
          texts: one => [one.reason, ...one.permits.flatMap(permit => [permit.permit_number, permit.title])],
        }}
        filters={[{ name: 'lifted', kind: 'tick', label: t('stops.lifted_too') }]}
        count={n => t('stops.count', { n })}
        actions={add}
        empty={{ says: t('stops.empty'), action: add || undefined }}
      />
      {lifting !== null && <LiftWindow stop={lifting} onClose={() => setLifting(null)} />}
    </div>
  )
}

type Stopped = AreaStop['permits'][number]

/** What became of a permit that was stopped. */
function stateOf({ waiting, revalidated_at, revalidated_by_name }: Stopped, zone: string): string {
  if (waiting) return t('stops.needs')
  if (revalidated_at === null) return t('stops.not_needed')
  return t('stops.revalidated', { name: revalidated_by_name ?? '', time: momentOf(revalidated_at, zone) })
}

function Row({ stop, onLift }: { stop: AreaStop; onLift(): void }) {
  const { site_id, zone } = useHere()
  const active = stop.state === 'active'
  return (
    <article className={`stop-row ${active ? 'stop' : stop.waiting > 0 ? 'warn' : 'over'}`}>
      <div className="row">
        <span className={`badge ${active ? 'stop' : 'soft'}`}>
          <Glyph name={active ? 'stop' : 'ok'} size={14} />
          {t(active ? 'stops.active' : 'stops.lifted')}
        </span>
        <span className="soft small">{t('stops.by', { name: stop.created_by_name ?? '', time: momentOf(stop.created_at, zone) })}</span>
      </div>
      <h2>{stop.reason}</h2>
      <p className={stop.waiting > 0 ? 'strong' : 'soft'}>
        {stop.waiting > 0 ? t('stops.waiting', { n: stop.waiting }) : t('stops.none_waiting')}
      </p>
      {stop.permits.length > 0 && (
        <ul className="stop-permits">
          {stop.permits.map(permit => (
            <li key={permit.id}>
              <Glyph name={permit.waiting ? 'stop' : 'ok'} size={14} />
              <Go to={paths.permit(site_id, permit.id)} className="mono">
                {permit.permit_number ?? permit.title ?? ''}
              </Go>
              <span className="grow cut">
                <bdi>{permit.title}</bdi>
              </span>
              <span className={`small ${permit.waiting ? 'strong' : 'soft'}`}>{stateOf(permit, zone)}</span>
            </li>
          ))}
        </ul>
      )}
      {stop.unchecked.length > 0 && (
        <details>
          <summary>{t('stops.unchecked', { n: stop.unchecked.length })}</summary>
          <ul className="stop-permits">
            {stop.unchecked.map(permit => (
              <li key={permit.id}>
                <Go to={paths.permit(site_id, permit.id)} className="mono">
                  {permit.permit_number ?? permit.title ?? ''}
                </Go>
                <span className="grow cut">
                  <bdi>{permit.location ?? permit.title}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {stop.lifted_at !== null && (
        <p className="small">
          {t('stops.lifted_by', { name: stop.lifted_by_name ?? '', time: momentOf(stop.lifted_at, zone), note: stop.lift_note ?? '' })}
        </p>
      )}
      {active && (
        <div className="row">
          <FlagButton flag={stop.permissions.lift} explained={false} onClick={onLift}>
            {t('stops.lift')}
          </FlagButton>
          <Go className="btn quiet" to={paths.map(site_id, { chosen: stop.alert_id })}>
            <Glyph name="pin" size={16} />
            {t('alert.on_map')}
          </Go>
        </div>
      )}
    </article>
  )
}

function LiftWindow({ stop, onClose }: { stop: AreaStop; onClose(): void }) {
  return (
    <RecordForm
      title={t('stops.lift.title')}
      name={`lift ${stop.id}`}
      body="LiftAreaStop"
      start={{ note: '' }}
      save={({ note }) => liftStop(stop, note)}
      said={t('stops.was_lifted')}
      button={t('stops.lift')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="strong">{stop.reason}</p>
          <p>{t('stops.lift.look')}</p>
          {stop.waiting > 0 && <p>{t('stops.waiting', { n: stop.waiting })}</p>}
          <TextArea label={t('stops.lift.note')} {...field('note')} optional={false} required />
        </>
      )}
    </RecordForm>
  )
}
