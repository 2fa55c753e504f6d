import { useState } from 'react'
import { config } from '../../../../base/config.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { passwordLinkFor } from '../../../../base/operator.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { approve, end, type Pending, type Role, usePending } from '../data.ts'
import { ROLES } from '../model.ts'

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
                {t('people.waits', { n: one.waiting_days })}
              </span>
              <span className="small">{t(`people.why.${one.why}`)}</span>
              <NoMail one={one} />
            </span>
            <Button look="primary" aria-label={t('people.let_in_one', { name: one.user.name })} onClick={() => setOpen(one)}>
              {t('people.let_in')}
            </Button>
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

function LetInWindow({ one, onClose }: { one: Pending; onClose(): void }) {
  const { site_id } = useHere()
  const contractors = useContractors(site_id, 'active')
  const { busy, fault, send } = useSend()
  const [role, setRole] = useState<Role>(one.role)
  const [contractor, setContractor] = useState(one.contractor_id ?? '')
  const [create, setCreate] = useState(one.contractor_id === null && one.requested_contractor_name !== null)
  const done = async (work: () => Promise<void>, said: string) => {
    if (!(await send(work))) return
    toast(said)
    onClose()
  }
  const terms = create ? { role, create_contractor: true } : { role, contractor_id: contractor || null }
  return (
    <Window
      title={t('people.let_in_one', { name: one.user.name })}
      onClose={onClose}
      onSubmit={() => void done(() => approve(one.id, terms), t('people.was_let_in', { name: one.user.name }))}
    >
      <p>{t(`people.why.${one.why}`)}</p>
      <NoMail one={one} />
      <Choice
        label={t('people.role')}
        value={role}
        options={ROLES.map(name => ({ value: name, label: tOf('role', name) }))}
        onChange={event => setRole(event.target.value as Role)} // one of ROLES
      />
      {one.requested_contractor_name !== null && one.contractor_id === null && (
        <Tick
          label={t('people.make_contractor', { name: one.requested_contractor_name })}
          checked={create}
          onChange={event => setCreate(event.target.checked)}
        />
      )}
      {!create && (
        <Choice
          label={t('people.contractor')}
          empty={t('people.no_contractor')}
          value={contractor}
          options={(contractors.data ?? []).map(known => ({ value: known.id, label: known.name }))}
          onChange={event => setContractor(event.target.value)}
        />
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row spread">
        <Button look="primary" type="submit" disabled={busy}>
          {t('people.let_in')}
        </Button>
        <HoldButton look="danger" onHeld={() => void done(() => end(one.id), t('people.was_turned_away', { name: one.user.name }))}>
          {t('people.turn_away')}
        </HoldButton>
      </div>
    </Window>
  )
}
