import type { SwitchableGroup } from '../../shared/groups.ts'
import { Go } from '../base/go.tsx'
import { Note } from '../base/kit/note.tsx'
import { paths } from '../base/paths.ts'
import { useHere } from '../base/site.tsx'
import { t } from '../base/words.ts'

/** Says on a page that the site has switched off its group, so that nobody wonders why it isn't in the navigation; people who can change that get the link. */
export function OffBar({ group }: { group: SwitchableGroup }) {
  const { site_id, canChange } = useHere()
  return (
    <Note>
      {t(`off.${group}`)} {canChange('site_administer') && <Go to={paths.settings(site_id, 'site')}>{t('off.change')}</Go>}
    </Note>
  )
}
