import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../base/api.ts'
import { useHere } from '../../../base/site.tsx'
import { momentOf } from '../../../base/time.ts'
import { t, tOf } from '../../../base/words.ts'

/** What happened to a permit, newest first, from the audit trail. */
export function History({ permit_id }: { permit_id: string }) {
  const { zone } = useHere()
  const { data } = useQuery({
    queryKey: ['permit', permit_id, 'history'],
    queryFn: () =>
      ask(
        client.GET('/audit/entity/{entity_type}/{entity_id}', {
          params: { path: { entity_type: 'permit', entity_id: permit_id }, query: { limit: 50 } },
        }),
      ),
  })
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
