import { Suspense, useEffect } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Skeleton } from '../../../base/kit/note.tsx'
import { useNow } from '../../../base/now.ts'
import { part } from '../../../base/part.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere } from '../../../base/site.tsx'
import { dayOf } from '../../../base/time.ts'
import { useLastVisit } from '../../../base/visit.ts'
import { t } from '../../../base/words.ts'
import { TaskTop } from '../../messages/tasks/door.tsx'
import { SiteNow } from '../../permits/permits/door.tsx'
import { useWalletComing, WalletTop } from '../../permits/wallet/door.tsx'
import './today.css'

const Kiosk = part(() => import('./kiosk.tsx'))

/** Everybody's first page; with `?kiosk`, the screen of the site office. */
export default function Today() {
  const here = useHere()
  const [place] = usePlace()
  useEffect(() => {
    document.title = `${t('nav.today')} · ${here.name}`
  }, [here.name])
  return place.kiosk === undefined ? (
    <Mine />
  ) : (
    <Suspense fallback={<Skeleton rows={4} height={92} />}>
      <Kiosk />
    </Suspense>
  )
}

/** The person's own wallet first, then what is waiting for them, then the site. */
function Mine() {
  const here = useHere()
  const now = useNow(60_000)
  const last_visit = useLastVisit(here.site_id)
  // The wallet comes first: what is below it would jump down when it comes.
  const coming = useWalletComing(here.site_id)
  return (
    <div className="today">
      <header className="row spread">
        <div className="row">
          <h1>{t('nav.today')}</h1>
          <span className="soft">{dayOf(new Date(now).toISOString(), here.zone)}</span>
        </div>
        <a className="desk-only small" href={paths.today(here.site_id, { kiosk: '1' })} target="_blank" rel="noreferrer">
          {t('today.kiosk')}
        </a>
      </header>
      {coming && <Skeleton rows={4} height={120} />}
      <div className="today-parts" hidden={coming}>
        <WalletTop />
        <TaskTop />
        <SiteNow last_visit={last_visit} />
      </div>
    </div>
  )
}
