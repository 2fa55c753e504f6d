import { useEffect } from 'react'
import { Go, usePlace } from '../../../base/go.tsx'
import { FlagButton } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Note, Stale, Wait } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere } from '../../../base/site.tsx'
import { SettingsTabs } from '../../site/settings/door.tsx'
import { useProfiles, useRules } from './data.ts'
import { type Profile, sourceOf } from './model.ts'
import { ProfileBar } from './parts/profile-bar.tsx'
import { RuleLine, Turn } from './parts/rule-line.tsx'
import { t } from './says.ts'
import './clash-rules.css'

const STATES = ['on', 'off'] as const
const SOURCES = ['standard', 'customised', 'own'] as const

/** The rule profiles of a site, and the clash rules of the chosen one; at first of the active one. */
export default function ClashRules() {
  const here = useHere()
  const [place] = usePlace()
  const profiles = useProfiles(here.site_id)
  useEffect(() => {
    document.title = `${t('clash.title')} · ${here.name}`
  }, [here.name])
  const asked = profiles.data?.find(one => one.id === place.profile)
  const profile = asked ?? profiles.data?.[0]
  return (
    <div className="stack clash-rules">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part="clash-rules" />
      <p className="soft says">{t('clash.says')}</p>
      <Wait query={profiles} rows={3} />
      {profiles.error !== null && profiles.data !== undefined && <Stale at={profiles.dataUpdatedAt} zone={here.zone} />}
      {profiles.data !== undefined && place.profile !== undefined && asked === undefined && (
        <Note kind="warn">{t('clash.profile_deleted')}</Note>
      )}
      {profile !== undefined && (
        <>
          <ProfileBar key={profile.id} profile={profile} profiles={profiles.data ?? []} />
          <Rules profile={profile} />
        </>
      )}
    </div>
  )
}

function Rules({ profile }: { profile: Profile }) {
  const here = useHere()
  const [place] = usePlace()
  const rules = useRules(here.site_id, profile.id)
  const state = STATES.find(one => one === place.state)
  const source = SOURCES.find(one => one === place.source)
  const rows = (rules.data ?? [])
    .filter(rule => state === undefined || rule.enabled === (state === 'on'))
    .filter(rule => source === undefined || sourceOf(rule) === source)
  const add = profile.permissions.edit.allowed ? (
    <Go className="btn primary" to={paths.clashRule(here.site_id, 'new', { profile: profile.id })}>
      <Glyph name="plus" />
      {t('clash.new_rule')}
    </Go>
  ) : (
    <FlagButton flag={profile.permissions.edit}>{t('clash.new_rule')}</FlagButton>
  )
  return (
    <Listing
      label={t('clash.title')}
      query={rules}
      rows={rows}
      idOf={rule => rule.id}
      nameOf={rule => rule.name}
      isPast={rule => !rule.enabled}
      row={rule => <RuleLine rule={rule} />}
      actionsOf={rule => <Turn rule={rule} />}
      actions={add}
      search={{ label: t('clash.find'), texts: rule => [rule.name, rule.description, rule.explanation] }}
      filters={[
        {
          name: 'state',
          kind: 'choices',
          label: t('clash.state'),
          options: STATES.map(value => ({ value, label: t(`clash.state.${value}`) })),
        },
        {
          name: 'source',
          kind: 'choices',
          label: t('clash.source'),
          options: SOURCES.map(value => ({ value, label: t(`clash.source.${value}`) })),
        },
      ]}
      empty={{ says: t('clash.none') }}
      height={72}
    />
  )
}
