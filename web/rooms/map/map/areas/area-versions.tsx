import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import type { Area } from './areas.ts'

/** How an active area is and was before each change, newest first: until when, what was changed, and who changed it. */
export function AreaVersions({ area, onClose }: { area: Area; onClose(): void }) {
  const { zone } = useHere()
  const versions = useQuery({
    // What is on the map makes it stale, as it does the area itself.
    queryKey: ['tokens', 'area-versions', area.id],
    queryFn: () => ask(client.GET('/active-areas/{area_id}/versions', { params: { path: { area_id: area.id } } })),
  })
  return (
    <Window title={t('draw.history_of', { name: area.name })} onClose={onClose}>
      {versions.isPending && <Skeleton rows={3} height={56} />}
      {versions.error !== null && <FaultNote error={versions.error} onRetry={() => void versions.refetch()} />}
      <ol className="stack">
        {(versions.data ?? []).map(version => (
          <li key={version.number} className="stack tight">
            <span className="mono">
              {momentOf(version.valid_from, zone)} – {version.valid_to === null ? t('draw.no_end') : momentOf(version.valid_to, zone)}
            </span>
            <span className="small">
              {version.changed.length === 0
                ? t('draw.first')
                : [...new Set(version.changed.map(field => tOf('area.field', field)))].join(', ')}
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
