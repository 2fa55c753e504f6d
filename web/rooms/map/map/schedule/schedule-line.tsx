// What the panel of something on the map says about its schedule, with the button that opens it.
import { Suspense, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { part } from '../../../../base/part.tsx'
import { t } from '../says.ts'
import type { ScheduledKind } from './schedules.ts'

const ScheduleWindow = part(() => import('./schedule-window.tsx'))
const RepeatWindow = part(() => import('./repeat-window.tsx'))

/** Says that something belongs to a schedule, and opens it. */
export function ScheduleLine({ kind, group_id, edited }: { kind: ScheduledKind; group_id: string; edited: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <div className="row spread">
      <span className="small soft">{t(edited ? 'token.edited' : 'token.repeats')}</span>
      <Button onClick={() => setOpen(true)}>{t('token.schedule')}</Button>
      {open && (
        <Suspense fallback={null}>
          <ScheduleWindow kind={kind} group_id={group_id} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

type Once = { id: string; version: number; name: string; start_at: string; end_at: string }

/** Opens the window that makes something repeat. */
export function RepeatButton({ kind, token }: { kind: 'worker' | 'plant'; token: Once }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('token.repeat_it')}</Button>
      {open && (
        <Suspense fallback={null}>
          <RepeatWindow kind={kind} token={token} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
