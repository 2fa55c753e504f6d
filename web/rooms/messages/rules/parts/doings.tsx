import { useGo } from '../../../../base/go.tsx'
import { FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { cloneRule, deleteRule } from '../data.ts'
import type { Rule } from '../model.ts'
import { t } from '../says.ts'
import { Turn } from './turn.tsx'

/** Actions on a rule as a whole: turn it on or off, copy it, delete it. */
export function Doings({ rule }: { rule: Rule }) {
  const here = useHere()
  const go = useGo()
  const { busy, fault, send } = useSend()
  const rights = rule.permissions
  const copy = async () => {
    const made = await cloneRule(rule)
    toast(t('rules.was_cloned', { name: made.name }))
    go(paths.rule(here.site_id, made.id))
  }
  const drop = async () => {
    await deleteRule(rule)
    toast(t('rules.was_deleted', { name: rule.name }))
    go(paths.rules(here.site_id), { replace: true })
  }
  return (
    <>
      {!rights.switch.allowed && <p className="soft small">{rights.switch.because[0]?.detail}</p>}
      <div className="row">
        <Turn rule={rule} />
        <FlagButton flag={rights.clone} explained={false} disabled={busy} onClick={() => void send(copy)}>
          {t('rules.clone')}
        </FlagButton>
        {rights.delete.allowed && (
          <HoldButton look="danger" disabled={busy} aria-label={t('rules.delete_one', { name: rule.name })} onHeld={() => void send(drop)}>
            {t('common.delete')}
          </HoldButton>
        )}
      </div>
      {fault !== null && <FaultNote error={fault} />}
    </>
  )
}
