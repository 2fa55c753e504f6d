import type { Fault } from '../../../../base/fault.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { t } from '../says.ts'
import { UsedBy, usersIn } from './used-by.tsx'

/** Why a group wasn’t saved, with what uses it; and if rules use a condition that the person may not change, another way. */
export function Refused({ fault, onCopy }: { fault: Fault; onCopy?(): void }) {
  return (
    <>
      <FaultNote error={fault} />
      <UsedBy users={usersIn(fault.context)} />
      {fault.status === 403 && onCopy !== undefined && (
        <div className="row">
          <Button onClick={onCopy}>{t('groups.save_as_new')}</Button>
        </div>
      )}
    </>
  )
}
