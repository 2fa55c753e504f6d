// Lists that many rooms choose from: permit types, people, contractors. There is one query for each, so that a change shows everywhere.
import { useQuery } from '@tanstack/react-query'
import type { Calendar } from '../../shared/calendar.ts'
import { ask, client } from './api.ts'
import { siteQuery } from './site.tsx'

/** How long in ms data that seldom changes counts as fresh; an event makes it stale immediately. */
export const SELDOM = 300_000

/** Permit types of a site, including retired ones. */
export const usePermitTypes = (site_id: string) =>
  useQuery({
    queryKey: ['permit-types', site_id],
    queryFn: () => ask(client.GET('/permits/types', { params: { query: { site_id } } })),
    staleTime: SELDOM,
    meta: { keep: true },
  })

/** Active members of a site. */
export const useMembers = (site_id: string) =>
  useQuery({
    queryKey: ['members', site_id],
    queryFn: () =>
      ask(client.GET('/sites/{site_id}/members', { params: { path: { site_id }, query: { status: ['active'], limit: 500 } } })),
    staleTime: SELDOM,
    meta: { keep: true },
  })

/** Contractors on a site: all of them, or those that have not left. */
export const useContractors = (site_id: string, which: 'all' | 'active') =>
  useQuery({
    queryKey: ['contractors', site_id, which],
    queryFn: () =>
      ask(
        client.GET('/contractors', {
          params: { query: { site_id, limit: 500, status: which === 'all' ? ['active', 'left'] : ['active'] } },
        }),
      ),
    staleTime: SELDOM,
    meta: { keep: true },
  })

/** Shifts of a site, those of single contractors too. */
export const useShifts = (site_id: string) =>
  useQuery({
    queryKey: ['shifts', site_id],
    queryFn: () => ask(client.GET('/shifts', { params: { query: { site_id } } })),
    staleTime: SELDOM,
    meta: { keep: true },
  })

/** Returns the calendar of a site with its shifts; null until both are loaded. */
export function useCalendar(site_id: string): Calendar | null {
  const site = useQuery(siteQuery(site_id)).data
  const shifts = useShifts(site_id).data
  return site === undefined || shifts === undefined ? null : { ...site, shifts }
}

/** Smart groups of a site that a person can see; requested only while `enabled`. */
export const useSmartGroups = (site_id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['smart-groups', site_id],
    queryFn: () => ask(client.GET('/smart-groups', { params: { query: { site_id, limit: 500 } } })),
    staleTime: SELDOM,
    enabled,
  })
