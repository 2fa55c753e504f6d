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

/** A page that could not be shown: without a line it was never loaded here, with one the fault is ours. */
export function Broken() {
  // It may be known only after this is shown that the line is gone.
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
