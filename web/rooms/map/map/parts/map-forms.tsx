import { Suspense } from 'react'
import type { Schemas } from '../../../../base/api.ts'
import { part } from '../../../../base/part.tsx'
import type { Frame, Spot } from '../model.ts'
import { placeAt } from '../moving.ts'
import { moveToken } from '../moving-data.ts'
import type { Floor } from '../scene.ts'
import type { Poi, TextLabel } from '../signs.ts'
import type { Delivery, Standing, Token } from '../tokens.ts'
import { DeliverySheet } from './delivery-note.tsx'
import { NewToken } from './new-token.tsx'
import { PointForm } from './point-form.tsx'
import { MoveToken, TokenForm } from './token-form.tsx'

const DeliveryForm = part(() => import('./delivery-form.tsx'))
const LabelForm = part(() => import('./label-form.tsx'))

/** A form of the map that is open. */
export type Opened =
  | { form: 'point'; point: Poi | null }
  | { form: 'label'; label: TextLabel | null; place?: Schemas['GivenPlace'] }
  | { form: 'token'; kind: Standing['token']; token: Standing | null }
  | { form: 'delivery'; delivery: Delivery | null }
  | { form: 'delivery_sheet'; id: string }
  | { form: 'move'; token: Token }

/** Returns the form of a new worker, machine or delivery. */
export const startedWith = (kind: Token['token']): Opened =>
  kind === 'delivery' ? { form: 'delivery', delivery: null } : { form: 'token', kind, token: null }

/** Returns the form of new words at a position. Where the map shows one level of a building, they are on that level. */
export const writtenAt = (spot: Spot, floor: Floor, frame: Frame): Opened => ({
  form: 'label',
  label: null,
  place: placeAt({ place: { building_id: floor?.building, level_index: floor?.level } }, spot, frame),
})

/** Returns what the URL opens: the form of a new worker, or a delivery. */
export const openedBy = ({ add, delivery }: Record<string, string | undefined>, adds: boolean): Opened | null => {
  if (delivery !== undefined) return { form: 'delivery_sheet', id: delivery }
  return add === 'worker' && adds ? { form: 'token', kind: 'worker', token: null } : null
}

type Given = {
  open: Opened
  site_id: string
  now: number
  /** The time that the map shows, if that is ahead, or else now: what is new starts then. */
  shown: number
  permits: readonly { id: string; permit_number: string | null; title: string | null; status: string }[]
  onOpen(form: Opened): void
  onClose(): void
}

/** Permits in these states can cover work that is put on the map. */
const COVERING = ['approved', 'issued']

/** The form that is open on the map. */
export function MapForms({ open, site_id, now, shown, permits, onOpen, onClose }: Given) {
  if (open.form === 'point') return <PointForm site_id={site_id} point={open.point} onClose={onClose} />
  if (open.form === 'label')
    return (
      <Suspense fallback={null}>
        <LabelForm site_id={site_id} label={open.label} place={open.place ?? null} onClose={onClose} />
      </Suspense>
    )
  if (open.form === 'delivery_sheet')
    return <DeliverySheet id={open.id} onEdit={delivery => onOpen({ form: 'delivery', delivery })} onClose={onClose} />
  if (open.form === 'delivery')
    return (
      <Suspense fallback={null}>
        <DeliveryForm
          site_id={site_id}
          delivery={open.delivery}
          now={shown}
          permits={permits.filter(({ status }) => COVERING.includes(status))}
          onClose={onClose}
        />
      </Suspense>
    )
  if (open.form === 'token') {
    const { kind, token } = open
    const given = { site_id, kind, now, shown, permits: permits.filter(({ status }) => COVERING.includes(status)), onClose }
    return token === null ? <NewToken {...given} /> : <TokenForm {...given} token={token} />
  }
  const { token } = open
  return <MoveToken token={token} now={now} onMove={place => moveToken(token, place, now)} onClose={onClose} />
}
