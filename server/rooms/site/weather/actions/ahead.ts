// The limits that the forecast reaches in the windows of permits that they concern (`site-and-people.md` §13).
import { DAY, HOUR, type Instant, later, ms } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import type { Id } from '../../../../base/ids.ts'
import { hoursIn } from '../domain/hours.ts'
import { type LimitState, PLANT_OF, TYPES_OF } from '../domain/limits.ts'
import { cellRow, siteRow } from '../queries.ts'
import { nameOf } from './cells.ts'
import { limitsIn, lookAt, overlaps, rainOf } from './look.ts'
import { providerOf } from './provider.ts'

/** The window of a permit, with its types. */
export type Window = { id: Id; categories: readonly string[]; start_at: Instant | null; end_at: Instant | null }

/** A limit that the forecast reaches: its worst state, and the first hour that has it, with its value. */
export type LimitAhead = {
  key: string
  label: string
  state: Exclude<LimitState, 'ok'>
  from: Instant
  value: number
  metric: string
  at_height_m: number | null
  /** Whether the forecast is invented. */
  example: boolean
}

/**
 * Returns for each window the limits that the last forecast reaches in the rest of it. It never asks the weather service, because a permit doesn't wait for it; without
 * a forecast of the last 24 hours nothing is returned. Limits of machines count if such a machine is on the map in that time, or if none at all is.
 */
export async function limitsAhead(ctx: Ctx, site_id: Id, windows: readonly Window[]): Promise<Map<Id, LimitAhead[]>> {
  const found = new Map<Id, LimitAhead[]>()
  const concerned = windows.filter(({ categories }) => categories.some(code => Object.values(TYPES_OF).some(codes => codes.includes(code))))
  if (concerned.length === 0) return found
  const site = await siteRow(ctx.db, site_id)
  const provider = site === null ? null : providerOf(ctx.house, site)
  const name = site === null || provider === null ? null : nameOf(site)
  const row = name === null ? null : await cellRow(ctx.db, name)
  if (site === null || provider === null || row?.fetched_at == null || ms(ctx.now) - ms(row.fetched_at) >= DAY) return found
  const all = hoursIn(row.answer)
  const rain = rainOf(all)
  const ahead = concerned.flatMap(({ id, categories, start_at, end_at }) => {
    if (start_at === null || end_at === null || end_at <= ctx.now || end_at <= start_at) return []
    return { id, categories, from: start_at < ctx.now ? ctx.now : start_at, to: end_at }
  })
  const [first] = ahead.map(({ from }) => from).toSorted()
  const last = ahead
    .map(({ to }) => to)
    .toSorted()
    .at(-1)
  if (first === undefined || last === undefined) return found
  const look = await lookAt(ctx, site, first, last)
  const metricOf = (key: string) => look.limits.find(one => one.key === key)?.metric ?? ''
  for (const { id, categories, from, to } of ahead) {
    const machines = look.machines.filter(one => overlaps(one, from, to))
    const here = Object.keys(PLANT_OF).filter(key => machines.some(one => PLANT_OF[key]?.includes(one.category)))
    const concerns = (key: string) =>
      TYPES_OF[key]?.some(code => categories.includes(code)) === true &&
      (PLANT_OF[key] === undefined || here.length === 0 || here.includes(key))
    const worst = new Map<string, LimitAhead>()
    for (const [i, hour] of all.entries()) {
      if (later(hour.at, HOUR) <= from || hour.at >= to) continue
      for (const { key, label, state, value, at_height_m } of limitsIn({ ...look, machines }, hour, rain[i] ?? null)) {
        const known = worst.get(key)
        if (state === 'ok' || !concerns(key) || known?.state === state || known?.state === 'stop') continue
        worst.set(key, {
          key,
          label,
          state,
          from: hour.at < from ? from : hour.at,
          value,
          metric: metricOf(key),
          at_height_m,
          example: provider.example,
        })
      }
    }
    if (worst.size > 0) found.set(id, [...worst.values()])
  }
  return found
}
