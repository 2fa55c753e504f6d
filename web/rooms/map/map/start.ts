// Where the map of a site starts on which nothing is drawn: at the site's own place, at its address, or at the region of its time zone. Never the whole world,
// because nobody finds their site on that.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ask, client } from '../../../base/api.ts'
import { config } from '../../../base/config.ts'
import { useHere } from '../../../base/site.tsx'
import { useSite } from './data.ts'
import { addressOf } from './finding.ts'
import { type Start, startOfZone } from './zones.ts'

const SITE_ZOOM = 16

/** Returns where an empty map starts; null while that isn't known yet. `empty` means that the site has no boundary and nothing else on its map. */
export function useStart(empty: boolean): Start | null {
  const { site_id, zone, can } = useHere()
  const site = useSite(site_id, empty)
  const q = addressOf(site.data)
  const located = site.data?.location ?? null
  const asks = empty && site.data !== undefined && located === null && q.length >= 3 && config().geocoder_enabled && can('site_configure')
  const found = useQuery({
    queryKey: ['map', 'address', site_id, q],
    queryFn: () => ask(client.GET('/sites/{site_id}/geocode', { params: { path: { site_id }, query: { q } } })),
    enabled: asks,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!empty || site.isPending || (asks && found.isPending)) return site.error === null ? null : startOfZone(zone)
  if (located !== null) return { view: { spot: [located.lon, located.lat], zoom: SITE_ZOOM }, by: 'site' }
  const [first] = found.data ?? []
  return first === undefined ? startOfZone(zone) : { view: { spot: [first.point.lon, first.point.lat], zoom: SITE_ZOOM }, by: 'address' }
}

const MINUTE_MS = 60_000

/** The time now, each minute. */
export function useMinutes(): number {
  const [clock, setClock] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setClock(Date.now()), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return clock
}
