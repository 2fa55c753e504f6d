// The board's query. This file imports only types, because the query is sent before the app has loaded.
import type { Filters } from './model.ts'

const AT_ONCE = 500

/** Closed, rejected and withdrawn permits are on the board only on request. */
const UNDER_WAY = ['draft', 'corrections_requested', 'requested', 'endorsed', 'approved', 'issued', 'expired'] as const

/** The lists that other pages lead to, by the parameter `show`. */
const SHOWN: Record<string, { status: readonly string[]; handed_back?: boolean }> = {
  live: { status: ['issued'], handed_back: false },
  expired: { status: ['expired'], handed_back: false },
  review: { status: ['requested', 'endorsed'] },
}

/** Returns where a board's permits come from: requested on the site; with `imported`, imported ones too, or `only` these. */
const sourceOf = (imported: string | undefined): 'requested' | 'imported' | undefined =>
  imported === undefined ? 'requested' : imported === 'only' ? 'imported' : undefined

const yes = (value: string | undefined): true | undefined => (value === '1' ? true : undefined)
const listOf = (value: string | undefined): string[] | undefined => (value === undefined ? undefined : value.split(','))

/** Returns the query for a board's URL, without the text, which filters what is loaded. */
export function boardQuery(site_id: string, filters: Filters) {
  const { type, contractor, receiver, from, to, show, since, register } = filters
  const status = filters.over === '1' || since !== undefined || register !== undefined ? undefined : [...UNDER_WAY]
  const given = {
    category: listOf(type),
    contractor_id: listOf(contractor),
    receiver_id: listOf(receiver),
    from,
    to,
    status,
    soon: yes(filters.soon),
    awaiting_countersign: yes(filters.countersign),
    handed_back: yes(filters.handed_back),
    stopped: yes(filters.stopped),
    source: sourceOf(filters.imported),
    set_id: listOf(register),
    updated_since: since,
    ...SHOWN[show ?? ''],
  }
  return {
    site_id,
    limit: AT_ONCE,
    reasons: false,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  }
}
