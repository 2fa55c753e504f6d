// The frames of a delivery: made once, whatever the number of people that they reach.
import { type Topic, topicOf } from '../../../../shared/topics.ts'
import type { Layer } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { type Kind, kindNamed } from '../../records/door.ts'
import { type ChangedFrame, type EventFrame, type Frame, isPersonal, MOST_IDS } from '../domain.ts'
import type { Heard } from '../queries.ts'

/** Map layers that an event of this kind changes (`site-and-people.md` §1, snapshot-revision), by its first word. */
const LAYERS: Record<string, Layer[]> = {
  reference_feature: ['reference'],
  site_map: ['site_map'],
  floor_plan: ['plans'],
  alert: ['annotations'],
  label_styles: ['annotations'],
  main_contractor: ['tokens', 'areas'],
}
/** The layer of each kind of thing on the map. What several kinds have, such as a schedule, can change any of these layers. */
const LAYER_OF: Record<string, Layer> = {
  worker: 'tokens',
  plant: 'tokens',
  delivery: 'tokens',
  active_area: 'areas',
  poi: 'annotations',
  text_label: 'annotations',
}

function layersOf({ kind, subject_kind }: Pick<Heard, 'kind' | 'subject_kind'>): Layer[] | undefined {
  const word = kind.split('.')[0] ?? ''
  if (word !== 'map_entity') return LAYERS[word]
  const own = LAYER_OF[subject_kind]
  return own === undefined ? ['tokens', 'areas', 'annotations'] : [own]
}

/** An event of the site and its frame, which is the same for everyone who can see it. `changed`: the frame for those who no longer see it. */
type Framed = { event: Heard; topic: Topic; frame: EventFrame; changed: ChangedFrame }
/** What a person receives about an event: what it is about, only that a list has changed, or nothing. */
export type Told = (event: Heard) => 'event' | 'changed' | null
/** What a delivery brings to many people. */
export type News = {
  frames: readonly Framed[]
  /** The subjects of the events, by kind. */
  subjects: readonly { kind: Kind | undefined; ids: readonly Id[] }[]
  /** The events that changed who sees their subject, with what decided that before. */
  moved: readonly { kind: Kind; event_no: number; subject_id: Id; before: Readonly<Record<string, unknown>> }[]
  /** The events whose request has written records of another kind, too. */
  brought: readonly { kind: Kind; event_no: number; subject_id: Id; request_id: string }[]
  /** Returns the frames that a listener gets. Listeners who get the same frames get the same list, so that it is written once. */
  alike(gets: (one: Framed) => 'event' | 'changed' | null): readonly Frame[]
}

/** Prepares a delivery of these events. */
export function newsOf(events: readonly Heard[], revision: number): News {
  const frames = framesOf(events, revision)
  const lists = new Map<string, readonly Frame[]>()
  return {
    frames,
    subjects: [...Map.groupBy(frames, ({ event }) => event.subject_kind)].map(([name, group]) => ({
      kind: kindNamed(name),
      ids: [...new Set(group.map(({ event }) => event.subject_id))],
    })),
    moved: frames.flatMap(({ event: { event_no, subject_kind, subject_id, before } }) => {
      const kind = kindNamed(subject_kind)
      return before === null || kind === undefined ? [] : [{ kind, event_no, subject_id, before }]
    }),
    brought: frames.flatMap(({ event: { event_no, subject_kind, subject_id, request_id } }) => {
      const kind = kindNamed(kindNamed(subject_kind)?.brings ?? '')
      return kind === undefined ? [] : [{ kind, event_no, subject_id, request_id }]
    }),
    alike(gets) {
      const theirs = frames.flatMap(one => {
        const told = gets(one)
        return told === null ? [] : told === 'event' ? one.frame : one.changed
      })
      const key = theirs.map(({ type, cursor }) => `${type} ${cursor}`).join()
      const list = lists.get(key) ?? theirs
      lists.set(key, list)
      return list
    },
  }
}

/** Returns the frames of events. An event about one person has none: their counts are sent instead. */
const framesOf = (events: readonly Heard[], revision: number): Framed[] =>
  events.flatMap(event => {
    if (isPersonal(event.kind)) return []
    const topic = topicOf(event.kind)
    const { site_id, event_no: cursor } = event
    return [{ event, topic, frame: frameOf(event, topic, revision), changed: { type: 'changed', site_id, cursor, topic, count: 1 } }]
  })

function frameOf(event: Heard, topic: Topic, revision: number): EventFrame {
  const layers = layersOf(event)
  const ids = event.ids ?? [event.subject_id]
  return {
    type: 'event',
    site_id: event.site_id,
    cursor: event.event_no,
    topic,
    kind: event.kind,
    entity_type: event.subject_kind,
    ids: ids.slice(0, MOST_IDS),
    more: ids.length > MOST_IDS,
    ...(layers === undefined ? {} : { layers, revision }),
    at: event.at,
    actor_id: event.actor_id,
    request_id: event.request_id,
  }
}
