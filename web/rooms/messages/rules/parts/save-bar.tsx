import type { ReactNode } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { t } from '../says.ts'

type Given = {
  busy: boolean
  /** How much isn’t saved; null for something new, which can always be saved. */
  changes: number | null
  onDiscard(): void
  /** What is said or asked above the buttons. */
  children?: ReactNode
}

/** Saves what was changed, or discards it. It stays in sight while something isn’t saved. */
export function SaveBar({ busy, changes, onDiscard, children }: Given) {
  const unsaved = changes !== null && changes > 0
  return (
    <div className={`stack tight save-bar${unsaved ? ' unsaved' : ''}`}>
      {children}
      <div className="row">
        <Button look="primary" type="submit" disabled={busy || changes === 0}>
          {t('common.save')}
        </Button>
        {unsaved && <Button onClick={onDiscard}>{t('rules.discard')}</Button>}
        {changes !== null && (
          <span className="soft small" role="status">
            {unsaved && t('rules.unsaved', { n: changes })}
          </span>
        )}
      </div>
    </div>
  )
}
