import { Button } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import type { Feature } from '../model.ts'
import { t } from '../says.ts'

type Given = { building: Feature; level: number | null; onLevel(level: number | null): void; onLeave(): void }

/** Levels of the selected building. */
export function LevelBar({ building, level, onLevel, onLeave }: Given) {
  return (
    <div className="row level-bar">
      <Choice
        label={t('map.levels', { building: building.name })}
        empty={t('map.level_all')}
        value={level === null ? '' : String(level)}
        options={building.levels.toReversed().map(one => ({ value: String(one.index), label: one.name }))}
        onChange={event => onLevel(event.target.value === '' ? null : Number(event.target.value))}
      />
      <Button look="quiet" onClick={onLeave}>
        <Glyph name="close" size={16} />
        {t('map.leave_building')}
      </Button>
    </div>
  )
}
