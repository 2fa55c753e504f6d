import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { ask, client } from '../base/api.ts'
import { isSignedIn, signIn } from '../base/auth.ts'
import { Go } from '../base/go.tsx'
import { Button } from '../base/kit/button.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { Note, PageWait, Skeleton } from '../base/kit/note.tsx'
import { Menu } from '../base/kit/window.tsx'
import { listenTo } from '../base/live.ts'
import { paths } from '../base/paths.ts'
import type { Entry } from '../base/room.ts'
import { type Here, HereProvider, hereOf, useMe } from '../base/site.tsx'
import { t } from '../base/words.ts'
import { CommandMenu } from './command-menu.tsx'
import { LineDot } from './line-dot.tsx'
import { Lost } from './lost.tsx'
import { Mark } from './mark.tsx'
import { MePanel } from './me-panel.tsx'
import { OutboxBar } from './outbox-bar.tsx'
import { rooms } from './rooms.ts'
import { rememberSite } from './sites.tsx'
import { useUnread, useUnreadMessages } from './unread.ts'

const ON_PHONE = 4
const MOST_SHOWN = 99

/** A site's frame: the current page, the other pages, and what is waiting. */
export function Frame({ site_id }: { site_id: string }) {
  const me = useMe()
  const placed = me.data?.memberships.some(one => one.site_id === site_id && one.status === 'active') ?? false
  const site = useQuery({
    queryKey: ['site', site_id],
    queryFn: () => ask(client.GET('/sites/{site_id}', { params: { path: { site_id } } })),
    enabled: me.data !== undefined && !placed && me.data.user.is_superadmin,
  })
  useEffect(() => {
    if (!isSignedIn()) void signIn(location.pathname + location.search)
  }, [])
  useEffect(() => {
    if (placed) rememberSite(site_id)
  }, [placed, site_id])
  if (!isSignedIn()) return <main id="main" className="gate" />
  if (me.data === undefined)
    return (
      <main className="page">
        <PageWait title={t('app.name')} query={me} />
      </main>
    )
  if (site.isFetching && site.data === undefined) return <Skeleton rows={6} />
  const here = hereOf(me.data, site_id, site.data)
  return here === null ? <Lost /> : <Framed here={here} />
}

function Framed({ here }: { here: Here }) {
  const [finding, setFinding] = useState(false)
  const [mine, setMine] = useState(false)
  const path = useRouterState({ select: state => state.location.pathname })
  const { data: unread } = useUnread(null)
  const { data: messages } = useUnreadMessages(here.site_id)
  const counts = { tasks: unread?.get(here.site_id) ?? 0, notifications: messages ?? 0 }
  const entries = rooms.flatMap(room => room.entries).filter(entry => entry.when?.(here) !== false)
  useEffect(() => listenTo(here.site_id), [here.site_id])
  const bar = entries.filter(entry => entry.bar === true)
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if ((event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === 'K' && event.shiftKey && event.metaKey)) {
        event.preventDefault()
        setFinding(true)
      }
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  const link = (entry: Entry) => {
    const to = entry.to(here.site_id)
    const count = entry.count?.(counts) ?? 0
    return (
      <Go key={entry.label} to={to} className="way" aria-current={path.startsWith(to.split('?')[0] ?? to) ? 'page' : undefined}>
        <Glyph name={entry.glyph} size={22} />
        <span>{t(entry.label)}</span>
        {count > 0 && <span className="badge mine">{count}</span>}
      </Go>
    )
  }
  return (
    <HereProvider value={here}>
      <a className="skip" href="#main">
        {t('app.skip')}
      </a>
      <div className="frame">
        <header className="top">
          <Go to={paths.sites()} className="home" aria-label={t('nav.change_site')}>
            <Mark size={30} />
          </Go>
          <span className="site-name cut">{here.name}</span>
          <LineDot />
          <Button look="quiet" square aria-label={t('menu.open')} title={`${t('menu.open')} (Ctrl K)`} onClick={() => setFinding(true)}>
            <Glyph name="search" />
          </Button>
          <Go className="btn quiet square bell" to={paths.notifications(here.site_id)} aria-label={t('inbox.bell', { n: messages ?? 0 })}>
            <Glyph name="bell" />
            {(messages ?? 0) > 0 && <span className="badge act">{(messages ?? 0) > MOST_SHOWN ? `${MOST_SHOWN}+` : messages}</span>}
          </Go>
          <Button look="quiet" square aria-label={t('me.title')} onClick={() => setMine(true)}>
            <Glyph name="person" />
          </Button>
        </header>
        <nav className="ways" aria-label={t('nav.main')}>
          {bar.slice(0, ON_PHONE).map(link)}
          <div className="rest">{bar.slice(ON_PHONE).map(link)}</div>
          {bar.length > ON_PHONE && (
            <div className="way more">
              <Menu
                label={t('nav.more')}
                square={false}
                face={
                  <>
                    <Glyph name="more" size={22} />
                    <span>{t('nav.more')}</span>
                  </>
                }
              >
                {bar.slice(ON_PHONE).map(entry => (
                  <Go key={entry.label} className="item" to={entry.to(here.site_id)}>
                    <Glyph name={entry.glyph} />
                    {t(entry.label)}
                  </Go>
                ))}
              </Menu>
            </div>
          )}
        </nav>
        <main id="main" className="page" tabIndex={-1}>
          <OutboxBar site_id={here.site_id} />
          {here.locked && <Note kind="warn">{t('site.locked')}</Note>}
          <Suspense fallback={<Skeleton rows={6} />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {finding && <CommandMenu entries={entries} onClose={() => setFinding(false)} />}
      {mine && <MePanel onClose={() => setMine(false)} />}
    </HereProvider>
  )
}
