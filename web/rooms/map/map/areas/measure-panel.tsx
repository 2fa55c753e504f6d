// Measures on the map: the length of a line of points, and the area inside it.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { useTheme } from '../../../../base/looks.ts'
import type { Spot } from '../model.ts'
import type { Scene } from '../scene.ts'
import { CrossBar, SnapTick } from './corners.tsx'
import { measured } from './measuring.ts'
import { t } from './says.ts'
import { ringsIn } from './snap.ts'
import type { Trace } from './trace.ts'

type Given = { map: MapLibre | null; scene: Scene; onDone(): void }

/** Sets points on the map, and says how long the line through them is and how much is inside. */
export function MeasurePanel({ map, scene, onDone }: Given) {
  const theme = useTheme()
  const [spots, setSpots] = useState<readonly Spot[]>([])
  const [snaps, setSnaps] = useState(true)
  const trace = useRef<Trace | null>(null)
  const now = useRef({ scene, snaps, spots })
  now.current = { scene, snaps, spots }
  useEffect(() => {
    if (map === null) return
    let over = false
    void import('./trace.ts').then(({ beginTrace }) => {
      if (over) return
      const rings = () => (now.current.snaps ? ringsIn(now.current.scene, null) : [])
      trace.current = beginTrace(map, { theme, start: now.current.spots, rings, onSpots: setSpots })
    })
    return () => {
      over = true
      if (map.getCanvas().isConnected) trace.current?.stop()
      trace.current = null
    }
  }, [map, theme])
  const { length_m, last_m, area_m2 } = measured(spots)
  return (
    <section className="panel stack" aria-label={t('measure.title')}>
      <h2>{t('measure.title')}</h2>
      <p className="small">{t('measure.how')}</p>
      <CrossBar corners={spots.length} add={() => trace.current?.add()} drop={() => trace.current?.drop()} close={null}>
        <div role="status" className="measured-all">
          {spots.length === 1 && <p className="small soft">{t('measure.points', { n: 1 })}</p>}
          {spots.length > 1 && <p className="measured mono">{t('measure.length', { m: length_m })}</p>}
          {spots.length > 2 && (
            <>
              <p className="measured mono">{t('measure.area', { m: area_m2 })}</p>
              <p className="small">{t('measure.last', { m: last_m })}</p>
            </>
          )}
        </div>
      </CrossBar>
      <SnapTick snaps={snaps} onSnaps={setSnaps} />
      <div className="row">
        <Button look="primary" onClick={onDone}>
          {t('common.close')}
        </Button>
        {spots.length > 0 && <Button onClick={() => trace.current?.clear()}>{t('measure.again')}</Button>}
      </div>
    </section>
  )
}
