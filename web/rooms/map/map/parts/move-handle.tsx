// Moving something on the map: nothing is saved before the person confirms it.
import type { Map as MapLibre } from 'maplibre-gl'
import { toast } from '../../../../base/kit/note.tsx'
import type { Frame, Spot } from '../model.ts'
import { metresMoved, placeAt } from '../moving.ts'
import { moveToken, saidMoved } from '../moving-data.ts'
import { t } from '../says.ts'
import { type Token, tokenSpot } from '../tokens.ts'
import { DragHandle } from './drag-handle.tsx'
import { useQuestion } from './question.tsx'

type Given = {
  map: MapLibre
  token: Token
  frame: Frame
  now: number
  /** Where it was dragged to; null before that. */
  to: Spot | null
  onTo(to: Spot | null): void
}

/** The handle, and below the map what is about to happen. */
export function MoveHandle({ map, token, frame, now, to, onTo }: Given) {
  const from = tokenSpot(token)
  const { button, press, question } = useQuestion({
    open: to,
    async save() {
      if (to === null) return
      await moveToken(token, placeAt(token, to, frame), now)
      toast(saidMoved(token, now))
      onTo(null)
    },
    onBack: () => onTo(null),
  })
  if (from === null) return null
  return (
    <>
      <DragHandle map={map} at={to ?? from} label={t('token.handle', { name: token.name })} onMove={onTo} onKey={press} button={button} />
      {to !== null && question(t('token.move_by', { name: token.name, n: metresMoved(token, to) }), t('token.move_here'))}
    </>
  )
}
