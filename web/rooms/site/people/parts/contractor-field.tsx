import { ContractorPick } from '../../../../base/kit/pickers.tsx'
import type { FieldGiven } from '../../../../base/records/form.tsx'
import { t } from '../says.ts'

/** The contractor of a person or an invitation, in their forms. */
export const ContractorField = ({ value, at, onChange }: FieldGiven<string>) => (
  <ContractorPick
    label={t('people.contractor')}
    at={at}
    empty={t('people.no_contractor')}
    value={value}
    onPick={id => onChange({ target: { value: id } })}
  />
)
