import { useState } from 'react'
import type { Flag } from '../../../../base/fault.ts'
import { usePlace } from '../../../../base/go.tsx'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { Listing } from '../../../../base/records/listing.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { type Invite, resend, revokeInvite, useInvites } from '../data.ts'
import { ROLES } from '../model.ts'
import { t, tOf } from '../says.ts'
import { InviteWindow, LinkWindow, linkByHand, wasSent } from './invite-windows.tsx'
import { MadeLink, type Shown } from './made-link.tsx'

/** Invites people, by email or by a link. At the top of the page: the list of people can be long. */
export function InviteButtons() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const role = ROLES.find(one => one === place.invite)
  const inviting = here.canChange('member_invite')
  const [making, setMaking] = useState<'mail' | 'link' | null>(role === undefined || !inviting ? null : 'mail')
  if (!inviting) return null
  return (
    <>
      <span className="row">
        <Button look="primary" onClick={() => setMaking('mail')}>
          {t('people.invite')}
        </Button>
        <Button onClick={() => setMaking('link')}>{t('people.make_link')}</Button>
      </span>
      {making === 'mail' && (
        <InviteWindow
          role={role}
          onClose={() => {
            setMaking(null)
            if (role !== undefined) setPlace({ invite: undefined })
          }}
        />
      )}
      {making === 'link' && <LinkWindow onClose={() => setMaking(null)} />}
    </>
  )
}

/** Invitations by email and by link: active ones first, then the others. */
export function Invitations() {
  const here = useHere()
  const may = here.can('member_invite')
  const invites = useInvites(here.site_id, may)
  if (!may) return null
  const rows = (invites.data ?? []).toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'))
  return (
    <section className="stack" aria-label={t('people.invitations')}>
      <h2>{t('people.invitations')}</h2>
      <Listing
        label={t('people.invitations')}
        query={invites}
        rows={rows}
        idOf={one => one.id}
        nameOf={nameOf}
        isPast={one => one.status !== 'open'}
        row={one => <InviteLine one={one} />}
        actionsOf={one => <Actions one={one} />}
        empty={{ says: t('people.no_invitations') }}
      />
    </section>
  )
}

/** Actions that are no longer possible are not shown; those possible in a moment are shown, with the time. */
const isOffered = (flag: Flag): boolean => flag.allowed || !flag.because.some(why => ['invalid_transition', 'forbidden'].includes(why.code))

const nameOf = (one: Invite): string =>
  one.kind === 'email' ? (one.name ?? one.email ?? t('people.erased_address')) : (one.label ?? t('people.a_link'))

function InviteLine({ one }: { one: Invite }) {
  const { site_id, zone } = useHere()
  const contractors = useContractors(site_id, 'all').data
  const contractor = one.contractor_choice ? t('people.picked_on_joining') : contractors?.find(({ id }) => id === one.contractor_id)?.name
  return (
    <span className="stack tight grow">
      <span className="row">
        <span className="strong">{nameOf(one)}</span>
        <span className={`badge ${one.status === 'bounced' ? 'stop' : one.status === 'open' ? 'act' : 'soft'}`}>
          {t(`invite.${one.status}`)}
        </span>
      </span>
      <span className="soft small">
        {tOf('role', one.role)}
        {contractor !== undefined && ` · ${contractor}`}
        {one.kind === 'email' && one.name !== null && ` · ${one.email}`}
        {one.kind === 'link' && ` · ${t('people.used', { n: one.uses, of: one.max_uses })}`}
        {one.status === 'open' && ` · ${t('people.until', { when: momentOf(one.expires_at, zone) })}`}
        {' · '}
        {t('people.by', { name: one.invited_by?.name ?? t('common.unknown_person') })}
      </span>
    </span>
  )
}

function Actions({ one }: { one: Invite }) {
  const [link, setLink] = useState<Shown | null>(null)
  const name = nameOf(one)
  const then = (work: Promise<void>, said: string) => work.then(() => toast(said)).catch(toastFault)
  const sendAgain = async () => {
    try {
      const byHand = linkByHand(await resend(one))
      if (byHand === null) toast(wasSent(name))
      else setLink(byHand)
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <>
      {link !== null && <MadeLink link={link} onClose={() => setLink(null)} />}
      {one.kind === 'email' && isOffered(one.permissions.resend) && (
        <FlagButton
          flag={one.permissions.resend}
          explained={false}
          aria-label={t('people.resend_one', { name })}
          onClick={() => void sendAgain()}
        >
          {t('people.resend')}
        </FlagButton>
      )}
      {one.permissions.revoke.allowed && (
        <HoldButton
          look="danger"
          aria-label={t('people.take_back_one', { name })}
          onHeld={() => void then(revokeInvite(one), t('people.was_taken_back', { name }))}
        >
          {t('people.take_back')}
        </HoldButton>
      )}
    </>
  )
}
