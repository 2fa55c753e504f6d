import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../base/api.ts'
import { Note } from '../../../base/kit/note.tsx'
import { useHere } from '../../../base/site.tsx'
import { momentOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'
import type { Permit } from '../steps.ts'

const useHistory = (permit_id: string, enabled = true) =>
  useQuery({
    queryKey: ['permit', permit_id, 'history'],
    enabled,
    queryFn: () =>
      ask(
        client.GET('/audit/entity/{entity_type}/{entity_id}', {
          params: { path: { entity_type: 'permit', entity_id: permit_id }, query: { limit: 50 } },
        }),
      ),
  })

const BACK = ['corrections_requested', 'rejected', 'withdrawn'] as const

/** Why a permit came back or ended, in the words of who decided: the first thing that its requestor wants to know. */
export function WhyBack({ permit }: { permit: Pick<Permit, 'id' | 'status'> }) {
  const status = BACK.find(one => one === permit.status)
  const { data } = useHistory(permit.id, status !== undefined)
  const last = data?.find(entry => entry.action === 'transition')
  if (status === undefined || last?.reason == null) return null
  return (
    <Note kind={status === 'rejected' ? 'stop' : 'warn'} title={t(`permit.why.${status}`, { name: last.actor.name })}>
      <p>{last.reason}</p>
    </Note>
  )
}

/** What happened to a permit, newest first, from the audit trail. */
export function History({ permit_id }: { permit_id: string }) {
  const { zone } = useHere()
  const { data } = useHistory(permit_id)
  if (data === undefined || data.length === 0) return null
  return (
    <section className="panel" aria-label={t('permit.history')}>
      <header>
        <h2>{t('permit.history')}</h2>
      </header>
      <ol className="timeline">
        {data.map(entry => (
          <li key={entry.id}>
            <span className="mono tiny soft">{momentOf(entry.at, zone)}</span>
            <span>
              <span className="strong">{entry.actor.kind === 'job' ? t('app.name') : entry.actor.name}</span>{' '}
              {tOf('caused', entry.cause.split('.').at(-1) ?? entry.action)}
            </span>
            {entry.reason !== null && <span className="small soft">{entry.reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}
