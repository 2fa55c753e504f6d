import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isSignedIn, signIn, useSignedIn } from '../base/auth.ts'
import { Go } from '../base/go.tsx'
import { useKeys } from '../base/keys.ts'
import { Button } from '../base/kit/button.tsx'
import { Glyph } from '../base/kit/glyph.tsx'
import { Mark } from '../base/kit/mark.tsx'
import { PageWait, Skeleton } from '../base/kit/note.tsx'
import { listenTo } from '../base/live.ts'
import { part } from '../base/part.tsx'
import { paths } from '../base/paths.ts'
import { type Here, HereProvider, hereOf, siteQuery, useMe } from '../base/site.tsx'
import { useWide } from '../base/wide.ts'
import { t } from '../base/words.ts'
import { Closed } from './closed.tsx'
import { rememberSite } from './last-site.ts'
import { LineDot } from './line-dot.tsx'
import { LockedBar } from './locked-bar.tsx'
import { Lost } from './lost.tsx'
import { closedAt, entriesOf, groupAt, groupOffAt, waysOf } from './nav.ts'
import { OffBar } from './off-bar.tsx'
import { OutboxBar } from './outbox-bar.tsx'
import { stale } from './rooms.ts'
import { GroupTabs } from './tabs.tsx'
import { useUnread, useUnreadMessages } from './unread.ts'
import { Ways } from './ways.tsx'

// Opened by a few, on a desktop or by a tap: not part of what every page loads first.
const CaptureWindow = part(() => import('./capture.tsx'))
const Shortcuts = part(() => import('./shortcuts.tsx'))
// Fetched as soon as the first screen has had the connection to itself: no letter that someone types right after Ctrl K can be lost.
const menu = () => import('./command-menu.tsx')
const CommandMenu = part(menu)
// Nothing is drawn unless there is danger, and then a moment after the page.
const AlertBanner = part(() => import('../rooms/messages/alerts/banner.tsx'))
// In the bar at the top there is no room for a message.
const ShiftNow = lazy(() => import('./shift-now.tsx').catch(() => ({ default: () => null })))
const Printed = lazy(() => import('./printed.tsx').catch(() => ({ default: () => null })))
const MENU_AFTER_MS = 2000
const MePanel = part(() => import('./me-panel.tsx'))

const MOST_SHOWN = 99

/** Returns whether the page is shown on the screen of a site office: without navigation, because nobody operates it. */
const isKiosk = ({ pathname, searchStr }: { pathname: string; searchStr: string }): boolean =>
  pathname.endsWith('/today') && new URLSearchParams(searchStr).has('kiosk')

/** A site's frame: the current page, the other pages, and what is waiting. */
export function Frame({ site_id }: { site_id: string }) {
  const me = useMe()
  const placed = me.data?.memberships.some(one => one.site_id === site_id && one.status === 'active') ?? false
  // Only for a superadmin who is no member. Pages read the same query; waiting for theirs would take the page itself away.
  const asks = me.data !== undefined && !placed && me.data.user.is_superadmin
  const site = useQuery({ ...siteQuery(site_id), enabled: asks })
  const signed_in = useSignedIn()
  const [came_signed_in] = useState(isSignedIn)
  useEffect(() => {
    if (!came_signed_in) void signIn(location.pathname + location.search)
  }, [came_signed_in])
  useEffect(() => {
    if (placed) rememberSite(site_id)
  }, [placed, site_id])
  if (!signed_in) return came_signed_in ? <Ended /> : <main id="main" className="gate" />
  if (me.data === undefined)
    return (
      <main className="page">
        <PageWait title={t('app.name')} query={me} />
      </main>
    )
  if (asks && site.isFetching && site.data === undefined) return <Skeleton rows={6} />
  const here = hereOf(me.data, site_id, site.data)
  return here === null ? <Lost /> : <Framed here={here} />
}

/** Shown when the session ended while the page was open: the person signed out on another device, or it wasn’t used for too long. */
function Ended() {
  return (
    <main id="main" className="gate">
      <Mark size={72} />
      <h1>{t('sign_in.ended')}</h1>
      <p>{t('sign_in.ended.next')}</p>
      <Button look="primary" wide onClick={() => void signIn(location.pathname + location.search)}>
        {t('sign_in.button')}
      </Button>
    </main>
  )
}

