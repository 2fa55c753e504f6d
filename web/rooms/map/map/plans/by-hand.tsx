// Placing a floor plan by hand: its picture over the outline of its building, zone or area, dragged, turned and scaled.
import { useMemo, useState } from 'react'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { NumberField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, Skeleton } from '../../../../base/kit/note.tsx'
import type { Sending } from '../../../../base/send.ts'
import { groundOfPixels, type Lying, lyingOf, placementOf, scaledBy, turnedBy, turnSaid } from './hand.ts'
import { GROW, HandOnMap, TURN } from './hand-on-map.tsx'
import { MapView } from './map-view.tsx'
import { matrixIn } from './matrices.ts'
import { OpacityRow } from './plan-row.tsx'
import { type FloorPlan, useFitted, usePicture } from './plans-data.ts'
import { SaveRow } from './save-row.tsx'
import { t } from './says.ts'

type Given = {
  plan: FloorPlan
  size: Size
  sending: Sending
  /** How the person has moved it; null: not at all. */
  moved: Lying | null
  onMove(moved: Lying | null): void
  /** Saves a placement. */
  onSave(body: ReturnType<typeof placementOf>): void
}

/** The page's part in which a plan is placed by hand. It begins where the plan lies, or on the outline. */
export function ByHand({ plan, size, sending, moved, onMove, onSave }: Given) {
  const fitted = useFitted(plan.id, plan.placement === null)
  const placement = plan.placement ?? fitted.data ?? null
  const { width, height } = size
  const whole = useMemo(() => ({ width, height }), [width, height])
  const sheet = useMemo(() => matrixIn(plan.sheet_matrix), [plan.sheet_matrix])
  const start = useMemo(
    () => (placement === null ? null : lyingOf(whole, { ...placement, matrix: matrixIn(placement.matrix) }, sheet)),
    [placement, whole, sheet],
  )
  const [opacity, setOpacity] = useState(0.6)
  const lying = moved ?? start
  const lies = useMemo(() => (lying === null ? null : groundOfPixels(whole, lying)), [whole, lying])
  const path = `/floor-plans/${plan.id}/image`
  const picture = usePicture(path)
  if (fitted.error !== null && placement === null) return <FaultNote error={fitted.error} onRetry={() => void fitted.refetch()} />
  if (lying === null) return <Skeleton rows={1} height={420} />
  return (
    <>
      <p className="strong">{t('hand.how')}</p>
      {picture.error !== null && <FaultNote error={picture.error} onRetry={() => void picture.refetch()} />}
      <div className="hand-panes">
        <section aria-label={t('pair.map')}>
          <MapView
            site_map_id={null}
            feature_id={plan.feature_id}
            picture={path}
            size={whole}
            lies={lies}
            ink={plan.source_kind === 'dxf'}
            opacity={opacity}
            guide
          >
            {map => <HandOnMap {...{ map, lying }} size={whole} onChange={onMove} />}
          </MapView>
        </section>
        <div className="stack">
          <HandFields {...{ plan, lying }} size={whole} onChange={onMove} />
          <div className="stack tight">
            <span aria-hidden>{t('hand.opacity')}</span>
            <OpacityRow name={plan.name} opacity={opacity} onOpacity={setOpacity} />
          </div>
          <Note kind="warn">{t(plan.placement?.rmse_m == null ? 'hand.unchecked' : 'hand.replaces')}</Note>
          <SaveRow
            sending={sending}
            flag={plan.permissions.place}
            onSave={() => onSave(placementOf(whole, lying, { sheet, pixel_m: plan.pixel_m }))}
          >
            <Button disabled={moved === null} onClick={() => onMove(null)}>
              {t('hand.reset')}
            </Button>
          </SaveRow>
        </div>
      </div>
    </>
  )
}

type FieldsGiven = { plan: FloorPlan; size: Size; lying: Lying; onChange(lying: Lying): void }

/** The turn and the size of a plan in numbers, and buttons for small steps. */
function HandFields({ plan, size, lying, onChange }: FieldsGiven) {
  const drawn = plan.source_kind === 'pdf' && plan.pixel_m < 1
  const width_m = size.width * lying.pixel_m
  return (
    <>
      <div className="row">
        <Button onClick={() => onChange(turnedBy(lying, -TURN[0]))}>{t('hand.left')}</Button>
        <Button onClick={() => onChange(turnedBy(lying, TURN[0]))}>{t('hand.right')}</Button>
        <Button onClick={() => onChange(turnedBy(lying, 90))}>{t('hand.quarter')}</Button>
      </div>
      <div className="row">
        <Button onClick={() => onChange(scaledBy(lying, 1 / GROW[0]))}>{t('hand.smaller')}</Button>
        <Button onClick={() => onChange(scaledBy(lying, GROW[0]))}>{t('hand.larger')}</Button>
      </div>
      <Settled label={t('hand.turned')} value={turnSaid(lying)} places={2} onValue={turn => onChange(turnedBy(lying, turn - lying.turn))} />
      <Settled
        label={t('hand.width')}
        value={width_m}
        places={3}
        onValue={metres => metres > 0 && onChange(scaledBy(lying, metres / width_m))}
      />
      {drawn && (
        <Settled
          label={t('hand.scale_of')}
          value={lying.pixel_m / plan.pixel_m}
          places={1}
          onValue={scale => scale > 0 && onChange(scaledBy(lying, (scale * plan.pixel_m) / lying.pixel_m))}
        />
      )}
      {plan.source_kind === 'dxf' && (
        <Button onClick={() => onChange(scaledBy(lying, plan.pixel_m / lying.pixel_m))}>{t('hand.own_units')}</Button>
      )}
    </>
  )
}

type SettledGiven = { label: string; value: number; places: number; onValue(value: number): void }

/** A number that counts once the person leaves the field, or presses Enter. */
function Settled({ label, value, places, onValue }: SettledGiven) {
  const said = String(Number(value.toFixed(places)))
  const [typed, setTyped] = useState<string | null>(null)
  const take = () => {
    setTyped(null)
    const next = Number(typed)
    if (typed !== null && typed.trim() !== '' && typed !== said && Number.isFinite(next)) onValue(next)
  }
  return (
    <NumberField
      label={label}
      value={typed ?? said}
      onChange={event => setTyped(event.target.value)}
      onBlur={take}
      onKeyDown={event => event.key === 'Enter' && take()}
    />
  )
}
