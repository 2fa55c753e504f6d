// Writes words on the map, or changes them: their text, style, direction, place and times.
import type { Schemas } from '../../../../base/api.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, MomentField, NumberField, TextArea } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { OwnColour } from '../../../../base/kit/own-colour.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useLabelStyles } from '../label-styles-data.ts'
import { ANCHORS, bodyOf, sampleOf, startOf, type Typed, withAnchor, withStyle } from '../label-typed.ts'
import { labelName } from '../labels.ts'
import { addLabel, changeLabel, removeLabel, useLabelFlags } from '../labels-data.ts'
import type { LabelStyles } from '../looks.ts'
import { t } from '../says.ts'
import type { TextLabel } from '../signs.ts'
import { withStart } from '../token-typed.ts'
import { ContractorChoice, PlaceSaid, usePicking } from './form-parts.tsx'
import LabelSample from './label-sample.tsx'

const FIRST_COLOUR = '#000000'

type Given = {
  site_id: string
  /** Null: a new label. */
  label: TextLabel | null
  /** Where a new one is, if that is known; null if it isn’t. */
  place: Schemas['GivenPlace'] | null
  onClose(): void
}

/** Writes a label, or changes one, once the styles of the site are known. */
export default function LabelForm(given: Given) {
  const { data } = useLabelStyles(given.site_id)
  return data === undefined ? <Skeleton rows={1} /> : <Form {...given} styles={data.styles} />
}

function Form({ site_id, label, place, onClose, styles }: Given & { styles: NonNullable<LabelStyles>['styles'] }) {
  const { zone, canChange } = useHere()
  const flags = useLabelFlags(label ?? undefined)
  const picking = usePicking(true)
  const ending = useSend()
  const anyones = canChange('map_entity_edit_any')
  const save = (typed: Typed) => {
    const { place: there, colour, ...body } = bodyOf(typed, anyones)
    if (label === null) return addLabel({ ...body, colour, place: there, site_id })
    // A place that was found from the position stays one that was found, and not one that a person named.
    const placed = typed.place === label.place ? {} : { place: there }
    // A colour that the person hasn’t changed isn’t sent: the form doesn’t know whether it was chosen if it is that of the contractor.
    return changeLabel(label, { ...body, ...placed, ...(colour === label.colour ? {} : { colour }) })
  }
  return (
    <>
      <RecordForm<Typed>
        side
        title={label === null ? t('label.new') : <bdi>{labelName(label)}</bdi>}
        name={`label ${site_id} ${label?.id ?? (place === null ? 'new' : 'here')}`}
        body="NewTextLabel"
        start={startOf(label, place, styles)}
        save={save}
        onClose={onClose}
      >
        {({ field, values, change }) => (
          <>
            <Sample typed={values} styles={styles} />
            <TextArea label={t('label.text')} hint={t('label.text_hint')} {...field('text')} required rows={2} data-first />
            <Choice
              label={t('label.style')}
              at="style_key"
              value={values.style_key}
              options={styles.toSorted((a, b) => a.sort - b.sort).map(({ key, name }) => ({ value: key, label: name }))}
              onChange={event => change(withStyle(values, event.target.value, styles))}
            />
            <div className="pair">
              <NumberField label={t('label.size')} {...field('size_px')} required />
              <NumberField label={t('label.turned')} hint={t('label.turned_hint')} {...field('rotation_deg')} required />
            </div>
            <OwnColour
              label={t('label.own_colour')}
              colour={t('label.colour')}
              at="colour"
              value={values.colour}
              first={styles.find(({ key }) => key === values.style_key)?.text_colour ?? FIRST_COLOUR}
              onChange={colour => change({ colour })}
            />
            <p className="row spread">
              <PlaceSaid there={values.place?.point != null} />
              <Button onClick={() => picking.pick(values.place, next => change({ place: next }))}>
                <Glyph name="pin" size={16} />
                {t('point.pick')}
              </Button>
            </p>
            <Choice
              label={t('label.anchor')}
              at="anchor"
              value={values.anchor}
              options={ANCHORS.map(anchor => ({ value: anchor, label: t(`label.anchor.${anchor}`) }))}
              onChange={event => change(withAnchor(event.target.value))}
            />
            {anyones && (
              <ContractorChoice site_id={site_id} value={values.contractor_id} onValue={contractor_id => change({ contractor_id })} />
            )}
            <div className="pair">
              <MomentField
                label={t('token.from')}
                hint={label === null ? t('label.from_hint', { zone }) : undefined}
                zone={zone}
                value={values.start_at}
                at="start_at"
                required={label !== null}
                optional={label === null}
                onMoment={start_at => change(withStart(values, start_at))}
              />
              <MomentField
                label={t('token.until')}
                hint={t('label.until_hint', { zone })}
                zone={zone}
                value={values.end_at}
                at="end_at"
                optional
                onMoment={end_at => change({ end_at })}
              />
            </div>
            <div className="pair">
              <NumberField label={t('label.min_zoom')} hint={t('label.zoom_hint')} {...field('min_zoom')} required step={1} />
              <NumberField label={t('label.max_zoom')} hint={t('label.max_zoom_hint')} {...field('max_zoom')} required step={1} />
            </div>
            <TextArea label={t('point.notes')} {...field('notes')} />
            {label !== null && flags?.can_delete === true && (
              <>
                {ending.fault !== null && <FaultNote error={ending.fault} />}
                <HoldButton
                  look="danger"
                  onHeld={() =>
                    void ending.send(async () => {
                      await removeLabel(label)
                      toast(t('point.removed', { name: labelName(label) }))
                      onClose()
                    })
                  }
                >
                  {t('point.remove')}
                </HoldButton>
              </>
            )}
          </>
        )}
      </RecordForm>
      {picking.window}
    </>
  )
}

/** The words as they are typed, as the map draws them. */
function Sample({ typed, styles }: { typed: Typed; styles: NonNullable<LabelStyles>['styles'] }) {
  const shown = sampleOf(typed, styles)
  return shown === null ? null : <LabelSample {...shown} text={shown.text || t('label.text')} />
}
