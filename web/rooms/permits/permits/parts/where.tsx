import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { Go } from '../../../../base/go.tsx'
import { paths } from '../../../../base/paths.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { NearestHelp, PlaceInset } from '../../../map/map/door.tsx'
import type { Permit } from '../steps.ts'

const MOST = 100

/** Shows where a permit is, on a small map with the permits that it conflicts with, and where help is from there; nothing when it has no place. */
export function Where({ permit }: { permit: Permit }) {
  const { site_id, can } = useHere()
  const ids = useMemo(() => permit.conflicts.flatMap(one => one.permit_id ?? []).slice(0, MOST), [permit.conflicts])
  const others = useQuery({
    queryKey: ['permits', 'conflicting', site_id, ...ids],
    queryFn: () => ask(client.GET('/permits', { params: { query: { site_id, id: ids, limit: MOST } } })),
    enabled: ids.length > 0 && permit.place !== null,
  })
  const rows = useMemo(() => others.data ?? [], [others.data])
  if (permit.place === null || !can('map_view')) return null
  const { place, start_at } = permit
  const ahead = start_at !== null && Date.parse(start_at) > Date.now() ? start_at : null
  const at = {
    at: ahead ?? undefined,
    chosen: permit.id,
    ...(place?.building_id == null ? {} : { building: place.building_id }),
    ...(place?.level_index == null ? {} : { level: String(place.level_index) }),
  }
  return (
    <section className="panel stack screen-only" aria-label={t('permit.on_map')}>
      <header>
        <h2>{t('permit.on_map')}</h2>
        <Go to={paths.map(site_id, at)}>{t('permit.open_map')}</Go>
      </header>
      <PlaceInset permit={permit} others={rows} />
      <NearestHelp place={place} at={ahead} />
    </section>
  )
}