function Framed({ here }: { here: Here }) {
  const [open, setOpen] = useState<'search' | 'me' | 'capture' | 'keys' | null>(null)
  const [settled, setSettled] = useState(false)
  const wide = useWide()
  const path = useRouterState({ select: state => state.location.pathname })
  const kiosk = useRouterState({ select: state => isKiosk(state.location) })
  const { data: unread } = useUnread(null)
  const { data: messages } = useUnreadMessages(here.site_id)
  const counts = { tasks: unread?.get(here.site_id) ?? 0, notifications: messages ?? 0 }
  const ways = waysOf(here)
  const page = path.slice(`/sites/${here.site_id}`.length)
  const [group, off, closed] = [groupAt(page), groupOffAt(page, here), closedAt(page, here)]
  const way = ways.find(one => one.name === group)
  useEffect(() => listenTo(here.site_id, stale), [here.site_id])
  useEffect(() => {
    const over = new AbortController()
    let kept = false
    // As soon as a person uses the keyboard: what they press first can already remove what has the focus.
    const keep = () => {
      if (kept) return
      kept = true
      const focused = document.activeElement
      void import('./focus-kept.ts').then(({ keepFocus }) => keepFocus(focused, over.signal)).catch(() => undefined)
    }
    document.addEventListener('focusin', keep, { signal: over.signal })
    const timer = setTimeout(() => {
      setSettled(true)
      void menu().catch(() => undefined)
      keep()
    }, MENU_AFTER_MS)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [])
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if ((event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === 'K' && event.shiftKey && event.metaKey)) {
        event.preventDefault()
        setOpen('search')
      }
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
  useKeys({ c: () => setOpen('capture'), '?': () => setOpen('keys') })
  const close = () => setOpen(null)
  if (kiosk)
    return (
      <HereProvider value={here}>
        <main id="main" className="kiosk">
          <LineDot />
          <Suspense fallback={<Skeleton rows={6} />}>
            <Outlet />
          </Suspense>
        </main>
      </HereProvider>
    )
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
          {settled && wide && (
            <Suspense fallback={null}>
              <ShiftNow />
            </Suspense>
          )}
          <LineDot />
          <Button
            look="primary"
            className="desk-only"
            title={`${t('capture.open')} (C)`}
            aria-haspopup="dialog"
            onClick={() => setOpen('capture')}
          >
            <Glyph name="plus" />
            {t('capture.open')}
          </Button>
          <Button look="quiet" square aria-label={t('menu.open')} title={`${t('menu.open')} (Ctrl K)`} onClick={() => setOpen('search')}>
            <Glyph name="search" />
          </Button>
          <Go className="btn quiet square bell" to={paths.notifications(here.site_id)} aria-label={t('inbox.bell', { n: messages ?? 0 })}>
            <Glyph name="bell" />
            {(messages ?? 0) > 0 && <span className="badge act">{(messages ?? 0) > MOST_SHOWN ? `${MOST_SHOWN}+` : messages}</span>}
          </Go>
          <Button look="quiet" square aria-label={t('me.title')} onClick={() => setOpen('me')}>
            <Glyph name="person" />
          </Button>
        </header>
        <Ways ways={ways} group={group} site_id={here.site_id} path={path} counts={counts} onCapture={() => setOpen('capture')} />
        <main id="main" className="page" tabIndex={-1}>
          {settled && (
            <Suspense fallback={null}>
              <Printed />
            </Suspense>
          )}
          {way !== undefined && <GroupTabs way={way} site_id={here.site_id} path={path} counts={counts} />}
          <OutboxBar site_id={here.site_id} />
          <Suspense fallback={null}>
            <AlertBanner />
          </Suspense>
          {here.locked && <LockedBar />}
          {off !== undefined && <OffBar group={off} />}
          {closed === undefined ? (
            <Suspense fallback={<Skeleton rows={6} />}>
              <Outlet />
            </Suspense>
          ) : (
            <Closed says={closed} />
          )}
        </main>
      </div>
      <Suspense fallback={null}>
        {open === 'search' && <CommandMenu entries={entriesOf(here)} onClose={close} />}
        {open === 'capture' && <CaptureWindow onClose={close} />}
        {open === 'me' && <MePanel onClose={close} onKeys={() => setOpen('keys')} />}
        {open === 'keys' && <Shortcuts onClose={close} />}
      </Suspense>
    </HereProvider>
  )
}
