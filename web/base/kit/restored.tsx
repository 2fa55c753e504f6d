import type { Form } from '../kept-form.ts'
import { awayOf } from '../time.ts'
import { t } from '../words.ts'
import { Button } from './button.tsx'

/** Says that a form was opened with text that was typed earlier and never sent, with a way to start again. */
export function Restored({ form }: { form: Pick<Form<unknown>, 'restored' | 'outdated' | 'discard'> }) {
  if (form.restored === null) return null
  return (
    <div className="restored">
      <p className="small grow">
        {t('form.restored', { when: awayOf(new Date(form.restored).toISOString()) })}
        {form.outdated && <span className="strong"> {t('form.outdated')}</span>}
      </p>
      <Button onClick={form.discard}>{t('form.discard')}</Button>
    </div>
  )
}
