// The corners of a drawn outline as text, for people who draw without a pointer and for coordinates from a drawing.
import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { TextArea } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { t } from '../../../../base/words.ts'
import type { Ground } from '../model.ts'
import { cornersOf, groundOfCorners, hasHoles } from '../sketching.ts'

type Given = {
  /** The outline before the panel opened; null for a new one. */
  before: Ground | null
  ground: Ground | null
  /** Sets the outline, and shows it on the map. */
  onPut(ground: Ground | null): void
}

/** How an outline is drawn, drawn again, and typed. */
export function OutlineFields({ before, ground, onPut }: Given) {
  const [typed, setTyped] = useState<string | null>(null)
  const bad = typed === null ? null : groundOfCorners(typed)
  return (
    <>
      <p className="small">{t(ground === null ? 'draw.how' : 'draw.pull')}</p>
      {before !== null && hasHoles(before) && <Note kind="warn">{t('draw.holes')}</Note>}
      {ground !== null && (
        <Button
          onClick={() => {
            setTyped(null)
            onPut(null)
          }}
        >
          {t('draw.redraw')}
        </Button>
      )}
      <details>
        <summary>{t('draw.corners')}</summary>
        <TextArea
          label={t('draw.corners')}
          hint={t('draw.corners_hint')}
          rows={5}
          className="input mono"
          value={typed ?? cornersOf(ground)}
          fault={typeof bad === 'string' ? t('draw.no_corner', { line: bad }) : undefined}
          onBlur={() => typeof bad !== 'string' && setTyped(null)}
          onChange={event => {
            const text = event.target.value
            setTyped(text)
            const found = groundOfCorners(text)
            if (found !== null && typeof found !== 'string') onPut(found)
          }}
        />
      </details>
    </>
  )
}
