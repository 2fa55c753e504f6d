import { useState } from 'react'
import { config } from '../../../../base/config.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast, toastFault } from '../../../../base/kit/note.tsx'
import { passwordLinkFor } from '../../../../base/operator.ts'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { approve, end, type Pending, usePending } from '../data.ts'
import { ROLES } from '../model.ts'
import { t, tOf } from '../says.ts'
import { ContractorField } from './contractor-field.tsx'

/** Pending membership requests, and why they need approval. */
export function PendingOnes() {
  const here = useHere()
  const may = here.can('member_manage')
  const pending = usePending(here.site_id, may)
  const [open, setOpen] = useState<Pending | null>(null)
  if (pending.error !== null) return <FaultNote error={pending.error} onRetry={() => void pending.refetch()} />
  if (pending.data === undefined || pending.data.length === 0) return null
  return (
    <section className="stack" aria-label={t('people.pending')}>
      <h2>
        {t('people.pending')} <span className="badge mine">{pending.data.length}</span>
      </h2>
      <ul className="lines">
        {pending.data.map(one => (
          <li key={one.id}>
            <span className="stack tight grow">
              <span className="strong">{one.user.name}</span>
              <span className="soft small">
                {tOf('role', one.role)}
                {one.requested_contractor_name !== null && ` · ${one.requested_contractor_name}`}
                {one.user.email !== null && ` · ${one.user.email}`}
                {' · '}
                {one.waiting_days === 0 ? t('people.waits_today') : t('people.waits', { n: one.waiting_days })}
              </span>
              <span className="small">{t(`people.why.${one.why}`)}</span>
              <NoMail one={one} />
            </span>
            {one.permissions.approve.allowed ? (
              <Button look="primary" aria-label={t('people.let_in_one', { name: one.user.name })} onClick={() => setOpen(one)}>
                {t('people.let_in')}
              </Button>
            ) : (
              <>
                {!here.locked && <span className="soft small">{one.permissions.approve.because[0]?.detail}</span>}
                {/* A locked site still allows people to be turned away. */}
                {one.permissions.end.allowed && (
                  <HoldButton look="danger" onHeld={() => turnAway(one)}>
                    {t('people.turn_away')}
                  </HoldButton>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {open !== null && <LetInWindow one={open} onClose={() => setOpen(null)} />}
    </section>
  )
}

/** Without a mail server, a person who came by a poster can't confirm their address: says what the administrator can do about it. */
function NoMail({ one }: { one: Pending }) {
  const { mail_enabled, provider_kind } = config()
  if (one.user.email_verified || mail_enabled || provider_kind === 'external' || one.user.email === null) return null
  return (
    <span className="stack tight small">
      <span>{t('people.cannot_sign_in', { name: one.user.name })}</span>
      <code>{passwordLinkFor(one.user.email)}</code>
    </span>
  )
}

const turnAway = (one: Pending, then?: () => void) =>
  void end({ membership_id: one.id, version: one.version }).then(() => {
    toast(t('people.was_turned_away', { name: one.user.name }))
    then?.()
  }, toastFault)

function LetInWindow({ one, onClose }: { one: Pending; onClose(): void }) {
  return (
    <RecordForm
      title={t('people.let_in_one', { name: one.user.name })}
      name={`approve ${one.id}`}
      body="ApproveMembership"
      start={{
        role: one.role,
        contractor_id: one.contractor_id ?? '',
        create: one.contractor_id === null && one.requested_contractor_name !== null,
      }}
      save={({ role, contractor_id, create }) =>
        approve(
          { membership_id: one.id, version: one.version },
          {
            role,
            ...(create ? { create_contractor: true } : { contractor_id: contractor_id || null }),
          },
        )
      }
      said={t('people.was_let_in', { name: one.user.name })}
      button={t('people.let_in')}
      onClose={onClose}
      aside={
        <HoldButton look="danger" onHeld={() => turnAway(one, onClose)}>
          {t('people.turn_away')}
        </HoldButton>
      }
    >
      {({ field, values, change }) => (
        <>
          <p>{t(`people.why.${one.why}`)}</p>
          <NoMail one={one} />
          <Choice
            label={t('people.role')}
            {...field('role')}
            optional={false}
            options={ROLES.map(name => ({ value: name, label: tOf('role', name) }))}
          />
          {one.requested_contractor_name !== null && one.contractor_id === null && (
            <Tick
              label={t('people.make_contractor', { name: one.requested_contractor_name })}
              checked={values.create}
              onChange={event => change({ create: event.target.checked })}
            />
          )}
          {!values.create && <ContractorField {...field('contractor_id')} />}
        </>
      )}
    </RecordForm>
  )
}
