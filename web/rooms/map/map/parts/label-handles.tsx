// Moving and turning words on the map: one handle around their place, and one above them. Nothing is saved before the person confirms it.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useReducer, useState } from 'react'
import { lonLat, metresBetween } from '../../../../../shared/geometry/plane.ts'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast } from '../../../../base/kit/note.tsx'
import { labelName } from '../labels.ts'
import { changeLabel } from '../labels-data.ts'
import { type Frame, type Spot, spotIn } from '../model.ts'
import { type Draft, placeAt } from '../moving.ts'
import { t } from '../says.ts'
import type { TextLabel } from '../signs.ts'
import { handleAt, turnedBy, turnTo, wholeTurn } from '../turning.ts'
import { DragHandle } from './drag-handle.tsx'
import { useQuestion } from './question.tsx'

type Given = {
  map: MapLibre
  label: TextLabel
  frame: Frame
  /** What would be saved; null before anything was moved or turned. */
  draft: Draft | null
  onDraft(draft: Draft | null): void
}

/** The handles of a label, and below the map what is about to happen. */
export function LabelHandles({ map, label, frame, draft, onDraft }: Given) {
  const [dragging, setDragging] = useState(false)
  const [, drawAgain] = useReducer((n: number) => n + 1, 0)
  // The distance between the two handles is in pixels, so one of them has another position at each zoom.
  useEffect(() => {
    map.on('move', drawAgain)
    return () => void map.off('move', drawAgain)
  }, [map])
  const from = spotIn(label.place.point)
  const [to, turn] = [draft?.to ?? null, draft?.turn ?? null]
  const { button, press, question } = useQuestion({
    open: dragging ? null : draft,
    async save() {
      await changeLabel(label, {
        ...(to === null ? {} : { place: placeAt(label, to, frame) }),
        ...(turn === null ? {} : { rotation_deg: turn }),
      })
      toast(t('common.saved'))
      onDraft(null)
    },
    onBack: () => onDraft(null),
  })
  if (from === null) return null
  const at = to ?? from
  const degrees = wholeTurn(turn ?? label.rotation_deg)
  const name = labelName(label)
  const middle = map.project([at[0], at[1]])
  const above = handleAt(middle, degrees)
  const { lng, lat } = map.unproject([above.x, above.y])
  const change = (part: Partial<Draft>, over = true) => {
    setDragging(!over)
    const next = { id: label.id, to, turn, ...part }
    onDraft(next.to === null && (next.turn === null || next.turn === label.rotation_deg) ? null : next)
  }
  const pull = (spot: Spot, over: boolean) => change({ turn: turnTo(middle, map.project([spot[0], spot[1]])) }, over)
  const says = (): string => {
    const n = to === null ? 0 : Math.round(metresBetween(lonLat(from), lonLat(to)))
    if (turn === null || turn === label.rotation_deg) return t('token.move_by', { name, n })
    return to === null ? t('label.turn_to', { name, angle: turn }) : t('label.move_and_turn', { name, n, angle: turn })
  }
  return (
    <>
      <DragHandle
        map={map}
        at={at}
        label={t('token.handle', { name })}
        onMove={next => change({ to: next })}
        onDrag={next => change({ to: next }, false)}
        onKey={press}
        button={button}
      />
      <DragHandle
        map={map}
        at={[lng, lat]}
        label={t('label.turn', { name, n: degrees })}
        onMove={spot => pull(spot, true)}
        onDrag={spot => pull(spot, false)}
        onKey={(key, leap) => {
          const next = turnedBy(degrees, key, leap)
          if (next !== null) change({ turn: next })
          return next !== null || press(key)
        }}
        hint={t('label.turn_hint')}
        tool={{ look: 'turn-handle', face: <Glyph name="turn" size={20} /> }}
      />
      {question(says(), t('common.save'))}
    </>
  )
}
