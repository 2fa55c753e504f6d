// Long lists next to the map: what is read at a glance first, and the rest on request.
import { type ReactNode, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { t } from '../says.ts'

/** As many rows as are read at a glance; the others are one tap away. */
const FIRST = 12
/** As many as a phone can add at once without a pause. */
const MORE = 200

/** Returns the rows that are shown, and the button for more of them. */
export function useMore<T>(rows: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [most, setMost] = useState(FIRST)
  const left = rows.length - most
  return {
    shown: rows.slice(0, most),
    more: left > 0 && (
      <Button look="quiet" onClick={() => setMost(most + MORE)}>
        {t('token.more', { n: Math.min(MORE, left) })}
      </Button>
    ),
  }
}
