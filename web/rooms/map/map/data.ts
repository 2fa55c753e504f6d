// The map's requests.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { operations } from '../../../../contract/api.gen.ts'
import { ask, askWhole, client, nextOf, type Schemas } from '../../../base/api.ts'
import { useContractors } from '../../../base/lists.ts'
import { queries } from '../../../base/query.ts'
import { serviceTime } from '../../../base/service-time.ts'
import { siteQuery } from '../../../base/site.tsx'
import { type Alert, isActive, useAlertsAt } from '../../messages/alerts/door.tsx'
import { untilLooked } from './followed.ts'
import { useLabelStyles } from './label-styles-data.ts'
import { withOwnColours } from './labels.ts'
import { type LabelStyles, labelOf } from './looks.ts'
import { type Feature, type Frame, groundIn } from './model.ts'
import { tOf } from './says.ts'
import type { Poi, TextLabel } from './signs.ts'

const AT_ONCE = 500
const NO_POINTS: readonly Poi[] = []
const NO_WORDS: readonly TextLabel[] = []
const AGAIN_MS = 60_000
type Card = Schemas['PermitCard']
type Asked = Omit<NonNullable<operations['permit.list_cards']['parameters']['query']>, 'limit' | 'cursor' | 'reasons'>

/** The site itself; nothing is requested until it is `needed`. */
export const useSite = (site_id: string, needed = true) => useQuery({ ...siteQuery(site_id), enabled: needed })

/** The site frame at an instant, past, present or future; null: now. */
export function useFrameAt(site_id: string, at: string | null) {
  const frame = useQuery({
    queryKey: ['map', 'frame', site_id, at],
    queryFn: () =>
      ask(
        client.GET('/reference-features/features/at-time', {
          params: { query: { site_id, at: at ?? new Date(serviceTime()).toISOString() } },
        }),
      ),
    placeholderData: before => before,
    staleTime: AGAIN_MS,
    meta: { keep: at === null, ...(at === null && { kinds: ['reference_feature'] }) },
  })
  const byId = useMemo<Frame>(() => new Map((frame.data ?? []).map(one => [one.id, one])), [frame.data])
  return { ...frame, frame: byId }
}

/**
 * How what is on the map at an instant is read; what is there now is read again, and kept on the device. `kinds`: as time passes, it changes when one of these
 * starts or ends.
 */
export const viewedAt = (at: string | null, kinds: readonly string[]) => ({
  placeholderData: <T>(before: T) => before,
  staleTime: AGAIN_MS,
  refetchInterval: at === null ? untilLooked : (false as const),
  meta: { keep: at === null, ...(at === null && { kinds }) },
})

/** The request for the points of interest at an instant; null: now. */
export const pointsQuery = (site_id: string, at: string | null) => ({
  ...viewedAt(at, ['poi']),
  queryKey: ['map', 'points', site_id, at],
  queryFn: () => ask(client.GET('/pois/at-time', { params: { query: { site_id, ...(at === null ? {} : { at }) } } })),
})

/** The points of interest and the words on the map at an instant; null: now. */
export function useOnMap(
  site_id: string,
  at: string | null,
): { points: readonly Poi[]; words: readonly TextLabel[]; alerts: readonly Alert[]; error: unknown; refetch(): void } {
  const query = { site_id, ...(at === null ? {} : { at }) }
  const options = viewedAt(at, ['text_label'])
  const points = useQuery(pointsQuery(site_id, at))
  const words = useQuery({
    ...options,
    queryKey: ['map', 'words', site_id, at],
    queryFn: () => ask(client.GET('/text-labels/at-time', { params: { query } })),
  })
  const alerts = useAlertsAt(site_id, at)
  const { data: contractors } = useContractors(site_id, 'all')
  return {
    alerts: useMemo(() => (at === null ? alerts.filter(isActive) : alerts), [alerts, at]),
    points: points.data ?? NO_POINTS,
    words: useMemo(() => withOwnColours(words.data ?? NO_WORDS, contractors), [words.data, contractors]),
    error: points.error ?? words.error,
    refetch: () => {
      void points.refetch()
      void words.refetch()
    },
  }
}

