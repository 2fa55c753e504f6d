import { useState } from 'react'
import { config } from '../../../../base/config.ts'
import { Choice, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { toast } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { type InviteLink, invite, makeLink, type Role, type SentInvite } from '../data.ts'
import { LINK_ROLES, ROLES } from '../model.ts'
import { t, tOf } from '../says.ts'
import { ContractorField } from './contractor-field.tsx'
import { MadeLink, type Shown } from './made-link.tsx'

/** The link to pass on when there is no mail server; null when it was emailed. */
export function linkByHand(sent: SentInvite | undefined): Shown | null {
  if (sent?.join_url === undefined) return null
  const by_hand = sent.name ?? sent.email ?? ''
  return { title: t('people.invitation_for', { name: by_hand }), url: sent.join_url, qr_svg: sent.qr_svg ?? '', by_hand }
}

const FIRST_ROLE: (typeof LINK_ROLES)[number] = 'member'

/** Reports the result of an email invitation, without claiming that it was sent when there is no mail server. */
export const wasSent = (name: string): string => t(config().mail_enabled ? 'people.was_sent' : 'people.was_kept', { name })

/** Invites one person by email. */
export function InviteWindow({ role: asked = 'member', onClose }: { role?: Role | undefined; onClose(): void }) {
  const { site_id } = useHere()
  const [link, setLink] = useState<Shown | null>(null)
  if (link !== null) return <MadeLink link={link} onClose={onClose} />
  return (
    <RecordForm
      title={t('people.invite')}
      name={`invite ${site_id}`}
      body="NewInvite"
      start={{ email: '', name: '', role: asked, contractor_id: '', message: '' }}
      save={async ({ email, name, role, contractor_id, message }) => {
        const sent = await invite(site_id, {
          email,
          role,
          ...(name === '' ? {} : { name }),
          ...(contractor_id === '' ? {} : { contractor_id }),
          ...(message === '' ? {} : { message }),
        })
        const byHand = linkByHand(sent)
        if (byHand !== null) return setLink(byHand)
        toast(wasSent(name || email))
        onClose()
      }}
      said={null}
      button={t('people.send')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <TextField label={t('people.email')} type="email" {...field('email')} />
          <TextField label={t('people.name')} {...field('name')} />
          <Choice label={t('people.role')} {...field('role')} options={ROLES.map(one => ({ value: one, label: tOf('role', one) }))} />
          <ContractorField {...field('contractor_id')} />
          <TextArea label={t('people.message')} rows={2} {...field('message')} />
        </>
      )}
    </RecordForm>
  )
}

/** Creates a link or poster for many people. */
export function LinkWindow({ onClose }: { onClose(): void }) {
  const { site_id } = useHere()
  const [made, setMade] = useState<InviteLink | null>(null)
  if (made !== null) return <MadeLink link={{ ...made, title: made.label ?? t('people.a_link') }} onClose={onClose} />
  return (
    <RecordForm
      title={t('people.make_link')}
      name={`link ${site_id}`}
      body="NewInviteLink"
      start={{ label: '', role: FIRST_ROLE, contractor_id: '', pick: true, max_uses: '50' }}
      save={async ({ label, role, contractor_id, pick, max_uses }) => {
        const whose = pick ? { contractor_choice: true } : contractor_id === '' ? {} : { contractor_id }
        setMade(
          await makeLink(site_id, {
            role,
            max_uses: Number(max_uses),
            ...whose,
            ...(label === '' ? {} : { label }),
          }),
        )
      }}
      said={null}
      button={t('people.make_link')}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <TextField label={t('people.link_label')} hint={t('people.link_hint')} {...field('label')} />
          <Choice label={t('people.role')} {...field('role')} options={LINK_ROLES.map(one => ({ value: one, label: tOf('role', one) }))} />
          <Tick label={t('people.they_pick')} checked={values.pick} onChange={event => change({ pick: event.target.checked })} />
          {!values.pick && <ContractorField {...field('contractor_id')} />}
          <TextField label={t('people.how_many')} {...field('max_uses')} type="number" required optional={false} className="mono" />
        </>
      )}
    </RecordForm>
  )
}
