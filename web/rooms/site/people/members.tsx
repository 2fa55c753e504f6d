import { useDeferredValue, useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Tick } from '../../../base/kit/field.tsx'
import { Empty, FaultNote, Skeleton } from '../../../base/kit/note.tsx'
import { useContractors } from '../../../base/lists.ts'
import { useHere } from '../../../base/site.tsx'
import { dayOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'
import { type Member, usePeopleOn } from './data.ts'
import { narrowed } from './model.ts'
import { EndWindow } from './parts/end-window.tsx'
import { Invitations } from './parts/invitations.tsx'
import { PendingOnes } from './parts/pending.tsx'
import { TermsWindow } from './parts/terms-window.tsx'
import './people.css'

/** People of the site: membership requests first, then members, then invitations. */
export default function Members() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [typed, setTyped] = useState(place.q ?? '')
  const [changing, setChanging] = useState<Member | null>(null)
  const [ending, setEnding] = useState<Member | null>(null)
  const ended = place.ended === '1'
  const people = usePeopleOn(here.site_id, ended ? 'ended' : 'active')
  const contractors = useContractors(here.site_id, 'all')
  const late = useDeferredValue(typed)
  useEffect(() => {
    document.title = `${t('nav.people')} · ${here.name}`
  }, [here.name])
  const contractorOf = (id: string | null) => contractors.data?.find(contractor => contractor.id === id)
  const rows = narrowed(people.data ?? [], late, one => [one.name, one.email, tOf('role', one.role), contractorOf(one.contractor_id)?.name])
  return (
    <div className="stack people-page">
      <h1>{t('nav.people')}</h1>
      <PendingOnes />
      <section className="stack" aria-label={t('people.here')}>
        <div className="row spread">
          <h2>{t('people.here_n', { n: rows.length })}</h2>
          <div className="row">
            <Tick
              label={t('people.ended_too')}
              checked={ended}
              onChange={event => setPlace({ ended: event.target.checked ? '1' : undefined })}
            />
            <input
              type="search"
              className="input finder"
              aria-label={t('people.find')}
              placeholder={t('people.find')}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          </div>
        </div>
        {people.isPending && <Skeleton rows={5} height={56} />}
        {people.error !== null && people.data === undefined && <FaultNote error={people.error} onRetry={() => void people.refetch()} />}
        {people.data !== undefined && rows.length === 0 && <Empty>{t(typed === '' ? 'people.nobody' : 'people.nobody_found')}</Empty>}
        <ul className="lines">
          {rows.map(one => {
            const contractor = contractorOf(one.contractor_id)
            return (
              <li key={one.membership_id} className={ended ? 'past' : ''}>
                <span className="person" aria-hidden>
                  {one.initials}
                </span>
                <span className="stack tight grow">
                  <span>
                    <span className="strong">{one.name}</span>{' '}
                    {one.user_id === here.me.id && <span className="badge soft">{t('person.me')}</span>}
                  </span>
                  <span className="soft small">
                    {tOf('role', one.role)}
                    {contractor !== undefined && (
                      <>
                        {' · '}
                        <span className="swatch" style={{ background: contractor.colour }} /> {contractor.name}
                      </>
                    )}{' '}
                    · {t('people.since', { day: dayOf(one.since, here.zone) })}
                    {one.email != null && ` · ${one.email}`}
                  </span>
                </span>
                {!ended && (here.can('member_manage') || one.user_id === here.me.id) && (
                  <span className="row">
                    {here.can('member_manage') && (
                      <Button aria-label={t('people.change_one', { name: one.name })} onClick={() => setChanging(one)}>
                        {t('people.change')}
                      </Button>
                    )}
                    <Button look="quiet" aria-label={t('people.end_one', { name: one.name })} onClick={() => setEnding(one)}>
                      {t('people.end')}
                    </Button>
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      </section>
      <Invitations />
      {changing !== null && <TermsWindow member={changing} onClose={() => setChanging(null)} />}
      {ending !== null && <EndWindow member={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}
