import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askWhole, client } from '../../base/api.ts'
import { Go, usePlace } from '../../base/go.tsx'
import { Button } from '../../base/kit/button.tsx'
import { Bones, Empty, FaultNote } from '../../base/kit/note.tsx'
import { paths } from '../../base/paths.ts'
import { useHere } from '../../base/site.tsx'
import { t, tOf } from '../../base/words.ts'
import { columnsOf } from './model.ts'
import { PermitCard } from './parts/card.tsx'
import { StatusShape } from './parts/status.tsx'

/** Columns by status: what is under way, from left to right. */
export default function Board() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const [now] = useState(() => Date.now())
  const filters = { site_id: here.site_id, limit: 200, ...(place.q === undefined ? {} : { q: place.q }) }
  const permits = useInfiniteQuery({
    queryKey: ['permits', 'board', filters],
    queryFn: async ({ pageParam }) => {
      const query = { ...filters, ...(pageParam === '' ? {} : { cursor: pageParam }) }
      const { data, headers } = await askWhole(client.GET('/permits', { params: { query } }))
      return { rows: data, next: /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? null }
    },
    initialPageParam: '',
    getNextPageParam: last => (last.next === null ? undefined : decodeURIComponent(last.next)),
    meta: { keep: true },
  })
  const rows = permits.data?.pages.flatMap(page => page.rows) ?? []
  const filtered = place.q !== undefined
  return (
    <>
      <header>
        <h1>{t('board.title')}</h1>
        {here.can('permit_request') && (
          <Go className="btn chief" to={paths.request(here.site_id)}>
            {t('board.request')}
          </Go>
        )}
        <input
          type="search"
          className="input"
          style={{ maxWidth: '18rem' }}
          aria-label={t('common.search')}
          placeholder={t('common.search')}
          defaultValue={place.q ?? ''}
          onChange={event => setPlace({ q: event.target.value.trim() })}
        />
      </header>
      {permits.isPending && <Bones rows={4} height={120} />}
      {permits.error !== null && permits.data === undefined && <FaultNote error={permits.error} onRetry={() => void permits.refetch()} />}
      {permits.data !== undefined && rows.length === 0 && (
        <Empty action={filtered ? <Button onClick={() => setPlace({ q: undefined })}>{t('board.clear')}</Button> : undefined}>
          {t(filtered ? 'board.nothing_found' : 'board.empty')}
        </Empty>
      )}
      <div className="board">
        {columnsOf(rows).map(column => (
          <section key={column.standing} className="column" aria-label={tOf('status', column.standing)}>
            <h2>
              <StatusShape standing={column.standing} />
              {tOf('status', column.standing)} <span className="count">{column.rows.length}</span>
            </h2>
            <ul>
              {column.rows.map(permit => (
                <li key={permit.id}>
                  <PermitCard
                    permit={permit}
                    zone={here.zone}
                    now={now}
                    link={<Go to={paths.permit(here.site_id, permit.id)}>{permit.title ?? t('permit.untitled')}</Go>}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
