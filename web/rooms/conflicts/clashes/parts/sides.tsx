import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'
import { called, calledInFull, type Side, workOf } from '../sides.ts'
import type { Episode } from '../types.ts'

/** What clashes with what, in words. */
export const pairOf = ({ a, b }: Pick<Episode, 'a' | 'b'>): string => t('clashes.between', { a: calledInFull(a), b: calledInFull(b) })

/** A side: its name and what is done there, which lead to it if the reader can see it. */
export function SideLink({ side }: { side: Side }) {
  const { site_id } = useHere()
  if (side.id === null) return <span>{called(side)}</span>
  const work = workOf(side)
  return (
    <span>
      <Go to={paths.thing(site_id, side.kind, side.id)}>
        {work === null ? (
          called(side)
        ) : (
          <>
            <span className="mono">{called(side)}</span> {work}
          </>
        )}
      </Go>
      {side.types.length > 0 && <span className="soft small"> {side.types.join(', ')}</span>}
    </span>
  )
}
