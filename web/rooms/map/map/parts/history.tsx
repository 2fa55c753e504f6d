import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import type { Feature } from '../model.ts'

/** Versions of a feature: the period of each one, who wrote it, and what it changed. */
export function History({ feature, onClose }: { feature: Feature; onClose(): void }) {
  const { zone } = useHere()
  const history = useQuery({
    queryKey: ['map', 'history', feature.id],
    queryFn: () => ask(client.GET('/reference-features/features/{feature_id}/history', { params: { path: { feature_id: feature.id } } })),
  })
  return (
    <Window title={t('draw.history_of', { name: feature.name })} onClose={onClose}>
      {history.isPending && <Skeleton rows={3} height={56} />}
      {history.error !== null && <FaultNote error={history.error} onRetry={() => void history.refetch()} />}
      <ol className="stack">
        {(history.data ?? []).map(version => (
          <li key={version.feature_version} className="stack tight">
            <span className="mono">
              {momentOf(version.valid_from, zone)} – {version.valid_to === null ? t('draw.no_end') : momentOf(version.valid_to, zone)}
            </span>
            <span className="small">
              {version.fields.length === 0 ? t('draw.first') : version.fields.map(field => tOf('draw.field', field)).join(', ')}
              <span className="soft"> · {t('map.area_size', { n: Math.round(version.area_m2) })}</span>
            </span>
            <span className="small soft">
              {t('draw.written', { who: version.written_by_name ?? t('common.unknown_person'), when: momentOf(version.written_at, zone) })}
            </span>
          </li>
        ))}
      </ol>
    </Window>
  )
}
