import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { ask, client } from '../base/api.ts'
import { signIn, signOut, useSignedIn } from '../base/auth.ts'
import { Go, useGo, usePlace } from '../base/go.tsx'
import { Button, HoldButton } from '../base/kit/button.tsx'
import { Mark } from '../base/kit/mark.tsx'
import { Empty, FaultNote, Skeleton, toast } from '../base/kit/note.tsx'
import { paths } from '../base/paths.ts'
import { queries } from '../base/query.ts'
import { useSend } from '../base/send.ts'
import { type Me, meQuery, sitesQuery, useMe } from '../base/site.tsx'
import { t, tOf } from '../base/words.ts'
import { lastSite } from './last-site.ts'
import { useUnread } from './unread.ts'

/** The first page: sign-in, then the sites with what is waiting. Opened from the home screen, the app goes to the last site immediately. */
export function Sites() {
  return useSignedIn() ? <Chooser /> : <Gate />
}

function Gate() {
  return (
    <main id="main" className="gate">
      <Mark size={72} />
      <p className="strong">{t('app.name')}</p>
      <h1>{t('sign_in.title')}</h1>
      <Button look="primary" wide onClick={() => void signIn('/')}>
        {t('sign_in.button')}
      </Button>
      <a href={paths.verify()}>{t('sign_in.verify')}</a>
    </main>
  )
}

function Chooser() {
  const me = useMe()
  const go = useGo()
  const [place] = usePlace()
  const { data: unread } = useUnread(null)
  const last = lastSite()
  const places = me.data?.memberships ?? []
  const straight = place.from === 'home' && places.some(one => one.site_id === last && one.status === 'active') ? last : null
  useEffect(() => {
    if (straight !== null) go(paths.today(straight), { replace: true })
  }, [straight, go])
  return (
    <main id="main" className="chooser">
      <header className="row">
        <Mark size={40} />
        <h1>{t('sites.title')}</h1>
        <span className="row push">
          {me.data?.flags.can_create_site === true && (
            <Go className={`btn${places.length === 0 ? ' primary' : ''}`} to={paths.newSite()}>
              {t('sites.new')}
            </Go>
          )}
          <Button look="quiet" onClick={() => void signOut()}>
            {t('sign_out')}
          </Button>
        </span>
      </header>
      {me.isPending && <Skeleton rows={3} />}
      {me.error !== null && me.data === undefined && <FaultNote error={me.error} onRetry={() => void me.refetch()} />}
      {me.data !== undefined && places.length === 0 && me.data.user.is_superadmin !== true && (
        <Empty>{t(me.data.flags.can_create_site ? 'sites.none_can_make' : 'sites.none')}</Empty>
      )}
      <ul className="stack">
        {places.map(one => (
          <SiteRow key={one.id} place={one} waiting={unread?.get(one.site_id) ?? 0} />
        ))}
      </ul>
      {me.data?.user.is_superadmin === true && <OtherSites known={new Set(places.map(one => one.site_id))} />}
    </main>
  )
}

const SPACE = <span className="site-picture" />
// The list doesn't wait for pictures, and is there without them.
const SitePicture = lazy(() => import('./site-picture.tsx').catch(() => ({ default: () => SPACE })))

const Picture = ({ site_id }: { site_id: string }) => (
  <Suspense fallback={SPACE}>
    <SitePicture site_id={site_id} />
  </Suspense>
)

/** Sites where a superadmin has no membership. */
function OtherSites({ known }: { known: ReadonlySet<string> }) {
  const all = useQuery(sitesQuery)
  const rows = (all.data ?? []).filter(site => !known.has(site.id))
  if (all.data === undefined) return null
  if (rows.length === 0) return known.size > 0 ? null : <Empty>{t('sites.none_can_make')}</Empty>
  return (
    <section className="stack" aria-label={t('sites.others')}>
      <h2>{t('sites.others')}</h2>
      <ul className="stack">
        {rows.map(site => (
          <li key={site.id}>
            <Go className="panel site-row" to={paths.today(site.id)}>
              <Picture site_id={site.id} />
              <span className="stack tight grow">
                <span className="strong">{site.name}</span>
                <span className="soft small mono">{site.code}</span>
              </span>
              {site.locked_at !== null && <span className="badge">{t('sites.locked')}</span>}
            </Go>
          </li>
        ))}
      </ul>
    </section>
  )
}

function SiteRow({ place, waiting }: { place: Me['memberships'][number]; waiting: number }) {
  const inside = (
    <>
      {place.status === 'active' && <Picture site_id={place.site_id} />}
      <span className="stack tight grow">
        <span className="strong">{place.site_name}</span>
        <span className="soft small">
          <span className="mono">{place.site_code}</span> · {t('sites.role', { role: tOf('role', place.role) })}
          {place.contractor_name !== null && ` · ${place.contractor_name}`}
        </span>
      </span>
      {place.status === 'pending' && <span className="badge">{t('sites.pending')}</span>}
      {place.flags.locked && <span className="badge">{t('sites.locked')}</span>}
      {waiting > 0 && <span className="badge mine">{t('sites.waiting', { n: waiting })}</span>}
    </>
  )
  return (
    <li>
      {place.status === 'active' ? (
        <Go className="panel site-row" to={paths.today(place.site_id)}>
          {inside}
        </Go>
      ) : (
        <div className="panel stack">
          <div className="site-row">{inside}</div>
          <Withdraw place={place} />
        </div>
      )}
    </li>
  )
}

/** Withdraws a request to join a site: the person can ask again with their invitation. */
function Withdraw({ place }: { place: Me['memberships'][number] }) {
  const { busy, fault, send } = useSend()
  const withdraw = () =>
    void send(async () => {
      await ask(client.DELETE('/memberships/{membership_id}', { params: { path: { membership_id: place.id } } }))
      toast(t('sites.withdrawn', { site: place.site_name }))
      await queries.invalidateQueries({ queryKey: meQuery.queryKey })
    })
  return (
    <>
      <HoldButton disabled={busy} onHeld={withdraw}>
        {t('sites.withdraw')}
      </HoldButton>
      {fault !== null && <FaultNote error={fault} />}
    </>
  )
}
