import { Choice } from '../../../../base/kit/field.tsx'
import type { Frame } from '../model.ts'
import { t } from './says.ts'

type Place = { building_id: string; level_index: string }
type Given = Place & {
  frame: Frame
  onChange(part: Partial<Place>): void
}

/** The building and the level of something that is drawn. Without them, the service finds them from the shape. */
export function PlaceFields({ frame, building_id, level_index, onChange }: Given) {
  const buildings = [...frame.values()].filter(one => one.kind === 'building')
  if (buildings.length === 0) return null
  const levels = frame.get(building_id)?.levels ?? []
  return (
    <div className="pair">
      <Choice
        label={t('area.building')}
        optional
        empty={t('area.outdoors')}
        value={building_id}
        at="place.building_id"
        options={buildings.map(one => ({ value: one.id, label: one.name }))}
        onChange={event => onChange({ building_id: event.target.value, level_index: '' })}
      />
      {levels.length > 0 && (
        <Choice
          label={t('area.level')}
          empty={t('area.level_ground')}
          value={level_index}
          at="place.level_index"
          options={levels.map(level => ({ value: String(level.index), label: level.name }))}
          onChange={event => onChange({ level_index: event.target.value })}
        />
      )}
    </div>
  )
}
