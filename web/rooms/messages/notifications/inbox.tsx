import './notifications.css'
import { useEffect, useState } from 'react'
import { startOfDay } from '../../../../shared/time.ts'
import { Go, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { toastFault } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import type { Filter } from '../../../base/records/filters.tsx'
import { Listing } from '../../../base/records/listing.tsx'
import { useHere, useMe } from '../../../base/site.tsx'
import { clockOf, dayOf, ownTimeOf } from '../../../base/time.ts'
import { markAllRead, markRead, useMessages } from './data.ts'
import { groupOf, linkOf, type Message } from './model.ts'
import { Why } from './parts/why.tsx'
import { t } from './says.ts'

const URGENCIES = ['info', 'attention', 'critical'] as const
const GLYPHS = { info: 'card', attention: 'warning', critical: 'stop' } as const

/** Notifications by day and site; each links to what it is about. */
export default function Inbox() {
  const here = useHere()
  const [place] = usePlace()
  const me = useMe()
  const [asked, setAsked] = useState<Message | null>(null)
  const all = place.sites !== undefined
  const urgency = URGENCIES.find(one => one === place.urgency)
  const messages = useMessages(all ? null : here.site_id, urgency, place.unread !== undefined)
  useEffect(() => {
    document.title = `${t('nav.notifications')} · ${here.name}`
  }, [here.name])
  const rows = messages.data?.pages.flatMap(page => page.rows) ?? []
  const newest = rows[0]
  const siteName = (site_id: string) => me.data?.memberships.find(one => one.site_id === site_id)?.site_name ?? here.name
  const filters: Filter[] = [
    {
      name: 'urgency',
      kind: 'choices',
      label: t('inbox.urgency'),
      options: URGENCIES.map(value => ({ value, label: t(`urgency.${value}`) })),
    },
    { name: 'unread', kind: 'tick', label: t('inbox.unread_only') },
    ...((me.data?.memberships.length ?? 0) > 1 ? [{ name: 'sites', kind: 'tick', label: t('inbox.all_sites') } as const] : []),
  ]
  return (
    <div className="inbox stack">
      <header className="row spread">
        <h1>{t('nav.notifications')}</h1>
        <div className="row">
          <Button
            disabled={newest === undefined || urgency !== undefined}
            onClick={() => {
              if (newest !== undefined) void markAllRead(all ? null : here.site_id, newest.created_at).catch(toastFault)
            }}
          >
            <Glyph name="ok" size={16} />
            {t('inbox.read_all')}
          </Button>
          <Go className="btn" to={paths.preferences(here.site_id)}>
            {t('prefs.title')}
          </Go>
        </div>
      </header>
      <p className="soft small">
        {t('inbox.about')} <Go to={paths.tasks(here.site_id)}>{t('nav.tasks')}</Go>.
      </p>
      <Listing
        label={t('nav.notifications')}
        query={messages}
        rows={rows}
        idOf={message => message.id}
        nameOf={message => message.title}
        flush
        row={message => <Row message={message} zone={here.zone} onWhy={() => setAsked(message)} />}
        groupOf={message => {
          const { key, date } = groupOf(message, here.zone)
          const day = dayOf(startOfDay(here.zone, date), here.zone)
          return { key, head: <h2>{all ? `${day} · ${siteName(message.site_id)}` : day}</h2> }
        }}
        filters={filters}
        empty={{
          says: t('inbox.empty'),
          action: (
            <Go className="btn" to={paths.preferences(here.site_id)}>
              {t('inbox.choose')}
            </Go>
          ),
        }}
        more={{ has: messages.hasNextPage, busy: messages.isFetchingNextPage, load: () => void messages.fetchNextPage() }}
      />
      {asked !== null && <Why message={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Row({ message, zone, onWhy }: { message: Message; zone: string; onWhy(): void }) {
  const unread = message.read_at === null
  const link = linkOf(message)
  return (
    <div className={`message ${message.urgency}${unread ? ' unread' : ''}`}>
      <span className="message-mark">
        <Glyph name={GLYPHS[message.urgency]} />
        <span className="unseen">{t(`urgency.${message.urgency}`)}</span>
      </span>
      <div className="grow stack tight">
        <p className={unread ? 'strong' : undefined}>
          {link === null ? (
            message.title
          ) : (
            <Go to={link} data-open onClick={() => unread && void markRead(message.id, true).catch(toastFault)}>
              {message.title}
            </Go>
          )}
          {unread && <span className="unseen"> {t('inbox.unread')}</span>}
          {message.settled_at != null && <span className="badge soft">{t('inbox.settled')}</span>}
        </p>
        {message.body !== '' && <p className="small soft pre">{message.body}</p>}
        <div className="row">
          <Button look="quiet" onClick={() => void markRead(message.id, unread).catch(toastFault)}>
            {t(unread ? 'inbox.read' : 'inbox.unread_again')}
          </Button>
          <Button look="quiet" onClick={onWhy}>
            {t('why.title')}
          </Button>
        </div>
      </div>
      <time className="mono small soft" dateTime={message.created_at} title={ownTimeOf(message.created_at, zone)}>
        {clockOf(message.created_at, zone)}
      </time>
    </div>
  )
}
