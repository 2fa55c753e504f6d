import { useKeptForm } from '../../../../base/kept-form.ts'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { Choice, TextField, Tick } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast, Wait } from '../../../../base/kit/note.tsx'
import { Restored } from '../../../../base/kit/restored.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { LABELLED, useLabelStyles } from '../../../map/map/door.tsx'
import { type LabelStyles, saveLabelStyles } from './data.ts'

const WEIGHTS = ['regular', 'medium', 'bold'] as const
const NUMBER = { regular: 400, medium: 500, bold: 600 } as const
type Style = LabelStyles['styles'][number]

/** How text looks on the map and in print: styles, and which layer uses which. */
export function Labels() {
  const { site_id } = useHere()
  const styles = useLabelStyles(site_id)
  if (styles.data === undefined) return <Wait query={styles} rows={4} />
  return <LabelsForm key={styles.data.version} given={styles.data} />
}

function LabelsForm({ given }: { given: LabelStyles }) {
  const { busy, fault, send } = useSend()
  const form = useKeptForm(`labels ${given.site_id}`, { styles: given.styles, layers: given.layers })
  const { styles, layers } = form.values
  const may = given.permissions.edit.allowed
  const change = (key: string, part: Partial<Style>) =>
    form.change({ styles: styles.map(one => (one.key === key ? { ...one, ...part } : one)) })
  const save = async () => {
    if (!(await send(() => saveLabelStyles(given, { styles, layers })))) return
    form.sent()
    toast(t('common.saved'))
  }
  return (
    <form
      className="stack"
      aria-label={t('settings.labels')}
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <Restored form={form} />
      {given.warnings.map(one => (
        <Note key={one.code + one.style_key} kind="warn">
          {one.detail}
        </Note>
      ))}
      <h2>{t('labels.styles')}</h2>
      <div className="regimes">
        {styles.map(style => (
          <fieldset key={style.key} className="panel stack" disabled={!may}>
            <legend className="unseen">{style.name}</legend>
            <Sample style={style} />
            <TextField
              label={t('hours.name')}
              required
              maxLength={200}
              value={style.name}
              onChange={event => change(style.key, { name: event.target.value })}
            />
            <div className="row">
              <TextField
                label={t('labels.text_colour')}
                type="color"
                value={style.text_colour}
                onChange={event => change(style.key, { text_colour: event.target.value })}
              />
              <TextField
                label={t('labels.halo_colour')}
                type="color"
                value={style.halo_colour}
                onChange={event => change(style.key, { halo_colour: event.target.value })}
              />
              <TextField
                label={t('labels.size')}
                type="number"
                min={8}
                max={72}
                className="mono short"
                value={String(style.size_px)}
                onChange={event => change(style.key, { size_px: Number(event.target.value) })}
              />
            </div>
            <div className="row">
              <OwnColour
                label={t('labels.background')}
                value={style.background}
                first={style.halo_colour}
                onChange={background => change(style.key, { background })}
              />
              <OwnColour
                label={t('labels.border')}
                value={style.border_colour}
                first={style.text_colour}
                onChange={border_colour => change(style.key, { border_colour })}
              />
              <TextField
                label={t('labels.padding')}
                type="number"
                min={0}
                max={16}
                className="mono short"
                value={String(style.padding_px)}
                onChange={event => change(style.key, { padding_px: Number(event.target.value) })}
              />
            </div>
            <Choice
              label={t('labels.weight')}
              value={style.weight}
              options={WEIGHTS.map(value => ({ value, label: t(`labels.weight.${value}`) }))}
              onChange={event => change(style.key, { weight: event.target.value as Style['weight'] })} // its options are these values
            />
            <div className="row">
              <Tick
                label={t('labels.italic')}
                checked={style.italic}
                onChange={event => change(style.key, { italic: event.target.checked })}
              />
              <Tick
                label={t('labels.uppercase')}
                checked={style.uppercase}
                onChange={event => change(style.key, { uppercase: event.target.checked })}
              />
            </div>
          </fieldset>
        ))}
      </div>
      <h2>{t('labels.layers')}</h2>
      <div className="regimes">
        {/* The layers that the map draws; the others stay unchanged. */}
        {LABELLED.map(name => [name, layers[name]] as const).map(([name, layer]) => (
          <fieldset key={name} className="panel stack" disabled={!may}>
            <legend className="strong">{tOf('labels.layer', name)}</legend>
            <Tick
              label={t('labels.visible')}
              checked={layer.visible}
              onChange={event => form.change({ layers: { ...layers, [name]: { ...layer, visible: event.target.checked } } })}
            />
            <Choice
              label={t('labels.style')}
              value={layer.style_key}
              options={styles.map(style => ({ value: style.key, label: style.name }))}
              onChange={event => form.change({ layers: { ...layers, [name]: { ...layer, style_key: event.target.value } } })}
            />
            <TextField
              label={t('labels.min_zoom')}
              type="number"
              min={0}
              max={24}
              className="mono short"
              value={String(layer.min_zoom)}
              onChange={event => form.change({ layers: { ...layers, [name]: { ...layer, min_zoom: Number(event.target.value) } } })}
            />
          </fieldset>
        ))}
      </div>
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <FlagButton flag={given.permissions.edit} look="primary" type="submit" disabled={busy}>
          {t('common.save')}
        </FlagButton>
      </div>
    </form>
  )
}

/** A colour that a style can do without. `first` is the colour it starts with. */
function OwnColour(given: { label: string; value: string | null; first: string; onChange(value: string | null): void }) {
  return (
    <div className="stack tight">
      <Tick
        label={given.label}
        checked={given.value !== null}
        onChange={event => given.onChange(event.target.checked ? given.first : null)}
      />
      {given.value !== null && (
        <input
          type="color"
          className="input"
          aria-label={t('labels.colour_of', { name: given.label })}
          value={given.value}
          onChange={event => given.onChange(event.target.value)}
        />
      )}
    </div>
  )
}

function Sample({ style }: { style: Style }) {
  return (
    <p
      className="label-sample"
      style={{
        color: style.text_colour,
        background: style.background ?? style.halo_colour,
        border: `2px solid ${style.border_colour ?? 'transparent'}`,
        padding: style.padding_px + 4,
        fontSize: style.size_px,
        fontWeight: NUMBER[style.weight],
        fontStyle: style.italic ? 'italic' : 'normal',
        textTransform: style.uppercase ? 'uppercase' : 'none',
      }}
    >
      {t('labels.sample')}
    </p>
  )
}
