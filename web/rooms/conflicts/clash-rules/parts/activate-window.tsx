import { fieldsIn, itemsIn, textIn } from '../../../../../shared/narrow.ts'
import { asFault } from '../../../../base/fault.ts'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { activateProfile, useConsequences, useRules } from '../data.ts'
import { activationOf, type Profile } from '../model.ts'
import { t } from '../says.ts'
import type { ProfileGiven } from './profile-windows.tsx'

/** Asks whether a profile becomes the active one, and shows which rules then apply that didn’t before, and the other way round. */
export function ActivateWindow({ profile, profiles, onClose }: ProfileGiven) {
  const { site_id } = useHere()
  const active = profiles.find(one => one.is_active)
  const { busy, fault, send } = useSend()
  const activate = async () => {
    const done = await send(() => activateProfile(profile))
    if (!done) return
    toast(t('clash.was_activated', { name: profile.name }))
    onClose()
  }
  const broken = itemsIn(asFault(fault).context.rules).map(fieldsIn)
  return (
    <Window title={t('clash.activate_title', { name: profile.name })} onClose={onClose}>
      {active !== undefined && <Changes active={active} next={profile} />}
      {fault !== null && <FaultNote error={fault} />}
      {broken.length > 0 && (
        <section className="stack tight">
          <h3>{t('clash.broken_rules')}</h3>
          <ul className="bullets">
            {broken.map(rule => (
              <li key={textIn(rule.id)}>
                <Go to={paths.clashRule(site_id, textIn(rule.id))}>{textIn(rule.name)}</Go>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="row spread">
        <Button look="primary" disabled={busy} onClick={() => void activate()}>
          {t('clash.activate')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}

function Changes({ active, next }: { active: Profile; next: Profile }) {
  const { site_id } = useHere()
  const [before, after] = [useRules(site_id, active.id), useRules(site_id, next.id)]
  const [meant, means] = [useConsequences(site_id, active.id), useConsequences(site_id, next.id)]
  if (before.data === undefined || after.data === undefined || meant.data === undefined || means.data === undefined) {
    const waits = [before, after, meant].find(query => query.data === undefined) ?? means
    return <Wait query={waits} rows={2} height={40} />
  }
  const changes = activationOf({ rules: before.data, consequences: meant.data }, { rules: after.data, consequences: means.data })
  const parts = (['starts', 'stops', 'differs', 'means'] as const).filter(part => changes[part].length > 0)
  return (
    <div className="stack">
      <p>
        {t('clash.activate_says', { before: active.name })} {t(parts.length === 0 ? 'clash.activate_nothing' : 'clash.activate_changes')}
      </p>
      {parts.map(part => (
        <section key={part} className="stack tight">
          <h3>{t(`clash.${part}`)}</h3>
          <ul className="bullets">
            {changes[part].map(name => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
