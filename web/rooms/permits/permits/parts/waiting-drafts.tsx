import { useEffect, useState } from 'react'
import { Go } from '../../../../base/go.tsx'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { useNow } from '../../../../base/now.ts'
import { paths } from '../../../../base/paths.ts'
import { awayOf } from '../../../../base/time.ts'
import { t } from '../../../../base/words.ts'
import { dropDraft, type KeptDraft, onDrafts, waitingDrafts } from '../drafts.ts'

const NONE: readonly KeptDraft[] = []

/** Lists the requests on this device that the service doesn't have in full. */
export function useWaitingDrafts(site_id: string): readonly KeptDraft[] {
  const [drafts, setDrafts] = useState(NONE)
  useEffect(() => {
    const look = () => void waitingDrafts(site_id).then(setDrafts)
    look()
    return onDrafts(look)
  }, [site_id])
  return drafts
}

/** Shows them, if there are any. */
export function WaitingDrafts({ site_id }: { site_id: string }) {
  const drafts = useWaitingDrafts(site_id)
  const [sure, setSure] = useState<string | null>(null)
  const now = useNow(60_000)
  if (drafts.length === 0) return null
  return (
    <section className="panel part" aria-label={t('request.waiting')}>
      <h2>{t('request.waiting')}</h2>
      <ul className="stack tight">
        {drafts.map(draft => (
          <li key={draft.name} className="row waiting-draft">
            <Go className="grow" to={paths.request(site_id, { draft: draft.name })}>
              <span className="strong">{draft.fields.title ?? draft.fields.description ?? t('permit.untitled')}</span>
              <span className="soft small">
                {' '}
                {draft.refused === null
                  ? t('request.waiting.at', { when: awayOf(new Date(draft.at).toISOString(), now) })
                  : t('request.waiting.refused', { why: draft.refused })}
              </span>
            </Go>
            <Button
              look={sure === draft.name ? 'danger' : 'quiet'}
              onClick={() => (sure === draft.name ? void dropDraft(draft.name) : setSure(draft.name))}
            >
              {sure === draft.name ? t('request.discard_sure') : <Glyph name="close" />}
              {sure !== draft.name && <span className="unseen">{t('request.discard')}</span>}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
