// Names of people by their ids: requested together, once, and cached.
import { useQuery } from '@tanstack/react-query'
import { ask, client } from './api.ts'
import { queries } from './query.ts'

const names = new Map<string, string>()
let waiting = new Set<string>()
let asking: Promise<void> | null = null
const AT_ONCE = 100

/** Names that this device has learnt before, on any site: without a connection there are no others. */
function recall(): void {
  for (const [, kept] of queries.getQueriesData<Record<string, string | null>>({ queryKey: ['people'] }))
    for (const [id, name] of Object.entries(kept ?? {})) if (name !== null && !names.has(id)) names.set(id, name)
}

const known = (ids: readonly string[]) => {
  if (ids.some(id => !names.has(id))) recall()
  return Object.fromEntries(ids.map(id => [id, names.get(id) ?? null]))
}

/** Requests all names that were needed in this turn of the event loop. */
function gather(id: string): Promise<void> {
  waiting.add(id)
  asking ??= new Promise(done => setTimeout(done, 10)).then(async () => {
    const ids = [...waiting]
    waiting = new Set()
    asking = null
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const rows = await ask(client.GET('/users/bulk', { params: { query: { id: ids.slice(i, i + AT_ONCE) } } }))
      for (const row of rows) names.set(row.id, row.name)
    }
  })
  return asking
}

async function nameOf(id: string): Promise<string | null> {
  if (!names.has(id)) await gather(id)
  return names.get(id) ?? null
}

/** Returns the names of these people by id; undefined while they are loading. */
export function usePeople(ids: readonly (string | null)[]): (id: string | null) => string | undefined {
  const wanted = [...new Set(ids.filter(id => id !== null))].sort()
  const { data } = useQuery(
    {
      queryKey: ['people', ...wanted],
      queryFn: async () => Object.fromEntries(await Promise.all(wanted.map(async id => [id, await nameOf(id)] as const))),
      staleTime: 3_600_000,
      enabled: wanted.length > 0,
      placeholderData: () => known(wanted),
      meta: { keep: true },
    },
    queries,
  )
  return id => (id === null ? undefined : (data?.[id] ?? undefined))
}

/** Returns the initials of a name: of its first and last word. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return ([...first][0] ?? '?').toUpperCase() + ([...last][0] ?? '').toUpperCase()
}
