// The requests of this room, and which queries a change makes stale.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ask, askWhole, client, freshKey, ifMatch, nextOf, type Schemas } from '../../../base/api.ts'
import { queries } from '../../../base/query.ts'
import { type Draft, newBody, type SmartGroup } from './draft.ts'

const AT_ONCE = 50

/** What of the groups is listed. */
export type Filter = Partial<Pick<SmartGroup, 'subject' | 'visibility'>> & { q?: string }

const queryOf = ({ subject, visibility, ...filter }: Filter) => ({
  ...filter,
  ...(subject === undefined ? {} : { subject: [subject] }),
  ...(visibility === undefined ? {} : { visibility: [visibility] }),
})

/** The groups that a person sees, in pages. */
export const useGroups = (site_id: string, filter: Filter) =>
  useInfiniteQuery({
    queryKey: ['groups', site_id, filter],
    queryFn: async ({ pageParam }) => {
      const query = { site_id, ...queryOf(filter), limit: AT_ONCE, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/smart-groups', { params: { query } }))
      return { rows: data, next: nextOf(headers) }
    },
    initialPageParam: '',
    getNextPageParam: last => last.next ?? undefined,
    placeholderData: before => before,
  })

/** Those of these groups that a person sees, among what is listed: for those that are pinned, which may be on a later page of the list. */
export const useGroupsOf = (site_id: string, ids: readonly string[], filter: Filter) =>
  useQuery({
    queryKey: ['groups', site_id, 'some', ids, filter],
    queryFn: () => ask(client.GET('/smart-groups', { params: { query: { site_id, id: [...ids], ...queryOf(filter), limit: AT_ONCE } } })),
    enabled: ids.length > 0,
    placeholderData: before => before,
  })

/** How many members these groups have now: apart from the groups, because members change far more often. */
export const useCounts = (site_id: string, ids: readonly string[]) =>
  useQuery({
    queryKey: ['group-counts', site_id, ids],
    queryFn: async () => {
      const pages = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
      const counts = new Map<string, number>()
      for (const id of pages) {
        const query = { site_id, id, include: ['counts' as const], limit: AT_ONCE }
        for (const group of await ask(client.GET('/smart-groups', { params: { query } }))) counts.set(group.id, group.count ?? 0)
      }
      return counts
    },
    enabled: ids.length > 0,
    placeholderData: before => before,
  })

/** One group; null for a new one. */
export const useGroup = (group_id: string | null) =>
  useQuery({
    queryKey: ['groups', 'one', group_id],
    queryFn: () => ask(client.GET('/smart-groups/{group_id}', { params: { path: { group_id: group_id ?? '' } } })),
    enabled: group_id !== null,
  })

/** Previews a group: nothing is saved. */
export async function previewGroup(site_id: string, draft: Draft, untitled: string): Promise<Schemas['SmartGroupPreview']> {
  const body = newBody(site_id, draft)
  const said = await ask(
    client.POST('/smart-groups', { body: { ...body, name: body.name === '' ? untitled : body.name, dry_run: true }, headers: freshKey() }),
  )
  if ('id' in said) throw new Error('A preview creates no group.')
  return said
}

/** Private groups have no events: what a person changes is stale immediately. */
const moved = (): void => {
  for (const key of ['groups', 'group-counts', 'group-preview', 'smart-groups', 'group-members'])
    void queries.invalidateQueries({ queryKey: [key] })
}

function learnt(group: SmartGroup): SmartGroup {
  queries.setQueryData(['groups', 'one', group.id], group)
  moved()
  return group
}

/** Creates a group. */
export async function makeGroup(body: Schemas['NewSmartGroup']): Promise<SmartGroup> {
  const made = await ask(client.POST('/smart-groups', { body, headers: freshKey() }))
  if (!('id' in made)) throw new Error('A group has an id.')
  return learnt(made)
}

/** Changes a group, with the version that was shown. */
export const changeGroup = async ({ id, version }: SmartGroup, body: Schemas['SmartGroupChange']): Promise<SmartGroup> =>
  learnt(
    await ask(client.PATCH('/smart-groups/{group_id}', { params: { path: { group_id: id } }, body, headers: ifMatch(version) })).catch(
      (error: unknown) => {
        moved() // someone may have changed it meanwhile: the page then shows what
        throw error
      },
    ),
  )

/** Deletes a group, with the version that was shown. */
export async function deleteGroup({ id, version }: SmartGroup): Promise<void> {
  await ask(client.DELETE('/smart-groups/{group_id}', { params: { path: { group_id: id } }, headers: ifMatch(version) })).catch(
    (error: unknown) => {
      moved() // a rule may use it since it was shown
      throw error
    },
  )
  queries.removeQueries({ queryKey: ['groups', 'one', id] })
  moved()
}
