import { queryOptions, useQuery } from '@tanstack/react-query'
import { ask, client, type Schemas } from '../../../base/api.ts'
import { paths } from '../../../base/paths.ts'
import { queries } from '../../../base/query.ts'
import { byAttention, inOrder, nextAfter, toDecide } from './model.ts'
import { MOST_TASKS } from './most.ts'

/** How many permits are requested in one call. */
const AT_ONCE = 100

const waitingQuery = (site_id: string) =>
  queryOptions({
    queryKey: ['tasks', site_id],
    queryFn: () => ask(client.GET('/tasks/waiting', { params: { query: { site_id, limit: MOST_TASKS } } })),
    meta: { keep: true },
  })

/** Everything that is waiting for this person on a site. */
export const useWaiting = (site_id: string) => useQuery(waitingQuery(site_id))

/** Returns the permits that tasks are about, by id. */
export function useCards(site_id: string, ids: readonly string[]): ReadonlyMap<string, Schemas['PermitCard']> {
  const { data } = useQuery({
    queryKey: ['permits', 'of-tasks', site_id, ...ids],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
      const asked = parts.map(id => ask(client.GET('/permits', { params: { query: { site_id, id, limit: AT_ONCE, reasons: false } } })))
      return (await Promise.all(asked)).flat()
    },
    enabled: ids.length > 0,
    placeholderData: before => before,
    meta: { keep: true },
  })
  return new Map(data?.map(card => [card.id, card]))
}

/** Returns where to go after a decision on a record that was opened from the list: to the next decision, or back to the list. */
export async function afterDecision(site_id: string, user_id: string, subject_id: string): Promise<string> {
  const before = queries.getQueryData(waitingQuery(site_id).queryKey) ?? []
  const order = byAttention(inOrder(before, user_id), Date.now()).now
  const fresh = await queries.fetchQuery({ ...waitingQuery(site_id), staleTime: 0 }).catch(() => before)
  const open = new Set(fresh.filter(task => task.subject.id !== subject_id).map(task => task.key))
  const known = order.filter(task => open.has(task.key) || task.subject.id === subject_id)
  const more = byAttention(inOrder(fresh, user_id), Date.now()).now.filter(task => !known.some(one => one.key === task.key))
  const next = nextAfter([...known, ...more], subject_id)
  return next === undefined ? paths.tasks(site_id) : toDecide(next)
}
