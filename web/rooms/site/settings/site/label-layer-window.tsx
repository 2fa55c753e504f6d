import { Choice, NumberField, Tick } from '../../../../base/kit/field.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { LabelSample, labelText } from '../../../map/map/door.tsx'
import { t, tOf } from '../says.ts'
import { type LabelStyles, saveLabelStyles } from './data.ts'
import { FALLBACK, fieldsWith, type Layer, type LayerName, ordered, type Style, withLayer } from './label-styles.ts'

const NUMBERS = ['min_zoom', 'max_zoom', 'max_chars'] as const
/** Numbers are text while they are typed. */
type Typed = Omit<Layer, (typeof NUMBERS)[number] | 'fields'> & Record<(typeof NUMBERS)[number], string> & { fields: readonly string[] }

const MOST_FIELDS = 3

/** Returns an example of a layer’s label. */
export const exampleOf = (name: LayerName, fields: readonly string[], max_chars: number): string =>
  labelText(
    fields.map(field => tOf('labels.example', field === 'name' ? name : field)),
    Math.max(1, max_chars),
  )

/** Returns the style in which a layer is drawn. */
export const styleFor = (styles: readonly Style[], key: string): Style | undefined =>
  styles.find(style => style.key === key) ?? styles.find(style => style.key === FALLBACK)

/** Changes how one layer is labelled. */
export function LabelLayerWindow({ given, name, onClose }: { given: LabelStyles; name: LayerName; onClose(): void }) {
  const layer = given.layers[name]
  const offered = given.registry[name]
  const save = ({ fields, ...values }: Typed) => {
    const changed = {
      ...values,
      min_zoom: Number(values.min_zoom),
      max_zoom: Number(values.max_zoom),
      max_chars: Number(values.max_chars),
      fields: [...fields],
    } as Layer // its fields are those that the registry offers
    return saveLabelStyles(given, withLayer(given, name, changed))
  }
  const start: Typed = {
    ...layer,
    min_zoom: String(layer.min_zoom),
    max_zoom: String(layer.max_zoom),
    max_chars: String(layer.max_chars),
  }
  return (
    <RecordForm
      title={tOf('labels.layer', name)}
      side
      name={`label layer ${given.site_id} ${name}`}
      body={`NewLabelStyles.layers.${name}`}
      inside={`layers.${name}`}
      start={start}
      save={save}
      onClose={onClose}
    >
      {({ field, values, change }) => {
        const style = styleFor(given.styles, values.style_key)
        return (
          <>
            {style !== undefined && <LabelSample style={style} text={exampleOf(name, values.fields, Number(values.max_chars))} />}
            <Tick
              label={t('labels.visible')}
              checked={values.visible}
              onChange={event => change({ visible: event.target.checked })}
              data-first
            />
            <Choice
              label={t('labels.style')}
              at={field('style_key').at}
              value={values.style_key}
              options={ordered(given.styles).map(one => ({ value: one.key, label: one.name }))}
              onChange={field('style_key').onChange}
            />
            <fieldset className="fieldset stack tight">
              <legend>{t('labels.fields')}</legend>
              <span className="soft small">{t('labels.fields_hint')}</span>
              {Array.from({ length: Math.min(MOST_FIELDS, offered.length, values.fields.length + 1) }, (_, at) => at).map(at => (
                <Choice
                  key={at}
                  label={t('labels.field', { n: at + 1 })}
                  at={at === 0 ? field('fields').at : undefined}
                  value={values.fields[at] ?? ''}
                  empty={at === 0 && values.fields.length <= 1 ? undefined : t('common.none')}
                  options={offered.map(one => ({ value: one.key, label: one.label }))}
                  onChange={event => change({ fields: fieldsWith(values.fields, at, event.target.value) })}
                />
              ))}
            </fieldset>
            <NumberField label={t('labels.max_chars')} hint={t('labels.max_chars_hint')} step={1} {...field('max_chars')} required />
            <NumberField label={t('labels.min_zoom')} hint={t('labels.zoom_hint')} {...field('min_zoom')} required />
            <NumberField label={t('labels.max_zoom')} hint={t('labels.max_zoom_hint')} {...field('max_zoom')} required />
          </>
        )
      }}
    </RecordForm>
  )
}
