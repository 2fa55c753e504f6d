import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGo, usePlace } from '../../../base/go.tsx'
import { HoldButton } from '../../../base/kit/button.tsx'
import { FaultNote, Note, toast } from '../../../base/kit/note.tsx'
import { usePermitTypes } from '../../../base/lists.ts'
import { paths } from '../../../base/paths.ts'
import { RecordPage } from '../../../base/records/page.tsx'
import { useSend } from '../../../base/send.ts'
import { useHere } from '../../../base/site.tsx'
import { PathList } from '../../messages/rules/door.tsx'
import { deleteRule, useProfiles, useRule } from './data.ts'
import type { OneRule, Profile } from './model.ts'
import { ConsequenceForm } from './parts/consequence.tsx'
import { History } from './parts/history.tsx'
import { RuleForm } from './parts/rule-form.tsx'
import { RuleBadges, Turn } from './parts/rule-line.tsx'
import { t } from './says.ts'
import './clash-rules.css'

/** One clash rule: what it finds, what that means for the work, and its versions. */
export default function ClashRule() {
  const here = useHere()
  const [place] = usePlace()
  const asked = useParams({ strict: false }).rule ?? 'new'
  const fresh = asked === 'new'
  const query = useRule(fresh ? null : asked)
  const profiles = useProfiles(here.site_id)
  // Without them the matrix has no rows.
  const types = usePermitTypes(here.site_id)
  const rule = fresh ? null : (query.data ?? null)
  const profile = profiles.data?.find(one => one.id === (rule?.profile_id ?? place.profile)) ?? profiles.data?.[0]
  return (
    <div className="clash-rules">
      <RecordPage
        title={fresh ? t('clash.new_rule') : (rule?.name ?? t('clash.rule'))}
        marks={rule !== null && <RuleBadges rule={rule} />}
        back={{
          to: paths.clashRules(here.site_id, profile?.is_active === false ? { profile: profile.id } : {}),
          label: t('clash.to_list'),
        }}
        queries={fresh ? [profiles, types] : [query, profiles, types]}
      >
        {() => profile !== undefined && <Rule key={asked} rule={rule} profile={profile} />}
      </RecordPage>
    </div>
  )
}

function Rule({ rule, profile }: { rule: OneRule | null; profile: Profile }) {
  // The version that is being edited: someone else’s save doesn’t replace what a person types.
  const [edited, setEdited] = useState(rule)
  const [said, setSaid] = useState<OneRule['warnings']>([])
  const taken = (saved: OneRule) => {
    setEdited(saved)
    setSaid(saved.warnings)
  }
  const warnings = [...new Map([...said, ...(rule?.warnings ?? [])].map(one => [one.path + one.message, one])).values()]
  return (
    <div className="stack">
      {rule !== null && <About rule={rule} profile={profile} />}
      {warnings.length > 0 && (
        <Note kind="warn" title={t('clash.warnings')}>
          <PathList notes={warnings} />
        </Note>
      )}
      <RuleForm key={edited?.version ?? 'new'} rule={edited} newest={rule} profile={profile} onTaken={taken} />
      {rule !== null && <ConsequenceForm rule={rule} profile={profile} />}
      {rule !== null && <History rule={rule} onTaken={taken} />}
    </div>
  )
}

function About({ rule, profile }: { rule: OneRule; profile: Profile }) {
  const here = useHere()
  const go = useGo()
  const { busy, fault, send } = useSend()
  const { permissions, name } = rule
  const drop = async () => {
    await deleteRule(rule)
    toast(t('clash.rule_was_deleted', { name }))
    go(paths.clashRules(here.site_id, profile.is_active ? {} : { profile: profile.id }), { replace: true })
  }
  return (
    <section className="stack tight" aria-label={t('clash.rule')}>
      <p className="soft small">
        {t('clash.profile')}: {profile.is_active ? t('clash.profile_active', { name: profile.name }) : profile.name}
      </p>
      <p className="says">{rule.explanation}</p>
      {rule.description !== '' && <p className="soft says pre">{rule.description}</p>}
      {rule.problems.length > 0 && (
        <Note kind="stop" title={t('clash.problems')}>
          <PathList notes={rule.problems} />
        </Note>
      )}
      {!permissions.edit.allowed && <p className="because">{permissions.edit.because.map(one => one.detail).join(' ')}</p>}
      <div className="row">
        <Turn rule={rule} />
        {permissions.delete.allowed && (
          <HoldButton look="danger" disabled={busy} aria-label={t('clash.delete_rule', { name })} onHeld={() => void send(drop)}>
            {t('common.delete')}
          </HoldButton>
        )}
        {permissions.edit.allowed && !permissions.delete.allowed && <span className="soft small">{t('clash.keep_standard')}</span>}
      </div>
      {fault !== null && <FaultNote error={fault} />}
    </section>
  )
}
