import { useEffect, useRef, useState } from 'react'
import { signInAsOther } from '../../../base/auth.ts'
import { useGo } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Form } from '../../../base/kit/form.tsx'
import { FaultNote, Note, Skeleton } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useSend } from '../../../base/send.ts'
import { useMe } from '../../../base/site.tsx'
import { rememberSite } from '../../../shell/last-site.ts'
import { ContractorPick } from './contractor-pick.tsx'
import { accept, type Contractor, cameBackToJoin, type Given, type InvitedSite, rememberJoining } from './data.ts'
import { t } from './says.ts'

/** An address as the service shows it to a stranger: its first letter and its domain. */
const masked = (email: string): string => `${[...email][0] ?? ''}***${email.slice(email.lastIndexOf('@'))}`

/** A person who is signed in joins with one tap; if they came from signing in for this, they join immediately. */
export function SignedInHere({ token, site, invite }: { token: string; site: InvitedSite; invite: Given }) {
  const me = useMe()
  const go = useGo()
  const { busy, fault, send } = useSend()
  const [contractor, setContractor] = useState<Contractor>({})
  const [joined, setJoined] = useState<'active' | 'pending' | null>(null)
  const came = useRef<boolean | null>(null)
  const user = me.data?.user
  const place = me.data?.memberships.find(one => one.site_id === site.id)
  const differs =
    user !== undefined && invite.email_masked !== null && masked((user.email ?? '').toLowerCase()) !== invite.email_masked.toLowerCase()
  const join = () => send(async () => setJoined((await accept(token, contractor)).status === 'pending' ? 'pending' : 'active'))
  const atOnce = user !== undefined && place === undefined && !differs && !invite.contractor_choice
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once, when it is known who is signed in.
  useEffect(() => {
    if (user === undefined) return
    came.current ??= cameBackToJoin(token)
    if (came.current && atOnce) void join()
  }, [user, atOnce])
  if (user === undefined)
    return me.error === null ? <Skeleton rows={1} /> : <FaultNote error={me.error} onRetry={() => void me.refetch()} />
  const status = joined ?? place?.status ?? null
  if (status !== null)
    return status === 'active' ? (
      <>
        <Note kind="safe" title={t('join.joined', { site: site.name })}>
          <p>{t('join.joined_says')}</p>
        </Note>
        <Button
          look="primary"
          wide
          onClick={() => {
            rememberSite(site.id)
            go(paths.today(site.id))
          }}
        >
          {t('join.to_site')}
        </Button>
      </>
    ) : (
      <Note kind="act" title={t('join.pending')}>
        <p>{t('join.pending_says', { site: site.name })}</p>
      </Note>
    )
  const other = async () => {
    rememberJoining(token)
    await signInAsOther(paths.join(token))
  }
  return (
    <Form className="stack" error={fault} onSubmit={() => void join()}>
      {differs ? (
        <Note kind="warn" title={t('join.wrong_address')}>
          <p>{t('join.wrong_address_says', { masked: invite.email_masked ?? '', email: user.email ?? user.name })}</p>
        </Note>
      ) : (
        <p>
          {user.email === null
            ? t('join.signed_in_as_name', { name: user.name })
            : t('join.signed_in_as', { name: user.name, email: user.email })}
        </p>
      )}
      {invite.contractor_choice && <ContractorPick token={token} contractor={contractor} onChange={setContractor} />}
      {fault !== null && <FaultNote error={fault} />}
      <Button look={differs ? undefined : 'primary'} type="submit" wide disabled={busy}>
        {t('join.join', { site: site.name })}
      </Button>
      <Button look={differs ? 'primary' : 'quiet'} wide onClick={() => void other()}>
        {t('join.other_account')}
      </Button>
    </Form>
  )
}
