import type { Duties } from '../../../../kernel/tasks/door.ts'
import { resolvedBy } from '../queries/stances.ts'

/** Lists people's duties: the clashes that each of them said they would resolve (`site-and-people.md` §0.5, `reassign_duties`). */
export const dutiesOf: Duties = async (ctx, people) =>
  (await resolvedBy(ctx.db, people)).map(clashes =>
    clashes === 0 ? [] : [`resolver of ${clashes} ${clashes === 1 ? 'clash' : 'clashes'}`],
  )
