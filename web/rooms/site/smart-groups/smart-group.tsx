import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { asFault } from '../../../base/fault.ts'
import { useGo } from '../../../base/go.tsx'
import { FlagButton, HoldButton } from '../../../base/kit/button.tsx'
import { FaultNote, toast } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { RecordPage } from '../../../base/records/page.tsx'
import { useSend } from '../../../base/send.ts'
import { useHere } from '../../../base/site.tsx'
import { deleteGroup, useGroup } from './data.ts'
import type { SmartGroup } from './draft.ts'
import { GroupForm } from './parts/group-form.tsx'
import { GroupBadges, MapLink } from './parts/group-line.tsx'
import { PinButton } from './parts/pin-button.tsx'
import { UsedBy, usersIn } from './parts/used-by.tsx'
import { Warnings } from './parts/warnings.tsx'
import { t } from './says.ts'
import './smart-groups.css'

/** One smart group: its condition, its members, and what uses it. */
export default function OneGroup() {
  const here = useHere()
  const asked = useParams({ strict: false }).group ?? 'new'
  const fresh = asked === 'new'
  const query = useGroup(fresh ? null : asked)
  const group = fresh ? null : (query.data ?? null)
  return (
    <div className="smart-groups">
      <RecordPage
        title={fresh ? t('groups.new') : (group?.name ?? t('groups.group'))}
        marks={group !== null && <GroupBadges group={group} />}
        back={{ to: paths.smartGroups(here.site_id), label: t('groups.to_list') }}
        actions={
          group !== null && (
            <>
              <PinButton group={group} worded />
              <MapLink group={group} />
            </>
          )
        }
        queries={fresh ? [] : [query]}
      >
        {() => <Group key={asked} group={group} />}
      </RecordPage>
    </div>
  )
}

function Group({ group }: { group: SmartGroup | null }) {
  // What is being edited: someone else’s change doesn’t replace what a person types.
  const [edited, setEdited] = useState(group)
  return (
    <div className="stack">
      {group !== null && <About group={group} />}
      <GroupForm key={edited?.version ?? 'new'} group={edited} newest={group} onTaken={setEdited} />
    </div>
  )
}

function About({ group }: { group: SmartGroup }) {
  const here = useHere()
  const go = useGo()
  const { busy, fault, send } = useSend()
  const { name, permissions } = group
  const drop = async () => {
    await deleteGroup(group)
    toast(t('groups.was_deleted', { name }))
    go(paths.smartGroups(here.site_id), { replace: true })
  }
  const label = t('groups.delete_one', { name })
  return (
    <section className="stack tight" aria-label={t('groups.group')}>
      <p className="says">{group.explanation}</p>
      <p className="soft small">{t('groups.owner', { name: group.owner.name })}</p>
      <Warnings warnings={group.warnings} />
      <UsedBy users={group.used_by} />
      {!permissions.edit.allowed && <p className="because">{permissions.edit.because.map(one => one.detail).join(' ')}</p>}
      {permissions.edit.allowed && (
        <div className="row">
          {permissions.delete.allowed ? (
            <HoldButton look="danger" disabled={busy} aria-label={label} onHeld={() => void send(drop)}>
              {t('common.delete')}
            </HoldButton>
          ) : (
            <FlagButton flag={permissions.delete} aria-label={label}>
              {t('common.delete')}
            </FlagButton>
          )}
        </div>
      )}
      {fault !== null && <FaultNote error={fault} />}
      {fault !== null && group.used_by.length === 0 && <UsedBy users={usersIn(asFault(fault).context)} />}
    </section>
  )
}
