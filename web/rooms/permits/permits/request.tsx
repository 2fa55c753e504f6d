import { useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { Empty, PageWait, Skeleton } from '../../../base/kit/note.tsx'
import { t } from '../../../base/words.ts'
import { usePermit } from './data.ts'
import { isFresh, type KeptDraft, keptDraft } from './drafts.ts'
import { RequestForm } from './parts/request-form.tsx'

/** Which draft is open. `own` are the names that its form has given itself, so that it stays open when its name changes. */
type Open = { key: string; draft: string | undefined; own: readonly string[] }

const opening = (draft: string | undefined): Open => ({ key: draft ?? crypto.randomUUID(), draft, own: [] })

/**
 * Writes a permit request: types first, because they decide what the rest must contain. Every change is saved automatically, and the URL leads back to it.
 */
export default function Request() {
  const [place, setPlace] = usePlace()
  const [open, setOpen] = useState(() => opening(place.draft))
  if (place.draft !== open.draft)
    setOpen(place.draft !== undefined && open.own.includes(place.draft) ? { ...open, draft: place.draft } : opening(place.draft))
  const onName = (name: string) => {
    setOpen(now => ({ ...now, own: [...now.own, name] }))
    setPlace({ draft: name })
  }
  const { draft, own } = open
  return draft === undefined || own.includes(draft) ? (
    <RequestForm key={open.key} parent_id={place.parent} onName={onName} />
  ) : (
    <Kept key={open.key} name={draft} onName={onName} />
  )
}

type Given = { name: string; onName(name: string): void }

/** A draft that was started before: what this device has stored of it, and what the service has. */
function Kept({ name, onName }: Given) {
  const [kept, setKept] = useState<KeptDraft | null>()
  const [, setPlace] = usePlace()
  useEffect(() => {
    void keptDraft(name).then(found => setKept(found ?? null))
  }, [name])
  if (kept === undefined) return <Skeleton rows={4} />
  const id = kept?.id ?? (isFresh(name) ? null : name)
  if (id !== null) return <Known id={id} kept={kept ?? undefined} onName={onName} />
  if (kept !== null) return <RequestForm kept={kept} onName={onName} />
  return (
    <div className="stack">
      <h1>{t('request.title')}</h1>
      <Empty action={<Button onClick={() => setPlace({ draft: undefined })}>{t('request.new')}</Button>}>{t('request.gone')}</Empty>
    </div>
  )
}

/** A draft that the service has stored. Without a connection, the copy on this device is shown. */
function Known({ id, kept, onName }: { id: string; kept: KeptDraft | undefined; onName(name: string): void }) {
  const permit = usePermit(id)
  if (permit.data !== undefined) return <RequestForm given={permit.data} kept={kept} onName={onName} />
  if (kept !== undefined && permit.error !== null) return <RequestForm kept={kept} onName={onName} />
  return <PageWait title={t('request.title')} query={permit} />
}
