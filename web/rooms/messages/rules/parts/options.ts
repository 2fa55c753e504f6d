import { useFrame } from '../../../../base/frame.ts'
import { useContractors, useMembers, usePermitTypes, useSmartGroups } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Field, groupsFor, literalOf } from '../condition.ts'
import { hasWord, t, tOf } from '../says.ts'

/** A named option. */
export type Option = { value: string | number; label: string }

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

/** Where the words of values are, by the last part of the field’s path; all others are words of conditions. */
const WORDS: Readonly<Record<string, Parameters<typeof tOf>[0]>> = {
  actor_role: 'role',
  plant_category: 'plant_category',
  delivery_status: 'delivery.status',
  status: 'status',
  permit_statuses: 'status',
}

/** Returns a value of an enum in words. */
function valueWords(field: Pick<Field, 'path'>, value: string): string {
  const prefix = WORDS[field.path.slice(field.path.lastIndexOf('.') + 1)]
  return tOf(prefix !== undefined && hasWord(`${prefix}.${value}`) ? prefix : 'rules.value', value)
}

/** Returns the levels of all buildings, lowest first, each with its names; null on a site without any, where they are typed. */
function levelsOf(frame: readonly { levels?: readonly { index: number; name: string }[] | null }[]): Option[] | null {
  const byIndex = Map.groupBy(
    frame.flatMap(one => one.levels ?? []),
    level => level.index,
  )
  if (byIndex.size === 0) return null
  return [...byIndex]
    .toSorted(([a], [b]) => a - b)
    .map(([value, own]) => ({ value, label: t('rules.level', { n: value, names: [...new Set(own.map(one => one.name))].join(', ') }) }))
}

/** Returns the options for the value of a field; null when it is typed. */
export function useOptions(field: Field): Option[] | null {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  const contractors = useContractors(site_id, 'all')
  const types = usePermitTypes(site_id)
  const frame = useFrame(site_id)
  const groups = useSmartGroups(site_id, field.refers === 'smart_group')
  if (literalOf(field.type) === 'weekday') return WEEKDAYS.map(day => ({ value: day, label: t(`weekday.${day}`) }))
  if (field.values !== undefined) return field.values.map(value => ({ value, label: valueWords(field, value) }))
  if (/(^|\.)level_index$/.test(field.path)) return levelsOf(frame.data ?? [])
  if (field.refers === 'user') return (members.data ?? []).map(one => ({ value: one.user_id, label: one.name }))
  if (field.refers === 'contractor') return (contractors.data ?? []).map(one => ({ value: one.id, label: one.name }))
  if (field.refers === 'permit_type') return (types.data ?? []).map(one => ({ value: one.code, label: `${one.code} ${one.name}` }))
  if (field.refers === 'smart_group') return groupsFor(field, groups.data ?? []).map(one => ({ value: one.id, label: one.name }))
  if (field.refers !== 'reference_feature') return null
  const kind = field.path.endsWith('building_id') ? 'building' : 'zone'
  return (frame.data ?? []).filter(one => one.kind === kind).map(one => ({ value: one.id, label: one.name }))
}
