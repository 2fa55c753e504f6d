import { useQuery } from '@tanstack/react-query'
import type { Map as MapLibre } from 'maplibre-gl'
import { useState } from 'react'
import { chosenFrom } from '../../../../../shared/narrow.ts'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, FaultOf, MomentField, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { OutlineFields } from '../areas/corners.tsx'
import { BOUNDARY } from '../areas/snap.ts'
import { useOutline } from '../areas/use-outline.ts'
import { readBoundary } from '../data.ts'
import { draw, endFeature, type Saved, undoOf } from '../drawing.ts'
import { type Feature, type Frame, type Ground, groundIn, groundOf } from '../model.ts'
import { t } from '../says.ts'
import type { Scene } from '../scene.ts'
import { formOf, type Kind } from '../sketching.ts'
import { isWithin, shapeOf } from '../within.ts'
import { Begun } from './begun.tsx'
import { BoundaryWays } from './boundary-ways.tsx'
import { History } from './history.tsx'

const ZONE_TYPES = [
  'work',
  'laydown',
  'storage',
  'welfare',
  'parking',
  'vehicle_route',
  'pedestrian_route',
  'exclusion',
  'lifting',
  'hazardous_area',
  'restricted',
  'other',
] as const

type Given = {
  map: MapLibre | null
  kind: Kind
  feature: Feature | null
  frame: Frame
  scene: Scene
  onDone(saved: Saved | null): void
}

/** Draws or changes one feature of the site. A boundary is changed as the service has it now, which can be newer than the map of this device. */
export function DrawPanel(given: Given) {
  const { site_id } = useHere()
  const asked = given.kind === 'boundary'
  const query = useQuery({
    queryKey: ['map', 'boundary', site_id, 'now'],
    queryFn: async () => (await readBoundary(site_id)).data,
    enabled: asked,
    gcTime: 0,
  })
  if (asked && query.data === undefined)
    return (
      <section className="panel stack" aria-label={t('draw.new.boundary')}>
        <Wait query={query} rows={3} />
        <Button onClick={() => given.onDone(null)}>{t('common.cancel')}</Button>
      </section>
    )
  return (
    <Begun onLeave={() => given.onDone(null)}>
      <Drawing {...given} newest={groundIn(query.data?.geometry)} />
    </Begun>
  )
}

