import { useQuery } from '@tanstack/react-query'
import { ask, client } from '../../../../base/api.ts'
import { Choice } from '../../../../base/kit/field.tsx'
import { useContractors, useMembers } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { t } from '../../../../base/words.ts'
import { useLastPermits } from '../data.ts'
import type { Fields } from '../draft.ts'
import type { Permit } from '../steps.ts'
import { Pills } from './pills.tsx'

type Given = {
  fields: Fields
  permit: Permit | undefined
  /** True if the chosen types need a parent permit. */
  parent: boolean
  onChange(change: Fields): void
}

/** The permit's receiver, its contractor, and its parent permit if one is needed. */
export function WhoFields({ fields, permit, parent, onChange }: Given) {
  const { site_id, me } = useHere()
  const contractors = useContractors(site_id, 'active')
  const people = useMembers(site_id)
  const named = new Set(useLastPermits(site_id, me.id).map(one => one.receiver_id))
  const lately = (people.data ?? []).filter(person => named.has(person.user_id)).slice(0, 3)
  const needed = permit?.requires_parent === true || parent || fields.parent_id != null
  const parents = useQuery({
    queryKey: ['permits', 'parents', site_id],
    queryFn: () =>
      ask(client.GET('/permits', { params: { query: { site_id, status: ['requested', 'endorsed', 'approved', 'issued'], limit: 200 } } })),
    enabled: needed,
    meta: { keep: true },
  })
  return (
    <>
      <Pills
        label={t('request.receivers_lately')}
        offered={lately.map(({ user_id, name }) => ({
          key: user_id,
          label: name,
          taken: fields.receiver_id === user_id,
          onTake: () => onChange({ receiver_id: user_id }),
        }))}
      />
      <div className="pair">
        <Choice
          label={t('permit.receiver')}
          empty={t('common.none')}
          value={fields.receiver_id ?? ''}
          at="receiver_id"
          options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
          onChange={event => onChange({ receiver_id: event.target.value || null })}
        />
        <Choice
          label={t('permit.contractor')}
          empty={t('common.none')}
          value={fields.contractor_id ?? ''}
          at="contractor_id"
          options={(contractors.data ?? []).map(contractor => ({ value: contractor.id, label: contractor.name }))}
          onChange={event => onChange({ contractor_id: event.target.value || null })}
        />
      </div>
      <p className="hint">{t('request.receiver_hint')}</p>
      {needed && (
        <Choice
          label={t('permit.parent')}
          hint={t('request.parent_hint')}
          empty={t('common.none')}
          value={fields.parent_id ?? ''}
          at="parent_id"
          options={(parents.data ?? [])
            .filter(one => one.id !== permit?.id)
            .map(one => ({ value: one.id, label: `${one.permit_number ?? ''} ${one.title ?? ''}` }))}
          onChange={event => onChange({ parent_id: event.target.value || null })}
        />
      )}
    </>
  )
}
