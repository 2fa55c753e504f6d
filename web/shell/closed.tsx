import { useEffect } from 'react'
import { useHere } from '../base/site.tsx'
import { type Key, t } from '../base/words.ts'

/** Says on a page that the person can't see it, and who can: they came by its URL, because the navigation doesn't offer it to them. */
export function Closed({ says }: { says: Key }) {
  const here = useHere()
  useEffect(() => {
    document.title = `${t('closed.title')} · ${here.name}`
  }, [here.name])
  return (
    <div className="stack">
      <h1>{t('closed.title')}</h1>
      <p>{t(says)}</p>
    </div>
  )
}
