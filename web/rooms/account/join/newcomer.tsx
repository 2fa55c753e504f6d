import { useState } from 'react'
import type { Schemas } from '../../../base/api.ts'
import { signIn } from '../../../base/auth.ts'
import { config } from '../../../base/config.ts'
import { Button } from '../../../base/kit/button.tsx'
import { TextField } from '../../../base/kit/field.tsx'
import { Form } from '../../../base/kit/form.tsx'
import { FaultNote, Note } from '../../../base/kit/note.tsx'
import { passwordLinkFor } from '../../../base/operator.ts'
import { paths } from '../../../base/paths.ts'
import { useSend } from '../../../base/send.ts'
import { ContractorPick } from './contractor-pick.tsx'
import { type Contractor, type Given, register, rememberJoining } from './data.ts'
import { t } from './says.ts'

const SHORTEST = 15

/** A person who is not signed in creates an account here, or signs in and returns. */
export function Newcomer({ token, invite, signing_in }: { token: string; invite: Given; signing_in: boolean }) {
  const [way, setWay] = useState<'account' | 'sign_in'>(signing_in ? 'sign_in' : 'account')
  const [made, setMade] = useState<{ answer: Schemas['Registered']; email: string } | null>(null)
  const go = () => {
    rememberJoining(token)
    void signIn(paths.join(token))
  }
  if (made !== null) return <Made {...made} invite={invite} onSignIn={go} />
  if (config().provider_kind === 'external')
    return (
      <>
        <p>{t('join.sign_in_only')}</p>
        <Button look="primary" wide onClick={go}>
          {t('join.sign_in_and_join')}
        </Button>
      </>
    )
  if (way === 'sign_in')
    return (
      <>
        <p>{t('join.sign_in_only')}</p>
        <Button look="primary" wide onClick={go}>
          {t('join.sign_in_and_join')}
        </Button>
        <Button look="quiet" wide onClick={() => setWay('account')}>
          {t('join.no_account')}
        </Button>
      </>
    )
  return (
    <>
      <AccountForm token={token} invite={invite} onMade={(answer, email) => setMade({ answer, email })} />
      <Button wide onClick={go}>
        {t('join.have_account')}
      </Button>
    </>
  )
}

function AccountForm({
  token,
  invite,
  onMade,
}: {
  token: string
  invite: Given
  onMade(answer: Schemas['Registered'], email: string): void
}) {
  const { busy, fault, send } = useSend()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [contractor, setContractor] = useState<Contractor>({})
  const save = () =>
    send(async () => {
      const whose = invite.contractor_choice ? contractor : {}
      const answer = await register(token, { name, password, locale: 'en-GB', ...(invite.kind === 'link' ? { email } : {}), ...whose })
      onMade(answer, invite.kind === 'link' ? email : (invite.email_masked ?? ''))
    })
  return (
    <Form className="stack" error={fault} onSubmit={() => void save()}>
      <h2>{t('join.make_account')}</h2>
      <TextField
        label={t('join.name')}
        at="name"
        required
        autoComplete="name"
        maxLength={200}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      {invite.kind === 'link' && (
        <TextField
          label={t('join.email')}
          at="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={event => setEmail(event.target.value)}
        />
      )}
      {invite.contractor_choice && <ContractorPick token={token} contractor={contractor} onChange={setContractor} />}
      <TextField
        label={t('join.password')}
        hint={t('join.password_hint', { n: config().password_min_length ?? SHORTEST })}
        at="password"
        type="password"
        required
        autoComplete="new-password"
        value={password}
        onChange={event => setPassword(event.target.value)}
      />
      {fault !== null && <FaultNote error={fault} />}
      <Button look="primary" type="submit" wide disabled={busy}>
        {t('join.make_account')}
      </Button>
    </Form>
  )
}

/** Says what happens next, once the account exists. */
function Made({ answer, email, invite, onSignIn }: { answer: Schemas['Registered']; email: string; invite: Given; onSignIn(): void }) {
  const name = invite.inviter_name ?? t('join.the_inviter')
  if (answer.next === 'confirm_email')
    return answer.mail_sent === false ? (
      <Note kind="warn" title={t('join.confirm_no_mail')}>
        <p>{t('join.confirm_no_mail_says', { name })}</p>
        <p className="mono">{passwordLinkFor(email)}</p>
      </Note>
    ) : (
      <Note kind="act" title={t('join.confirm')}>
        <p>{t('join.confirm_says', { email })}</p>
      </Note>
    )
  return (
    <>
      <Note kind="safe" title={t('join.account_made')}>
        <p>{t('join.account_made_says', { email })}</p>
      </Note>
      <Button look="primary" wide onClick={onSignIn}>
        {t('join.sign_in_and_join')}
      </Button>
    </>
  )
}
