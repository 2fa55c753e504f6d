import type { Schemas } from '../../../../base/api.ts'
import { Go } from '../../../../base/go.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'

type Permits = Schemas['UnresolvedClashes']['unplaced_permits']

/** The number of permits that leaves room for clashes on the first screen of a phone. */
const FIRST = 4

/** Permits that can’t be checked, because they have no place: an empty list doesn’t speak for them. */
export function Unplaced({ permits }: { permits: Permits }) {
  if (permits.length === 0) return null
  const more = permits.slice(FIRST)
  return (
    <Note kind="warn" title={t('clashes.unplaced', { n: permits.length })}>
      <PermitLinks permits={permits.slice(0, FIRST)} />
      {more.length > 0 && (
        <details>
          <summary>{t('clashes.unplaced_more', { n: more.length })}</summary>
          <PermitLinks permits={more} />
        </details>
      )}
    </Note>
  )
}

function PermitLinks({ permits }: { permits: Permits }) {
  const { site_id } = useHere()
  return (
    <ul className="unplaced">
      {permits.map(one => (
        <li key={one.permit_id}>
          <Go to={paths.permit(site_id, one.permit_id)}>
            <span className="mono">{one.permit_number ?? t('permit.draft_number')}</span> {one.title}
          </Go>
        </li>
      ))}
    </ul>
  )
}
