import { fieldsIn, isRecord, textIn } from '../../../../../shared/narrow.ts'
import { contentOf } from '../../../../../shared/proof/content.ts'
import { usePeople } from '../../../../base/people.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { t, tOf } from '../../../../base/words.ts'
import type { Permit } from '../../permits/door.tsx'
import { changedFields } from '../model.ts'

/** Returns a value of a permit in readable form. */
function textOf(value: unknown, zone: string, name: (id: string | null) => string | undefined): string {
  if (value === null || value === undefined || value === '') return t('changed.nothing')
  if (Array.isArray(value)) return value.length === 0 ? t('changed.nothing') : value.map(one => textOf(one, zone, name)).join(', ')
  // Stamped controls, files, checks.
  if (isRecord(value)) {
    const { text, filename, label, answer } = value
    if (typeof label === 'string') return typeof answer === 'string' ? `${label} ${tOf('common', answer)}` : label
    return textIn(text ?? filename)
  }
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return momentOf(value, zone)
  if (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)) return name(value) ?? ''
  return String(value)
}

/** Shows what has changed in a permit since it was read. */
export function Changes({ seen, permit }: { seen: unknown; permit: Permit }) {
  const { zone } = useHere()
  const before = fieldsIn(seen)
  const now = fieldsIn(contentOf(permit, permit.attachments))
  const name = usePeople([permit.receiver_id, typeof before.receiver_id === 'string' ? before.receiver_id : null])
  const fields = changedFields(before, now)
  if (fields.length === 0) return <p>{t('outbox.unchanged')}</p>
  return (
    <section className="changes" aria-label={t('outbox.new')}>
      <h3>{t('outbox.new')}</h3>
      <dl>
        {fields.map(field => (
          <div key={field}>
            <dt>{tOf('changed', field)}</dt>
            <dd className="strong pre">{textOf(now[field], zone, name)}</dd>
            <dd className="soft small pre">{t('changed.was', { what: textOf(before[field], zone, name) })}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
