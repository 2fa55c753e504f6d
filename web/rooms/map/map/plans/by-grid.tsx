// Placing a drawing by the grid that it was drawn in: the service calculates where it lies, and the page shows it before anything is saved.
import { useMemo, useState } from 'react'
import { inverse, multiply } from '../../../../../shared/calibration/algebra.ts'
import type { Size } from '../../../../../shared/calibration/calibrate.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import type { Sending } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { EpsgField } from '../parts/epsg-field.tsx'
import { useLastGrid } from './last-grid.ts'
import { MapView } from './map-view.tsx'
import { matrixIn } from './matrices.ts'
import { type FloorPlan, useOnGrid } from './plans-data.ts'
import { SaveRow } from './save-row.tsx'
import { t } from './says.ts'

type Given = { plan: FloorPlan; size: Size; sending: Sending; onSave(body: { mode: 'grid'; epsg: number }): void }

const codeIn = (typed: string): number | null => (/^\d{1,6}$/.test(typed.trim()) && Number(typed) > 0 ? Number(typed) : null)

/** The page's part in which a drawing is placed by the code of its grid. Nothing checks that the drawing really is in this grid, so the page says how to. */
export function ByGrid({ plan, size, sending, onSave }: Given) {
  const { site_id } = useHere()
  const last = useLastGrid(site_id)
  const [given, setTyped] = useState<string | null>(null)
  const typed = given ?? String(plan.placement?.epsg ?? last ?? '')
  const [epsg, setEpsg] = useState<number | null>(null)
  const placed = useOnGrid(plan.id, epsg)
  const placement = placed.data ?? null
  const { width, height } = size
  const whole = useMemo(() => ({ width, height }), [width, height])
  const lies = useMemo(
    () =>
      placement === null
        ? null
        : { matrix: multiply(matrixIn(placement.matrix), inverse(matrixIn(plan.sheet_matrix))), origin: placement.origin },
    [placement, plan.sheet_matrix],
  )
  const code = codeIn(typed)
  return (
    <>
      <p className="strong">{t('grid.how')}</p>
      <form
        className="row level-bar"
        onSubmit={event => {
          event.preventDefault()
          sending.clear()
          setEpsg(code)
        }}
      >
        <EpsgField at="epsg" code={typed} proposed={given === null && typed !== ''} hint={t('grid.code_hint')} onType={setTyped} />
        <Button type="submit" disabled={code === null || placed.isFetching}>
          {t('grid.show')}
        </Button>
      </form>
      {placed.error !== null && <FaultNote error={placed.error} />}
      <section aria-label={t('pair.map')}>
        <MapView
          site_map_id={null}
          feature_id={plan.feature_id}
          picture={`/floor-plans/${plan.id}/image`}
          size={whole}
          lies={lies}
          ink={plan.source_kind === 'dxf'}
          guide
        >
          {() => null}
        </MapView>
      </section>
      {placement !== null && <Note kind="warn">{t('grid.unchecked')}</Note>}
      <SaveRow
        sending={sending}
        flag={plan.permissions.place}
        ready={placement !== null && epsg === code}
        onSave={() => epsg !== null && onSave({ mode: 'grid', epsg })}
      />
    </>
  )
}
