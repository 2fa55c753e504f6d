// When which site map is in use: now, from a time on, and in the past.
import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choices, MomentField } from '../../../../base/kit/field.tsx'
import { FaultNote, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { stampOf } from '../../../../base/time.ts'
import { type Activation, activateMap, type SiteMap, useActivations, useSiteMaps } from './plans-data.ts'
import { t } from './says.ts'

const isAhead = ({ from }: Activation, now: number): boolean => Date.parse(from) > now

/** Returns the name of the map of an activation. */
const nameIn = (maps: readonly SiteMap[], { site_map_id }: Activation): string =>
  site_map_id === null ? t('plans.no_map') : (maps.find(({ id }) => id === site_map_id)?.name ?? t('plans.some_map'))

type When = 'now' | 'later'
type UseGiven = { map: SiteMap; turns: readonly Activation[]; now: number; onClose(): void }

/** Asks from when a site map is used. */
export function UseWindow({ map, turns, now, onClose }: UseGiven) {
  const here = useHere()
  const sending = useSend()
  const [when, setWhen] = useState<When>('now')
  const [from, setFrom] = useState<string | null>(null)
  const [late, setLate] = useState(false)
  const poor = map.calibration?.quality === 'poor'
  const save = () => {
    const at = when === 'now' ? null : from
    const wrong = when === 'later' && (at === null || Date.parse(at) <= now)
    setLate(wrong)
    if (wrong) return
    void sending.send(async () => {
      await activateMap(here.site_id, map.id, { accept_poor: poor, from: at, seen: turns })
      toast(at === null ? t('plans.used', { name: map.name }) : t('plans.use_planned', { name: map.name, time: stampOf(at, here.zone) }))
      onClose()
    })
  }
  return (
    <Window title={t('plans.use_when', { name: map.name })} onClose={onClose} onSubmit={save}>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      <Choices<When>
        label={t('plans.use_choose')}
        options={[
          { value: 'now', label: t('plans.use_now') },
          { value: 'later', label: t('plans.use_later') },
        ]}
        value={when}
        onChoose={setWhen}
      />
      {when === 'later' && (
        <MomentField
          label={t('plans.use_from')}
          value={from}
          zone={here.zone}
          fault={late ? t('plans.use_late') : undefined}
          onMoment={setFrom}
        />
      )}
      <span className="row">
        <Button look="primary" type="submit" aria-busy={sending.busy}>
          {t(poor ? 'plans.use_poor' : 'plans.use_plan')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </span>
    </Window>
  )
}

type PlannedGiven = { turns: readonly Activation[]; maps: readonly SiteMap[]; now: number }

/** The planned site maps, the next one first; a plan is cancelled by what is in use before it. */
export function PlannedMaps({ turns, maps, now }: PlannedGiven) {
  const here = useHere()
  const sending = useSend()
  const ahead = turns.filter(one => isAhead(one, now)).toReversed()
  const cancel = (one: Activation, name: string) =>
    void sending.send(async () => {
      const before = turns.find(({ to }) => to === one.from)
      await activateMap(here.site_id, before?.site_map_id ?? null, { accept_poor: false, from: one.from, seen: turns })
      toast(t('plans.planned_cancelled', { name }))
    })
  if (ahead.length === 0 && sending.fault === null) return null
  return (
    <section aria-label={t('plans.planned')} className="stack tight">
      <h4>{t('plans.planned')}</h4>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      <ul className="plain stack tight">
        {ahead.map(one => {
          const [name, time] = [nameIn(maps, one), stampOf(one.from, here.zone)]
          return (
            <li key={one.from} className="row spread">
              <p className="plan-name">
                <bdi>{name}</bdi> <span className="soft small">{t('plans.version_from', { time })}</span>
              </p>
              <Button
                look="quiet"
                disabled={sending.busy}
                aria-label={t('plans.planned_cancel_of', { name, time })}
                onClick={() => cancel(one, name)}
              >
                {t('plans.planned_cancel')}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Which site map was, is and will be in use when, newest first. */
export function UseHistory({ now, onClose }: { now: number; onClose(): void }) {
  const here = useHere()
  const turns = useActivations(here.site_id, true)
  const maps = useSiteMaps(here.site_id)
  const error = turns.error ?? maps.error
  const stateIn = (one: Activation): string | null =>
    isAhead(one, now) ? t('plans.history_planned') : one.to === null || Date.parse(one.to) > now ? t('plans.history_now') : null
  return (
    <Window side title={t('plans.history')} onClose={onClose}>
      {error !== null && (
        <FaultNote error={error} onRetry={() => void Promise.all([turns, maps].map(one => one.isError && one.refetch()))} />
      )}
      {error === null && (turns.isPending || maps.isPending) && <Skeleton rows={3} height={44} />}
      {turns.data?.length === 0 && <p className="soft">{t('plans.history_none')}</p>}
      {maps.data !== undefined && (
        <ol className="lines">
          {(turns.data ?? []).map(one => (
            <li key={one.from} className={stateIn(one) === null ? 'past' : ''}>
              <div className="grow stack tight">
                <span className="strong">
                  <bdi>{nameIn(maps.data, one)}</bdi>
                </span>
                <span className="small">
                  {[
                    stateIn(one),
                    one.to === null
                      ? t('plans.version_from', { time: stampOf(one.from, here.zone) })
                      : t('plans.version_span', { from: stampOf(one.from, here.zone), to: stampOf(one.to, here.zone) }),
                  ]
                    .filter(part => part !== null)
                    .join(' · ')}
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Window>
  )
}
