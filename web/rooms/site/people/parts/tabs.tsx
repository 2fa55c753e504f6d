import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'

/** The tabs for people and for their contractors. */
export function PeopleTabs({ part }: { part: 'members' | 'contractors' }) {
  const { site_id } = useHere()
  return (
    <nav className="tabs" aria-label={t('nav.people')}>
      {(['members', 'contractors'] as const).map(name => (
        <Go key={name} to={paths[name](site_id)} aria-current={name === part ? 'page' : undefined}>
          {t(`people.${name}`)}
        </Go>
      ))}
    </nav>
  )
}
