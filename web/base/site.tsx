// The current site: the one in the URL, the person's role there, and what they can do.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { ask, client, type Schemas } from './api.ts'

/** The person who is signed in, with their memberships. */
export type Me = Schemas['Me']

/** The current site. */
export type Here = {
  site_id: string
  name: string
  zone: string
  role: string | null
  me: Me['user']
  locked: boolean
  /** Whether the person has this permission here. It decides what is offered; the service decides what is allowed. */
  can(permission: string): boolean
}

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

const Context = createContext<Here | null>(null)

/** Provides the current site. */
export const HereProvider = Context.Provider

/** Returns the current site; works only below `/sites/…`. */
export function useHere(): Here {
  const here = useContext(Context)
  if (here === null) throw new Error('This component needs a site around it.')
  return here
}

/** Returns a person's membership of a site; null if there is none. */
export function hereOf(me: Me, site_id: string, site: Schemas['Site'] | undefined): Here | null {
  const membership = me.memberships.find(one => one.site_id === site_id && one.status === 'active')
  if (membership !== undefined) {
    const held = new Set(membership.permissions)
    return {
      site_id,
      name: membership.site_name,
      zone: membership.timezone,
      role: membership.role,
      me: me.user,
      locked: membership.flags.locked,
      can: permission => me.user.is_superadmin || held.has(permission),
    }
  }
  if (!me.user.is_superadmin || site === undefined) return null
  return { site_id, name: site.name, zone: site.timezone, role: null, me: me.user, locked: site.locked_at !== null, can: () => true }
}
