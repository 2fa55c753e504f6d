import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, Choices, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { type FieldGiven, RecordForm } from '../../../../base/records/form.tsx'
import { useHere, useMe } from '../../../../base/site.tsx'
import { changeProfile, cloneProfile, makeProfile } from '../data.ts'
import { otherSites, type Profile } from '../model.ts'
import { t } from '../says.ts'

/** What a window about a profile gets. */
export type ProfileGiven = {
  profile: Profile
  profiles: readonly Profile[]
  onClose(): void
  /** Shows another profile. */
  onProfile(id: string): void
}

type Texts = { name: string; description: string }
const TextFields = ({ field }: { field(name: keyof Texts): FieldGiven<string> }) => (
  <>
    <TextField label={t('clash.profile_name')} data-first {...field('name')} optional={false} required />
    <TextArea label={t('clash.description')} rows={3} {...field('description')} />
  </>
)

/** Adds a profile, which isn’t active. */
export function NewProfileWindow({ onClose, onProfile }: ProfileGiven) {
  const { site_id } = useHere()
  return (
    <RecordForm<Texts & { start_from: 'system' | 'empty' }>
      title={t('clash.new_profile')}
      name={`rule-profile ${site_id} new`}
      body="NewRuleProfile"
      start={{ name: '', description: '', start_from: 'system' }}
      said={null}
      onClose={onClose}
      save={async values => {
        const made = await makeProfile({ site_id, ...values, name: values.name.trim() })
        toast(t('clash.profile_made', { name: made.name }))
        onClose()
        onProfile(made.id)
      }}
    >
      {({ values, change, field }) => (
        <>
          <TextFields field={field} />
          <Choices
            label={t('clash.start_from')}
            options={(['system', 'empty'] as const).map(value => ({ value, label: t(`clash.start_from.${value}`) }))}
            value={values.start_from}
            onChoose={start_from => change({ start_from })}
          />
        </>
      )}
    </RecordForm>
  )
}

/** Changes the name and the description of a profile. */
export function RenameWindow({ profile, onClose }: ProfileGiven) {
  return (
    <RecordForm<Texts>
      title={t('clash.rename_title', { name: profile.name })}
      name={`rule-profile ${profile.id}`}
      body="RuleProfileChange"
      start={{ name: profile.name, description: profile.description }}
      save={values => changeProfile(profile, { ...values, name: values.name.trim() })}
      onClose={onClose}
    >
      {({ field }) => <TextFields field={field} />}
    </RecordForm>
  )
}

/** Copies a profile to this site or to another one, and shows which rules need attention there. */
export function CopyWindow({ profile, onClose, onProfile }: ProfileGiven) {
  const here = useHere()
  const me = useMe()
  const sites = otherSites(me.data, here)
  const [attention, setAttention] = useState<string[]>([])
  const title = t('clash.copy_title', { name: profile.name })
  if (attention.length > 0)
    return (
      <Window title={title} onClose={onClose}>
        <Note kind="warn" title={t('clash.needs_attention')}>
          <ul className="bullets small">
            {attention.map(one => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Note>
        <Button onClick={onClose}>{t('common.close')}</Button>
      </Window>
    )
  return (
    <RecordForm<{ name: string; target_site_id: string }>
      title={title}
      name={`rule-profile ${profile.id} copy`}
      body="CloneRuleProfile"
      start={{ name: t('clash.copy_name', { name: profile.name }), target_site_id: here.site_id }}
      button={t('clash.copy')}
      said={null}
      onClose={onClose}
      save={async ({ name, target_site_id }) => {
        const made = await cloneProfile(profile, { name: name.trim(), target_site_id })
        toast(t('clash.was_copied', { name: profile.name }))
        if (target_site_id === here.site_id) onProfile(made.id)
        if (made.needs_attention.length > 0) setAttention(made.needs_attention)
        else onClose()
      }}
    >
      {({ field }) => (
        <>
          <p>{t('clash.copy_says')}</p>
          <TextField label={t('clash.profile_name')} data-first {...field('name')} />
          {sites.length > 0 && (
            <Choice
              label={t('clash.copy_to')}
              {...field('target_site_id')}
              optional={false}
              options={[{ value: here.site_id, label: t('clash.copy_here') }, ...sites]}
            />
          )}
        </>
      )}
    </RecordForm>
  )
}
