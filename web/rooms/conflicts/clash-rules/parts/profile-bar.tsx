import { useState } from 'react'
import { usePlace } from '../../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { deleteProfile } from '../data.ts'
import type { Profile } from '../model.ts'
import { t } from '../says.ts'
import { ActivateWindow } from './activate-window.tsx'
import { CopyWindow, NewProfileWindow, RenameWindow } from './profile-windows.tsx'
import { SyncWindow } from './sync-window.tsx'

const WINDOWS = { rename: RenameWindow, copy: CopyWindow, activate: ActivateWindow, sync: SyncWindow } as const
type Open = keyof typeof WINDOWS | 'new'

/** The profile whose rules are shown: since when it is active, what can be done with it, and whether standard rules have newer revisions. */
export function ProfileBar({ profile, profiles }: { profile: Profile; profiles: readonly Profile[] }) {
  const [, setPlace] = usePlace()
  const [open, setOpen] = useState<Open | null>(null)
  const { busy, fault, send } = useSend()
  const { permissions, name } = profile
  const show = (id: string) => setPlace({ profile: id })
  const drop = async () => {
    await deleteProfile(profile)
    toast(t('clash.profile_was_deleted', { name }))
    setPlace({ profile: undefined })
  }
  const Shown = open === null || open === 'new' ? null : WINDOWS[open]
  const given = { profile, profiles, onClose: () => setOpen(null), onProfile: show }
  return (
    <section className="panel stack" aria-label={t('clash.profile')}>
      <div className="row spread profile-head">
        <Choice
          label={t('clash.profile')}
          value={profile.id}
          options={profiles.map(one => ({
            value: one.id,
            label: one.is_active ? t('clash.profile_active', { name: one.name }) : one.name,
          }))}
          onChange={event => show(event.target.value)}
        />
        {permissions.edit.allowed && <Button onClick={() => setOpen('new')}>{t('clash.new_profile')}</Button>}
      </div>
      <Facts profile={profile} />
      {profile.description !== '' && <p className="says pre">{profile.description}</p>}
      {!permissions.edit.allowed && <p className="because">{permissions.edit.because.map(one => one.detail).join(' ')}</p>}
      {permissions.edit.allowed && (
        <div className="row">
          {!profile.is_active && (
            <FlagButton look="primary" flag={permissions.activate} onClick={() => setOpen('activate')}>
              {t('clash.activate')}
            </FlagButton>
          )}
          <Button onClick={() => setOpen('rename')}>{t('clash.rename')}</Button>
          <Button onClick={() => setOpen('copy')}>{t('clash.copy')}</Button>
          <Button onClick={() => setOpen('sync')}>{t('clash.update')}</Button>
          {permissions.delete.allowed && (
            <HoldButton look="danger" disabled={busy} aria-label={t('clash.delete_profile', { name })} onHeld={() => void send(drop)}>
              {t('common.delete')}
            </HoldButton>
          )}
        </div>
      )}
      {fault !== null && <FaultNote error={fault} />}
      {permissions.edit.allowed && profile.updates_available > 0 && (
        <Note kind="act" title={t('clash.updates', { n: profile.updates_available })}>
          <p className="small">{t('clash.updates_says')}</p>
          <Button onClick={() => setOpen('sync')}>{t('clash.updates_show')}</Button>
        </Note>
      )}
      {Shown !== null && <Shown {...given} />}
      {open === 'new' && <NewProfileWindow {...given} />}
    </section>
  )
}

function Facts({ profile }: { profile: Profile }) {
  const { site_id, zone } = useHere()
  const members = useMembers(site_id)
  const { is_active, activated_at, activated_by, rule_count, enabled_count } = profile
  const person = members.data?.find(one => one.user_id === activated_by)?.name
  const when = activated_at === null ? '' : momentOf(activated_at, zone)
  const since = activated_at === null ? t('clash.never_active') : t(is_active ? 'clash.active_since' : 'clash.last_active', { when })
  return (
    <p className="row">
      <span className={`badge ${is_active ? 'act' : 'soft'}`}>{t(is_active ? 'clash.active' : 'clash.not_active')}</span>
      <span>{since}</span>
      {activated_at !== null && person !== undefined && <span className="soft">{t('clash.active_by', { name: person })}</span>}
      <span className="soft">{t('clash.counts', { n: rule_count, on: enabled_count })}</span>
    </p>
  )
}
