// A delivery next to the map: its facts, and the steps that the person can take: arrivals and departures with large buttons.
import { useState } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button, HoldButton } from '../../../../base/kit/button.tsx'
import { Choice, TextArea } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { paths } from '../../../../base/paths.ts'
import { permitName } from '../../../../base/permit-name.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { clockOf, momentOf, windowOf } from '../../../../base/time.ts'
import { changeDelivery, deleteDelivery, useDelivery } from '../deliveries-data.ts'
import { t, tOf } from '../says.ts'
import type { Delivery } from '../tokens.ts'
import { DayPhotos } from './day-photos.tsx'
import { Around } from './floating.tsx'
import { PastButton } from './past-button.tsx'

type Reason = NonNullable<Delivery['turned_away_reason']>
const REASONS: readonly Reason[] = [
  'not_booked',
  'too_late',
  'wrong_vehicle',
  'unsafe_load',
  'no_space',
  'no_permit',
  'wrong_goods',
  'other',
]

/** The state of a delivery in a word. */
export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { status, left_at, late, overrunning } = delivery
  const look = late || overrunning ? 'warn' : status === 'arrived' && left_at === null ? 'ok' : ''
  return (
    <span className={`badge ${look}`}>
      {(late || overrunning) && <Glyph name="warning" size={16} />}
      {late
        ? t('token.alarm.late')
        : overrunning
          ? t('token.alarm.overrunning')
          : left_at !== null && status === 'arrived'
            ? t('delivery.left')
            : tOf('delivery.status', status)}
    </span>
  )
}

/** What a person reads about a delivery: which way, who, the vehicle, the slot, and when it came and left. */
function Facts({ delivery }: { delivery: Delivery }) {
  const { site_id, zone } = useHere()
  const { data: contractors } = useContractors(site_id, 'all')
  const contractor = contractors?.find(one => one.id === delivery.contractor_id)
  const { direction, vehicle_kind, vehicle_reg, start_at, end_at, slot_start_at, slot_end_at, arrived_at, left_at } = delivery
  const [from, to] =
    slot_start_at !== null && slot_end_at !== null && arrived_at !== null ? [slot_start_at, slot_end_at] : [start_at, end_at]
  const vehicle = [vehicle_kind === null ? null : tOf('vehicle', vehicle_kind), vehicle_reg].filter(Boolean).join(' · ')
  return (
    <>
      <p className="small">
        <span className="mono">{delivery.number}</span> · {t(direction === 'inbound' ? 'delivery.inbound' : 'delivery.outbound')}
        {contractor !== undefined && (
          <>
            {' · '}
            <span className="swatch" style={{ background: contractor.colour }} aria-hidden /> <bdi>{contractor.name}</bdi>
          </>
        )}
      </p>
      <p className="row small">
        <DeliveryMark delivery={delivery} />
        {vehicle !== '' && <span>{vehicle}</span>}
      </p>
      {!delivery.unbooked && to !== null && <p className="small mono">{t('delivery.slot', { time: windowOf(from, to, zone) })}</p>}
      {arrived_at !== null && <p className="small mono">{t('delivery.arrived_at', { time: momentOf(arrived_at, zone) })}</p>}
      {left_at !== null && <p className="small mono">{t('delivery.left_at', { time: momentOf(left_at, zone) })}</p>}
      {delivery.turned_away_reason !== null && <p className="small">{tOf('turned_away', delivery.turned_away_reason)}</p>}
      {delivery.turned_away_note !== null && <p className="small">{delivery.turned_away_note}</p>}
      {delivery.decision_note !== null && <p className="small">{delivery.decision_note}</p>}
      {delivery.competes_with.length > 0 && <p className="small">{t('delivery.competes', { n: delivery.competes_with.length })}</p>}
      {delivery.permits.map(permit => (
        <p key={permit.id} className="small">
          <Go to={paths.permit(site_id, permit.id)}>{permitName(permit)}</Go>
          <span className="soft"> · {tOf('status', permit.status)}</span>
        </p>
      ))}
      {delivery.notes !== null && <p className="small">{delivery.notes}</p>}
    </>
  )
}

