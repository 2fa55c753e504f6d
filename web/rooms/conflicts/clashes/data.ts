import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import { type Decision, itemOf, type Kind } from './decisions.ts'
import type { Episode } from './types.ts'

/** How many days ahead clashes are listed. */
export const DAYS = 14
const AGAIN_MS = 60_000

/** The clashes that someone has to settle: red first, then what stops work, then the soonest. */
export const useUnresolved = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['clashes', site_id],
    queryFn: () => ask(client.GET('/clashes/unresolved', { params: { query: { site_id, horizon_days: DAYS } } })),
    refetchInterval: AGAIN_MS,
    enabled,
    meta: { keep: true },
  })

/** One episode in full: what it means for the work, and what was decided; null if there is none that the caller can see. */
export const useEpisode = (site_id: string, episode_id: string) =>
  useQuery({
    queryKey: ['clashes', site_id, 'episode', episode_id],
    queryFn: async () => (await ask(client.GET('/clashes/episodes', { params: { query: { site_id, episode_id } } })))[0] ?? null,
    staleTime: AGAIN_MS,
  })

const SETTLING = ['accepted', 'not_a_clash'] as const
const MOST_SETTLED = 200

/** The open clashes that someone has settled, last decision first. */
export const useSettled = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['clashes', site_id, 'settled'],
    queryFn: async () => {
      const lists = await Promise.all(
        SETTLING.map(stance =>
          ask(client.GET('/clashes/episodes', { params: { query: { site_id, status: 'open', stance, limit: MOST_SETTLED } } })),
        ),
      )
      return lists.flat().toSorted((a, b) => (b.stance?.set_at ?? '').localeCompare(a.stance?.set_at ?? ''))
    },
    refetchInterval: AGAIN_MS,
    enabled,
  })

/** How much has to be settled: counts by rule, and permits that can’t be checked because they have no place. */
export const useSummary = (site_id: string, enabled = true) =>
  useQuery({
    queryKey: ['clashes', site_id, 'summary'],
    queryFn: () => ask(client.GET('/clashes/unresolved/summary', { params: { query: { site_id, horizon_days: DAYS } } })),
    refetchInterval: AGAIN_MS,
    enabled,
  }).data

const moved = (): Promise<void> => queries.invalidateQueries({ queryKey: ['clashes'] })

/** Reads the clashes again when the service has refused, because then they may not be as they were shown. */
async function orReread<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    await moved()
  }
}

/** Decides about clashes as they were shown, all or nothing: the service refuses if the facts of one have changed since. */
export async function decide(site_id: string, episodes: readonly Episode[], kind: Kind, given: Decision): Promise<void> {
  const items = episodes.map(one => itemOf(one, kind, given))
  const [first] = items
  if (first === undefined) return
  const headers = freshKey()
  await orReread<unknown>(
    items.length === 1
      ? ask(client.POST('/clashes/stance', { body: { site_id, ...first }, headers }))
      : ask(client.POST('/clashes/stance/bulk', { body: { site_id, items }, headers })),
  )
}

/** Withdraws the decisions about clashes, which are then to settle again. */
export const withdraw = (site_id: string, ids: readonly string[]): Promise<void> =>
  orReread(
    (async () => {
      for (const episode_id of ids) await ask(client.DELETE('/clashes/stance', { params: { query: { site_id, episode_id } } }))
    })(),
  )
