// Fills what no active area takes of a place, and says what was left out.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, NumberField, TextField, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { windowOf } from '../../../../base/time.ts'
import type { Frame, Ground } from '../model.ts'
import { useUnsaved } from '../parts/begun.tsx'
import { ContractorChoice, TimesFields } from '../parts/form-parts.tsx'
import { whatOf } from '../parts/place-list.tsx'
import type { Floor, Scene } from '../scene.ts'
import { AREA_KINDS, containersIn } from './areas.ts'
import { OutlineFields } from './corners.tsx'
import { fillRest, removeFill } from './data.ts'
import { fillBody, fillStart } from './fill-typed.ts'
import { t, tOf } from './says.ts'
import { useOutline } from './use-outline.ts'

type Given = {
  map: MapLibre | null
  frame: Frame
  floor: Floor
  scene: Scene
  chosen: string | null
  now: number
  onDone(id: string | null): void
}

const MOST = 8

/** What a fill has made, and how it is undone. */
function Made({ made, onDone }: { made: Schemas['FillCreated']; onDone(id: string | null): void }) {
  const { zone } = useHere()
  const { busy, fault, send } = useSend()
  const { areas, covered_m2, left_out } = made
  const report = useUnsaved()
  useEffect(() => report(false), [report])
  return (
    <section className="panel stack" data-unsaved aria-label={t('fill.title')}>
      <h2>{made.group.name}</h2>
      <p role="status">{t('fill.made', { n: areas.length, m: Math.round(covered_m2) })}</p>
      {left_out.length > 0 && (
        <Note kind="warn" title={t('fill.left_out')}>
          <ul className="small">
            {left_out.slice(0, MOST).map(part => (
              <li key={`${part.from} ${part.area_m2}`}>
                {t('fill.left_out_row', { m: Math.round(part.area_m2 * 10) / 10, window: windowOf(part.from, part.to, zone) })}
              </li>
            ))}
          </ul>
          {left_out.length > MOST && <p className="small">{t('fill.left_out_more', { n: left_out.length - MOST })}</p>}
        </Note>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button look="primary" onClick={() => onDone(areas[0] ?? null)}>
          {t('common.close')}
        </Button>
        <Button
          aria-busy={busy}
          onClick={() =>
            void send(async () => {
              await removeFill(made.group.id)
              toast(t('fill.undone'))
              onDone(null)
            })
          }
        >
          {t('fill.undo')}
        </Button>
      </div>
    </section>
  )
}

/** Chooses a place, a time and an owner, and fills what is left of the place. */
export function FillPanel({ map, frame, floor, scene, chosen, now, onDone }: Given) {
  const { site_id } = useHere()
  const [typed, setTyped] = useState(() => fillStart(now, frame.get(chosen ?? floor?.building ?? '') ?? null, floor?.level ?? null))
  const put = (part: Partial<typeof typed>) => setTyped(is => ({ ...is, ...part }))
  const [ground, setGround] = useState<Ground | null>(null)
  const [made, setMade] = useState<Schemas['FillCreated'] | null>(null)
  const feature = frame.get(typed.feature_id)
  const draws = feature === undefined
  const outline = useOutline({ map: draws && made === null ? map : null, ground, onGround: setGround, scene, without: null })
  const { busy, fault, send } = useSend()
  const body = fillBody(typed, site_id, feature, ground)
  if (made !== null) return <Made made={made} onDone={onDone} />
  return (
    <Form
      className="panel stack"
      data-unsaved
      aria-label={t('fill.title')}
      error={fault}
      onSubmit={() => {
        if (body !== null) void send(async () => setMade(await fillRest(body)))
      }}
    >
      <h2>{t('fill.title')}</h2>
      <p className="small">{t('fill.says')}</p>
      <Choice
        label={t('fill.container')}
        empty={t('fill.draw')}
        value={typed.feature_id}
        at="container"
        options={containersIn(frame).map(one => ({ value: one.id, label: `${one.name} · ${whatOf(one)}` }))}
        onChange={event => put({ feature_id: event.target.value, level_index: '' })}
      />
      {feature?.kind === 'building' && feature.levels.length > 0 && (
        <Choice
          label={t('fill.level')}
          empty={t('area.level_ground')}
          value={typed.level_index}
          at="level_index"
          options={feature.levels.map(level => ({ value: String(level.index), label: level.name }))}
          onChange={event => put({ level_index: event.target.value })}
        />
      )}
      {draws && <OutlineFields before={null} ground={ground} outline={outline} />}
      <TextField
        label={t('area.name')}
        required
        maxLength={200}
        value={typed.name}
        at="template.name"
        onChange={event => put({ name: event.target.value })}
      />
      <Choice
        label={t('area.kind')}
        value={typed.area_kind}
        options={AREA_KINDS.map(value => ({ value, label: tOf('active_area_kind', value) }))}
        onChange={event => {
          const found = AREA_KINDS.find(kind => kind === event.target.value)
          if (found !== undefined) put({ area_kind: found })
        }}
      />
      <ContractorChoice site_id={site_id} value={typed.contractor_id} onValue={contractor_id => put({ contractor_id })} />
      <TimesFields values={typed} onChange={put} end={{ required: true }} />
      <NumberField
        label={t('fill.clearance')}
        min={0}
        max={50}
        value={typed.clearance_m}
        at="clearance_m"
        onChange={event => put({ clearance_m: event.target.value })}
      />
      <Tick label={t('fill.bays')} checked={typed.bays} onChange={event => put({ bays: event.target.checked })} />
      {typed.bays && (
        <>
          <div className="pair">
            {(['width_m', 'length_m'] as const).map(name => (
              <NumberField
                key={name}
                label={t(name === 'width_m' ? 'fill.bay_width' : 'fill.bay_length')}
                min={1}
                max={500}
                required
                value={typed[name]}
                at={`bay.${name}`}
                onChange={event => put({ [name]: event.target.value })}
              />
            ))}
          </div>
          <NumberField
            label={t('fill.bay_bearing')}
            min={0}
            max={360}
            value={typed.bearing_deg}
            at="bay.bearing_deg"
            onChange={event => put({ bearing_deg: event.target.value })}
          />
        </>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={body === null} aria-busy={busy}>
          {t('fill.make')}
        </Button>
        <Button onClick={() => onDone(null)}>{t('common.cancel')}</Button>
      </div>
    </Form>
  )
}
