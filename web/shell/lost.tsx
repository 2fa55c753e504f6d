import { Go } from '../base/go.tsx'
import { Empty } from '../base/kit/note.tsx'
import { paths } from '../base/paths.ts'
import { t } from '../base/words.ts'

/** There is no such page. */
export function Lost() {
  return (
    <main id="main" className="lost">
      <Empty
        action={
          <Go className="btn chief" to={paths.sites()}>
            {t('sites.title')}
          </Go>
        }
      >
        {t('fault.not_found')}
      </Empty>
    </main>
  )
}
