import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { t } from '../says.ts'
import { useEscape } from './escape.ts'

const Work = createContext<(unsaved: boolean) => void>(() => undefined)

/** Reports whether a panel has work in it that isn't saved. What is typed counts by itself; what is drawn is reported by what draws it. */
export const useUnsaved = (): ((unsaved: boolean) => void) => useContext(Work)

/**
 * The panel of what was begun on the map. Its heading gets the focus, or all of it if it has none: the button that opened it is removed, and in the order of
 * the page the panel comes after the map. A window has a focus of its own. Escape leaves the panel, and asks first if something would be lost.
 */
export function Begun({ onLeave, children }: { onLeave(): void; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const unsaved = useRef(false)
  const [report] = useState(() => (now: boolean) => {
    unsaved.current = now
  })
  const [asking, setAsking] = useState(false)
  useEscape(place, () => (unsaved.current ? setAsking(true) : onLeave()))
  useEffect(() => {
    const head = place.current?.querySelector('h2') ?? place.current?.firstElementChild
    if (!(head instanceof HTMLElement) || head.closest('dialog') !== null) return
    head.tabIndex = -1
    head.focus({ preventScroll: true })
  }, [])
  return (
    <div
      ref={place}
      className="map-begun"
      onInput={({ target }) => {
        if (target instanceof Element && target.closest('dialog') === null) report(true)
      }}
    >
      <Work value={report}>{children}</Work>
      {asking && (
        <Window title={t('leave.title')} onClose={() => setAsking(false)}>
          <p>{t('leave.says')}</p>
          <div className="row">
            <Button look="primary" data-first onClick={() => setAsking(false)}>
              {t('leave.stay')}
            </Button>
            <Button look="danger" onClick={onLeave}>
              {t('leave.go')}
            </Button>
          </div>
        </Window>
      )}
    </div>
  )
}
