import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { Versions } from '../parts/versions.tsx'
import type { Area } from './areas.ts'
import { tOf } from './says.ts'

/** The versions of an active area. */
export function AreaVersions({ area, onClose }: { area: Area; onClose(): void }) {
  const versions = useQuery({
    // What is on the map makes it stale, as it does the area itself.
    queryKey: ['tokens', 'area-versions', area.id],
    queryFn: () => ask(client.GET('/active-areas/{area_id}/versions', { params: { path: { area_id: area.id } } })),
    // Two fields can have the same name.
    select: rows => rows.map(row => ({ ...row, changed: [...new Set(row.changed.map(field => tOf('area.field', field)))] })),
  })
  return <Versions name={area.name} versions={versions} onClose={onClose} />
}
