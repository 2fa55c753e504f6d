import type { Poi } from '../signs.ts'
import type { Token } from '../tokens.ts'
import { changePlant, changeWorker, movePlant } from '../tokens-data.ts'
import { PointForm } from './point-form.tsx'
import { MoveToken, TokenForm } from './token-form.tsx'

/** A form of the map that is open. */
export type Opened =
  | { form: 'point'; point: Poi | null }
  | { form: 'token'; kind: Token['token']; token: Token | null }
  | { form: 'move'; token: Token }

type Given = {
  open: Opened
  site_id: string
  now: number
  permits: readonly { id: string; permit_number: string | null; title: string | null; status: string }[]
  onClose(): void
}

/** Permits in these states can cover work that is put on the map. */
const COVERING = ['approved', 'issued']

/** The form that is open on the map. */
export function MapForms({ open, site_id, now, permits, onClose }: Given) {
  if (open.form === 'point') return <PointForm site_id={site_id} point={open.point} onClose={onClose} />
  if (open.form === 'token')
    return (
      <TokenForm
        site_id={site_id}
        kind={open.kind}
        token={open.token}
        now={now}
        permits={permits.filter(({ status }) => COVERING.includes(status))}
        onClose={onClose}
      />
    )
  const { token } = open
  // A machine that is moved has another position from now on; a gang is where it is said to be.
  return (
    <MoveToken
      token={token}
      onMove={place => {
        if (token.token === 'worker') return changeWorker(token, { place })
        return token.schedule_group_id === null ? movePlant(token, place) : changePlant(token, { place })
      }}
      onClose={onClose}
    />
  )
}
