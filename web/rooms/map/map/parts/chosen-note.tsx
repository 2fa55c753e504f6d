import { usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { useHere } from '../../../../base/site.tsx'
import type { Alert } from '../../../messages/alerts/door.tsx'
import type { CardPermit } from '../../../permits/permits/door.tsx'
import { AreaNote } from '../areas/area-note.tsx'
import type { Area } from '../areas/areas.ts'
import { targetOf } from '../areas/cuts.ts'
import type { Tool } from '../areas/tools.tsx'
import { WeekButton } from '../areas/week-button.tsx'
import { ClashNote } from '../clashes/clash-note.tsx'
import type { MapClash } from '../clashes/clashes.ts'
import type { Feature, Frame } from '../model.ts'
import { t } from '../says.ts'
import type { Poi, TextLabel } from '../signs.ts'
import type { Token } from '../tokens.ts'
import { AlertNote } from './alerts.tsx'
import { DeliveryNote } from './delivery-note.tsx'
import { FeatureNote, MarkNote } from './floating.tsx'
import { LabelNote } from './labels.tsx'
import { PointNote } from './points.tsx'
import { TokenNote } from './tokens.tsx'

type Given = {
  /** The permits behind the selected marker; null if no marker is selected. */
  behind: readonly CardPermit[] | null
  alert: Alert | undefined
  area: Area | undefined
  clash: MapClash | undefined
  point: Poi | undefined
  label: TextLabel | undefined
  token: Token | undefined
  feature: Feature | undefined
  permits: readonly CardPermit[]
  frame: Frame
  now: number
  /** Opens the form of a point, or the drawing of a feature; null for people who can't change them. */
  onPoint: ((point: Poi) => void) | null
  onLabel: ((label: TextLabel) => void) | null
  onToken: ((token: Exclude<Token, { token: 'delivery' }>) => void) | null
  onMove: ((token: Token) => void) | null
  onFeature: ((feature: Feature) => void) | null
  onTool: ((tool: Tool) => void) | null
  /** Opens a delivery in full. */
  onDelivery(id: string): void
  /** Selects something else. */
  onChoose(id: string): void
  onClose(): void
}

/** What is selected on the map: permits, a point, or a feature of the frame. */
export function ChosenNote({
  behind,
  alert,
  area,
  clash,
  point,
  label,
  token,
  feature,
  permits,
  frame,
  now,
  onPoint,
  onLabel,
  onToken,
  onMove,
  onFeature,
  onTool,
  onDelivery,
  onChoose,
  onClose,
}: Given) {
  const { site_id, zone, canChange } = useHere()
  const [{ at }] = usePlace()
  if (clash !== undefined) return <ClashNote {...{ clash, now, onChoose, onClose }} />
  if (behind !== null)
    return (
      <MarkNote
        permits={behind}
        {...{ site_id, zone, now, onClose }}
        onGang={onTool === null || !canChange('map_entity_edit') ? null : permit => onTool({ tool: 'seed', permit })}
      />
    )
  if (token?.token === 'delivery')
    return (
      <DeliveryNote
        id={token.id}
        name={token.name}
        onOpen={() => onDelivery(token.id)}
        onMove={onMove === null ? null : () => onMove(token)}
        onClose={onClose}
      />
    )
  if (alert !== undefined) return <AlertNote alert={alert} onClose={onClose} />
  if (token !== undefined)
    return (
      <TokenNote
        token={token}
        frame={frame}
        now={now}
        onEdit={onToken === null ? null : () => onToken(token)}
        onMove={onMove === null ? null : () => onMove(token)}
        onClose={onClose}
      />
    )
  if (point !== undefined)
    return <PointNote point={point} frame={frame} onEdit={onPoint === null ? null : () => onPoint(point)} onClose={onClose} />
  if (label !== undefined)
    return <LabelNote label={label} frame={frame} onEdit={onLabel === null ? null : () => onLabel(label)} onClose={onClose} />
  if (area !== undefined) return <AreaNote {...{ area, frame, permits, onClose }} onTool={onTool} />
  if (feature === undefined) return null
  return (
    <FeatureNote feature={feature} frame={frame} permits={permits} onClose={onClose}>
      <div className="row">
        {onFeature !== null && <Button onClick={() => onFeature(feature)}>{t('draw.edit')}</Button>}
        {onFeature !== null && onTool !== null && (
          <Button onClick={() => onTool({ tool: 'cut', target: targetOf(feature) })}>{t('cut.open')}</Button>
        )}
        {feature.kind !== 'area' && <WeekButton feature={feature} at={at === undefined ? now : Date.parse(at)} />}
      </div>
    </FeatureNote>
  )
}
