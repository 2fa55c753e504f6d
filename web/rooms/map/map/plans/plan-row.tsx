// A line of the list of plans: its state, and how strong the map shows it.
import { type ReactNode, useId } from 'react'
import { useJob } from '../../../../base/job.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { Progress } from '../../../../base/kit/progress.tsx'
import { useSend } from '../../../../base/send.ts'
import { seenAs } from './plan-list.ts'
import { type FloorPlan, isBusy, redraw, type SiteMap } from './plans-data.ts'
import { choose, useSeen } from './prefs.ts'
import { t, tOf } from './says.ts'

type Either = SiteMap | FloorPlan

/** Returns the state of a plan in words. */
export function stateOf(plan: Either): string {
  if (isBusy(plan)) return tOf('plan_state', plan.status === 'ready' ? 'tiling' : plan.status)
  // It is calibrated; only its tiles are missing.
  if (plan.status === 'needs_calibration' && (plan.outdated || plan.permissions.redraw?.allowed === true)) return t('plans.tiles_missing')
  if (plan.status !== 'ready') return tOf('plan_state', plan.status)
  if ('captured_on' in plan) {
    const { calibration } = plan
    if (calibration?.model === 'embedded') return t('plans.own_tags')
    return calibration === null || calibration.quality === 'unchecked' ? t('plans.unchecked') : accuracy(calibration.rmse_m)
  }
  const { placement } = plan
  if (placement?.approximate === true) return t('plans.approximate')
  return placement?.rmse_m == null || placement.quality === 'unchecked' ? t('plans.unchecked') : accuracy(placement.rmse_m)
}

const accuracy = (rmse_m: number): string => t('plans.accurate', { n: Math.max(0.01, Math.round(rmse_m * 100) / 100) })

/** Says to everyone that the map shows a plan as it was before; null if it shows it as it is. */
export const olderOf = (plan: Either): string[] => (plan.outdated && plan.content_version > 0 ? [t('plans.older')] : [])

/** How far the work on a plan is, or why it failed or was stopped, with the way to start it again. */
export function PlanState({ plan }: { plan: Either }) {
  const busy = isBusy(plan)
  const sending = useSend()
  const job = useJob(busy ? plan.job_id : null)
  if (plan.status === 'failed' || (!busy && plan.status_reason !== null))
    return (
      <Note kind="warn" title={<bdi>{plan.name}</bdi>}>
        <p>{plan.status_reason}</p>
        {sending.fault !== null && <FaultNote error={sending.fault} />}
        {plan.permissions.redraw?.allowed === true && (
          <Button aria-busy={sending.busy} onClick={() => void sending.send(() => redraw(plan))}>
            {t('plans.redraw')}
          </Button>
        )}
      </Note>
    )
  if (!busy) return null
  const label = job.data?.message ?? stateOf(plan)
  return job.data == null ? (
    <p className="soft small" role="status">
      {stateOf(plan)}
    </p>
  ) : (
    <Progress value={job.data.progress} label={label} />
  )
}

type Given = {
  /** By what the device remembers how the plan is seen. */
  device_key: string
  name: string
  /** How strong it is, unless the person chose otherwise. */
  opacity?: number
  hint: ReactNode
  /** Whether the map shows it now, if it isn't hidden. */
  drawn: boolean
  /** What can be done with it. */
  menu: ReactNode
  /** What it waits for. */
  children?: ReactNode
}

/** A plan, with its strength on this device. */
export function PlanRow({ device_key, name, opacity, hint, drawn, menu, children }: Given) {
  const seen = seenAs(useSeen()[device_key], opacity)
  return (
    <li className="stack tight plan-row">
      <div className="row spread">
        {drawn ? (
          <Tick
            checked={seen.shown}
            aria-label={t('plans.show', { name })}
            onChange={event => choose(device_key, { shown: event.target.checked })}
            label={<bdi>{name}</bdi>}
            hint={hint}
          />
        ) : (
          <p className="plan-name">
            <bdi>{name}</bdi> <span className="soft small">{hint}</span>
          </p>
        )}
        {menu}
      </div>
      {children}
      {drawn && seen.shown && <OpacityRow name={name} opacity={seen.opacity} onOpacity={opacity => choose(device_key, { opacity })} />}
    </li>
  )
}

/** How strong a plan is shown, from 0 to 1. */
export function OpacityRow({ name, opacity, onOpacity }: { name: string; opacity: number; onOpacity(opacity: number): void }) {
  const id = useId()
  const percent = Math.round(opacity * 100)
  return (
    <div className="row plan-opacity">
      <label className="unseen" htmlFor={id}>
        {t('plans.opacity', { name })}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={5}
        value={percent}
        aria-valuetext={`${percent}%`}
        onChange={event => onOpacity(Number(event.target.value) / 100)}
      />
      <span className="mono small" aria-hidden>
        {percent}%
      </span>
    </div>
  )
}
