import { useEffect, useState } from 'react'
import { endSignIn, signIn } from '../base/auth.ts'
import { useGo } from '../base/go.tsx'
import { Button } from '../base/kit/button.tsx'
import { Mark } from '../base/kit/mark.tsx'
import { Note } from '../base/kit/note.tsx'
import { t } from '../base/words.ts'
import { begin } from './begin.ts'

/** The code is exchanged once for each return from the provider, because it is valid only once. A retry leaves this page. */
let ending: Promise<string> | null = null

const KEY_MS = 8000

/** Brings the key to what the person stored here before. If it doesn't come, they can work, and it is asked for again. */
const bringKeyNow = (): Promise<unknown> =>
  Promise.race([
    import('../base/later/keeper.ts').then(keeper => keeper.bringKey(true)).catch(() => undefined),
    new Promise(done => setTimeout(done, KEY_MS)),
  ])

/** Returns a provider's error in words (RFC 6749 §4.1.2.1), when it concerns the person. */
const whyNot = (error: unknown): string => {
  const said = error instanceof Error ? error.message : String(error)
  return said === 'access_denied' ? t('sign_in.denied') : said
}

/** The page to which the provider returns the person. */
export function SignedIn() {
  const go = useGo()
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    ending ??= endSignIn()
    ending
      .then(async to => {
        await bringKeyNow()
        await begin()
        go(to, { replace: true })
      })
      .catch(error => setFailed(whyNot(error)))
  }, [go])
  return (
    <main id="main" className="gate">
      <Mark size={72} />
      <h1>{t('app.name')}</h1>
      {failed === null ? (
        <p role="status">{t('sign_in.going')}</p>
      ) : (
        <Note kind="stop" title={t('sign_in.failed')}>
          <p className="small">{failed}</p>
          <Button look="primary" onClick={() => void signIn('/')}>
            {t('sign_in.again')}
          </Button>
        </Note>
      )}
    </main>
  )
}
