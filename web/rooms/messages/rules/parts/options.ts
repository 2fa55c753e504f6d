import { useFrame } from '../../../../base/frame.ts'
import { useContractors, useMembers, usePermitTypes, useSmartGroups } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Field, groupsFor, literalOf } from '../condition.ts'
import { hasWord, t, tOf } from '../says.ts'

/** A named option. `only_chosen`: it isn’t offered, but where it was chosen before, it has its name. */
export type Option = { value: string | number; label: string; only_chosen?: boolean }

/** What can be chosen; `null` when a value is typed. `read`: a value that isn’t among the options doesn’t exist; until then they are being read. */
export type Options = { options: Option[] | null; read: boolean }

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

/** Returns a list of records as options. */
const listed = <R>(records: readonly R[] | undefined, option: (record: R) => Option): Options => ({
  options: (records ?? []).map(option),
  read: records !== undefined,
})

const fixed = (options: Option[] | null): Options => ({ options, read: true })

/** Returns the options for the value of a field. */
export function useOptions(field: Field): Options {
  const { site_id } = useHere()
  const members = useMembers(site_id)
  const contractors = useContractors(site_id, 'all')
  const types = usePermitTypes(site_id)
  const frame = useFrame(site_id)
  const groups = useSmartGroups(site_id, field.refers === 'smart_group')
  if (literalOf(field.type) === 'weekday') return fixed(WEEKDAYS.map(day => ({ value: day, label: t(`weekday.${day}`) })))
  if (field.values !== undefined) return fixed(field.values.map(value => ({ value, label: valueWords(field, value) })))
  if (/(^|\.)level_index$/.test(field.path)) return fixed(levelsOf(frame.data ?? []))
  if (field.refers === 'user') return listed(members.data, one => ({ value: one.user_id, label: one.name }))
  if (field.refers === 'contractor') return listed(contractors.data, one => ({ value: one.id, label: one.name }))
  if (field.refers === 'permit_type') return listed(types.data, one => ({ value: one.code, label: `${one.code} ${one.name}` }))
  if (field.refers === 'smart_group') {
    const offered = new Set(groupsFor(field, groups.data ?? []))
    return listed(groups.data, one => ({ value: one.id, label: one.name, only_chosen: !offered.has(one) }))
  }
  if (field.refers !== 'reference_feature') return fixed(null)
  const kind = field.path.endsWith('building_id') ? 'building' : 'zone'
  return listed(
    frame.data?.filter(one => one.kind === kind),
    one => ({ value: one.id, label: one.name }),
  )
}
