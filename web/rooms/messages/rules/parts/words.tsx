import { useRef } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextArea, TextField } from '../../../../base/kit/field.tsx'
import type { EventSchema } from '../condition.ts'
import type { Draft } from '../model.ts'
import { t } from '../says.ts'

type Given = {
  draft: Draft
  event: EventSchema
  may: boolean
  set(part: Partial<Draft>): void
}

const LIMITS = { title: 200, body: 1000 } as const

/** Title and body. Fields of the event are inserted from a list; nobody has to know their names. */
export function WordsFields({ draft, event, may, set }: Given) {
  const last = useRef<{ part: 'title' | 'body'; at: number }>({ part: 'title', at: draft.title.length })
  const fields = useRef<HTMLFieldSetElement>(null)
  const remember = (part: 'title' | 'body') => (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
    last.current = { part, at: event.currentTarget.selectionStart ?? draft[part].length }
  }
  const putIn = () => {
    const path = fields.current?.querySelector('select')?.value ?? ''
    if (path === '') return
    const { part, at } = last.current
    const said = draft[part]
    const word = `{{${path}}}`
    const next = said.slice(0, at) + word + said.slice(at)
    if (next.length > LIMITS[part]) return
    last.current = { part, at: at + word.length }
    set({ [part]: next })
  }
  const shared = (part: 'title' | 'body') => ({
    value: draft[part],
    maxLength: LIMITS[part],
    disabled: !may,
    at: part,
    onSelect: remember(part),
  })
  return (
    <fieldset ref={fields} className="fieldset stack">
      <legend>{t('rules.words')}</legend>
      <TextField label={t('rules.title_field')} {...shared('title')} onChange={typed => set({ title: typed.target.value })} />
      <TextArea label={t('rules.body')} optional rows={3} {...shared('body')} onChange={typed => set({ body: typed.target.value })} />
      {may && (
        <div className="add-term">
          <Choice
            label={t('rules.put_in')}
            defaultValue={event.words[0]?.path}
            key={event.event_kind}
            options={event.words.map(word => ({ value: word.path, label: word.label }))}
          />
          <Button onClick={putIn}>{t('rules.put')}</Button>
          <span className="soft small">{t('rules.put_in_says')}</span>
        </div>
      )}
    </fieldset>
  )
}
