import { type ReactNode, Suspense } from 'react'
import { Go } from '../base/go.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { Empty } from '../base/kit/note.tsx'
import { Window } from '../base/kit/window.tsx'
import { part } from '../base/part.tsx'
import type { Capture } from '../base/room.ts'
import { useHere } from '../base/site.tsx'
import { t } from '../base/words.ts'
import { capturesOf } from './nav.ts'
import { rooms } from './rooms.ts'

/** The parts of rooms that need data, each loaded when the window is first opened. */
const PARTS = new Map(rooms.flatMap(room => room.captures ?? []).flatMap(one => ('load' in one ? [[one, part(one.load)] as const] : [])))

/** What a person can start from wherever they are, large enough for gloves. */
export default function CaptureWindow({ onClose }: { onClose(): void }) {
  const here = useHere()
  const captures = capturesOf(here)
  return (
    <Window title={t('capture.title')} onClose={onClose}>
      {captures.length === 0 && <Empty>{t('capture.nothing')}</Empty>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what is pressed are the links; this only closes behind them. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      <div
        className="captures"
        onClick={event => {
          if (event.target instanceof Element && event.target.closest('a') !== null) onClose()
        }}
      >
        {captures.map(capture => (
          <Start key={capture.label} capture={capture} site_id={here.site_id} />
        ))}
      </div>
    </Window>
  )
}

function Start({ capture, site_id }: { capture: Capture; site_id: string }): ReactNode {
  if ('to' in capture)
    return (
      <Go className="btn wide" to={capture.to(site_id)}>
        <Glyph name={capture.glyph} size={26} />
        {t(capture.label)}
      </Go>
    )
  const Part = PARTS.get(capture)
  return Part === undefined ? null : (
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  )
}
