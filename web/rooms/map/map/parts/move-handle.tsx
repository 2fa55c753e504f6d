// The handle around something on the map that the person can move: dragged with a finger or the mouse, or moved with the arrow keys. Nothing is saved before they confirm it.
import { type Map as MapLibre, Marker } from 'maplibre-gl'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { t } from '../../../../base/words.ts'
import type { Frame, Spot } from '../model.ts'
import { metresMoved, placeAt, stepped } from '../moving.ts'
import { moveToken, saidMoved } from '../moving-data.ts'
import { type Token, tokenSpot } from '../tokens.ts'

const STEP_M = 1
const LEAP_M = 10
/** Room between what is moved and the question below it. */
const ROOM_PX = 24
/** Direction of each arrow key: east and north. */
const WAYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

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
  const [host] = useState(() => document.createElement('div'))
  const [marker] = useState(() => new Marker({ element: host, draggable: true }))
  const sending = useSend()
  const from = tokenSpot(token)
  const [lon, lat] = to ?? from ?? []
  useEffect(() => {
    const dropped = () => {
      const { lng, lat: north } = marker.getLngLat()
      onTo([lng, north])
    }
    marker.on('dragend', dropped)
    return () => void marker.off('dragend', dropped)
  }, [marker, onTo])
  useEffect(() => {
    if (lon !== undefined && lat !== undefined) marker.setLngLat([lon, lat])
  }, [marker, lon, lat])
  // Adding it again would take the focus from it, so that only one press of a key would count.
  useEffect(() => {
    marker.addTo(map)
    return () => void marker.remove()
  }, [map, marker])
  // On a phone the question is over the lower edge of the screen: the page moves on, so that it doesn’t hide what is being moved.
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (to === null || bar.current === null) return
    const [own, over] = [host.getBoundingClientRect(), bar.current.getBoundingClientRect()]
    if (own.bottom > over.top) window.scrollBy({ top: own.bottom - over.top + ROOM_PX })
  }, [host, to])
  if (from === null) return null
  const save = async () => {
    if (to === null) return
    await moveToken(token, placeAt(token, to, frame))
    toast(saidMoved(token))
    onTo(null)
  }
  const press = (event: KeyboardEvent) => {
    const way = WAYS[event.key]
    if (way === undefined) {
      if (event.key === 'Escape' && to !== null) onTo(null)
      else if (event.key === 'Enter' && to !== null) sending.send(save)
      else return
    } else {
      const metres = event.shiftKey ? LEAP_M : STEP_M
      onTo(stepped(to ?? from, way[0] * metres, way[1] * metres))
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      {createPortal(
        <button
          type="button"
          className="move-handle"
          aria-label={t('token.handle', { name: token.name })}
          title={t('token.handle_hint')}
          onKeyDown={press}
        />,
        host,
      )}
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
