import { chosenFrom } from '../../../../../shared/narrow.ts'
import { Choice, NumberField, TextField, Tick } from '../../../../base/kit/field.tsx'
import { OwnColour } from '../../../../base/kit/own-colour.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { LabelSample } from '../../../map/map/door.tsx'
import { t } from '../says.ts'
import { type LabelStyles, saveLabelStyles } from './data.ts'
import { FALLBACK, keyFor, type Style, withStyle } from './label-styles.ts'

const WEIGHTS = ['regular', 'medium', 'bold'] as const
const NUMBERS = ['size_px', 'halo_px', 'padding_px'] as const
const COLOURS = ['text_colour', 'halo_colour'] as const
/** Numbers are text while they are typed. */
type Typed = Omit<Style, (typeof NUMBERS)[number]> & Record<(typeof NUMBERS)[number], string>

const typed = (style: Style): Typed => ({
  ...style,
  size_px: String(style.size_px),
  halo_px: String(style.halo_px),
  padding_px: String(style.padding_px),
})
const styleOf = (values: Typed): Style => ({
  ...values,
  name: values.name.trim(),
  size_px: Number(values.size_px),
  halo_px: Number(values.halo_px),
  padding_px: Number(values.padding_px),
})

/** A new style starts as the note, which every site has. */
function freshFrom({ styles }: LabelStyles): Style | undefined {
  const note = styles.find(style => style.key === FALLBACK)
  return note && { ...note, key: '', name: '', sort: Math.min(1000, Math.max(...styles.map(style => style.sort)) + 1) }
}

/** Adds a style of labels, or changes one. */
export function LabelStyleWindow({ given, style, onClose }: { given: LabelStyles; style: Style | null; onClose(): void }) {
  const start = style ?? freshFrom(given)
  if (start === undefined) return null
  const at = style === null ? given.styles.length : given.styles.findIndex(one => one.key === style.key)
  const save = (values: Typed) => {
    const made = styleOf(values)
    const key = made.key.trim() === '' ? keyFor(made.name, given.styles) : made.key.trim()
    return saveLabelStyles(given, withStyle(given, at, { ...made, key }))
  }
  return (
    <RecordForm
      title={style === null ? t('labels.new_style') : <bdi>{style.name}</bdi>}
      side
      name={`label style ${given.site_id} ${style?.key ?? 'new'}`}
      body="NewLabelStyles.styles"
      inside={`styles[${at}]`}
      start={typed(start)}
      save={save}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <LabelSample style={styleOf(values)} text={t('labels.sample')} />
          <TextField label={t('hours.name')} {...field('name')} required data-first />
          {style === null && (
            <TextField
              label={t('labels.key')}
              hint={t('labels.key_hint')}
              className="mono"
              {...field('key')}
              required={false}
              optional
              pattern="[a-z0-9_\-]+"
            />
          )}
          <div className="row">
            {COLOURS.map(name => {
              const { value, at, onChange } = field(name)
              return (
                <TextField
                  key={name}
                  label={t(`labels.${name}`)}
                  type="color"
                  className="colour"
                  value={value}
                  at={at}
                  onChange={onChange}
                />
              )
            })}
          </div>
          <NumberField label={t('labels.halo')} hint={t('labels.halo_hint')} {...field('halo_px')} required />
          <OwnColour
            label={t('labels.background')}
            colour={t('labels.colour_of', { name: t('labels.background') })}
            value={values.background}
            first={values.halo_colour}
            onChange={background => change({ background })}
          />
          <OwnColour
            label={t('labels.border')}
            colour={t('labels.colour_of', { name: t('labels.border') })}
            value={values.border_colour}
            first={values.text_colour}
            onChange={border_colour => change({ border_colour })}
          />
          <NumberField label={t('labels.padding')} hint={t('labels.padding_hint')} {...field('padding_px')} required />
          <NumberField label={t('labels.size')} hint={t('labels.size_hint')} {...field('size_px')} required />
          <Choice
            label={t('labels.weight')}
            value={values.weight}
            options={WEIGHTS.map(value => ({ value, label: t(`labels.weight.${value}`) }))}
            onChange={event => change({ weight: chosenFrom(WEIGHTS, event.target.value) })}
          />
          <div className="row">
            <Tick label={t('labels.italic')} checked={values.italic} onChange={event => change({ italic: event.target.checked })} />
            <Tick
              label={t('labels.uppercase')}
              checked={values.uppercase}
              onChange={event => change({ uppercase: event.target.checked })}
            />
          </div>
        </>
      )}
    </RecordForm>
  )
}
