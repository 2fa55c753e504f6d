import { Choice, Tick } from '../../../../base/kit/field.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import type { Drawing } from './plans-data.ts'
import { t, tOf } from './says.ts'

/** What is imported of a drawing: the names of its layers, and its units as in $INSUNITS; an empty text for none. */
export type DrawingChosen = { layers: readonly string[]; units: string }

const UNITS = ['4', '5', '6', '1', '2']

/** Returns what a drawing says itself, or else what it probably means. */
export const suggestedIn = ({ layers, units, units_guess }: Drawing): DrawingChosen => ({
  layers: layers.filter(one => one.suggested).map(one => one.name),
  units: String((units === 0 ? null : units) ?? units_guess ?? ''),
})

const objectsOf = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((sum, n) => sum + n, 0)

type Given = { drawing: Drawing; chosen: DrawingChosen; onChange(chosen: DrawingChosen): void }

/** What a DXF drawing contains, and which of it is imported. */
export function DrawingChoice({ drawing, chosen, onChange }: Given) {
  const layers = drawing.layers.filter(one => objectsOf(one.counts) > 0)
  const missing = Object.entries(drawing.unsupported).map(([type, n]) => `${type} (${n})`)
  const units = chosen.units === '' || UNITS.includes(chosen.units) ? UNITS : [chosen.units, ...UNITS]
  return (
    <div className="stack tight panel">
      <p className="soft small">{t('plans.drawing', { version: drawing.version, n: layers.length })}</p>
      {drawing.warnings.map(one => (
        <Note key={one.kind} kind="warn">
          {one.message}
        </Note>
      ))}
      <Choice
        label={t('plans.units')}
        required
        empty={chosen.units === '' ? t('plans.units_choose') : undefined}
        value={chosen.units}
        options={units.map(value => ({ value, label: tOf('unit', value) }))}
        onChange={event => onChange({ ...chosen, units: event.target.value })}
      />
      <fieldset className="fieldset stack tight">
        <legend>{t('plans.layers')}</legend>
        <ul className="plain plan-layers">
          {layers.map(layer => (
            <li key={layer.name}>
              <Tick
                checked={chosen.layers.includes(layer.name)}
                label={<bdi>{layer.name}</bdi>}
                hint={[
                  t('plans.layer_objects', { n: objectsOf(layer.counts) }),
                  ...(layer.off || layer.frozen ? [t('plans.layer_off')] : []),
                ].join(' · ')}
                onChange={event =>
                  onChange({
                    ...chosen,
                    layers: event.target.checked ? [...chosen.layers, layer.name] : chosen.layers.filter(one => one !== layer.name),
                  })
                }
              />
            </li>
          ))}
        </ul>
      </fieldset>
      {missing.length > 0 && <p className="soft small">{t('plans.not_drawn', { types: missing.join(', ') })}</p>}
    </div>
  )
}
