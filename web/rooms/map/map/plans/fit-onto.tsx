import { useState } from 'react'
import { Button, FlagButton } from '../../../../base/kit/button.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import type { Sending } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useFrameAt } from '../data.ts'
import type { FloorPlan } from './plans-data.ts'
import { t } from './says.ts'

type Given = { plan: FloorPlan; sending: Sending; onFit(): void }

/** Puts a plan roughly onto the outline of its building, zone or area, in one press. It asks first if this would replace a placement that isn't rough. */
export function FitOnto({ plan, sending, onFit }: Given) {
  const here = useHere()
  const { frame } = useFrameAt(here.site_id, null)
  const [asked, setAsked] = useState(false)
  const feature = frame.get(plan.feature_id)
  if (feature === undefined) return null
  const replaces = plan.placement !== null && !plan.placement.approximate
  return (
    <div className="stack tight">
      <div className="row">
        <FlagButton flag={plan.permissions.place} disabled={sending.busy} onClick={() => (replaces ? setAsked(true) : onFit())}>
          {t('fit.onto', { name: feature.name })}
        </FlagButton>
        <span className="soft small grow">{t('fit.rough')}</span>
      </div>
      {asked && (
        <Note kind="warn" title={t('fit.sure', { name: plan.name })}>
          <span className="row">
            <Button look="primary" disabled={sending.busy} onClick={onFit}>
              {t('fit.replace')}
            </Button>
            <Button onClick={() => setAsked(false)}>{t('common.cancel')}</Button>
          </span>
        </Note>
      )}
    </div>
  )
}
