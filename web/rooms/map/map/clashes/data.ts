// Requests for clashes on the map.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { asFault } from '../../../../base/fault.ts'
import { useHere } from '../../../../base/site.tsx'
import { viewedAt } from '../data.ts'
import { clashesShown, type MapClash } from './clashes.ts'
import { useShowsClashes } from './prefs.ts'

/** What is known about the clashes of an instant: `beyond` is further ahead than the service knows them. */
export type ClashState = 'off' | 'pending' | 'failed' | 'beyond' | 'known'
/** The clashes of an instant on the selected floor. */
export type Clashes = { clashes: readonly MapClash[]; state: ClashState; error: unknown; refetch(): void }

const NONE: readonly MapClash[] = []
type Shown = readonly { id: string }[]

/** Reads the clashes of an instant; null if it is further ahead than the service knows them. */
async function clashesAt(site_id: string, at: string | null): Promise<readonly MapClash[] | null> {
  try {
    return await ask(client.GET('/clashes/at-time', { params: { query: { site_id, at: at ?? new Date().toISOString() } } }))
  } catch (error) {
    if (asFault(error).fields.has('at')) return null
    throw error
  }
}

/** The clashes of a site at an instant, past as recorded and future as planned; null: now. `shown`: what the map shows of the selected floor. */
export function useClashes(
  site_id: string,
  at: string | null,
  floor: Parameters<typeof clashesShown>[1],
  [tokens, areas, permits]: readonly [Shown, Shown, Shown],
): Clashes {
  const { can } = useHere()
  const on = useShowsClashes() && can('clash_view')
  const asked = useQuery({
    ...viewedAt(at),
    queryKey: ['clashes-at', site_id, at],
    queryFn: () => clashesAt(site_id, at),
    enabled: on,
  })
  const all = on ? (asked.data ?? NONE) : NONE
  const clashes = useMemo(() => clashesShown(all, floor, [tokens, areas, permits]), [all, floor, tokens, areas, permits])
  const known = asked.data === null ? 'beyond' : asked.data === undefined ? (asked.error === null ? 'pending' : 'failed') : 'known'
  return { clashes, state: on ? known : 'off', error: on ? asked.error : null, refetch: () => void asked.refetch() }
}
