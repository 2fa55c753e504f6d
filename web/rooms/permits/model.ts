import type { Schemas } from '../../base/api.ts'
import { type Standing, standingOf } from './parts/status.tsx'

type Card = Schemas['PermitCard']

/** Order of the board, from what begins to what ends. */
export const ORDER: readonly Standing[] = [
  'draft',
  'corrections_requested',
  'requested',
  'endorsed',
  'approved',
  'awaiting_countersign',
  'issued',
  'handed_back',
  'expired',
  'closed',
  'rejected',
  'withdrawn',
]

/** Permits as columns of the board; a column without one is left out. */
export function columnsOf(rows: readonly Card[]): { standing: Standing; rows: Card[] }[] {
  const groups = Map.groupBy(rows, standingOf)
  return ORDER.flatMap(standing => {
    const own = groups.get(standing)
    return own === undefined ? [] : [{ standing, rows: own }]
  })
}
