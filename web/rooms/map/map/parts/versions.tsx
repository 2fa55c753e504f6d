import { FaultNote, Skeleton } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf, windowOf } from '../../../../base/time.ts'
import { t } from '../says.ts'

/** A version of something on the map; `changed`: names of what it changed, none for the first. */
export type MapVersion = {
  number: number
  valid_from: string
  valid_to: string | null
  changed: readonly string[]
  area_m2: number
  written_at: string
  written_by_name: string | null
}

type Given = {
  name: string
  versions: { data: readonly MapVersion[] | undefined; isPending: boolean; error: unknown; refetch(): unknown }
  onClose(): void
}

/** How something on the map is and was before each change, newest first: when it was so, what was changed, and who changed it. */
export function Versions({ name, versions: { data = [], isPending, error, refetch }, onClose }: Given) {
  const { zone } = useHere()
  return (
    <Window title={t('draw.history_of', { name })} onClose={onClose}>
      {isPending && <Skeleton rows={3} height={56} />}
      {error !== null && <FaultNote error={error} onRetry={() => void refetch()} />}
      <ol className="stack">
        {data.map(({ number, valid_from, valid_to, changed, area_m2, written_at, written_by_name }) => (
          <li key={number} className="stack tight">
            <span className="mono">
              {valid_to === null ? `${momentOf(valid_from, zone)} – ${t('draw.no_end')}` : windowOf(valid_from, valid_to, zone)}
            </span>
            <span className="small">
              {changed.length === 0 ? t('draw.first') : t('draw.changed', { fields: changed.join(', ') })}
              <span className="soft"> · {t('map.area_size', { n: Math.round(area_m2) })}</span>
            </span>
            <span className="small soft">
              {t('draw.written', { who: written_by_name ?? t('common.unknown_person'), when: momentOf(written_at, zone) })}
            </span>
          </li>
        ))}
      </ol>
    </Window>
  )
}
