import '../alerts.css'
import { useEffect, useRef, useState } from 'react'
import { keysOf } from '../../../../../shared/narrow.ts'
import type { Schemas } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { raiseAlert } from '../data.ts'
import { faceOf, PRESETS } from '../model.ts'
import { EmergencyPhone } from './call.tsx'
import { AlertForm } from './form.tsx'

type Given = {
  /** The place that the cross of the map is on now. */
  placeNow(): Schemas['GivenPlace'] | null
  /** Whether the map shows one level of a building. */
  on_level: boolean
  /** Moves the cross. */
  onSpot(lon: number, lat: number): void
  onClose(): void
}

/** Raises an alert at the cross of the map with one tap; `Something else` opens the form. */
export default function RaisePanel({ placeNow, on_level, onSpot, onClose }: Given) {
  const { site_id } = useHere()
  const [form, setForm] = useState<{ place: Schemas['GivenPlace'] | null } | null>(null)
  const panel = useRef<HTMLElement>(null)
  // The cross of the map is below it on a phone, too.
  useEffect(() => void panel.current?.scrollIntoView({ block: 'start' }), [])
  const raise = (preset: keyof typeof PRESETS) => {
    void raiseAlert(site_id, { ...PRESETS[preset], title: tOf('alert_preset', preset), place: placeNow() })
    onClose()
  }
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => onSpot(coords.longitude, coords.latitude),
      () => toast(t('alert.no_position'), { stop: true }),
      { enableHighAccuracy: true, timeout: 10_000 },
    )
  if (form !== null) return <AlertForm alert={null} place={form.place} onClose={onClose} />
  return (
    <section ref={panel} className="raise-panel" aria-label={t('alert.raise')}>
      <EmergencyPhone />
      <p className="strong">{t('alert.place')}</p>
      {on_level && <p className="small soft">{t('alert.place_level')}</p>}
      <div className="raise-kinds">
        {keysOf(PRESETS).map(preset => {
          const { glyph } = faceOf({ ...PRESETS[preset], effect: 'none' })
          return (
            <Button key={preset} look={PRESETS[preset].severity === 'danger' ? 'danger' : undefined} onClick={() => raise(preset)}>
              <Glyph name={glyph} size={20} />
              {tOf('alert_preset', preset)}
            </Button>
          )
        })}
        <Button onClick={() => setForm({ place: placeNow() })}>{t('alert.other')}</Button>
      </div>
      <div className="row spread">
        <Button look="quiet" onClick={locate}>
          <Glyph name="pin" size={16} />
          {t('alert.here')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </section>
  )
}
