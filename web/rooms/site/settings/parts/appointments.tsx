import { useState } from 'react'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { Loaded } from '../../../../base/kit/loaded.tsx'
import { Empty, FaultNote, Note, Skeleton, toast, toastFault } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useMembers, usePermitTypes } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { TypeChip } from '../../../permits/permits/door.tsx'
import { type Appointment, appoint, revoke, useAppointments } from '../data.ts'
import { byPerson, uncovered } from '../model.ts'
import { t } from '../says.ts'

/** Who can issue permits at the work front, and for which types. A role alone doesn't give this right. */
export function Appointments() {
  const here = useHere()
  const rows = useAppointments(here.site_id)
  const types = usePermitTypes(here.site_id)
  const [adding, setAdding] = useState(false)
  const may = here.canChange('permit_settings_manage')
  const people = byPerson(rows.data ?? [])
  const open = types.data === undefined || rows.data === undefined ? [] : uncovered(types.data, rows.data)
  const past = (rows.data ?? []).filter(row => row.revoked)
  const add = may && (
    <Button look="primary" onClick={() => setAdding(true)}>
      {t('settings.appoint')}
    </Button>
  )
  return (
    <section className="stack" aria-label={t('settings.appointments')}>
      <div className="row spread">
        <p className="soft says">{t('settings.appointments_say')}</p>
        {people.length > 0 && add}
      </div>
      {open.length > 0 && <Note kind="warn">{t('settings.nobody_issues', { n: open.length, codes: open.join(', ') })}</Note>}
      {rows.isPending && <Skeleton rows={3} />}
      {rows.error !== null && <FaultNote error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.data !== undefined && people.length === 0 && <Empty action={add || undefined}>{t('settings.no_issuers')}</Empty>}
      <ul className="lines">
        {people.map(person => (
          <li key={person.user_id} className="appointed">
            <span className="strong">{person.name}</span>
            <ul className="stack tight grow">
              {person.rows.map(row => (
                <AppointmentLine key={row.id} row={row} />
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {past.length > 0 && (
        <details className="past-ones">
          <summary>{t('settings.revoked_ones', { n: past.length })}</summary>
          <ul className="stack tight small">
            {past.map(row => (
              <li key={row.id}>
                {row.user_name}, {row.permit_type_code ?? t('settings.all_types')} ·{' '}
                <span className="soft">{row.revoked_at !== null && momentOf(row.revoked_at, here.zone)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {adding && <AppointWindow onClose={() => setAdding(false)} />}
    </section>
  )
}

function AppointmentLine({ row }: { row: Appointment }) {
  const what = row.permit_type_code ?? t('settings.all_types')
  const take = async () => {
    try {
      await revoke(row)
      toast(t('settings.was_revoked', { name: row.user_name, what }))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <li className="row spread">
      <span className="row">
        {row.permit_type_code === null ? (
          <span className="badge">{t('settings.all_types')}</span>
        ) : (
          <TypeChip code={row.permit_type_code} />
        )}
        {row.absent && <span className="badge warn">{t('settings.absent')}</span>}
      </span>
      {row.permissions.can_revoke && (
        <HoldButton look="danger" aria-label={t('settings.revoke_one', { name: row.user_name, what })} onHeld={() => void take()}>
          {t('settings.revoke')}
        </HoldButton>
      )}
    </li>
  )
}

function AppointWindow({ onClose }: { onClose(): void }) {
  const { site_id } = useHere()
  const people = useMembers(site_id)
  const types = usePermitTypes(site_id)
  const { busy, fault, send } = useSend()
  const [who, setWho] = useState('')
  const [what, setWhat] = useState('')
  const save = async () => {
    if (await send(() => appoint(site_id, who, what === '' ? null : what))) onClose()
  }
  return (
    <Window title={t('settings.appoint')} onClose={onClose} onSubmit={() => void save()}>
      <Loaded queries={[people, types]}>
        {() => (
          <>
            <Choice
              label={t('settings.who')}
              required
              empty={t('settings.choose')}
              value={who}
              options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
              onChange={event => setWho(event.target.value)}
            />
            <Choice
              label={t('settings.for_what')}
              empty={t('settings.all_types')}
              value={what}
              options={(types.data ?? []).filter(type => type.active).map(type => ({ value: type.id, label: `${type.code} ${type.name}` }))}
              onChange={event => setWhat(event.target.value)}
            />
            {fault !== null && <FaultNote error={fault} />}
            <Button look="primary" type="submit" wide disabled={busy || who === ''}>
              {t('settings.appoint')}
            </Button>
          </>
        )}
      </Loaded>
    </Window>
  )
}
