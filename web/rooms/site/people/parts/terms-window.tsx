import { useState } from 'react'
import { asFault } from '../../../../base/fault.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice } from '../../../../base/kit/field.tsx'
import { FaultNote, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useContractors } from '../../../../base/lists.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { t, tOf } from '../../../../base/words.ts'
import { approve, type Member, type Role } from '../data.ts'
import { ROLES } from '../model.ts'

/** The role and contractor of a member. */
export function TermsWindow({ member, onClose }: { member: Member; onClose(): void }) {
  const { site_id } = useHere()
  const contractors = useContractors(site_id, 'active')
  const { busy, fault, send } = useSend()
  const [role, setRole] = useState<Role>(member.role)
  const [contractor, setContractor] = useState(member.contractor_id ?? '')
  const wrong = asFault(fault).fields
  const save = async () => {
    if (!(await send(() => approve(member.membership_id, { role, contractor_id: contractor || null })))) return
    toast(t('common.saved'))
    onClose()
  }
  return (
    <Window title={member.name} onClose={onClose} onSubmit={() => void save()}>
      <Choice
        label={t('people.role')}
        value={role}
        options={ROLES.map(one => ({ value: one, label: tOf('role', one) }))}
        onChange={event => setRole(event.target.value as Role)} // one of ROLES
      />
      <Choice
        label={t('people.contractor')}
        fault={wrong.get('contractor_id')}
        empty={t('people.no_contractor')}
        value={contractor}
        options={(contractors.data ?? []).map(one => ({ value: one.id, label: one.name }))}
        onChange={event => setContractor(event.target.value)}
      />
      {fault !== null && <FaultNote error={fault} />}
      <Button look="primary" type="submit" wide disabled={busy}>
        {t('common.save')}
      </Button>
    </Window>
  )
}
