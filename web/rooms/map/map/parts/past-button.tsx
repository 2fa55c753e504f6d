import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, client } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { pastLines } from '../past.ts'
import { t } from '../says.ts'
import type { Token } from '../tokens.ts'

type Given = { token: Pick<Token, 'token' | 'id' | 'name'> }

/** Opens the history of a gang, a machine or a delivery. */
export function PastButton({ token }: Given) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('draw.history')}</Button>
      {open && <Past token={token} onClose={() => setOpen(false)} />}
    </>
  )
}

const SHOWN = 50

/** What was done to something on the map, newest first: when, what was changed, and who changed it. */
function Past({ token: { token, id, name }, onClose }: Given & { onClose(): void }) {
  const { zone } = useHere()
  const entries = useQuery({
    // What is on the map makes it stale, as it does the token itself.
    queryKey: ['tokens', 'past', token, id],
    queryFn: () =>
      ask(
        client.GET('/audit/entity/{entity_type}/{entity_id}', {
          params: { path: { entity_type: token, entity_id: id }, query: { limit: SHOWN } },
        }),
      ),
  })
  const rows = entries.data?.map(entry => ({ ...entry, lines: pastLines(entry, zone) })).filter(({ lines }) => lines.length > 0)
  return (
    <Window title={t('draw.history_of', { name })} onClose={onClose}>
      {rows === undefined ? (
        <Wait query={entries} rows={3} />
      ) : (
        <ol className="stack">
          {rows.map(({ id: entry_id, at, actor, lines, reason }) => (
            <li key={entry_id} className="stack tight">
              {lines.map(line => (
                <span key={line}>{line}</span>
              ))}
              {reason !== null && <span className="small pre">{reason}</span>}
              <span className="small soft">
                {t('draw.written', { who: actor.kind === 'job' ? t('app.name') : actor.name, when: momentOf(at, zone) })}
              </span>
            </li>
          ))}
        </ol>
      )}
      {entries.data?.length === SHOWN && <p className="soft small">{t('past.more', { n: SHOWN })}</p>}
    </Window>
  )
}
