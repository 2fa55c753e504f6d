import { Go } from '../base/go.tsx'
import { Button } from '../base/kit/button.tsx'
import { Empty } from '../base/kit/note.tsx'
import { useLine } from '../base/line.ts'
import { paths } from '../base/paths.ts'
import { t } from '../base/words.ts'

/** There is no such page. */
export function Lost() {
  return (
    <main id="main" className="lost">
      <h1>{t('lost.title')}</h1>
      <Empty
        action={
          <Go className="btn primary" to={paths.sites()}>
            {t('sites.title')}
          </Go>
        }
      >
        {t('fault.not_found')}
      </Empty>
    </main>
  )
}

/** A page that could not be shown: offline, because it was never loaded on this device; online, because of an error in the app. */
export function Broken() {
  // The app may notice that it is offline only after it has shown this page.
  const line = useLine()
  return (
    <div className="lost" role="alert">
      <h1>{t('fault.title')}</h1>
      <Empty
        action={
          <Button look="primary" onClick={() => location.reload()}>
            {t('common.retry')}
          </Button>
        }
      >
        {t(line.up ? 'fault.page' : 'fault.offline_bare')}
      </Empty>
    </div>
  )
}
