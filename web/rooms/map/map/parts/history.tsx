import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import type { Feature } from '../model.ts'
import { tOf } from '../says.ts'
import { Versions } from './versions.tsx'

/** The versions of a feature. */
export function History({ feature, onClose }: { feature: Feature; onClose(): void }) {
  const versions = useQuery({
    queryKey: ['map', 'history', feature.id],
    queryFn: () => ask(client.GET('/reference-features/features/{feature_id}/history', { params: { path: { feature_id: feature.id } } })),
    select: rows =>
      rows.map(({ feature_version, fields, ...row }) => ({
        ...row,
        number: feature_version,
        changed: fields.map(field => tOf('draw.field', field)),
      })),
  })
  return <Versions name={feature.name} versions={versions} onClose={onClose} />
}
