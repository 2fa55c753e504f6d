import { useEffect, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextField } from '../../../../base/kit/field.tsx'
import { useMembers } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { ACTIONS } from '../model.ts'

/** Kinds of record that people look for by name; the rest are found by action, person or day. */
const KINDS = [
  'permit',
  'permit_type',
  'permit_appointment',
  'permit_config',
  'permit_workflow',
  'permit_set',
  'contractor',
  'membership',
  'invite',
  'site',
  'reference_feature',
] as const

const PAUSE_MS = 300

type Place = Readonly<Record<string, string | undefined>>

/** The filters of the audit log; they are kept in the URL. */
export function Filters({ place, onChange }: { place: Place; onChange(change: Place): void }) {
  const { site_id } = useHere()
  const people = useMembers(site_id)
  const [typed, setTyped] = useState(place.q ?? '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause.
  useEffect(() => {
    if (typed === (place.q ?? '')) return
    const timer = setTimeout(() => onChange({ q: typed || undefined }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const some = ['who', 'kind', 'done', 'day', 'q'].some(name => place[name] !== undefined)
  return (
    <search className="audit-filters">
      <TextField label={t('audit.find')} type="search" value={typed} onChange={event => setTyped(event.target.value)} />
      <Choice
        label={t('audit.who')}
        empty={t('common.all')}
        value={place.who ?? ''}
        options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
        onChange={event => onChange({ who: event.target.value || undefined })}
      />
      <Choice
        label={t('audit.kind')}
        empty={t('common.all')}
        value={place.kind ?? ''}
        options={KINDS.map(kind => ({ value: kind, label: t(`kind.${kind}`) }))}
        onChange={event => onChange({ kind: event.target.value || undefined })}
      />
      <Choice
        label={t('audit.done')}
        empty={t('common.all')}
        value={place.done ?? ''}
        options={ACTIONS.map(action => ({ value: action, label: t(`done.${action}`) }))}
        onChange={event => onChange({ done: event.target.value || undefined })}
      />
      <TextField
        label={t('audit.day')}
        type="date"
        className="mono"
        value={place.day ?? ''}
        onChange={event => onChange({ day: event.target.value || undefined })}
      />
      {some && (
        <Button
          onClick={() => {
            setTyped('')
            onChange({ who: undefined, kind: undefined, done: undefined, day: undefined, q: undefined })
          }}
        >
          {t('board.clear')}
        </Button>
      )}
    </search>
  )
}
