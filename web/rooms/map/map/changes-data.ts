// When the day of the site changes, for the time slider.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { asFault } from '../../../base/fault.ts'
import { type DayLine, lineOf } from './day-line.ts'

const AGAIN_MS = 60_000
const NOTHING: DayLine = { changes: [], people: [], most: 0 }

type Period = { site_id: string; from: string; to: string; max_points: number }

/** Reads when something changes; with a group, only of its members, unless they change with the clock itself. */
async function changesIn(body: Period, group_id: string | undefined): Promise<Schemas['ChangePoints']> {
  try {
    return await ask(client.POST('/analysis/change-points', { body: group_id === undefined ? body : { ...body, group_id } }))
  } catch (error) {
    if (group_id === undefined || !asFault(error).fields.has('group_id')) throw error
    return changesIn(body, undefined)
  }
}

/** When something starts, ends or changes during a day, and how many people are on the site. */
export function useDayLine(site_id: string, from: string, to: string, live: boolean, group_id: string | undefined): DayLine {
  const { data } = useQuery({
    queryKey: ['changes', site_id, from, to, group_id],
    queryFn: () => changesIn({ site_id, from, to, max_points: 300 }, group_id),
    staleTime: AGAIN_MS,
    meta: { keep: live },
  })
  return useMemo(() => (data === undefined ? NOTHING : lineOf(data, Date.parse(from), Date.parse(to))), [data, from, to])
}
