import { useQuery } from '@tanstack/react-query'
import { hourOf, plusDays } from '../../../../shared/time.ts'
import { ask, client, type Schemas } from '../../../base/api.ts'

const AGAIN_MS = 5 * 60_000

/**
 * The weather of a day, from the hour on that is running at its start: in a zone that isn’t whole hours from UTC, it began before midnight. Its hours are there for
 * 16 days ahead; `error` says why there is none. Nothing is requested for a site that isn't `located`.
 */
export const useSkyHours = (site_id: string, from: string, to: string, located: boolean) =>
  useQuery({
    queryKey: ['weather', site_id, from, to],
    queryFn: () =>
      ask(client.GET('/weather/sites/{site_id}/timeline', { params: { path: { site_id }, query: { from: hourOf(from), to } } })),
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
    retry: false,
    enabled: located,
  })

/** The working time of the shifts that start on a site day or on the one before: a night shift works after midnight. */
export const useWorkingTime = (site_id: string, date: string) =>
  useQuery({
    queryKey: ['working-time', site_id, date],
    queryFn: async (): Promise<Schemas['WorkingPeriod']['intervals']> => {
      const days = await Promise.all(
        [plusDays(date, -1), date].map(work_date =>
          ask(client.GET('/sites/{site_id}/working-period', { params: { path: { site_id }, query: { work_date } } })),
        ),
      )
      return days.flatMap(day => day.intervals)
    },
    staleTime: AGAIN_MS,
  })
