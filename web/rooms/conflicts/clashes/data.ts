import { useQuery } from '@tanstack/react-query'
import { ask, client, freshKey, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import type { Episode } from './types.ts'

/** What people can decide. */
export type Kind = NonNullable<Episode['stance']>['kind']

/** How many days ahead clashes are listed. */
export const DAYS = 14
const AGAIN_MS = 60_000

/** The clashes that someone has to settle: red first, then what stops work, then the soonest. */
export const useUnresolved = (site_id: string) =>
  useQuery({
    queryKey: ['clashes', site_id],
    queryFn: () => ask(client.GET('/clashes/unresolved', { params: { query: { site_id, horizon_days: DAYS } } })),
    refetchInterval: AGAIN_MS,
    meta: { keep: true },
  })

/** One episode in full: what it means for the work, and what was decided; null if there is none that the caller can see. */
export const useEpisode = (site_id: string, episode_id: string) =>
  useQuery({
    queryKey: ['clashes', site_id, 'episode', episode_id],
    queryFn: async () => (await ask(client.GET('/clashes/episodes', { params: { query: { site_id, episode_id } } })))[0] ?? null,
    staleTime: AGAIN_MS,
  })

/** Permits that can’t be checked, because they have no place. */
export const useUnplaced = (site_id: string) =>
  useQuery({
    queryKey: ['clashes', site_id, 'summary'],
    queryFn: () => ask(client.GET('/clashes/unresolved/summary', { params: { query: { site_id, horizon_days: DAYS } } })),
    refetchInterval: AGAIN_MS,
    select: summary => summary.unplaced_permits,
  }).data ?? NONE
const NONE: Schemas['UnresolvedClashes']['unplaced_permits'] = []

/** What is decided about a clash. */
export type Decision = { reason: string; controls: string; owner: string; due_at: string | null }

/** Decides about a clash as it was shown: the service refuses if its facts have changed since. */
export async function decide(
  site_id: string,
  { id, version }: Pick<Episode, 'id' | 'version'>,
  kind: Kind,
  given: Decision,
): Promise<void> {
  const { reason, controls, owner, due_at } = given
  const more = kind === 'resolving' ? { owner_user_id: owner, due_at } : controls === '' ? {} : { controls }
  await ask(
    client.POST('/clashes/stance', {
      body: { site_id, episode_id: id, episode_version: version, kind, reason, ...more },
      headers: freshKey(),
    }),
  )
  await queries.invalidateQueries({ queryKey: ['clashes'] })
}
