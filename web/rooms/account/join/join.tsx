import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { isSignedIn, signIn } from '../../../base/auth.ts'
import { asFault } from '../../../base/fault.ts'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { FaultNote, Note, Skeleton } from '../../../base/kit/note.tsx'
import { PublicFrame } from '../../../base/kit/public-frame.tsx'
import { momentOf } from '../../../base/time.ts'
import { type Given, type InvitedSite, useInvitation } from './data.ts'
import { Newcomer } from './newcomer.tsx'
import { t, tOf } from './says.ts'
import { SignedInHere } from './signed-in-here.tsx'
import './join.css'

type State = Given['state']
const isOver = (state: State): state is Exclude<State, 'open' | 'bounced'> => state !== 'open' && state !== 'bounced'

/** The page of an invitation sent by email, link or poster: who invites, to which site, and what happens next. */
export default function Join() {
  // Servers on the way never see the part after the #.
  const token = useRouterState({ select: state => state.location.hash })
  const [place] = usePlace()
  const found = useInvitation(token)
  useEffect(() => {
    document.title = `${t('join.title')} · ${t('app.name')}`
  }, [])
  const site = found.data
  const frame = (children: ReactNode) => <PublicFrame>{children}</PublicFrame>
  if (token === '') return frame(<Stop title={t('join.stop.missing')}>{t('join.stop.missing_says')}</Stop>)
  if (found.error !== null) {
    const fault = asFault(found.error)
    if (fault.status === 404) return frame(<Stop title={t('join.stop.unknown')}>{t('join.stop.unknown_says')}</Stop>)
    return frame(
      <>
        <h1>{t('join.title')}</h1>
        <FaultNote error={fault} onRetry={() => void found.refetch()} />
      </>,
    )
  }
  if (site === undefined) return frame(<Skeleton rows={3} />)
  if (site?.invite === undefined) return frame(<Stop title={t('join.stop.unknown')}>{t('join.stop.unknown_says')}</Stop>)
  const { invite } = site
  // For a person who is already a member, joining again uses up nothing: the service returns their membership.
  if (isOver(invite.state) && !isSignedIn()) return frame(<Over site={site} invite={invite} state={invite.state} />)
  return frame(
    <>
      <Invitation site={site} invite={invite} />
      {isSignedIn() ? (
        <SignedInHere token={token} site={site} invite={invite} />
      ) : (
        <Newcomer token={token} invite={invite} signing_in={place.sign_in === '1'} />
      )}
    </>,
  )
}

/** Shows why this invitation can't be used, and what to do. */
function Over({ site, invite, state }: { site: InvitedSite; invite: Given; state: Exclude<State, 'open' | 'bounced'> }) {
  const values = { name: invite.inviter_name ?? t('join.the_inviter'), when: momentOf(invite.expires_at, site.timezone) }
  return (
    <Stop title={t(`join.stop.${state}`)}>
      <span className="strong">{site.name}.</span> {t(`join.stop.${state}_says`, values)}
    </Stop>
  )
}

function Stop({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1>{title}</h1>
      <Note kind="warn">
        <p>{children}</p>
      </Note>
      <Button wide onClick={() => void signIn('/')}>
        {t('join.sign_in')}
      </Button>
    </>
  )
}

/** Who invites, to which site, and what the invitation gives. */
function Invitation({ site, invite }: { site: InvitedSite; invite: Given }) {
  const contractor = invite.contractor_name ?? (invite.contractor_choice ? t('join.contractor_pick') : null)
  const all: [string, ReactNode | null][] = [
    [t('join.role'), tOf('role', invite.role)],
    [t('join.contractor'), contractor],
    [t('join.for'), invite.email_masked],
    [t('join.until'), momentOf(invite.expires_at, site.timezone)],
  ]
  const facts = all.filter(([, value]) => value !== null)
  const where = [site.locality, site.main_contractor?.name].filter(one => one != null && one !== '').join(' · ')
  return (
    <section className="panel stack join-card">
      <p className="soft">{invite.inviter_name === null ? t('join.invited') : t('join.invites', { name: invite.inviter_name })}</p>
      <h1>{site.name}</h1>
      {where !== '' && <p className="soft">{where}</p>}
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {(invite.approval === 'required' || invite.contractor_choice) && <p className="soft small">{t('join.approval')}</p>}
    </section>
  )
}
