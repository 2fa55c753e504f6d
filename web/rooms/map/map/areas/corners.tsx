// How an outline is drawn: by tapping, at the cross in the middle of the map with one hand or by keyboard, or as typed coordinates.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { TextArea, Tick } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import type { Ground } from '../model.ts'
import { cornersOf, groundOfCorners, hasHoles } from '../sketching.ts'
import { t } from './says.ts'
import type { Outline } from './use-outline.ts'

/** Whether corners and edges attract what is drawn. */
export const SnapTick = ({ snaps, onSnaps }: Pick<Outline, 'snaps' | 'onSnaps'>) => (
  <Tick label={t('snap.on')} hint={t('snap.hint')} checked={snaps} onChange={event => onSnaps(event.target.checked)} />
)

/** What can be done while corners are set, where a thumb reaches it. */
export function CrossBar({
  corners,
  add,
  drop,
  close,
  children,
}: Pick<Outline, 'corners' | 'add' | 'drop'> & { close: (() => void) | null; children?: ReactNode }) {
  return (
    <div className="trace-bar row">
      {children}
      <Button onClick={add}>{t(close === null ? 'trace.add_point' : 'trace.add')}</Button>
      {corners > 0 && <Button onClick={drop}>{t('trace.drop')}</Button>}
      {close !== null && corners >= 3 && (
        <Button look="primary" onClick={close}>
          {t('trace.close')}
        </Button>
      )}
    </div>
  )
}

type Given = {
  /** The outline before the panel opened; null for a new one. */
  before: Ground | null
  ground: Ground | null
  outline: Outline
}

/** How an outline is drawn, drawn again, and typed. */
export function OutlineFields({ before, ground, outline }: Given) {
  // What is typed is shown until the outline changes in another way.
  const [entry, setEntry] = useState<{ text: string; of: Ground | null } | null>(null)
  const typed = entry !== null && entry.of === ground ? entry.text : null
  const bad = typed === null ? null : groundOfCorners(typed)
  const { corners } = outline
  return (
    <>
      <p className="small">{t(ground === null ? 'draw.how' : 'draw.pull')}</p>
      {ground === null && (
        <>
          <p className="small soft">{t('trace.how')}</p>
          <p className="unseen" role="status">
            {corners === 0 ? '' : t('trace.corners', { n: corners })}
          </p>
          <CrossBar {...outline} />
        </>
      )}
      <SnapTick {...outline} />
      {before !== null && hasHoles(before) && <Note kind="warn">{t('draw.holes')}</Note>}
      {ground !== null && <Button onClick={() => outline.put(null)}>{t('draw.redraw')}</Button>}
      <details>
        <summary>{t('draw.corners')}</summary>
        <TextArea
          label={t('draw.corners')}
          hint={t('draw.corners_hint')}
          rows={5}
          className="input mono"
          value={typed ?? cornersOf(ground)}
          fault={typeof bad === 'string' ? t('draw.no_corner', { line: bad }) : undefined}
          onChange={event => {
            const text = event.target.value
            const found = groundOfCorners(text)
            const next = found === null || typeof found === 'string' ? ground : found
            setEntry({ text, of: next })
            if (next !== ground) outline.put(next)
          }}
        />
      </details>
    </>
  )
}
