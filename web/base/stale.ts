// Which queries an event of a site makes stale, by the first words of their keys. The kind of event decides; if that is unknown, its topic.

/** The part of a socket message that decides. */
export type Happened = { topic?: string; kind?: string; entity_type?: string; ids?: readonly string[]; more?: boolean }
/** Names of queries; with the records that changed, if it is known that no others did. */
export type Stale = { names: readonly string[]; ids: readonly string[] | null }

/** By the first word of the kind of an event. */
const BY_KIND: Record<string, readonly string[]> = {
  permit: ['permits', 'wallet', 'tasks', 'unread'],
  permit_set: ['permits', 'import'],
  permit_type: ['permits', 'permit-types', 'settings'],
  permit_config: ['permits', 'wallet', 'tasks', 'settings'],
  permit_appointment: ['permits', 'wallet', 'settings', 'people'],
  permit_workflow: ['permits', 'workflow'],
  reference_feature: ['map', 'frame'],
  site_map: ['map', 'frame'],
  label_styles: ['map'],
  membership: ['me', 'members', 'people', 'tasks'],
  invite: ['people', 'members'],
  contractor: ['contractors', 'permits'],
  shift: ['shifts'],
  site: ['me', 'site', 'frame'],
  notification_rule: ['rules'],
  smart_group: ['rules'],
}

const TOPIC: Record<string, readonly string[]> = {
  permits: ['permit', 'permit_set', 'permit_type', 'permit_config', 'permit_appointment', 'permit_workflow'],
  map: ['reference_feature', 'site_map', 'label_styles'],
  site: ['membership', 'invite', 'contractor', 'shift', 'site', 'notification_rule', 'smart_group'],
}

/** If the permit isn't named, it may be the open one. */
const ofTopic = (topic: string): readonly string[] => [
  ...new Set((TOPIC[topic] ?? []).flatMap(word => [...(BY_KIND[word] ?? []), ...(word === 'permit' ? ['permit'] : [])])),
]

/** All of them, because it is unknown what was missed. */
export const EVERYTHING: readonly string[] = [...new Set([...Object.values(BY_KIND).flat(), 'permit', 'notifications'])]

/** Returns the queries that an event makes stale: lists, and the open permit. */
export function staleBy({ topic = '', kind, entity_type, ids = [], more }: Happened): Stale[] {
  const names = BY_KIND[kind?.split('.')[0] ?? ''] ?? ofTopic(topic)
  if (entity_type !== 'permit') return [{ names, ids: null }]
  return [
    { names, ids: more === true ? null : ids },
    { names: ids.map(id => `permit ${id}`), ids: null },
  ]
}
