import { useEffect } from 'react'
import { useFrameOf } from '../../../base/frame.ts'
import { Wait } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { placeText } from '../../../base/place-name.ts'
import { useHere } from '../../../base/site.tsx'
import { clockOf, dayOf, windowLines } from '../../../base/time.ts'
import { type Key, t } from '../../../base/words.ts'
import { SiteNow, TypeChip, useFirstOf } from '../../permits/permits/door.tsx'

const MOST = 8
const MOST_READ = 200
const TICK_MS = 10_000

/** The screen of the site office: the site now, large, live, and with nothing to press. */
export default function Kiosk() {
  const here = useHere()
  const now = useNow(TICK_MS)
  useAwake()
  const at = new Date(now).toISOString()
  return (
    <>
      <header className="row spread">
        <h1>{here.name}</h1>
        <p className="kiosk-clock">
          {dayOf(at, here.zone)} <span className="mono">{clockOf(at, here.zone)}</span>
        </p>
      </header>
      <SiteNow last_visit={null} linked={false} />
      <div className="kiosk-lists">
        <List title="now.soon" filters={{ soon: '1' }} />
        <List title="now.expired" filters={{ show: 'expired' }} />
      </div>
    </>
  )
}

function List({ title, filters }: { title: Key; filters: Record<string, string> }) {
  const { site_id, zone } = useHere()
  const list = useFirstOf(site_id, filters, MOST_READ)
  const frame = useFrameOf(list.data?.rows ?? [])
  // What ends first, or ended first, comes first.
  const rows = (list.data?.rows ?? []).toSorted((a, b) => (a.end_at ?? '').localeCompare(b.end_at ?? '')).slice(0, MOST)
  return (
    <section className="stack" aria-label={t(title)}>
      <h2>{t(title)}</h2>
      <Wait query={list} rows={3} height={48} />
      {list.data !== undefined && rows.length === 0 && <p className="soft">{t('now.none')}</p>}
      <ul className="lines">
        {rows.map(permit => (
          <li key={permit.id}>
            <span className="row tight-row">
              {permit.categories.map(code => (
                <TypeChip key={code} code={code} />
              ))}
            </span>
            <span className="grow stack tight">
              <span className="strong">{permit.title ?? t('permit.untitled')}</span>
              <span className="soft small">
                {[permit.permit_number, permit.contractor?.name, placeText(permit, frame)].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span className="mono small nowrap">
              {permit.start_at !== null && permit.end_at !== null && windowLines(permit.start_at, permit.end_at, zone).join(' ')}
            </span>
          </li>
        ))}
      </ul>
      {list.data?.total != null && list.data.total > rows.length && (
        <p className="soft">{t('now.more', { n: list.data.total - rows.length })}</p>
      )}
    </section>
  )
}

/** Keeps the screen of the device on, where the browser can. */
function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const hold = () => {
      if (document.visibilityState !== 'visible') return
      navigator.wakeLock?.request('screen').then(
        held => {
          lock = held
        },
        () => undefined, // refused while the battery is low: the device's own setting then decides
      )
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => {
      document.removeEventListener('visibilitychange', hold)
      void lock?.release()
    }
  }, [])
}
