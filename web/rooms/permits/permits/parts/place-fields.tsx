import { type ReactNode, useState } from 'react'
import { useFrame } from '../../../../base/frame.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { PlacePicker } from '../../../map/map/door.tsx'
import { useLastPermits } from '../data.ts'
import type { Fields } from '../draft.ts'
import { lastPlaces } from '../suggestions.ts'
import { Pills } from './pills.tsx'

/** The place of the work, in words and as a place of the site: building, level, zone. */
export function PlaceFields({
  fields,
  onChange,
  live,
}: {
  fields: Fields
  onChange(change: Fields): void
  /** What is said while a place is chosen on the map. */
  live?(place: Fields['place']): ReactNode
}) {
  const { site_id, can, me } = useHere()
  const lately = lastPlaces(useLastPermits(site_id, me.id))
  const [picking, setPicking] = useState(false)
  const frame = useFrame(site_id)
  const place = fields.place ?? null
  const buildings = (frame.data ?? []).filter(one => one.kind === 'building')
  const zones = (frame.data ?? []).filter(
    one => one.kind === 'zone' && (place?.building_id == null || one.building_id === null || one.building_id === place.building_id),
  )
  const levels = buildings.find(one => one.id === place?.building_id)?.levels ?? []
  const put = (change: Partial<NonNullable<Fields['place']>>) => {
    const next = {
      building_id: place?.building_id ?? null,
      level_index: place?.level_index ?? null,
      zone_id: place?.zone_id ?? null,
      ...change,
    }
    const empty = next.building_id === null && next.zone_id === null && place?.point == null && place?.polygon == null
    onChange({
      place: empty
        ? null
        : {
            ...(place?.point == null ? {} : { point: place.point }),
            ...(place?.polygon == null ? {} : { polygon: place.polygon }),
            ...next,
          },
    })
  }
  return (
    <>
      <Pills
        label={t('request.places_lately')}
        offered={lately.map(one => ({
          key: one.location,
          label: one.location,
          taken: fields.location === one.location,
          onTake: () => onChange(one),
        }))}
      />
      <div className="location-row">
        <TextField
          label={t('request.where_words')}
          maxLength={500}
          value={fields.location ?? ''}
          onChange={event => onChange({ location: event.target.value || null })}
        />
        {can('map_view') && (
          <Button aria-pressed={place?.point != null || place?.polygon != null} onClick={() => setPicking(true)}>
            <Glyph name={place?.point != null || place?.polygon != null ? 'ok' : 'pin'} size={18} />
            {t(place?.point != null || place?.polygon != null ? 'picker.marked' : 'picker.open')}
          </Button>
        )}
      </div>
      <div className="pair">
        <Choice
          label={t('request.building')}
          empty={t('request.ground')}
          optional
          at="place"
          value={place?.building_id ?? ''}
          options={buildings.map(one => ({ value: one.id, label: one.name }))}
          onChange={event => put({ building_id: event.target.value || null, level_index: null })}
        />
        {levels.length > 0 && (
          <Choice
            label={t('request.level')}
            empty={t('request.level_unknown')}
            optional
            value={place?.level_index == null ? '' : String(place.level_index)}
            options={levels.map(one => ({ value: String(one.index), label: one.name }))}
            onChange={event => put({ level_index: event.target.value === '' ? null : Number(event.target.value) })}
          />
        )}
        <Choice
          label={t('request.zone')}
          empty={t('common.none')}
          optional
          value={place?.zone_id ?? ''}
          options={zones.map(one => ({ value: one.id, label: one.name }))}
          onChange={event => put({ zone_id: event.target.value || null })}
        />
      </div>
      {picking && (
        <PlacePicker
          place={place}
          onChoose={chosen => onChange({ place: chosen })}
          onClose={() => setPicking(false)}
          {...(live === undefined ? {} : { live })}
        />
      )}
    </>
  )
}