/** The area on the map or by typed corners, the other fields next to it. */
function Drawing({ map, kind, feature, newest, frame, scene, onDone }: Given & { newest: Ground | null }) {
  const { site_id, zone } = useHere()
  // The boundary that is being changed: someone else’s isn’t overwritten.
  const [boundary] = useState(newest)
  const before = kind === 'boundary' ? boundary : feature === null ? null : groundOf({ geometry: feature.outline })
  const [ground, setGround] = useState<Ground | null>(before)
  const [form, setForm] = useState(() => formOf(feature))
  const [past, setPast] = useState(false)
  const buildings = [...frame.values()].filter(one => one.kind === 'building')
  const [placed, setPlaced] = useState(feature !== null)
  /** A new zone that is drawn in a building belongs to it, unless the person says otherwise. */
  const drawn = (next: Ground | null) => {
    setGround(next)
    if (kind !== 'zone' || placed) return
    const shape = next === null ? null : shapeOf(next)
    const around = shape === null ? undefined : buildings.find(one => isWithin(shape, shapeOf(groundOf(one))))
    put({ building_id: around?.id ?? '', level_from: '', level_to: '' })
  }
  const outline = useOutline({ map, ground, onGround: drawn, scene, without: feature?.id ?? (kind === 'boundary' ? BOUNDARY : null) })
  const { busy, fault, send } = useSend()
  const put = (change: Partial<typeof form>) => setForm(now => ({ ...now, ...change }))
  const save = async () => {
    if (ground === null) return
    const made: { saved: Saved | null } = { saved: null }
    const done = await send(async () => {
      made.saved = await draw({ site_id, kind, feature, boundary, form, ground })
    })
    if (!done || made.saved === null) return
    toast(t('common.saved'), undoOf(made.saved))
    onDone(made.saved)
  }
  const { data: contractors } = useContractors(site_id, 'all')
  // A contractor that has left stays in charge of its zone until the zone is assigned to another one.
  const holders = (contractors ?? []).filter(contractor => contractor.status === 'active' || contractor.id === feature?.contractor_id)
  const levels = frame.get(form.building_id)?.levels ?? []
  const title = feature === null ? t(`draw.new.${kind}`) : t('draw.change', { name: feature.name })
  return (
    <Form className="panel stack" data-unsaved aria-label={title} error={fault} onSubmit={() => void save()}>
      <h2>{title}</h2>
      {kind === 'boundary' && <BoundaryWays map={map} bare={before === null} onGround={outline.put} />}
      <OutlineFields before={before} ground={ground} outline={outline} />
      {kind !== 'boundary' && (
        <>
          <TextField
            label={t('draw.name')}
            required
            maxLength={200}
            value={form.name}
            at="name"
            onChange={event => put({ name: event.target.value })}
          />
          <TextField
            label={t('draw.code')}
            optional
            hint={t('draw.code_hint')}
            maxLength={60}
            value={form.code}
            at="code"
            onChange={event => put({ code: event.target.value })}
          />
          <TextArea
            label={t('draw.aliases')}
            optional
            hint={t('draw.aliases_hint')}
            rows={2}
            value={form.aliases}
            at="aliases"
            onChange={event => put({ aliases: event.target.value })}
          />
        </>
      )}
      {kind === 'zone' && (
        <>
          <Choice
            label={t('draw.zone_type')}
            value={form.zone_type}
            options={ZONE_TYPES.map(value => ({ value, label: t(`zone_type.${value}`) }))}
            onChange={event => put({ zone_type: chosenFrom(ZONE_TYPES, event.target.value) })}
          />
          <Choice
            label={t('request.building')}
            optional
            empty={t('draw.outside')}
            value={form.building_id}
            at="building_id"
            options={buildings.map(one => ({ value: one.id, label: one.name }))}
            onChange={event => {
              setPlaced(true)
              put({ building_id: event.target.value, level_from: '', level_to: '' })
            }}
          />
          {levels.length > 0 && (
            <div className="pair">
              {(['level_from', 'level_to'] as const).map(name => (
                <Choice
                  key={name}
                  label={t(`draw.${name}`)}
                  empty={t(name === 'level_from' ? 'draw.every_level' : 'draw.same_level')}
                  value={form[name]}
                  at={name}
                  options={levels.map(level => ({ value: String(level.index), label: level.name }))}
                  onChange={event => put({ [name]: event.target.value })}
                />
              ))}
            </div>
          )}
          <Choice
            label={t('draw.contractor')}
            optional
            hint={t('draw.contractor_hint')}
            empty={t('draw.no_contractor')}
            value={form.contractor_id}
            at="contractor_id"
            options={holders.map(contractor => ({ value: contractor.id, label: contractor.name }))}
            onChange={event => put({ contractor_id: event.target.value })}
          />
        </>
      )}
      {kind === 'building' && (
        <div className="pair">
          {(['lowest', 'highest'] as const).map(name => (
            <TextField
              key={name}
              label={t(`draw.${name}`)}
              hint={t(`draw.${name}_hint`)}
              type="number"
              min={-50}
              max={300}
              className="mono"
              value={form[name]}
              at="levels"
              onChange={event => put({ [name]: event.target.value })}
            />
          ))}
        </div>
      )}
      {kind !== 'boundary' && (
        <MomentField
          label={t('draw.from')}
          optional
          hint={t('draw.from_hint', { zone })}
          zone={zone}
          value={form.effective_at}
          at="effective_at"
          onMoment={effective_at => put({ effective_at })}
        />
      )}
      <FaultOf at="geometry" label={t('draw.outline')} />
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={ground === null} aria-busy={busy}>
          {t('common.save')}
        </Button>
        <Button onClick={() => onDone(null)}>{t('common.cancel')}</Button>
        {feature !== null && <Button onClick={() => setPast(true)}>{t('draw.history')}</Button>}
      </div>
      {feature !== null &&
        (feature.permissions?.delete.allowed === false ? (
          <FlagButton look="danger" flag={feature.permissions.delete}>
            {t('draw.end')}
          </FlagButton>
        ) : (
          <HoldButton
            look="danger"
            onHeld={() =>
              void send(async () => {
                const undo = await endFeature(site_id, feature, form.effective_at)
                toast(t('draw.ended', { name: feature.name }), { undo: { label: t('draw.undo'), run: undo } })
                onDone(null)
              })
            }
          >
            {t('draw.end')}
          </HoldButton>
        ))}
      {past && feature !== null && <History feature={feature} onClose={() => setPast(false)} />}
    </Form>
  )
}
