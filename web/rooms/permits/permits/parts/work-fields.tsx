import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { useFault } from '../../../../base/kit/faults.tsx'
import { TextArea, TextField } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'
import type { Fields } from '../draft.ts'
import { described, hasOwnTitle, hazardsOf, PPE } from '../suggestions.ts'
import { TagField } from './tag-field.tsx'

type Given = { fields: Fields; onChange(change: Fields): void }

/** The work, its hazards, and its controls. */
export function WorkFields({ fields, onChange }: Given) {
  const [named] = useState(() => hasOwnTitle(fields))
  return (
    <>
      {named && <Title fields={fields} onChange={onChange} />}
      <TextArea
        label={t('request.what')}
        rows={2}
        value={fields.description ?? ''}
        at="description"
        onChange={event => onChange(described(fields, event.target.value || null))}
      />
      <TagField
        label={t('permit.hazards')}
        value={fields.hazards ?? []}
        suggestions={hazardsOf(fields.categories ?? [])}
        onChange={hazards => onChange({ hazards })}
      />
      <TextArea
        label={t('permit.controls')}
        rows={2}
        value={fields.controls ?? ''}
        at="controls"
        onChange={event => onChange({ controls: event.target.value || null })}
      />
    </>
  )
}

/** Fields that only some permits need. */
export function MoreFields({ fields, onChange }: Given) {
  const [named] = useState(() => hasOwnTitle(fields))
  const [open, setOpen] = useState(false)
  const wrong = [useFault('title'), useFault('limitations')]
  const shown = open || wrong.some(one => one !== undefined)
  return (
    <section className={shown ? 'panel part' : 'part'} aria-label={t('request.more')}>
      <Button look="quiet" aria-expanded={shown} onClick={() => setOpen(!shown)}>
        <Glyph name={shown ? 'down' : 'next'} size={18} />
        {t('request.more')}
      </Button>
      {shown && (
        <div className="stack">
          {!named && <Title fields={fields} onChange={onChange} />}
          <TagField label={t('permit.ppe')} value={fields.ppe ?? []} suggestions={PPE} onChange={ppe => onChange({ ppe })} />
          <TextArea
            label={t('permit.limitations')}
            optional
            rows={2}
            value={fields.limitations ?? ''}
            at="limitations"
            onChange={event => onChange({ limitations: event.target.value || null })}
          />
        </div>
      )}
    </section>
  )
}

const Title = ({ fields, onChange }: Given) => (
  <TextField
    label={t('request.name')}
    hint={t('request.name_hint')}
    maxLength={200}
    value={fields.title ?? ''}
    at="title"
    onChange={event => onChange({ title: event.target.value || null })}
  />
)
