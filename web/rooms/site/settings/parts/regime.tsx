import { useState } from 'react'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { usePermitTypes } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { applyRegime, type Config, useConfig } from '../data.ts'
import { type Regime as Name, regimeChanges } from '../model.ts'
import { t } from '../says.ts'

const REGIMES = ['major_hazard', 'generic_cdm'] as const

/** The two regimes: the changes that each would make here are shown before it is chosen. */
export function Regime() {
  const { site_id } = useHere()
  const config = useConfig(site_id)
  const types = usePermitTypes(site_id)
  const [chosen, setChosen] = useState<Name | null>(null)
  const error = config.error ?? types.error
  if (config.data === undefined || types.data === undefined)
    return error === null ? <Skeleton rows={2} height={160} /> : <FaultNote error={error} onRetry={() => void config.refetch()} />
  return (
    <section className="regimes" aria-label={t('settings.regime')}>
      {REGIMES.map(regime => (
        <article key={regime} className={`panel stack${config.data.regime === regime ? ' chosen' : ''}`}>
          <header>
            <h2>{t(`regime.${regime}`)}</h2>
            {config.data.regime === regime && <span className="badge act">{t('regime.in_force')}</span>}
          </header>
          <p>{t(`regime.${regime}.says`)}</p>
          <h3>{t('regime.changes')}</h3>
          <Changes regime={regime} config={config.data} types={types.data} />
          <FlagButton
            flag={config.data.permissions.edit}
            look={config.data.regime === regime ? undefined : 'primary'}
            onClick={() => setChosen(regime)}
          >
            {t('regime.apply', { name: t(`regime.${regime}`) })}
          </FlagButton>
        </article>
      ))}
      {chosen !== null && <Confirm regime={chosen} config={config.data} types={types.data} onClose={() => setChosen(null)} />}
    </section>
  )
}

type Given = { regime: Name; config: Config; types: readonly { code: string; requires_parent: boolean }[] }

function Changes({ regime, config, types }: Given) {
  const { gain, lose, marks } = regimeChanges(regime, types, config.coverage_policy_enabled)
  if (gain.length === 0 && lose.length === 0 && marks === null) return <p className="soft">{t('regime.nothing')}</p>
  return (
    <ul className="bullets">
      {gain.length > 0 && <li>{t('regime.gain', { codes: gain.join(', ') })}</li>}
      {lose.length > 0 && <li>{t('regime.lose', { codes: lose.join(', ') })}</li>}
      {marks !== null && <li>{t(marks ? 'regime.marks' : 'regime.unmarks')}</li>}
    </ul>
  )
}

function Confirm({ onClose, ...given }: Given & { onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const apply = async () => {
    if (!(await send(() => applyRegime(site_id, given.regime)))) return
    toast(t('regime.applied', { name: t(`regime.${given.regime}`) }))
    onClose()
  }
  return (
    <Window title={t('regime.apply', { name: t(`regime.${given.regime}`) })} onClose={onClose} onSubmit={() => void apply()}>
      <Changes {...given} />
      <p className="soft small">{t('regime.stays')}</p>
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <FlagButton flag={given.config.permissions.edit} look="primary" type="submit" disabled={busy}>
          {t('regime.apply', { name: t(`regime.${given.regime}`) })}
        </FlagButton>
      </div>
    </Window>
  )
}
