import { canonicalJson } from '../../../../../shared/proof/canonical.ts'
import { later } from '../../../../../shared/time.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, forbidden, refuse, type Verdict, wrongStep } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { hold, onSite, share } from '../../../../kernel/records/door.ts'
import { resource } from '../../../../kernel/resource/door.ts'
import { raiseTask, resolveTasks } from '../../../../kernel/tasks/door.ts'
import { faultsOf, OPEN, RAISER_CHANGES_FOR, RAISER_DELETES_FOR, retimed, SAME_WITHIN, type Source, spanOf } from '../domain.ts'
import { sameAlert } from '../queries.ts'
import { computed, fields } from '../schema.ts'
import { type Alert, groundOf, moved, SAID } from './ground.ts'
import { life } from './life.ts'
import { listed } from './list.ts'
import { seesAlert, tell } from './tell.ts'

const mayStop = (ctx: Ctx, ...rows: { effect: unknown }[]): Verdict =>
  rows.some(row => row.effect === 'stops') ? ctx.actor.lacks('alert_stop') : null

/** Refuses the same alert from the same person: two taps on a slow connection. */
async function alone(ctx: Ctx, { site_id, title, category, place }: Alert): Promise<void> {
  if (ctx.actor.id === null) return
  await hold(ctx, 'alerts of a person', site_id, ctx.actor.id)
  const since = later(ctx.now, -SAME_WITHIN)
  const existing_id = await sameAlert(ctx.db, site_id, { created_by: ctx.actor.id, title, category, place, since })
  if (existing_id !== null)
    refuse(conflict('key_taken', 'You raised this alert less than two minutes ago, so it is already there.', { existing_id }))
}

const made = resource({
  kind: 'alert',
  path: '/alerts/',
  noun: 'alert',
  shape: 'Alert',
  says: 'Something that everyone must know now, at a place',
  label: row => row.title,
  fields,
  defaults: { effect: 'none', activities: [], levels: [], contractor_ids: [], start_at: undefined, source: { kind: 'manual' } },
  computed,
  bin: 'kept',
  derived: ['area', 'building_id', 'bounds', 'danger', 'span_from', 'span_to', 'periods'],
  sees: seesAlert,
  sight: ['contractor_ids'],
  tell,
  list: listed,
  access: {
    view: 'site_view',
    create: 'alert_raise',
    change: { own: 'alert_raise', any: 'alert_manage' },
    remove: { own: 'alert_raise', any: 'alert_manage' },
  },
  limits: {
    change: (ctx, row) =>
      mayStop(ctx, row) ??
      (ctx.actor.can('alert_manage') || later(row.created_at, RAISER_CHANGES_FOR) >= ctx.now
        ? null
        : forbidden('alert_manage', 'You raised this alert more than an hour ago. Only a coordinator can still change it.')),
    remove(ctx, row) {
      if (row.state === 'scheduled') return mayStop(ctx, row)
      const mistake = row.created_by === ctx.actor.id && row.effect !== 'stops' && later(row.created_at, RAISER_DELETES_FOR) >= ctx.now
      const allowed = OPEN.some(state => state === row.state) ? ['resolve'] : ['unresolve']
      return mistake && allowed[0] === 'resolve'
        ? null
        : wrongStep(row.state, allowed, 'This alert has been active, so it stays on record. Resolve it instead of deleting it.')
    },
  },
  lifecycle: life,
  hooks: {
    async faults(ctx, next, before) {
      const faults = faultsOf(next, before, ctx.now)
      if (moved(next, before)) faults.push(...(await groundOf(ctx, next)).faults)
      // An audience is a list, which no foreign key keeps from naming a contractor that is being deleted.
      if (next.contractor_ids.length > 0) await share(ctx, 'contractors', next.site_id)
      for (const [i, contractor] of next.contractor_ids.entries())
        if (before?.contractor_ids.includes(contractor) !== true && !(await onSite(ctx, next.site_id, 'contractor', contractor)))
          faults.push({ path: `contractor_ids[${i}]`, message: 'isn’t a contractor on this site.' })
      return faults
    },
    async derive(ctx, next, before) {
      const set = moved(next, before) ? (await groundOf(ctx, next)).set : {}
      const whole = { ...next, ...set }
      const changed = before !== null && SAID.some(column => canonicalJson(whole[column]) !== canonicalJson(before[column]))
      if (before === null) await alone(ctx, whole)
      const then = retimed(whole, before, ctx.now, changed)
      return { ...set, ...then, ...spanOf({ ...whole, ...then }) }
    },
    async after(ctx, row, before) {
      if (before?.state === 'overdue' && row?.state !== 'overdue')
        await resolveTasks(ctx, before.site_id, before.id, { only: ['resolve_alert'] }, 'done_by_step')
      if (row?.state === 'overdue' && before?.state !== 'overdue')
        await raiseTask(ctx, row.site_id, {
          kind: 'resolve_alert',
          subject: { kind: 'alert', id: row.id, label: row.title },
          bands: ['coordinate'],
          due_at: row.end_at,
        })
    },
  },
})

/** What a body that changes the effect or the place leaves out follows from that, so that nothing of the old one stays. */
const completed = (body: Record<string, unknown>): Record<string, unknown> => ({
  ...('effect' in body && body.effect !== 'stops' ? { activities: [] } : {}),
  ...('place' in body ? { radius_m: null, levels: [] } : {}),
  ...body,
})

/** The alerts of a site. */
export const alerts: typeof made = {
  ...made,
  async create(ctx, site_id, body) {
    enforce([mayStop(ctx, { effect: body.effect })])
    return made.create(ctx, site_id, { ...body, start_at: body.start_at ?? ctx.now })
  },
  async change(ctx, row, body) {
    enforce([mayStop(ctx, { effect: body.effect })])
    return made.change(ctx, row, completed(body))
  },
}

/** What another area raises. */
export type Raised = {
  title: string
  severity: string
  category: string
  source: Source
} & { place?: unknown } & Partial<
    Pick<Alert, 'message' | 'effect' | 'activities' | 'radius_m' | 'levels' | 'start_at' | 'end_at' | 'contractor_ids'>
  >

/** Raises an alert for another area; returns its id. */
export async function raise(ctx: Ctx, site_id: Id, raised: Raised): Promise<Id> {
  const { id } = await made.create(ctx, site_id, { start_at: ctx.now, ...raised })
  return String(id)
}
