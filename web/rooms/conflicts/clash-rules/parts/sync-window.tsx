import { useState } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { syncProfile, useDryRun, useRules } from '../data.ts'
import { nameOfKey } from '../model.ts'
import { t } from '../says.ts'
import type { ProfileGiven } from './profile-windows.tsx'

type Key = NonNullable<Schemas['SyncRuleProfile']['overwrite']>[number]
const isIn = (keys: readonly string[], key: string): key is Key => keys.includes(key)

/** Shows what taking over the newest standard rules would change, lets people choose which customised rules are replaced, and does it. */
export function SyncWindow({ profile, onClose }: ProfileGiven) {
  const { site_id } = useHere()
  const rules = useRules(site_id, profile.id)
  const dry = useDryRun(profile.id)
  const [overwrite, setOverwrite] = useState<Key[]>([])
  const { busy, fault, send } = useSend()
  const { added = [], updated = [], kept_customised = [] } = dry.data ?? {}
  const n = added.length + updated.length + overwrite.length
  const nothing = added.length + updated.length + kept_customised.length === 0
  const apply = async () => {
    if (!(await send(() => syncProfile(profile, overwrite)))) return
    toast(t('clash.was_synced', { n }))
    onClose()
  }
  const toggle = (key: string, on: boolean) => {
    if (isIn(kept_customised, key)) setOverwrite(on ? [...overwrite, key] : overwrite.filter(one => one !== key))
  }
  return (
    <Window title={t('clash.sync_title', { name: profile.name })} onClose={onClose}>
      <Wait query={dry} rows={3} height={40} />
      {dry.data !== undefined && (
        <>
          {nothing && <p>{t('clash.sync_nothing')}</p>}
          {(['added', 'updated', 'kept_customised', 'retired', 'unchanged'] as const).map(part => {
            const keys = dry.data[part]
            if (keys.length === 0) return null
            return (
              <section key={part} className="stack tight">
                <h3>{t(`clash.sync.${part}`)}</h3>
                <ul className={part === 'kept_customised' ? '' : 'bullets'}>
                  {keys.map(key => (
                    <li key={key}>
                      {part === 'kept_customised' ? (
                        <Tick
                          label={nameOfKey(key, rules.data ?? [])}
                          checked={isIn(overwrite, key)}
                          onChange={event => toggle(key, event.target.checked)}
                        />
                      ) : (
                        nameOfKey(key, rules.data ?? [])
                      )}
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
          {fault !== null && <FaultNote error={fault} />}
          <div className="row spread">
            {!nothing && (
              <Button look="primary" disabled={busy || n === 0} onClick={() => void apply()}>
                {t('clash.sync_apply', { n })}
              </Button>
            )}
            <Button onClick={onClose}>{t(nothing ? 'common.close' : 'common.cancel')}</Button>
          </div>
        </>
      )}
    </Window>
  )
}
