// Moving something on the map: nothing is saved before the person confirms it.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import type { Frame, Spot } from '../model.ts'
import { metresMoved, placeAt } from '../moving.ts'
import { moveToken, saidMoved } from '../moving-data.ts'
import { t } from '../says.ts'
import { type Token, tokenSpot } from '../tokens.ts'
import { DragHandle } from './drag-handle.tsx'

/** Room between what is moved and the question below it. */
const ROOM_PX = 24
type Given = {
  map: MapLibre
  token: Token
  frame: Frame
  /** Where it was dragged to; null before that. */
  to: Spot | null
  onTo(to: Spot | null): void
}

/** The handle, and below the map what is about to happen. */
export function MoveHandle({ map, token, frame, to, onTo }: Given) {
  const sending = useSend()
  const from = tokenSpot(token)
  // On a phone the question is over the lower edge of the screen: the page moves on, so that it doesn’t hide what is being moved.
  const bar = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (to === null || bar.current === null || button.current === null) return
    const [own, over] = [button.current.getBoundingClientRect(), bar.current.getBoundingClientRect()]
    if (own.bottom > over.top) window.scrollBy({ top: own.bottom - over.top + ROOM_PX })
  }, [to])
  if (from === null) return null
  const save = async () => {
    if (to === null) return
    await moveToken(token, placeAt(token, to, frame))
    toast(saidMoved(token))
    onTo(null)
  }
  const press = (key: string): boolean => {
    if (to === null || (key !== 'Escape' && key !== 'Enter')) return false
    if (key === 'Escape') onTo(null)
    else sending.send(save)
    return true
  }
  return (
    <>
      <DragHandle map={map} at={to ?? from} label={t('token.handle', { name: token.name })} onMove={onTo} onKey={press} button={button} />
      {to !== null && (
        <div ref={bar} className="move-bar" role="status">
          <p className="strong">{t('token.move_by', { name: token.name, n: metresMoved(token, to) })}</p>
          {sending.fault !== null && <FaultNote error={sending.fault} />}
          <div className="row">
            <Button look="primary" disabled={sending.busy} onClick={() => sending.send(save)}>
              <Glyph name="pin" size={16} />
              {t('token.move_here')}
            </Button>
            <Button disabled={sending.busy} onClick={() => onTo(null)}>
              {t('token.put_back')}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