/** How the labels of places look on the map of a site. */
export function useNames(site_id: string): { styles: LabelStyles; label(feature: Feature): string } {
  const { data: styles = null } = useLabelStyles(site_id)
  const { data: contractors } = useContractors(site_id, 'all')
  return useMemo(() => {
    const short = new Map(contractors?.map(one => [one.id, one.short_name ?? one.name]))
    const says = { zone_type: (code: string) => tOf('zone_type', code), contractor: (id: string) => short.get(id) ?? null }
    return { styles, label: feature => labelOf(feature, styles, says) }
  }, [styles, contractors])
}

/** Asks the service for the boundary of a site; the headers have its version. */
export const readBoundary = (site_id: string) => askWhole(client.GET('/sites/{site_id}/boundary', { params: { path: { site_id } } }))

/** A site's current boundary. */
export function useBoundary(site_id: string) {
  const boundary = useQuery({
    queryKey: ['map', 'boundary', site_id],
    queryFn: async () => (await readBoundary(site_id)).data,
    staleTime: AGAIN_MS,
    meta: { keep: true, kinds: ['reference_feature'] },
  })
  return { ...boundary, ground: groundIn(boundary.data?.geometry) }
}

async function allPermits(asked: Asked, signal: AbortSignal): Promise<Card[]> {
  const rows: Card[] = []
  let cursor: string | null = null
  do {
    const query: NonNullable<operations['permit.list_cards']['parameters']['query']> = {
      ...asked,
      limit: AT_ONCE,
      reasons: false,
      ...(cursor === null ? {} : { cursor }),
    }
    const { data, headers }: { data: Card[]; headers: Headers } = await askWhole(client.GET('/permits', { params: { query }, signal }))
    rows.push(...data)
    cursor = nextOf(headers)
  } while (cursor !== null)
  return rows
}

const SHOWN: NonNullable<Asked['status']> = ['draft', 'corrections_requested', 'requested', 'endorsed', 'approved', 'issued', 'expired']

/** Permits start and end, and an alert can stop their work. */
const OF_PERMITS = ['permit', 'alert']

/**
 * Permits as they were at an instant (null: now), if their window overlaps its day; and those that were still open from before. What is still `ahead` isn't known: those that are open now
 * don't count.
 */
export function useDayPermits(site_id: string, from: string, to: string, at: string | null, ahead: boolean) {
  const live = at === null
  const then = at === null ? {} : { at }
  const day = useQuery({
    queryKey: ['permits', 'map', site_id, from, to, at],
    queryFn: ({ signal }) => allPermits({ site_id, from, to, status: SHOWN, ...then }, signal),
    placeholderData: before => before,
    refetchInterval: live ? untilLooked : false,
    meta: { keep: live, ...(live && { kinds: OF_PERMITS }) },
  })
  const open = useQuery({
    queryKey: ['permits', 'map', site_id, 'open', at],
    queryFn: ({ signal }) => allPermits({ site_id, status: ['issued', 'expired'], ...then }, signal),
    placeholderData: before => before,
    enabled: !ahead,
    refetchInterval: live ? untilLooked : false,
    meta: { keep: live, ...(live && { kinds: OF_PERMITS }) },
  })
  const rows = useMemo(() => {
    const byId = new Map((day.data ?? []).map(one => [one.id, one]))
    if (!ahead) for (const one of open.data ?? []) byId.set(one.id, one)
    return [...byId.values()]
  }, [day.data, open.data, ahead])
  return {
    rows,
    pending: day.isPending || (!ahead && open.isPending),
    error: day.error ?? open.error,
    at: day.dataUpdatedAt,
    refetch: () => void queries.invalidateQueries({ queryKey: ['permits', 'map', site_id] }),
  }
}

/** Refetches everything that shows buildings and zones after they changed, and the site, whose location follows its boundary. */
export function frameMoved(site_id: string): void {
  void queries.invalidateQueries({ queryKey: ['site', site_id] })
  void queries.invalidateQueries({ queryKey: ['map'] })
  void queries.invalidateQueries({ queryKey: ['frame', site_id] })
}
