import type { Filter } from '../../../../base/records/filters.tsx'
import { ACTIONS } from '../model.ts'
import { t } from '../says.ts'

/** Kinds of record that people look for; the rest belong to one of these, and are found by action, person or day. */
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
  'worker',
  'plant',
  'delivery',
  'active_area',
  'poi',
  'text_label',
  'site_map',
  'floor_plan',
  'alert',
  'area_stop',
  'clash_stance',
  'clash_rule',
  'rule_profile',
  'notification_rule',
  'smart_group',
  'shift',
] as const

/** The filters of the audit log. */
export const filtersOf = (people: readonly { user_id: string; name: string }[]): Filter[] => [
  { name: 'who', kind: 'select', label: t('audit.who'), options: people.map(person => ({ value: person.user_id, label: person.name })) },
  { name: 'kind', kind: 'select', label: t('audit.kind'), options: KINDS.map(kind => ({ value: kind, label: t(`kind.${kind}`) })) },
  { name: 'done', kind: 'select', label: t('audit.done'), options: ACTIONS.map(action => ({ value: action, label: t(`done.${action}`) })) },
  { name: 'day', kind: 'day', label: t('audit.day') },
]
