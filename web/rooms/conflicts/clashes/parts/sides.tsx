import { Go } from '../../../../base/go.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../says.ts'
import { called, type Side, sidePath } from '../sides.ts'
import type { Episode } from '../types.ts'

/** What clashes with what, in words. */
export const pairOf = ({ a, b }: Pick<Episode, 'a' | 'b'>): string => t('clashes.between', { a: called(a), b: called(b) })

/** A side: its name, which leads to it if the reader can see it. */
export function SideLink({ side }: { side: Side }) {
  const { site_id } = useHere()
  if (side.id === null) return <span>{called(side)}</span>
  return (
    <span>
      <Go to={sidePath(site_id, side.kind, side.id)}>{called(side)}</Go>
      {side.types.length > 0 && <span className="soft small"> {side.types.join(', ')}</span>}
    </span>
  )
}