/** The steps that the person can take now. A vehicle is turned away, and a request declined, with a reason. */
function Steps({ delivery }: { delivery: Delivery }) {
  const [asking, setAsking] = useState<'turn_away' | 'decline' | null>(null)
  const [reason, setReason] = useState<Reason>('not_booked')
  const [note, setNote] = useState('')
  const [free, setFree] = useState<NonNullable<Delivery['next_free']>>([])
  const { zone } = useHere()
  const sending = useSend()
  const can = delivery.permissions
  const take = (body: Parameters<typeof changeDelivery>[1]) =>
    void sending.send(async () => {
      const { next_free = [] } = await changeDelivery(delivery, body)
      setFree(next_free)
      setAsking(null)
      setNote('')
    })
  if (asking !== null)
    return (
      <div className="stack tight">
        {asking === 'turn_away' && (
          <Choice
            label={t('delivery.why')}
            value={reason}
            options={REASONS.map(one => ({ value: one, label: tOf('turned_away', one) }))}
            onChange={event => setReason(REASONS.find(one => one === event.target.value) ?? 'other')}
          />
        )}
        <TextArea
          label={t(asking === 'turn_away' ? 'delivery.why_more' : 'delivery.why_declined')}
          optional={asking === 'turn_away' && reason !== 'other'}
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        {sending.fault !== null && <FaultNote error={sending.fault} />}
        <div className="row">
          <Button
            look="danger"
            disabled={sending.busy}
            onClick={() =>
              take(
                asking === 'turn_away'
                  ? { status: 'turned_away', reason, ...(note === '' ? {} : { note }) }
                  : { status: 'declined', decision_note: note },
              )
            }
          >
            {t(asking === 'turn_away' ? 'delivery.turn_away' : 'delivery.decline')}
          </Button>
          <Button onClick={() => setAsking(null)}>{t('delivery.back')}</Button>
        </div>
      </div>
    )
  return (
    <div className="stack tight">
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      {free.length > 0 && (
        <p className="small">
          {t('delivery.next_free')}: <span className="mono">{free.map(one => windowOf(one.start_at, one.end_at, zone)).join(', ')}</span>
        </p>
      )}
      <div className="gate-steps">
        {can?.can_arrive && (
          <Button look="primary" disabled={sending.busy} onClick={() => take({ status: 'arrived' })}>
            {t('delivery.arrive')}
          </Button>
        )}
        {can?.can_leave && (
          <Button look="primary" disabled={sending.busy} onClick={() => take({ left_at: new Date().toISOString() })}>
            {t('delivery.leave')}
          </Button>
        )}
        {can?.can_turn_away && (
          <Button disabled={sending.busy} onClick={() => setAsking('turn_away')}>
            {t('delivery.turn_away')}
          </Button>
        )}
      </div>
      <div className="row">
        {can?.can_book && (
          <Button look="primary" disabled={sending.busy} onClick={() => take({ status: 'booked' })}>
            {t('delivery.book')}
          </Button>
        )}
        {can?.can_decline && (
          <Button disabled={sending.busy} onClick={() => setAsking('decline')}>
            {t('delivery.decline')}
          </Button>
        )}
      </div>
    </div>
  )
}

type NoteGiven = { id: string; name: string; onOpen(): void; onMove: (() => void) | null; onClose(): void }

/** The panel of a delivery that is selected on the map. */
export function DeliveryNote({ id, name, onOpen, onMove, onClose }: NoteGiven) {
  const query = useDelivery(id)
  return (
    <Around label={<bdi>{query.data?.name ?? name}</bdi>} onClose={onClose}>
      {query.data === undefined ? (
        <Wait query={query} rows={2} />
      ) : (
        <>
          <Facts delivery={query.data} />
          <Steps delivery={query.data} />
        </>
      )}
      <div className="row">
        <Button onClick={onOpen}>{t('delivery.open')}</Button>
        {onMove !== null && <Button onClick={onMove}>{t('token.move')}</Button>}
        <PastButton token={{ token: 'delivery', id, name: query.data?.name ?? name }} />
      </div>
      {query.data !== undefined && <DayPhotos token={{ token: 'delivery', ...query.data }} />}
    </Around>
  )
}

type SheetGiven = { id: string; onEdit(delivery: Delivery): void; onClose(): void }

/** A delivery in full, whether it is on the map now or not. */
export function DeliverySheet({ id, onEdit, onClose }: SheetGiven) {
  const query = useDelivery(id)
  const { zone } = useHere()
  const ending = useSend()
  const delivery = query.data
  return (
    <Window side title={<bdi>{delivery?.name ?? t('delivery.inbound')}</bdi>} onClose={onClose}>
      {delivery === undefined ? (
        <Wait query={query} rows={3} />
      ) : (
        <div className="stack">
          <Facts delivery={delivery} />
          {delivery.driver_name !== null && (
            <p className="small">
              {t('delivery.driver')}: <bdi>{delivery.driver_name}</bdi>
            </p>
          )}
          {delivery.driver_phone !== null && (
            <a className="btn" href={`tel:${delivery.driver_phone}`}>
              {t('delivery.tel', { name: delivery.driver_name ?? t('delivery.driver_unnamed') })}
            </a>
          )}
          <Steps delivery={delivery} />
          {(delivery.neighbours ?? []).length > 0 && (
            <section>
              <h3>{t('delivery.neighbours')}</h3>
              <ul className="small">
                {delivery.neighbours?.map(one => (
                  <li key={one.id}>
                    <span className="mono">
                      {clockOf(one.start_at, zone)}
                      {one.end_at !== null && `–${clockOf(one.end_at, zone)}`}
                    </span>{' '}
                    <bdi>{one.name}</bdi> · {tOf('delivery.status', one.status)}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <PastButton token={{ token: 'delivery', ...delivery }} />
          {ending.fault !== null && <FaultNote error={ending.fault} />}
          {delivery.permissions?.can_change && <Button onClick={() => onEdit(delivery)}>{t('common.edit')}</Button>}
          {delivery.permissions?.can_cancel && (
            <HoldButton
              look="danger"
              onHeld={() => void ending.send(async () => void (await changeDelivery(delivery, { status: 'cancelled' })))}
            >
              {t('delivery.cancel')}
            </HoldButton>
          )}
          {delivery.permissions?.can_delete && (
            <HoldButton
              look="danger"
              onHeld={() =>
                void ending.send(async () => {
                  await deleteDelivery(delivery)
                  toast(t('delivery.deleted', { number: delivery.number }))
                  onClose()
                })
              }
            >
              {t('delivery.delete')}
            </HoldButton>
          )}
        </div>
      )}
    </Window>
  )
}
