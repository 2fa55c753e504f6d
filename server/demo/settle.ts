// How the people of the demo site settle its clashes: the near ones first, with reasons and controls; some are in hand, one is overdue, and the rest wait.
import { fieldsIn, itemsIn, textIn } from '../../shared/narrow.ts'
import { HOUR, type Instant, later } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import type { Row } from './reply.ts'

type Call = (by: string, method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Row>
type Side = { id: Id; kind: string; contractor_id: string; types: readonly string[] }
type Episode = { id: Id; is_red: boolean; next_at: Instant; opened_at: Instant; a: Side; b: Side }

/** How many clashes are left to settle, the ones that someone has in hand among them. */
const LEFT = 18
/** What those who resolve a clash have promised: as many are in hand. */
const MOVES = [
  'Comes a day later; the supervisor changes the window today.',
  'Starts from the other end, so that 20 m are between the two.',
  'Waits for the afternoon, when the others have gone.',
  'Uses the pad next to Gate 1 instead.',
] as const

const sideIn = (value: unknown): Side => {
  const { id, kind, contractor_id, types } = fieldsIn(value)
  return {
    id: textIn(id),
    kind: textIn(kind),
    contractor_id: typeof contractor_id === 'string' ? contractor_id : '',
    types: itemsIn(types).map(textIn),
  }
}
const episodeIn = (value: unknown): Episode => {
  const { id, severity, next_at, opened_at, a, b } = fieldsIn(value)
  return { id: textIn(id), is_red: severity === 'red', next_at: textIn(next_at), opened_at: textIn(opened_at), a: sideIn(a), b: sideIn(b) }
}

/** What people write about clashes of permits, by a type that one of them has; the first that fits. */
const BY_TYPE: readonly (readonly [type: string, reason: string, controls: string])[] = [
  [
    'CSE',
    'Nobody is in the space while the other crew works next to it.',
    'The attendant keeps the entry closed and has the radio of both crews.',
  ],
  [
    'RAD',
    'The sources come out only after the other crew has left.',
    'Barrier at 7.5 µSv/h, patrolled; both supervisors sign the board first.',
  ],
  [
    'PRT',
    'The test runs while the other crew has its break.',
    '5 m around the pipe closed off; pressure released before anyone comes back.',
  ],
  [
    'LIFT',
    'The lifts are over by ten; the other crew starts on the far side.',
    'Nobody under the load; the banksman stops the lift when anyone comes within 5 m.',
  ],
  ['CRO', 'The load path stays on the other side of the barrier.', 'Slew limited, banksman at the barrier, radio channel 4.'],
  ['HW', 'A fire watch is between the two.', 'Blankets over the openings; watch until 60 minutes after the last spark.'],
  [
    'ELE',
    'The boards are locked off while the others are in this area.',
    'Key in the lock-out box; only the named two go behind the screens.',
  ],
  ['WAH', 'The two supervisors agree the bays each morning.', 'Tools tethered, barriers below, no work directly above the other crew.'],
  ['EXC', 'The trench is boxed and fenced.', 'Spoil 1.5 m back, one crossing with handrails, banksman with the excavator.'],
  [
    'TW',
    'The bay is released and fenced; the others keep one bay away.',
    'The temporary works supervisor walks the bay before each strike.',
  ],
]

/** What people write about other clashes, by the kinds of their sides. */
const BY_KIND: Readonly<Record<string, readonly [reason: string, controls: string]>> = {
  'plant plant': ['The slews are planned together; each jib has its zone.', 'Zoning set on both cranes; the operators talk on channel 4.'],
  'plant worker': ['The machine works only when the gang has gone to its bay.', 'Banksman with the machine; 5 m kept clear by cones.'],
  'active_area worker': ['The gang passes the area only when nothing is lifted.', 'Walkway marked, banksman at both ends.'],
  'delivery delivery': ['The second lorry waits at the lay-by until the gate calls.', 'Gate marshal on the radio; one lorry at a time.'],
}
const OTHERWISE = ['Both supervisors have agreed the hours.', 'Barriers between the two, checked at the start of the shift.'] as const

/** Returns the decision that settles a clash. */
function settling({ id, is_red, a, b }: Episode) {
  const of_permits = a.kind === 'permit' && b.kind === 'permit'
  if (of_permits && !is_red && a.contractor_id !== '' && a.contractor_id === b.contractor_id)
    return { episode_id: id, kind: 'not_a_clash', reason: 'One crew under one supervisor does both jobs, one after the other.' }
  const types = [...a.types, ...b.types]
  const said = BY_TYPE.find(([type]) => types.includes(type))
  const by_kind = BY_KIND[[a.kind, b.kind].sort().join(' ')] ?? OTHERWISE
  const [reason, controls] = of_permits && said !== undefined ? [said[1], said[2]] : by_kind
  return { episode_id: id, kind: 'accepted', reason, controls }
}

/** Lets people settle clashes until some are left. `at` sets the time of the calls. */
export async function settleClashes(call: Call, site_id: Id, now: Instant, at: (time: Instant) => void): Promise<void> {
  const listed = itemsIn((await call('cora', 'GET', `/clashes/unresolved?site_id=${site_id}`)).rows).map(episodeIn)
  const soonest = listed.toSorted((x, y) => (x.next_at < y.next_at ? -1 : x.next_at > y.next_at ? 1 : 0))
  const between_firms = ({ a, b }: Episode) => a.contractor_id !== '' && b.contractor_id !== '' && a.contractor_id !== b.contractor_id
  // Four hours ago someone was named who moves within three hours, and hasn't. A clash that began in between wouldn't allow that time.
  const [named_at, due_at] = [later(now, -4 * HOUR), later(now, -HOUR)]
  const late = soonest.find(
    one => !one.is_red && one.a.kind === 'permit' && between_firms(one) && (one.next_at <= named_at || one.next_at >= now),
  )
  // What is left is what begins last, with each thing in two of them at most; red ones, which can still be moved; and the lorries, which the gate sorts out itself.
  const left = new Set(soonest.filter(one => one === late || (one.is_red ? one.next_at > now : one.a.kind === 'delivery')))
  for (const one of soonest.toReversed()) {
    const again = (side: Side) => [...left].filter(({ a, b }) => a.id === side.id || b.id === side.id).length >= 2
    if (left.size < LEFT && !one.is_red && !again(one.a) && !again(one.b)) left.add(one)
  }
  const settled = soonest.filter(one => !left.has(one))
  const decide = async (by: string, items: readonly object[]): Promise<void> => {
    if (items.length > 0) await call(by, 'POST', '/clashes/stance/bulk', { site_id, items })
  }
  await decide('hal', settled.filter(one => one.is_red).map(settling))
  await decide('cora', settled.filter(one => !one.is_red).map(settling))
  const resolving = ({ id, b }: Episode, due_at: Instant, reason: string) => ({
    ...{ episode_id: id, kind: 'resolving', owner_contractor_id: b.contractor_id, due_at, reason },
  })
  const ahead = soonest.filter(one => one !== late && left.has(one) && between_firms(one) && one.next_at > later(now, 30 * HOUR))
  await decide(
    'cora',
    MOVES.flatMap((_, i) => ahead[i * 2] ?? []).map((one, i) => resolving(one, later(one.next_at, -HOUR), MOVES[i] ?? '')),
  )
  if (late === undefined) return
  at(named_at)
  await decide('cora', [resolving(late, due_at, 'Moves its barriers back at the next break.')])
  at(now)
}
