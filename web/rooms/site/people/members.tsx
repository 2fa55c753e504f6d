import { useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { useContractors } from '../../../base/lists.ts'
import { Listing } from '../../../base/records/listing.tsx'
import type { Column } from '../../../base/records/types.ts'
import { type Here, useHere } from '../../../base/site.tsx'
import { dayOf } from '../../../base/time.ts'
import { type Member, usePeopleOn } from './data.ts'
import { EndWindow } from './parts/end-window.tsx'
import { Invitations, InviteButtons } from './parts/invitations.tsx'
import { PendingOnes } from './parts/pending.tsx'
import { TermsWindow } from './parts/terms-window.tsx'
import { t, tOf } from './says.ts'
import './people.css'

/** People of the site: membership requests first, then members, then invitations. */
export default function Members() {
  const here = useHere()
  const [place] = usePlace()
  const [changing, setChanging] = useState<Member | null>(null)
  const [ending, setEnding] = useState<Member | null>(null)
  const ended = place.ended === '1'
  const people = usePeopleOn(here.site_id, ended ? 'ended' : 'active')
  const contractors = useContractors(here.site_id, 'all')
  useEffect(() => {
    document.title = `${t('nav.people')} · ${here.name}`
  }, [here.name])
  const columns = columnsOf(here, id => contractors.data?.find(contractor => contractor.id === id))
  return (
    <div className="stack people-page">
      <div className="row spread">
        <h1>{t('nav.people')}</h1>
        <InviteButtons />
      </div>
      <PendingOnes />
      <section className="stack" aria-label={t('people.here')}>
        <Listing
          label={t('people.here')}
          query={people}
          rows={people.data ?? []}
          idOf={one => one.membership_id}
          nameOf={one => one.name}
          columns={columns}
          isPast={() => ended}
          search={{ label: t('people.find'), texts: one => columns.map(column => String(column.text?.(one) ?? '')) }}
          filters={[{ name: 'ended', kind: 'tick', label: t('people.ended_too') }]}
          count={n => t('people.here_n', { n })}
          csv={t('nav.people')}
          empty={{ says: t('people.nobody') }}
          actionsOf={one =>
            !ended && (
              <>
                {here.canChange('member_manage') && (
                  <Button aria-label={t('people.change_one', { name: one.name })} onClick={() => setChanging(one)}>
                    {t('people.change')}
                  </Button>
                )}
                {(here.can('member_manage') || one.user_id === here.me.id) && (
                  <Button look="quiet" aria-label={t('people.end_one', { name: one.name })} onClick={() => setEnding(one)}>
                    {t('people.end')}
                  </Button>
                )}
              </>
            )
          }
        />
      </section>
      <Invitations />
      {changing !== null && <TermsWindow member={changing} onClose={() => setChanging(null)} />}
      {ending !== null && <EndWindow member={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

const columnsOf = (here: Here, contractorOf: (id: string | null) => { name: string; colour: string } | undefined): Column<Member>[] => [
  {
    key: 'name',
    head: t('people.name'),
    text: one => one.name,
    cell: one => (
      <span className="row tight-row">
        <span className="person" aria-hidden>
          {one.initials}
        </span>
        <span className="strong">{one.name}</span>
        {one.user_id === here.me.id && <span className="badge soft">{t('person.me')}</span>}
      </span>
    ),
  },
  { key: 'role', head: t('people.role'), text: one => tOf('role', one.role), cell: one => tOf('role', one.role) },
  {
    key: 'contractor',
    head: t('people.contractor'),
    text: one => contractorOf(one.contractor_id)?.name,
    cell: one => {
      const contractor = contractorOf(one.contractor_id)
      return (
        contractor !== undefined && (
          <>
            <span className="swatch" style={{ background: contractor.colour }} /> {contractor.name}
          </>
        )
      )
    },
  },
  { key: 'email', head: t('people.email'), text: one => one.email, cell: one => one.email },
  { key: 'since', head: t('people.since_head'), text: one => one.since, cell: one => dayOf(one.since, here.zone) },
]
