import { Choice } from '../../../../base/kit/field.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { approve, type Member } from '../data.ts'
import { ROLES } from '../model.ts'
import { t, tOf } from '../says.ts'
import { ContractorField } from './contractor-field.tsx'

/** The role and contractor of a member. */
export function TermsWindow({ member, onClose }: { member: Member; onClose(): void }) {
  return (
    <RecordForm
      title={member.name}
      name={`terms ${member.membership_id}`}
      body="ApproveMembership"
      start={{ role: member.role, contractor_id: member.contractor_id ?? '' }}
      save={({ role, contractor_id }) => approve(member, { role, contractor_id: contractor_id || null })}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <Choice
            label={t('people.role')}
            {...field('role')}
            optional={false}
            options={ROLES.map(one => ({ value: one, label: tOf('role', one) }))}
          />
          <ContractorField {...field('contractor_id')} />
        </>
      )}
    </RecordForm>
  )
}
