// What is about to happen on the map, asked below it: nothing is saved before the person confirms it.
import { useEffect, useRef } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { t } from '../says.ts'

/** Room between what is moved and the question below it. */
const ROOM_PX = 24

type Given = {
  /** What would be saved; null if nothing would. */
  open: object | null
  save(): Promise<void>
  onBack(): void
}

/** The question, the keys that answer it, and a reference for the handle that it must not cover. */
export function useQuestion({ open, save, onBack }: Given) {
  const sending = useSend()
  // On a phone the question is over the lower edge of the screen: the page moves on, so that it doesn’t hide what is being moved.
  const bar = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const back = () => {
    sending.clear()
    onBack()
  }
  useEffect(() => {
    if (open === null || bar.current === null || button.current === null) return
    const [own, over] = [button.current.getBoundingClientRect(), bar.current.getBoundingClientRect()]
    if (own.bottom > over.top) window.scrollBy({ top: own.bottom - over.top + ROOM_PX })
  }, [open])
  return {
    button,
    press(key: string): boolean {
      if (open === null || (key !== 'Escape' && key !== 'Enter')) return false
      if (key === 'Escape') back()
      else void sending.send(save)
      return true
    },
    question: (says: string, take: string) =>
      open !== null && (
        <div ref={bar} className="move-bar" data-unsaved role="status">
          <p className="strong">{says}</p>
          {sending.fault !== null && <FaultNote error={sending.fault} />}
          <div className="row">
            <Button look="primary" disabled={sending.busy} onClick={() => void sending.send(save)}>
              <Glyph name="pin" size={16} />
              {take}
            </Button>
            <Button disabled={sending.busy} onClick={back}>
              {t('token.put_back')}
            </Button>
          </div>
        </div>
      ),
  }
}
