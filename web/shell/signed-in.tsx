import { useEffect, useState } from 'react'
import { endSignIn, signIn } from '../base/auth.ts'
import { useGo } from '../base/go.tsx'
import { Button } from '../base/kit/button.tsx'
import { Note } from '../base/kit/note.tsx'
import { t } from '../base/words.ts'
import { begin } from './begin.ts'

let ending: Promise<string> | null = null

/** The way back from the provider. */
export function SignedIn() {
  const go = useGo()
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    ending ??= endSignIn()
    ending
      .then(async to => {
        await begin()
        go(to, { replace: true })
      })
      .catch(error => setFailed(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        ending = null
      })
  }, [go])
  return (
    <main id="main" className="gate">
      {failed === null ? (
        <p role="status">{t('sign_in.going')}</p>
      ) : (
        <Note kind="stop" title={t('sign_in.failed')}>
          <p className="small">{failed}</p>
          <Button look="chief" onClick={() => void signIn('/')}>
            {t('sign_in.again')}
          </Button>
        </Note>
      )}
    </main>
  )
}
