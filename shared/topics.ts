// The topics under which the service notifies open apps that something happened (`site-and-people.md` §12); both sides use them.

/** Topics that an app can subscribe to on a site. */
export const TOPICS = [
  'map',
  'permits',
  'alerts',
  'clashes',
  'work',
  'safety',
  'logistics',
  'documents',
  'discussions',
  'weather',
  'site',
] as const
/** A topic that an app can subscribe to. */
export type Topic = (typeof TOPICS)[number]

/** Topic of an event, by the first word of its kind; a kind that is not listed belongs to the site. */
const OF: Record<string, Topic> = {
  permit: 'permits',
  permit_set: 'permits',
  permit_config: 'permits',
  permit_type: 'permits',
  permit_appointment: 'permits',
  permit_workflow: 'permits',
  map_entity: 'map',
  reference_feature: 'map',
  schedule: 'map',
  site_map: 'map',
  floor_plan: 'map',
  poi: 'map',
  plant: 'map',
  token_photo: 'map',
  alert: 'alerts',
  clash: 'clashes',
  clash_rule: 'clashes',
  rule_profile: 'clashes',
  dependency_violation: 'clashes',
  work_line: 'work',
  programme: 'work',
  slip: 'work',
  blocker: 'work',
  lost_time: 'work',
  completion: 'work',
  snag: 'work',
  defect: 'work',
  action: 'work',
  observation: 'safety',
  incident: 'safety',
  inspection: 'safety',
  hse_register: 'safety',
  exposure: 'safety',
  rams: 'safety',
  delivery: 'logistics',
  order: 'logistics',
  stock: 'logistics',
  document: 'documents',
  evidence_pack: 'documents',
  report: 'documents',
  diary: 'documents',
  import: 'documents',
  comment: 'discussions',
  weather: 'weather',
}

/** Returns the topic of an event. */
export const topicOf = (kind: string): Topic => OF[kind.split('.')[0] ?? ''] ?? 'site'
