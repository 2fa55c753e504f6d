// Which queries an event of a site makes stale, by the first words of their keys. The kind of event decides; if that is unknown, its topic. Each room says for its
// own queries which kinds of event concern them.
import { topicOf } from '../../shared/topics.ts'

/**
 * For each query, by name: the first words of the kinds of event that make it stale. A name of two words is for some of the queries of its first word: `'tokens workers':
 * ['map_entity worker']` says that an event of that kind about a worker makes only those stale.
 */
export type Staleness = Readonly<Record<string, readonly string[]>>

/**
 * Queries that can read single records again, by name, with the kinds of event and of record that name these: `'tokens workers': ['map_entity worker']`. Events of
 * other kinds make them stale as a whole.
 */
export type Singles = Readonly<Record<string, readonly string[]>>

/** Queries that many rooms share. */
export const SHARED: Staleness = {
  me: ['membership', 'site'],
  site: ['site'],
  unread: ['permit', 'membership', 'unread'],
  'permit-types': ['permit_type'],
  members: ['membership', 'invite'],
  contractors: ['contractor', 'main_contractor'],
  shifts: ['shift'],
  'smart-groups': ['smart_group'],
  // Places, as lists to choose from.
  frame: ['reference_feature', 'site_map', 'site'],
  // What is at the address of a picture never changes.
  picture: [],
}

/** The part of a socket message that decides. */
export type Happened = { topic?: string; kind?: string; entity_type?: string; ids?: readonly string[]; more?: boolean }
/** Names of queries; with the records that changed, if it is known that no others did. */
export type Stale = { names: readonly string[]; ids: readonly string[] | null }

/** The queries that an event makes stale, and all that any event can make stale. */
export type StaleBy = { by(event: Happened): Stale[]; everything: readonly string[] }

/** Combines what the rooms say about their queries. */
export function staleOf(rooms: readonly Staleness[], singles: readonly Singles[] = []): StaleBy {
  const single = new Map(singles.flatMap(one => Object.entries(one)))
  const pairs = rooms.flatMap(room => Object.entries(room).flatMap(([name, kinds]) => kinds.map(kind => [kind, name] as const)))
  const kinds = new Map([...Map.groupBy(pairs, ([kind]) => kind)].map(([kind, own]) => [kind, [...new Set(own.map(([, name]) => name))]]))
  const isWhole = (name: string) => !name.includes(' ')
  const ofTopic = (topic: string) => [
    ...new Set([...kinds].flatMap(([kind, names]) => (topicOf(kind) === topic ? names.filter(isWhole) : []))),
  ]
  const ofKind = (kind: string, entity_type: string) => {
    const parts = kinds.get(`${kind} ${entity_type}`) ?? []
    const others = kinds.get(kind)?.filter(name => !parts.some(part => part.startsWith(`${name} `)))
    return others === undefined ? undefined : [...others, ...parts]
  }
  return {
    everything: [...new Set(pairs.map(([, name]) => name))].filter(isWhole),
    by({ topic = '', kind, entity_type, ids = [], more }) {
      const word = kind?.split('.')[0] ?? ''
      const names = ofKind(word, entity_type ?? '') ?? ofTopic(topic)
      if (more === true) return [{ names, ids: null }]
      if (entity_type !== 'permit') {
        const one = names.filter(name => ids.length > 0 && single.get(name)?.includes(`${word} ${entity_type}`))
        const others = { names: names.filter(name => !one.includes(name)), ids: null }
        return one.length === 0 ? [others] : [others, { names: one, ids }]
      }
      // Other permits that are open on the screen stay as they are.
      return [
        { names: names.filter(name => name !== 'permit'), ids },
        { names: ids.map(id => `permit ${id}`), ids: null },
      ]
    },
  }
}
