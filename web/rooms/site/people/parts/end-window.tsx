import { HoldButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { end, type Member, useDuties } from '../data.ts'
import { hasDuties } from '../model.ts'
import { t } from '../says.ts'

/** Ends a membership, after showing the person's responsibilities. */
export function EndWindow({ member, onClose }: { member: Member; onClose(): void }) {
  const { site_id } = useHere()
  const duties = useDuties(site_id, member.user_id)
  const { busy, fault, send } = useSend()
  const finish = async () => {
    if (!(await send(() => end(member)))) return
    toast(t('people.was_ended', { name: member.name }))
    onClose()
  }
  return (
    <Window title={t('people.end_one', { name: member.name })} onClose={onClose}>
      <p>{t('people.end_says', { name: member.name })}</p>
      {duties.isPending && <Skeleton rows={1} />}
      {duties.error !== null && <FaultNote error={duties.error} onRetry={() => void duties.refetch()} />}
      {duties.data !== undefined && hasDuties(duties.data) && (
        <Note kind="warn" title={t('people.named_for', { name: member.name })}>
          <ul className="bullets small">
            {duties.data.issues.length > 0 && (
              <li>{t('people.duty.issues', { codes: duties.data.issues.map(code => code ?? t('settings.all_types')).join(', ') })}</li>
            )}
            {duties.data.nominee && <li>{t('policy.nominee_user_id')}</li>}
            {duties.data.deputy && <li>{t('policy.deputy_nominee_user_id')}</li>}
            {duties.data.receives.length > 0 && (
              <li>{t('people.duty.receives', { n: duties.data.receives.length, numbers: duties.data.receives.slice(0, 8).join(', ') })}</li>
            )}
            {duties.data.resolves > 0 && <li>{t('people.duty.resolves', { n: duties.data.resolves })}</li>}
          </ul>
          <p className="small">{t('people.duty.then')}</p>
        </Note>
      )}
      {duties.data !== undefined && !hasDuties(duties.data) && <p className="soft small">{t('people.no_duties')}</p>}
      {fault !== null && <FaultNote error={fault} />}
      <HoldButton look="danger" wide disabled={busy || duties.isPending} onHeld={() => void finish()}>
        {t('people.end')}
      </HoldButton>
    </Window>
  )
}
