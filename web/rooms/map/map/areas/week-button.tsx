import { Suspense, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { part } from '../../../../base/part.tsx'
import type { Feature } from '../model.ts'
import { t } from './says.ts'

const PlaceWeek = part(() => import('./place-week.tsx'))

/** Opens what is planned in a zone or a building in the week that the map shows. */
export function WeekButton({ feature, at }: { feature: Feature; at: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('week.open')}</Button>
      {open && (
        <Suspense fallback={null}>
          <PlaceWeek feature={feature} at={at} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
