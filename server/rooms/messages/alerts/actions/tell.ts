import type { Ctx } from '../../../../base/ctx.ts'
import { myScope } from '../../../../kernel/access/door.ts'
import { needsAPerson } from '../domain.ts'
import type { Alert } from './ground.ts'

/** Returns whether the caller can see an alert: one for their contractor or for everyone, their own, and any as a coordinator. */
export async function seesAlert(ctx: Ctx, { contractor_ids, created_by }: Alert): Promise<boolean> {
  if (!ctx.actor.can('site_view')) return false
  if (contractor_ids.length === 0 || ctx.actor.can('alert_manage') || (created_by !== null && created_by === ctx.actor.id)) return true
  const scope = await myScope(ctx)
  return contractor_ids.some(one => scope.has(one))
}

/** Publishes an event of an alert, and has the map drawn again. */
export function tell(ctx: Ctx, verb: string, row: Alert, before: Alert | null): void {
  const { site_id, id, title, severity, category, effect, source, contractor_ids } = row
  ctx.redraw(site_id, 'annotations')
  const emit = (kind: string, more: Record<string, unknown> = {}) =>
    ctx.emit({
      kind: `alert.${kind}`,
      site_id,
      subject: { kind: 'alert', id, label: title },
      payload: { alert_id: id, severity, category, effect, source: source.kind, contractor_ids, ...more },
    })
  const running = (one: Alert | null) => one !== null && (one.state === 'active' || one.state === 'overdue')
  const never = row.state === 'scheduled' || (before?.state === 'scheduled' && row.periods.length === 0)
  if (verb === 'deleted' || verb === 'resolved') {
    // Nobody was notified of an alert that never became active, so nobody is notified of its end: only the lists that show it change.
    emit(never ? 'changed' : 'resolved', { withdrawn: verb === 'deleted' })
    return
  }
  if (verb === 'overdue' || verb === 'unresolved') emit(verb)
  if (verb === 'overdue' || verb === 'unresolved' || verb === 'lapsed') return
  // People are notified of an alert when it becomes active, and again when it becomes dangerous or stops their work.
  if (running(row) && (before === null || before.state === 'scheduled' || (needsAPerson(row) && !needsAPerson(before)))) emit('raised')
  if (before === null ? row.state === 'scheduled' : verb === 'changed') emit('changed')
}
