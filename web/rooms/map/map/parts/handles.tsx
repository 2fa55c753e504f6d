import type { Map as MapLibre } from 'maplibre-gl'
import type { useDragged } from '../dragged.ts'
import type { Frame } from '../model.ts'
import { isAtPoint } from '../moving.ts'
import { LabelHandles } from './label-handles.tsx'
import { MoveHandle } from './move-handle.tsx'

/** The handles of what is selected, for people who can move it. */
export function Handles({ map, frame, held }: { map: MapLibre; frame: Frame; held: ReturnType<typeof useDragged> }) {
  const { token, label, canMove, canWrite, draft, setDraft, clock } = held
  if (token !== undefined && canMove && isAtPoint(token))
    return (
      <MoveHandle
        key={token.id}
        {...{ map, token, frame }}
        now={clock}
        to={draft?.to ?? null}
        onTo={to => setDraft(to === null ? null : { id: token.id, to, turn: null })}
      />
    )
  if (label !== undefined && canWrite) return <LabelHandles key={label.id} {...{ map, label, frame, draft }} onDraft={setDraft} />
  return null
}
