import { Suspense } from 'react'
import { usePlace } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Skeleton } from '../../../../base/kit/note.tsx'
import { part } from '../../../../base/part.tsx'
import { t } from '../../../../base/words.ts'
import type { Permit } from '../steps.ts'
import type { Conflict } from './conflicts.tsx'

const Compared = part(() => import('./compared.tsx'))

/** Opens a conflict with both permits side by side; the URL contains which one is open. */
export function Compare({ permit, conflict, name }: { permit: Permit; conflict: Conflict; name: string }) {
  const [place, setPlace] = usePlace()
  const isOpen = place.conflict === name
  const other = conflict.permit
  return (
    <div className="stack tight screen-only">
      <div className="row">
        <Button aria-expanded={isOpen} onClick={() => setPlace({ conflict: isOpen ? undefined : name })}>
          {other === null
            ? t('conflict.compare_hidden')
            : t('conflict.compare', { permit: other.permit_number ?? other.title ?? t('permit.untitled') })}
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <Compared {...{ permit, conflict }} />
        </Suspense>
      )}
    </div>
  )
}
