import { capitalized } from '../../../../../shared/text.ts'
import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { called, type Side, workOf } from '../sides.ts'

/** A side: its name and what is done there, which lead to it if the reader can see it. */
export function SideLink({ side }: { side: Side }) {
  const { site_id } = useHere()
  if (side.id === null) return <span>{capitalized(called(side))}</span>
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
