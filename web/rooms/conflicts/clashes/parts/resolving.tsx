import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t } from '../says.ts'
import type { Episode } from '../types.ts'

type Decided = NonNullable<Episode['stance']>

/** Returns who resolves a clash: a person or a contractor. */
export function useOwner({ owner_user_id, owner_contractor_id }: Pick<Decided, 'owner_user_id' | 'owner_contractor_id'>): string {
  const { site_id } = useHere()
  const name = usePeople([owner_user_id])
  const contractors = useContractors(site_id, 'all')
  const owner = owner_contractor_id === null ? name(owner_user_id) : contractors.data?.find(one => one.id === owner_contractor_id)?.name
  return owner ?? t('common.unknown_person')
}

/** Until when a clash is in hand, or since when it is overdue. */
export function DueBadge({ due_at, overdue }: { due_at: string; overdue: boolean }) {
  const { zone } = useHere()
  const time = momentOf(due_at, zone)
  return (
    <span className={`badge ${overdue ? 'stop' : 'soft'}`}>
      <Glyph name={overdue ? 'warning' : 'clock'} size={14} />
      {t(overdue ? 'clashes.overdue' : 'clashes.in_hand', { time })}
    </span>
  )
}

/** Until when an episode is in hand, or since when it is overdue; nothing if nobody resolves it. */
export function Due({ episode }: { episode: Pick<Episode, 'stance' | 'in_hand' | 'overdue'> }) {
  const due = episode.stance?.due_at ?? null
  return due === null || !(episode.in_hand || episode.overdue) ? null : <DueBadge due_at={due} overdue={episode.overdue} />
}

/** Who resolves a clash, and until when. */
export function Resolving({ episode, stance }: { episode: Episode; stance: Decided }) {
  const owner = useOwner(stance)
  return (
    <p className="row tight-row small">
      <span>{t('clashes.resolved_by', { name: owner })}</span>
      <Due episode={episode} />
    </p>
  )
}
