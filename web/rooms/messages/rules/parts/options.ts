import { useFrame } from '../../../../base/frame.ts'
import { useContractors, useMembers, usePermitTypes, useSmartGroups } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Field, literalOf } from '../condition.ts'
import { t, tOf } from '../says.ts'

/** A named option. */
export type Option = { value: string | number; label: string }

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** Returns the options for the value of a field; null when it is typed. */
export function useOptions(field: Field): Option[] | null {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  const contractors = useContractors(site_id, 'all')
  const types = usePermitTypes(site_id)
  const frame = useFrame(site_id)
  const groups = useSmartGroups(site_id, field.refers === 'smart_group')
  if (literalOf(field.type) === 'weekday') return WEEKDAYS.map(day => ({ value: day, label: t(`weekday.${day}`) }))
  if (field.values !== undefined) {
    const prefix = field.path === 'actor_role' ? 'role' : 'rules.value'
    return field.values.map(value => ({ value, label: tOf(prefix, value) }))
  }
  if (field.refers === 'user') return (members.data ?? []).map(one => ({ value: one.user_id, label: one.name }))
  if (field.refers === 'contractor') return (contractors.data ?? []).map(one => ({ value: one.id, label: one.name }))
  if (field.refers === 'permit_type') return (types.data ?? []).map(one => ({ value: one.code, label: `${one.code} ${one.name}` }))
  if (field.refers === 'smart_group') return (groups.data ?? []).map(one => ({ value: one.id, label: one.name }))
  if (field.refers !== 'reference_feature') return null
  const kind = field.path.endsWith('building_id') ? 'building' : 'zone'
  return (frame.data ?? []).filter(one => one.kind === kind).map(one => ({ value: one.id, label: one.name }))
}
