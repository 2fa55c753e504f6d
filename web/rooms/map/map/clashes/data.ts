// Requests for clashes on the map.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { askWhole, client } from '../../../../base/api.ts'
import { asFault } from '../../../../base/fault.ts'
import { serviceTime } from '../../../../base/service-time.ts'
import { useHere } from '../../../../base/site.tsx'
import { viewedAt } from '../data.ts'
import { AGAIN_MS, untilLooked } from '../followed.ts'
import { clashesShown, type MapClash } from './clashes.ts'
import { useShowsClashes } from './prefs.ts'

/** What is known about the clashes of an instant: `beyond` is further ahead than the service knows them. */
export type ClashState = 'off' | 'pending' | 'failed' | 'beyond' | 'known'
/** The clashes of an instant on the selected floor. */
export type Clashes = { clashes: readonly MapClash[]; state: ClashState; error: unknown; refetch(): void }

const NONE: readonly MapClash[] = []
type Shown = readonly { id: string }[]

/** The clashes of an instant; null if it is further ahead than the service knows them. `behind`: the service had not computed all of them yet. */
type Found = { all: readonly MapClash[] | null; behind: boolean }

async function clashesAt(site_id: string, at: string | null): Promise<Found> {
  try {
    const query = { site_id, at: at ?? new Date(serviceTime()).toISOString() }
    const { data, headers } = await askWhole(client.GET('/clashes/at-time', { params: { query } }))
    return { all: data, behind: headers.has('x-clash-pending') }
  } catch (error) {
    if (asFault(error).fields.has('at')) return { all: null, behind: false }
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
    ...viewedAt(at, ['clash']),
    queryKey: ['clashes-at', site_id, at, 'found'],
    queryFn: () => clashesAt(site_id, at),
    enabled: on,
    refetchInterval: ({ state }) => (at !== null ? false : state.data?.behind === true ? AGAIN_MS : untilLooked()),
  })
  const all = on ? (asked.data?.all ?? NONE) : NONE
  const clashes = useMemo(() => clashesShown(all, floor, [tokens, areas, permits]), [all, floor, tokens, areas, permits])
  const known = asked.data?.all === null ? 'beyond' : asked.data === undefined ? (asked.error === null ? 'pending' : 'failed') : 'known'
  return { clashes, state: on ? known : 'off', error: on ? asked.error : null, refetch: () => void asked.refetch() }
}
