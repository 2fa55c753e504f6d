import type { Map as MapLibre } from 'maplibre-gl'
import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { nearTo } from '../model.ts'
import { t } from '../says.ts'
import type { Start } from '../zones.ts'
import { whereAmI } from './boundary-ways.tsx'

/** What to do with a map on which nothing is drawn, and what it shows meanwhile. */
export function EmptyGround({ map, start, onDraw }: { map: MapLibre | null; start: Start; onDraw(): void }) {
  const { canChange, locked, zone } = useHere()
  const [busy, setBusy] = useState(false)
  const draws = canChange('site_configure')
  const find = async () => {
    setBusy(true)
    try {
      const { spot, accuracy } = await whereAmI()
      const view = nearTo(spot)
      if (view !== null) map?.jumpTo({ center: [...view.spot], zoom: view.zoom })
      toast(t('find.found_you', { n: accuracy }))
    } catch {
      toast(t('find.no_position'), { stop: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Note kind="act" title={t('map.empty')}>
      <p>
        {t(`map.empty.${start.by}`, { zone })} {!locked && t(draws ? 'map.empty.draw' : 'map.empty.ask')}
      </p>
      <div className="row">
        {draws && (
          <Button look="primary" onClick={onDraw}>
            {t('map.begin.boundary')}
          </Button>
        )}
        <Button disabled={busy || map === null} onClick={() => void find()}>
          {t('find.my_position')}
        </Button>
      </div>
    </Note>
  )
}
