// The current site: the one in the URL, the person's role there, and what they can do.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { ask, client } from './api.ts'
import type { Here, Me } from './here.ts'

export { hereOf, lockFlag } from './here.ts'
export type { Here, Me }

/** Key of the query for the person who is signed in. */
export const ME = ['me'] as const

/** The query for the person who is signed in. */
export const meQuery = queryOptions({
  queryKey: ME,
  queryFn: () => ask(client.GET('/auth/me')),
  staleTime: 60_000,
  meta: { keep: true },
})

/** Returns who is signed in. */
export const useMe = () => useQuery(meQuery)

/** The query for one site; it is stored on the device, because its emergency phone is needed without a connection, too. */
export const siteQuery = (site_id: string) =>
  queryOptions({
    queryKey: ['site', site_id],
    queryFn: () => ask(client.GET('/sites/{site_id}', { params: { path: { site_id } } })),
    meta: { keep: true },
  })

/** Every site that the person can see; a superadmin sees all of them. */
export const sitesQuery = queryOptions({
  queryKey: ['sites', 'all'],
  queryFn: () => ask(client.GET('/sites', { params: { query: { limit: 500 } } })),
})

const Context = createContext<Here | null>(null)

/** Provides the current site. */
export const HereProvider = Context.Provider

/** Returns the current site; works only below `/sites/…`. */
export function useHere(): Here {
  const here = useContext(Context)
  if (here === null) throw new Error('useHere works only in components below a site’s route.')
  return here
}
