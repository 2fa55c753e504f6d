// When the day of the site changes, for the time slider.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client } from '../../../base/api.ts'
import { type DayLine, lineOf } from './day-line.ts'

const AGAIN_MS = 60_000
const NOTHING: DayLine = { changes: [], people: [], most: 0 }

/** When something starts, ends or changes during a day, and how many people are on the site. */
export function useDayLine(site_id: string, from: string, to: string, live: boolean): DayLine {
  const { data } = useQuery({
    queryKey: ['changes', site_id, from, to],
    queryFn: () => ask(client.POST('/analysis/change-points', { body: { site_id, from, to, max_points: 300 } })),
    staleTime: AGAIN_MS,
    meta: { keep: live },
  })
  return useMemo(() => (data === undefined ? NOTHING : lineOf(data, Date.parse(from), Date.parse(to))), [data, from, to])
}
