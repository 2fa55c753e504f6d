import { useState } from 'react'
import { config } from '../../../../base/config.ts'
import { asFault } from '../../../../base/fault.ts'
import { useKeptForm } from '../../../../base/kept-form.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { type InviteLink, invite, makeLink, type Role, type SentInvite } from '../data.ts'
import { LINK_ROLES, ROLES } from '../model.ts'
import { MadeLink, type Shown } from './made-link.tsx'

function ContractorChoice({ value, fault, onChange }: { value: string; fault?: string | undefined; onChange(id: string): void }) {
  const { site_id } = useHere()
  const contractors = useContractors(site_id, 'active')
  return (
    <Choice
      label={t('people.contractor')}
      fault={fault}
      empty={t('people.no_contractor')}
      value={value}
      options={(contractors.data ?? []).map(contractor => ({ value: contractor.id, label: contractor.name }))}
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** The link to pass on when there is no mail server; null when it was emailed. */
export function linkByHand(sent: SentInvite | undefined): Shown | null {
  if (sent?.join_url === undefined) return null
  const by_hand = sent.name ?? sent.email ?? ''
  return { title: t('people.invitation_for', { name: by_hand }), url: sent.join_url, qr_svg: sent.qr_svg ?? '', by_hand }
}

/** Reports the result of an email invitation, without claiming that it was sent when there is no mail server. */
export const wasSent = (name: string): string => t(config().mail_enabled ? 'people.was_sent' : 'people.was_kept', { name })

/** Invites one person by email. */
export function InviteWindow({ role: asked = 'member', onClose }: { role?: Role | undefined; onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const form = useKeptForm(`invite ${site_id}`, { email: '', name: '', role: asked, contractor: '', message: '' })
  const { email, name, role, contractor, message } = form.values
  const [link, setLink] = useState<Shown | null>(null)
  const wrong = asFault(fault).fields
  const save = async () => {
    const body = {
      email,
      role,
      ...(name === '' ? {} : { name }),
      ...(contractor === '' ? {} : { contractor_id: contractor }),
      ...(message === '' ? {} : { message }),
    }
    const sent: SentInvite[] = []
    if (!(await send(async () => sent.push(await invite(site_id, body))))) return
    form.sent()
    const byHand = linkByHand(sent[0])
    if (byHand !== null) return setLink(byHand)
    toast(wasSent(name || email))
    onClose()
  }
  if (link !== null) return <MadeLink link={link} onClose={onClose} />
  return (
    <Window title={t('people.invite')} onClose={onClose} onSubmit={() => void save()}>
      <Restored form={form} />
      <TextField
        label={t('people.email')}
        fault={wrong.get('email')}
        type="email"
        required
        value={email}
        onChange={event => form.change({ email: event.target.value })}
      />
      <TextField
        label={t('people.name')}
        optional
        value={name}
        maxLength={200}
        onChange={event => form.change({ name: event.target.value })}
      />
      <Choice
        label={t('people.role')}
        fault={wrong.get('role')}
        value={role}
        options={ROLES.map(one => ({ value: one, label: tOf('role', one) }))}
        onChange={event => form.change({ role: event.target.value as Role })} // one of ROLES
      />
      <ContractorChoice value={contractor} fault={wrong.get('contractor_id')} onChange={id => form.change({ contractor: id })} />
      <TextArea
        label={t('people.message')}
        optional
        rows={2}
        maxLength={1000}
        value={message}
        onChange={event => form.change({ message: event.target.value })}
      />
      {fault !== null && <FaultNote error={fault} />}
      <Button look="primary" type="submit" wide disabled={busy}>
        {t('people.send')}
      </Button>
    </Window>
  )
}

/** Creates a link or poster for many people. */
export function LinkWindow({ onClose }: { onClose(): void }) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const form = useKeptForm(`link ${site_id}`, {
    label: '',
    role: 'member' as (typeof LINK_ROLES)[number],
    contractor: '',
    pick: true,
    uses: '50',
  })
  const { label, role, contractor, pick, uses } = form.values
  const [made, setMade] = useState<InviteLink | null>(null)
  const wrong = asFault(fault).fields
  const save = async () => {
    const whose = pick ? { contractor_choice: true } : contractor === '' ? {} : { contractor_id: contractor }
    const body = { role, max_uses: Number(uses), ...whose, ...(label === '' ? {} : { label }) }
    if (await send(async () => setMade(await makeLink(site_id, body)))) form.sent()
  }
  if (made !== null) return <MadeLink link={{ ...made, title: made.label ?? t('people.a_link') }} onClose={onClose} />
  return (
    <Window title={t('people.make_link')} onClose={onClose} onSubmit={() => void save()}>
      <Restored form={form} />
      <TextField
        label={t('people.link_label')}
        hint={t('people.link_hint')}
        optional
        maxLength={200}
        value={label}
        onChange={event => form.change({ label: event.target.value })}
      />
      <Choice
        label={t('people.role')}
        fault={wrong.get('role')}
        value={role}
        options={LINK_ROLES.map(one => ({ value: one, label: tOf('role', one) }))}
        onChange={event => form.change({ role: event.target.value as (typeof LINK_ROLES)[number] })} // one of LINK_ROLES
      />
      <Tick label={t('people.they_pick')} checked={pick} onChange={event => form.change({ pick: event.target.checked })} />
      {!pick && <ContractorChoice value={contractor} fault={wrong.get('contractor_id')} onChange={id => form.change({ contractor: id })} />}
      <TextField
        label={t('people.how_many')}
        fault={wrong.get('max_uses')}
        type="number"
        min={1}
        required
        className="mono"
        value={uses}
        onChange={event => form.change({ uses: event.target.value })}
      />
      {fault !== null && <FaultNote error={fault} />}
      <Button look="primary" type="submit" wide disabled={busy}>
        {t('people.make_link')}
      </Button>
    </Window>
  )
}
