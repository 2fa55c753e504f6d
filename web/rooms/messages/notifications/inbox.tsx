import './notifications.css'
import { useEffect, useState } from 'react'
import { startOfDay } from '../../../../shared/time.ts'
import { Go, usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Choices, Tick } from '../../../base/kit/field.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Empty, Note, toastFault, Wait } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere, useMe } from '../../../base/site.tsx'
import { clockOf, dayOf, ownTimeOf } from '../../../base/time.ts'
import { t } from '../../../base/words.ts'
import { markAllRead, markRead, useMessages } from './data.ts'
import { daysOf, linkOf, type Message } from './model.ts'
import { Why } from './parts/why.tsx'

const URGENCIES = ['info', 'attention', 'critical'] as const
const GLYPHS = { info: 'card', attention: 'warning', critical: 'stop' } as const

/** Notifications by day and site; each links to what it is about. */
export default function Inbox() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const me = useMe()
  const [asked, setAsked] = useState<Message | null>(null)
  const all = place.sites === 'all'
  const urgency = URGENCIES.find(one => one === place.urgency)
  const messages = useMessages(all ? null : here.site_id, urgency, place.unread === '1')
  useEffect(() => {
    document.title = `${t('nav.notifications')} · ${here.name}`
  }, [here.name])
  const rows = messages.data?.pages.flatMap(page => page.rows) ?? []
  const newest = rows[0]
  const siteName = (site_id: string) => me.data?.memberships.find(one => one.site_id === site_id)?.site_name ?? here.name
  const filtered = urgency !== undefined || place.unread === '1'
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
        {t('inbox.about')} <Go to={paths.tasks(here.site_id)}>{t('nav.tasks')}</Go>
      </p>
      <div className="row">
        <Choices
          label={t('inbox.urgency')}
          hidden
          options={[
            { value: 'any', label: t('common.all') },
            ...URGENCIES.map(value => ({ value: value as string, label: t(`urgency.${value}`) })),
          ]}
          value={urgency ?? 'any'}
          onChoose={next => setPlace({ urgency: next === 'any' ? undefined : next })}
        />
        <Tick
          label={t('inbox.unread_only')}
          checked={place.unread === '1'}
          onChange={event => setPlace({ unread: event.target.checked ? '1' : undefined })}
        />
        {(me.data?.memberships.length ?? 0) > 1 && (
          <Tick
            label={t('inbox.all_sites')}
            checked={all}
            onChange={event => setPlace({ sites: event.target.checked ? 'all' : undefined })}
          />
        )}
      </div>
      <Wait query={messages} rows={4} />
      {messages.error !== null && messages.data !== undefined && (
        <Note kind="warn">{t('fault.offline', { time: clockOf(new Date(messages.dataUpdatedAt).toISOString(), here.zone) })}</Note>
      )}
      {messages.data !== undefined && rows.length === 0 && (
        <Empty
          action={
            filtered ? (
              <Button onClick={() => setPlace({ urgency: undefined, unread: undefined })}>{t('inbox.show_all')}</Button>
            ) : (
              <Go className="btn" to={paths.preferences(here.site_id)}>
                {t('inbox.choose')}
              </Go>
            )
          }
        >
          {t(filtered ? 'inbox.nothing_found' : 'inbox.empty')}
        </Empty>
      )}
      {daysOf(rows, here.zone).map(day => (
        <section key={day.date} className="stack tight" aria-label={dayOf(startOfDay(here.zone, day.date), here.zone)}>
          <h2>{dayOf(startOfDay(here.zone, day.date), here.zone)}</h2>
          {day.sites.map(site => (
            <div key={site.site_id} className="stack tight">
              {all && <h3>{siteName(site.site_id)}</h3>}
              <ul className="messages">
                {site.messages.map(message => (
                  <Row key={message.id} message={message} zone={here.zone} onWhy={() => setAsked(message)} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
      {messages.hasNextPage && (
        <Button aria-busy={messages.isFetchingNextPage} onClick={() => void messages.fetchNextPage()}>
          {t('common.load_more')}
        </Button>
      )}
      {asked !== null && <Why message={asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

function Row({ message, zone, onWhy }: { message: Message; zone: string; onWhy(): void }) {
  const unread = message.read_at === null
  const link = linkOf(message)
  return (
    <li className={`message ${message.urgency}${unread ? ' unread' : ''}`}>
      <span className="message-mark">
        <Glyph name={GLYPHS[message.urgency]} />
        <span className="unseen">{t(`urgency.${message.urgency}`)}</span>
      </span>
      <div className="grow stack tight">
        <p className={unread ? 'strong' : undefined}>
          {link === null ? (
            message.title
          ) : (
            <Go to={link} onClick={() => unread && void markRead(message.id, true).catch(toastFault)}>
              {message.title}
            </Go>
          )}
          {unread && <span className="unseen"> {t('inbox.unread')}</span>}
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
    </li>
  )
}
