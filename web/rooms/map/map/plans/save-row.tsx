import type { ReactNode } from 'react'
import type { Flag } from '../../../../base/fault.ts'
import { Go } from '../../../../base/go.tsx'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import type { Sending } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from './says.ts'

type Given = {
  sending: Sending
  flag: Flag
  /** False while there is nothing to save. */
  ready?: boolean
  onSave(): void
  /** Other buttons. */
  children?: ReactNode
}

/** How each way to place a plan ends: what refuses it, and the buttons that save it or go back to the map. */
export function SaveRow({ sending, flag, ready = true, onSave, children }: Given) {
  const here = useHere()
  return (
    <>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      {here.locked && <Note kind="warn">{t('site.locked')}</Note>}
      <div className="row">
        <FlagButton look="primary" flag={flag} disabled={!ready || sending.busy} onClick={onSave}>
          {t('pair.save')}
        </FlagButton>
        {children}
        <Go className="btn" to={paths.map(here.site_id)}>
          {t('common.cancel')}
        </Go>
      </div>
    </>
  )
}
