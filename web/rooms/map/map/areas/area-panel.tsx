// Draws or changes an active area: its outline on the map, the rest next to it.
import type { Map as MapLibre } from 'maplibre-gl'
import { type ReactNode, useState } from 'react'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, FaultOf, NumberField, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Saved, undoOf } from '../drawing.ts'
import { type Frame, type Ground, groundIn } from '../model.ts'
import { ContractorChoice, RepeatFields, TimesFields } from '../parts/form-parts.tsx'
import { type Scope, ScopeChoice } from '../parts/scope-choice.tsx'
import type { Floor, Scene } from '../scene.ts'
import { useSeenSchedule } from '../schedule/schedule-data.ts'
import { patternOf } from '../token-typed.ts'
import { AREA_KINDS, type Area, type AreaTyped, areaBody, COORDINATED, changeBody, isExclusive, typedOf } from './areas.ts'
import { OutlineFields } from './corners.tsx'
import { addArea, changeArea, changeAreas, removeArea } from './data.ts'
import { PlaceFields } from './place-fields.tsx'
import { t, tOf } from './says.ts'
import { useOutline } from './use-outline.ts'

/** What the panel of an area needs. */
export type AreaPanelGiven = {
  map: MapLibre | null
  area: Area | null
  /** What a new one starts with. */
  start?: { typed: AreaTyped; ground: Ground | null }
  frame: Frame
  floor: Floor
  scene: Scene
  now: number
  onDone(saved: Saved | null): void
  /** What is said above the fields. */
  children?: ReactNode
}

/** Adds an active area, or changes one. */
export function AreaPanel({ map, area: opened, start, frame, floor, scene, now, onDone, children }: AreaPanelGiven) {
  const { site_id, zone, canChange } = useHere()
  const [area, setArea] = useState(opened)
  const before = area === null ? null : groundIn(area.place.polygon)
  const [ground, setGround] = useState<Ground | null>(before ?? start?.ground ?? null)
  const [typed, setTyped] = useState<AreaTyped>(() => start?.typed ?? typedOf(area, now, floor))
  const put = (part: Partial<AreaTyped>) => setTyped(is => ({ ...is, ...part }))
  const outline = useOutline({ map, ground, onGround: setGround, scene, without: area?.id ?? null })
  const [scope, setScope] = useState<Scope>('day')
  const repeats = opened?.schedule_group_id ?? null
  const seen = useSeenSchedule(repeats === null ? null : { kind: 'active_area', group_id: repeats })
  const { busy, fault, send } = useSend()
  const anyones = canChange('map_entity_edit_any')
  const kinds = anyones ? AREA_KINDS : AREA_KINDS.filter(kind => !COORDINATED.includes(kind))
  const single = area === null || (area.schedule_group_id === null && area.fill_group_id === null)
  const running = area !== null && Date.parse(area.start_at) <= now
  const save = async () => {
    if (ground === null) return
    const body = areaBody(typed, ground, anyones)
    const pattern = single ? patternOf(typed, zone) : null
    const made: { saved: Saved | null } = { saved: null }
    const ahead = scope === 'ahead' && repeats !== null
    const done = await send(async () => {
      if (area === null) made.saved = await addArea({ site_id, ...body }, pattern)
      else if (!ahead) made.saved = await changeArea(area, changeBody(area, body), pattern, setArea)
      else made.saved = await changeAreas(area, await seen(), changeBody(area, body))
    })
    if (!done || made.saved === null) return
    toast(t(ahead ? 'token.saved_ahead' : 'common.saved', { name: body.name }), undoOf(made.saved))
    onDone(made.saved)
  }
  const title = area === null ? t('area.new_title') : t('draw.change', { name: area.name })
  const gone = (work: () => Promise<void>, said: string) =>
    void send(async () => {
      await work()
      toast(said)
      onDone(null)
    })
  return (
    <Form className="panel stack" data-unsaved aria-label={title} error={fault} onSubmit={() => void save()}>
      <h2>{title}</h2>
      {children}
      {area?.fill_group_id != null && <Note kind="warn">{t('area.member_leaves')}</Note>}
      {area?.schedule_group_id != null && <ScopeChoice scope={scope} onScope={setScope} />}
      <OutlineFields before={before} ground={ground} outline={outline} />
      <FaultOf at="place" label={t('point.place')} />
      <TextField
        label={t('area.name')}
        required
        maxLength={200}
        value={typed.name}
        at="name"
        onChange={event => put({ name: event.target.value })}
      />
      <Choice
        label={t('area.kind')}
        value={typed.area_kind}
        at="area_kind"
        options={kinds.map(value => ({ value, label: tOf('active_area_kind', value) }))}
        onChange={event => {
          const found = kinds.find(kind => kind === event.target.value)
          if (found !== undefined) put({ area_kind: found, exclusive: null })
        }}
      />
      <Tick
        label={t('area.exclusive')}
        checked={typed.exclusive ?? isExclusive(typed.area_kind)}
        onChange={event => put({ exclusive: event.target.checked })}
      />
      {anyones && <ContractorChoice site_id={site_id} value={typed.contractor_id} onValue={contractor_id => put({ contractor_id })} />}
      {scope === 'day' && (
        <TimesFields
          values={typed}
          onChange={put}
          start_hint={running ? t('area.started_hint') : undefined}
          end={{ hint: t('area.until_hint'), optional: !typed.repeats, required: typed.repeats }}
        />
      )}
      {single && <RepeatFields values={typed} onChange={put} />}
      <PlaceFields frame={frame} building_id={typed.building_id} level_index={typed.level_index} onChange={put} />
      <details open={typed.base_m !== '' || typed.top_m !== '' || undefined}>
        <summary>{t('area.heights')}</summary>
        <div className="pair">
          <NumberField label={t('area.base')} value={typed.base_m} at="base_m" onChange={event => put({ base_m: event.target.value })} />
          <NumberField label={t('area.top')} value={typed.top_m} at="top_m" onChange={event => put({ top_m: event.target.value })} />
        </div>
      </details>
      <TextArea
        label={t('area.notes')}
        optional
        rows={2}
        value={typed.notes}
        at="notes"
        onChange={event => put({ notes: event.target.value })}
      />
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={ground === null} aria-busy={busy}>
          {t('common.save')}
        </Button>
        <Button onClick={() => onDone(null)}>{t('common.cancel')}</Button>
      </div>
      {area !== null && scope === 'day' && (
        <HoldButton look="danger" onHeld={() => gone(() => removeArea(area), t('area.removed', { name: area.name }))}>
          {t(running ? 'area.end_now' : 'area.remove')}
        </HoldButton>
      )}
    </Form>
  )
}
