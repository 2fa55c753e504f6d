import { useQuery } from '@tanstack/react-query'
import { fieldsIn, textIn } from '../../../../shared/narrow.ts'
import { ask, client, freshKey, ifMatch, type Schemas } from '../../../base/api.ts'
import { toast, toastFault } from '../../../base/kit/note.tsx'
import { untilReread, useLine } from '../../../base/live.ts'
import { perform } from '../../../base/outbox.ts'
import { queries } from '../../../base/query.ts'
import { serviceTime } from '../../../base/service-time.ts'
import { t } from '../../../base/words.ts'
import { type Alert, untilStep } from './model.ts'

const NONE: readonly Alert[] = []

/** The alerts of a site that aren’t over; with `ended`, those that ended, too. */
export function useAlerts(site_id: string, ended = false) {
  // Without the socket nothing says that an alert was raised, so the list is read more often.
  useLine()
  return useQuery({
    queryKey: ['alerts', site_id, ended],
    queryFn: () =>
      ask(
        client.GET('/alerts', {
          params: { query: { site_id, limit: 200, ...(ended ? { state: ['scheduled', 'active', 'overdue', 'lapsed', 'resolved'] } : {}) } },
        }),
      ),
    refetchInterval: ({ state: { data = NONE } }) => untilStep(data, serviceTime(), untilReread()),
    meta: { keep: true },
  })
}

/** The alerts that are active at an instant; null: now. */
export function useAlertsAt(site_id: string, at: string | null): readonly Alert[] {
  const now = useAlerts(site_id)
  const then = useQuery({
    queryKey: ['alerts', site_id, 'at', at],
    queryFn: () => ask(client.GET('/alerts', { params: { query: { site_id, at: at ?? '' } } })),
    enabled: at !== null,
    placeholderData: before => before,
  })
  return (at === null ? now.data : then.data) ?? NONE
}

const moved = () => Promise.all(['alerts', 'permits', 'permit', 'wallet'].map(key => queries.invalidateQueries({ queryKey: [key] })))

/** Raises an alert, also without a connection: it is sent when there is one. The toast lets the person undo it. */
export async function raiseAlert(site_id: string, body: Omit<Schemas['NewAlert'], 'site_id'>): Promise<void> {
  try {
    const done = await perform({
      site_id,
      subject: { kind: 'alert', id: crypto.randomUUID(), label: body.title },
      says: `${t('alert.raise')}: ${body.title}`,
      method: 'POST',
      path: '/alerts/',
      body: { ...body, site_id },
    })
    if (done.outcome === 'saved') return toast(t('outbox.saved'))
    const { id } = fieldsIn(done.data)
    toast(t('alert.raised', { title: body.title }), { undo: { label: t('alert.mistake'), run: () => void withdraw(textIn(id)) } })
    await moved()
  } catch (error) {
    toastFault(error)
  }
}

async function withdraw(alert_id: string): Promise<void> {
  try {
    await ask(client.DELETE('/alerts/{alert_id}', { params: { path: { alert_id } } }))
    toast(t('alert.withdrawn'))
    await moved()
  } catch (error) {
    toastFault(error)
  }
}

/** Raises an alert with everything that a form has. */
export async function saveAlert(body: Schemas['NewAlert']): Promise<void> {
  await ask(client.POST('/alerts', { body, headers: freshKey() }))
  await moved()
}

/** Changes an alert. */
export async function changeAlert({ id, version }: Alert, body: Schemas['AlertChange']): Promise<void> {
  await ask(client.PATCH('/alerts/{alert_id}', { params: { path: { alert_id: id } }, body, headers: ifMatch(version) }))
  await moved()
}

/** Resolves an alert. */
export async function resolveAlert({ id, version }: Alert, note: string): Promise<void> {
  const params = { path: { alert_id: id } }
  await ask(
    client.POST('/alerts/{alert_id}/resolve', {
      params,
      body: note === '' ? {} : { note },
      headers: { ...freshKey(), ...ifMatch(version) },
    }),
  )
  await moved()
}

/** Makes an alert active again. */
export async function reopenAlert({ id, version }: Alert, reason: string): Promise<void> {
  const params = { path: { alert_id: id } }
  await ask(client.POST('/alerts/{alert_id}/unresolve', { params, body: { reason }, headers: { ...freshKey(), ...ifMatch(version) } }))
  await moved()
}
