import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { stampOf } from '../../../../base/time.ts'
import { Compare, isReadable } from './compare.tsx'
import { type Level, levelName } from './plan-list.ts'
import { stateOf } from './plan-row.tsx'
import { type FloorPlan, removePlan } from './plans-data.ts'
import { t } from './says.ts'

type Given = { level: Level; zone: string; onClose(): void }

/** Every version of the plan of a level, newest first. */
export function Versions({ level, zone, onClose }: Given) {
  const here = useHere()
  const sending = useSend()
  const [asked, setAsked] = useState<FloorPlan | null>(null)
  const [compared, setCompared] = useState<string | null>(null)
  const { feature, level_index, current } = level
  const place = [feature.name, levelName(feature, level_index)].filter(one => one !== null).join(', ')
  /** The version before one, as far as both can be seen; null if there is none. */
  const earlierOf = (plan: FloorPlan): FloorPlan | null =>
    isReadable(plan) ? (level.versions.slice(level.versions.indexOf(plan) + 1).find(isReadable) ?? null) : null
  /** The active version ends and stays in the list; any other goes. */
  const ends = (plan: FloorPlan) => plan.id === current.id && plan.status !== 'failed'
  const remove = (plan: FloorPlan) =>
    void sending.send(async () => {
      await removePlan(plan.id)
      toast(t(ends(plan) ? 'plans.ended' : 'plans.removed', { name: plan.name }))
      setAsked(null)
      if (level.versions.length === 1) onClose()
    })
  return (
    <Window side title={t('plans.versions_of', { name: place })} onClose={onClose}>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      <ol className="lines">
        {level.versions.map(plan => {
          const before = earlierOf(plan)
          return (
            <li key={plan.id} className={plan.end_at !== null && plan.id !== current.id ? 'past' : ''}>
              <div className="grow stack tight">
                <span className="strong">
                  <bdi>{plan.name}</bdi>
                </span>
                <span className="soft small">
                  {[
                    plan.drawing_number,
                    plan.revision === null ? null : t('plans.revision', { revision: plan.revision }),
                    plan.suitability,
                    stateOf(plan),
                  ]
                    .filter(one => one !== null)
                    .join(' · ')}
                </span>
                <span className="small">
                  {plan.end_at === null
                    ? t('plans.version_from', { time: stampOf(plan.start_at, zone) })
                    : t('plans.version_span', { from: stampOf(plan.start_at, zone), to: stampOf(plan.end_at, zone) })}
                </span>
                {plan.status_reason !== null && <span className="small">{plan.status_reason}</span>}
                {before !== null &&
                  (compared === plan.id ? (
                    <Compare before={before} after={plan} onClose={() => setCompared(null)} />
                  ) : (
                    <Button look="quiet" onClick={() => setCompared(plan.id)}>
                      {t('plans.compare')}
                    </Button>
                  ))}
                {asked?.id === plan.id && (
                  <Note kind="warn" title={t(ends(plan) ? 'plans.end_sure' : 'plans.remove_sure', { name: plan.name })}>
                    <span className="row">
                      <Button look="danger" disabled={sending.busy} onClick={() => remove(plan)}>
                        {t(ends(plan) ? 'plans.end' : 'plans.remove')}
                      </Button>
                      <Button onClick={() => setAsked(null)}>{t('common.cancel')}</Button>
                    </span>
                  </Note>
                )}
              </div>
              {here.canChange('floor_plan_edit') && asked?.id !== plan.id && (plan.end_at === null || plan.status === 'failed') && (
                <Button look="quiet" onClick={() => setAsked(plan)}>
                  {t(ends(plan) ? 'plans.end' : 'plans.remove')}
                </Button>
              )}
            </li>
          )
        })}
      </ol>
    </Window>
  )
}
