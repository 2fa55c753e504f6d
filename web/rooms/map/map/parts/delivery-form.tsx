// Asks for a slot, books one, adds a vehicle that is here without one, or changes a delivery.
import { useState } from 'react'
import { isOneOf } from '../../../../../shared/narrow.ts'
import type { Schemas } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, MomentField, TextArea, TextField, Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useHere } from '../../../../base/site.tsx'
import { addDelivery, changeDelivery, useDeliveryPlaces } from '../deliveries-data.ts'
import { type DeliveryTyped, startOfDelivery } from '../delivery-typed.ts'
import { groundIn, middleOf, topOf } from '../model.ts'
import { t, tOf } from '../says.ts'
import type { Delivery } from '../tokens.ts'
import { ContractorChoice, type CoveringPermit, PermitChoice, PlaceSaid, usePicking } from './form-parts.tsx'

const KINDS = [
  'van',
  'rigid',
  'artic',
  'low_loader',
  'mixer',
  'tipper',
  'grab',
  'skip_lorry',
  'concrete_pump',
  'tanker',
  'car',
  'other',
] as const

type Given = {
  site_id: string
  delivery: Delivery | null
  now: number
  permits: readonly CoveringPermit[]
  onClose(): void
}

/** The form of a delivery; `delivery` null: a new one. */
export default function DeliveryForm({ site_id, delivery, now, permits, onClose }: Given) {
  const { zone, canChange } = useHere()
  const [start] = useState(() => startOfDelivery(delivery, now))
  const [at, setAt] = useState(start.start_at)
  const { data: places } = useDeliveryPlaces(site_id, at ?? new Date(now).toISOString())
  const picking = usePicking(false)
  const manages = canChange('delivery_manage')
  const here = delivery?.arrived_at != null

  const save = async (typed: DeliveryTyped) => {
    const { start_at, end_at, place, permit_id, arrived, direction, contractor_id, vehicle_kind } = typed
    const fields = {
      ...(typed.name === '' ? {} : { name: typed.name }),
      direction: direction === 'outbound' ? ('outbound' as const) : ('inbound' as const),
      supplier_name: typed.supplier_name || null,
      vehicle_kind: isOneOf(KINDS, vehicle_kind) ? vehicle_kind : null,
      vehicle_reg: typed.vehicle_reg || null,
      driver_name: typed.driver_name || null,
      gate_poi_id: typed.gate_poi_id || null,
      bay_id: typed.bay_id || null,
      unload_plant_id: typed.unload_plant_id || null,
      notes: typed.notes || null,
      place: place ?? {},
      ...(manages ? { contractor_id: contractor_id || null } : {}),
    } satisfies Partial<Schemas['NewDelivery']>
    // A vehicle that is here arrived now by the clock of the service: that of the device may differ.
    const times = here ? {} : { ...(start_at === null || arrived ? {} : { start_at }), end_at }
    if (delivery !== null) {
      const { number } = await changeDelivery(delivery, { ...fields, ...times })
      toast(t('delivery.saved', { number }))
      return onClose()
    }
    const made = await addDelivery({
      ...{ site_id, ...fields, ...times },
      ...(permit_id === '' ? {} : { permit_id }),
      ...(arrived ? { status: 'arrived' as const } : {}),
    })
    toast(t(made.status === 'requested' ? 'delivery.asked' : 'delivery.saved', { number: made.number }))
    for (const { detail } of made.warnings ?? []) toast(detail)
    onClose()
  }

  return (
    <>
      <RecordForm<DeliveryTyped>
        side
        title={delivery === null ? t('delivery.new_title') : <bdi>{delivery.name}</bdi>}
        name={`delivery ${site_id} ${delivery?.id ?? 'new'}`}
        body="NewDelivery"
        start={start}
        said={null}
        save={save}
        onClose={onClose}
      >
        {({ field, values, change }) => (
          <>
            <TextField label={t('delivery.supplier')} {...field('supplier_name')} />
            <TextField label={t('delivery.goods')} {...field('name')} optional />
            <Choice
              label={t('delivery.direction')}
              value={values.direction}
              options={(['inbound', 'outbound'] as const).map(way => ({ value: way, label: t(`delivery.${way}`) }))}
              onChange={event => change({ direction: event.target.value })}
            />
            {delivery === null && manages && (
              <Tick label={t('delivery.here_now')} checked={values.arrived} onChange={event => change({ arrived: event.target.checked })} />
            )}
            {!here && (
              <div className="pair">
                {!values.arrived && (
                  <MomentField
                    label={t('token.from')}
                    zone={zone}
                    value={values.start_at}
                    at="start_at"
                    required
                    onMoment={start_at => {
                      change({ start_at })
                      if (start_at !== null) setAt(start_at)
                    }}
                  />
                )}
                <MomentField
                  label={t(values.arrived ? 'delivery.expected_until' : 'delivery.until')}
                  zone={zone}
                  value={values.end_at}
                  at="end_at"
                  required={!values.arrived}
                  optional={values.arrived}
                  onMoment={end_at => change({ end_at })}
                />
              </div>
            )}
            {(places?.bays.length ?? 0) > 0 && (
              <Choice
                label={t('delivery.bay')}
                optional
                empty={t('delivery.no_bay')}
                at="bay_id"
                value={values.bay_id}
                options={(places?.bays ?? []).map(one => ({ value: one.id, label: one.name }))}
                onChange={event => {
                  const bay = places?.bays.find(one => one.id === event.target.value)
                  const ground = groundIn(bay?.place.polygon)
                  const spot = ground === null ? null : (middleOf(ground) ?? topOf(ground))
                  // A vehicle in a bay is unloaded in the bay, unless a person says otherwise.
                  const set = spot !== null && values.place === null ? { place: { point: { lon: spot[0], lat: spot[1] } } } : {}
                  change({ bay_id: event.target.value, ...set })
                }}
              />
            )}
            <p>
              <PlaceSaid there={values.place !== null} />
            </p>
            <Button onClick={() => picking.pick(values.place, place => change({ place }))}>
              <Glyph name="map" size={16} />
              {t('point.pick')}
            </Button>
            {manages && (
              <ContractorChoice site_id={site_id} value={values.contractor_id} onValue={contractor_id => change({ contractor_id })} />
            )}
            <Choice
              label={t('delivery.vehicle')}
              optional
              empty={t('delivery.not_chosen')}
              value={values.vehicle_kind}
              options={KINDS.map(kind => ({ value: kind, label: tOf('vehicle', kind) }))}
              onChange={event => change({ vehicle_kind: event.target.value })}
            />
            <TextField label={t('delivery.reg')} hint={t('delivery.reg_hint')} {...field('vehicle_reg')} />
            <TextField label={t('delivery.driver')} {...field('driver_name')} />
            {(places?.gates.length ?? 0) > 0 && (
              <Choice
                label={t('delivery.gate')}
                optional
                empty={t('delivery.no_gate')}
                value={values.gate_poi_id}
                options={(places?.gates ?? []).map(one => ({ value: one.id, label: one.name }))}
                onChange={event => change({ gate_poi_id: event.target.value })}
              />
            )}
            {(places?.machines.length ?? 0) > 0 && (
              <Choice
                label={t('delivery.machine')}
                optional
                empty={t('delivery.no_machine')}
                at="unload_plant_id"
                value={values.unload_plant_id}
                options={(places?.machines ?? []).map(one => ({ value: one.id, label: one.name }))}
                onChange={event => change({ unload_plant_id: event.target.value })}
              />
            )}
            {delivery === null && <PermitChoice permits={permits} value={values.permit_id} onValue={permit_id => change({ permit_id })} />}
            <TextArea label={t('token.notes')} {...field('notes')} />
            {!manages && delivery?.status === 'booked' && <Note>{t('delivery.new_slot_note')}</Note>}
          </>
        )}
      </RecordForm>
      {picking.window}
    </>
  )
}
