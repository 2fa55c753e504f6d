import { isOneOf, keysOf } from '../../../../../shared/narrow.ts'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../../base/api.ts'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { queries } from '../../../../base/query.ts'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useSend } from '../../../../base/send.ts'
import { t, tOf } from '../says.ts'
import { type Poi, SIGNS } from '../signs.ts'
import { PlaceSaid, usePicking } from './form-parts.tsx'

/** The kinds of point, as the list has them: what helps in an emergency first. */
const KINDS = keysOf(SIGNS)

type Typed = { name: string; poi_kind: string; phone: string; what3words: string; notes: string; place: Schemas['GivenPlace'] | null }

/** Adds a point of interest, or changes one. `point` null: a new one. */
export function PointForm({ site_id, point, onClose }: { site_id: string; point: Poi | null; onClose(): void }) {
  const picking = usePicking(true)
  const ending = useSend()
  const start: Typed = {
    name: point?.name ?? '',
    poi_kind: point?.poi_kind ?? '',
    phone: point?.phone ?? '',
    what3words: point?.what3words ?? '',
    notes: point?.notes ?? '',
    place: point?.place ?? null,
  }
  const moved = () => queries.invalidateQueries({ queryKey: ['map', 'points', site_id] })
  const save = async ({ poi_kind, phone, what3words, notes, place, name }: Typed) => {
    if (!isOneOf(KINDS, poi_kind)) return
    const body = { name, poi_kind, phone: phone || null, what3words: what3words || null, notes: notes || null, place: place ?? {} }
    if (point === null) await ask(client.POST('/pois', { body: { ...body, site_id }, headers: freshKey() }))
    else {
      // The kind of a point that is on the map already can't be changed.
      const { poi_kind: _kind, ...change } = body
      await ask(client.PATCH('/pois/{poi_id}', { params: { path: { poi_id: point.id } }, body: change, headers: ifMatch(point.version) }))
    }
    await moved()
  }
  return (
    <>
      <RecordForm
        side
        title={point === null ? t('point.new') : <bdi>{point.name}</bdi>}
        name={`point ${site_id} ${point?.id ?? 'new'}`}
        body="NewPoi"
        start={start}
        save={save}
        onClose={onClose}
      >
        {({ field, values, change }) => (
          <>
            <Choice
              label={t('point.kind')}
              required
              disabled={point !== null}
              hint={point === null ? undefined : t('point.kind_stays')}
              empty={t('point.choose')}
              at="poi_kind"
              value={values.poi_kind}
              options={KINDS.map(kind => ({ value: kind, label: tOf('poi_kind', kind) }))}
              onChange={event => {
                const kind = event.target.value
                // Most points are called like their kind, unless there are several.
                const named = values.name === '' || KINDS.some(one => tOf('poi_kind', one) === values.name)
                change({ poi_kind: kind, ...(named && kind !== '' ? { name: tOf('poi_kind', kind) } : {}) })
              }}
            />
            <TextField label={t('point.name')} {...field('name')} required />
            <p className="row spread">
              <PlaceSaid there={values.place?.point != null} />
              <Button onClick={() => picking.pick(values.place, place => change({ place }))}>
                <Glyph name="pin" size={16} />
                {t('point.pick')}
              </Button>
            </p>
            <TextField label={t('point.phone')} {...field('phone')} inputMode="tel" />
            <TextField label={t('point.what3words')} {...field('what3words')} className="mono" />
            <TextArea label={t('point.notes')} {...field('notes')} />
            {point !== null && (
              <>
                {ending.fault !== null && <FaultNote error={ending.fault} />}
                <HoldButton
                  look="danger"
                  onHeld={() =>
                    void ending.send(async () => {
                      await ask(
                        client.DELETE('/pois/{poi_id}', { params: { path: { poi_id: point.id } }, headers: ifMatch(point.version) }),
                      )
                      toast(t('point.removed', { name: point.name }))
                      await moved()
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
