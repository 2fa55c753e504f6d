// When the day of the site changes, for the time slider.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { operations } from '../../../../contract/api.gen.ts'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { asFault } from '../../../base/fault.ts'
import { useLine } from '../../../base/live.ts'
import { useNow } from '../../../base/now.ts'
import { deviceTime } from '../../../base/service-time.ts'
import { useHere } from '../../../base/site.tsx'
import { type DayLine, lineOf } from './day-line.ts'
import { AGAIN_MS, readPassed } from './followed.ts'
import { AFTER_MS } from './passing.ts'

const NOTHING: DayLine = { changes: [], people: [], most: 0 }

const MOST = 1000
const NO_EDGES: readonly string[] = []

type Kinds = NonNullable<operations['site.show_changes']['requestBody']['content']['application/json']['kinds']>

/** What the map shows of a site, but for clashes. */
const SHOWN: Kinds = [
  ...(['worker', 'plant', 'delivery', 'active_area', 'poi', 'text_label', 'alert', 'permit'] as const),
  ...(['reference_feature', 'floor_plan', 'site_map'] as const),
]
type Period = { site_id: string; from: string; to: string; kinds: Kinds; max_points: number }

/** Reads when something changes; with a group, only of its members, unless they change with the clock itself. */
async function changesIn(body: Period, group_id: string | undefined): Promise<Schemas['ChangePoints']> {
  try {
    return await ask(client.POST('/analysis/change-points', { body: group_id === undefined ? body : { ...body, group_id } }))
  } catch (error) {
    if (group_id === undefined || !asFault(error).fields.has('group_id')) throw error
    return changesIn(body, undefined)
  }
}

/** When something starts, ends or changes during a day, and how many people are on the site. As the changes of today pass, the page reads again what they concern. */
export function useDayLine(site_id: string, from: string, to: string, live: boolean, group_id: string | undefined): DayLine {
  const { can } = useHere()
  const kinds: Kinds = can('clash_view') ? [...SHOWN, 'clash'] : SHOWN
  const query = (of: string | undefined) => ({
    queryKey: ['changes', site_id, from, to, of],
    queryFn: () => changesIn({ site_id, from, to, kinds, max_points: MOST }, of),
    staleTime: AGAIN_MS,
    meta: { keep: live },
  })
  const { data } = useQuery(query(group_id))
  const { data: whole } = useQuery({ ...query(undefined), enabled: live || group_id === undefined })
  const { state: line } = useLine()
  // The line is a dependency because it brings the time of the service.
  const edges = useMemo(
    () =>
      line === null || whole === undefined
        ? NO_EDGES
        : whole.points.map(({ at }) => new Date(deviceTime(Date.parse(at)) + AFTER_MS).toISOString()),
    [whole, line],
  )
  const now = useNow(AGAIN_MS, edges)
  useEffect(() => {
    // A page that nobody sees reads when it is seen again.
    if (whole !== undefined && document.visibilityState === 'visible') void readPassed(whole, Math.max(now, Date.now()))
  }, [whole, now])
  return useMemo(() => (data === undefined ? NOTHING : lineOf(data, Date.parse(from), Date.parse(to))), [data, from, to])
}
