import { useState } from 'react'
import { Choice, TextField } from '../../../base/kit/field.tsx'
import { type Contractor, useContractorsToPick } from './data.ts'
import { t } from './says.ts'

const OTHER = 'other'

/** The contractor of the person who joins: one of the site's, or a typed name if it isn't on the list. */
export function ContractorPick({
  token,
  contractor,
  onChange,
}: {
  token: string
  contractor: Contractor
  onChange(contractor: Contractor): void
}) {
  const contractors = useContractorsToPick(token, true)
  const [other, setOther] = useState(false)
  const options = [
    ...(contractors.data ?? []).map(one => ({ value: one.id, label: one.name })),
    { value: OTHER, label: t('join.pick_other') },
  ]
  return (
    <>
      <Choice
        label={t('join.pick')}
        at="contractor_id"
        required
        empty={t('join.pick_none')}
        value={other ? OTHER : (contractor.contractor_id ?? '')}
        options={options}
        onChange={({ target: { value } }) => {
          setOther(value === OTHER)
          onChange(value === OTHER || value === '' ? {} : { contractor_id: value })
        }}
      />
      {other && (
        <TextField
          label={t('join.typed')}
          at="contractor_name"
          required
          maxLength={200}
          autoComplete="organization"
          value={contractor.contractor_name ?? ''}
          onChange={event => onChange({ contractor_name: event.target.value })}
        />
      )}
    </>
  )
}
