import type { Box } from '../../../../../shared/geometry/box.ts'
import { searchable } from '../../../../../shared/text.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { containing, type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among } from '../../../../base/plans.ts'
import { boxed } from '../../../../kernel/geometry/door.ts'
import { countUpTo, UNTIL_COUNTED } from '../../../../kernel/listing/door.ts'
import type { LedPeriod } from '../../../../kernel/site/door.ts'
import type { Viewer } from '../../kit/domain/visibility.ts'
import type { PermitRow } from '../../kit/queries/permits.ts'
import { visibleTo, waysToSee } from '../../kit/queries/visible.ts'

/** The filters of a list of permits. */
export type ListFilter = {
  ids?: readonly Id[]
  status?: readonly string[]
  category?: readonly string[]
  /** The sets of types in which `category` occurs (`typeSets`), if there are few. */
  type_sets?: readonly (readonly string[])[]
  contractor_id?: readonly Id[]
  /** When one of these contractors was the main contractor; left out if none was. */
  led?: readonly LedPeriod[]
  parent_id?: readonly Id[]
  source?: readonly string[]
  set_id?: readonly Id[]
  requestor_id?: readonly Id[]
  receiver_id?: readonly Id[]
  /** Workers, plant and deliveries that the permits cover. */
  entity?: readonly Id[]
  building_id?: readonly Id[]
  level_index?: readonly number[]
  zone_id?: readonly Id[]
  bbox?: Box
  from?: Instant
  to?: Instant
  /** Permits that end after now, and no later than this. */
  soon?: { now: Instant; until: Instant; wanted: boolean }
  awaiting_countersign?: boolean
  handed_back?: boolean
  /** Live permits among these, which an area stop has stopped. */
  stopped?: { ids: readonly Id[]; wanted: boolean }
  q?: string
  /** `q` in lower case, if it is two letters that few permits have (`rarePair`). */
  rare_pair?: string
  /** Buildings and zones that `q` also means. */
  places?: readonly Id[]
  updated_since?: Instant
}

const some = (column: string, values: readonly Id[] | undefined) =>
  values === undefined ? sql`` : sql`and ${among(column, values, 'uuid')}`

/** Returns the condition for what lies in a box: by the permit's own geometry, or else by its zone or building as drawn during its window. */
function standingIn(site_id: Id, box: Box) {
  const named = (column: 'zone_id' | 'building_id') => sql`
    select b.id from reference_feature_version v join permit b on b.site_id = v.site_id and ${sql.ref(`b.${column}`)} = v.feature_id
    where v.site_id = ${site_id} and v.bounds && ${boxed(box)} and b.place_bounds is null and tstzrange(v.valid_from, v.valid_to) && tstzrange(b.start_at, b.end_at)`
  return sql`and p.id in (
    select b.id from permit b where b.site_id = ${site_id} and b.place_bounds && ${boxed(box)}
    union all ${named('zone_id')} union all ${named('building_id')} and b.zone_id is null)`
}

/** Returns a condition or its opposite. It is written plainly when it must be true, so that an index can answer it. */
const yesOrNo = (wanted: boolean, condition: ReturnType<typeof sql>) =>
  wanted ? sql`and ${condition}` : sql`and (${condition}) is not true`

/**
 * Returns a further condition that is true for all words with these two letters, and that the index by three letters can answer: some ASCII character follows
 * them, they are the end, or the words aren't plain.
 */
function findable(pair: string) {
  return sql`and (w.words ~ ${`${pair}[\\x01-\\x7f]`}::text or w.words like ${`%${pair}`}::text or not w.plain)`
}

/** Returns the condition for a text in the permit's own words, which are stored as they are searched, or in one of these places. */
function matching(site_id: Id, text: string, places: readonly Id[], rare_pair: string | undefined) {
  const own = sql`select w.permit_id from permit_words w where w.site_id = ${site_id} and w.words like ${containing(searchable(text))}::text ${rare_pair === undefined ? sql`` : findable(rare_pair)}`
  const inside = (column: 'zone_id' | 'building_id') =>
    sql`select b.id from permit b where b.site_id = ${site_id} and ${sql.ref(`b.${column}`)} = any(${places}::uuid[])`
  return places.length === 0
    ? sql`and p.id in (${own})`
    : sql`and p.id in (${own} union all ${inside('building_id')} union all ${inside('zone_id')})`
}

/** Returns the same condition for permits that are found before they are filtered: the words of each are looked up. */
function matchingFound(text: string, places: readonly Id[]) {
  const own = sql`(select w.words from permit_words w where w.site_id = p.site_id and w.permit_id = p.id) like ${containing(searchable(text))}::text`
  return places.length === 0
    ? sql`and ${own}`
    : sql`and (${own} or p.building_id = any(${places}::uuid[]) or p.zone_id = any(${places}::uuid[]))`
}

/** Returns the condition for permits that cover one of these things. */
const covering = (site_id: Id, entity_ids: readonly Id[]) =>
  sql`and p.id in (select l.permit_id from permit_entity l where l.site_id = ${site_id} and ${among('l.entity_id', entity_ids, 'uuid')})`

/** Returns the condition for the types of a permit. */
function ofTypes({ category, type_sets }: ListFilter) {
  if (category === undefined) return sql``
  const [only, second] = type_sets ?? []
  if (type_sets !== undefined && only === undefined) return sql`and false`
  return only !== undefined && second === undefined ? sql`and p.categories = ${only}::text[]` : sql`and p.categories && ${category}::text[]`
}

/** Returns the condition for permits under which no work can go on until they are revalidated (`isUnderWay`). */
const stoppedAmong = (ids: readonly Id[]) =>
  ids.length === 0 ? sql`false` : sql`${among('p.id', ids, 'uuid')} and p.status = 'issued' and p.handed_back_at is null`

/**
 * Returns the conditions of which a permit of these contractors meets one: it is theirs, or has no contractor and starts while one of them was the main contractor
 * (`site-and-people.md` §6). One without a start is there from its creation on.
 */
function ofContractors({ contractor_id, led = [] }: ListFilter): Condition[] {
  if (contractor_id === undefined) return []
  const during = led.map(
    ({ from_at, to_at }) =>
      sql`coalesce(p.start_at, p.created_at) >= ${from_at}::timestamptz ${to_at === null ? sql`` : sql`and coalesce(p.start_at, p.created_at) < ${to_at}::timestamptz`}`,
  )
  return [
    among('p.contractor_id', contractor_id, 'uuid'),
    ...(during.length === 0 ? [] : [sql`p.contractor_id is null and (${sql.join(during, sql` or `)})`]),
  ]
}

/** Returns a further condition that one of these is met. */
const oneOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`` : sql`and (${sql.join(conditions, sql` or `)})`

function narrowed(site_id: Id, filter: ListFilter, found: boolean) {
  const { soon, q, places = [] } = filter
  return sql`
    ${some('p.id', filter.ids)} ${some('p.parent_id', filter.parent_id)} ${some('p.set_id', filter.set_id)}
    ${some('p.requestor_id', filter.requestor_id)} ${some('p.receiver_id', filter.receiver_id)} ${some('p.building_id', filter.building_id)} ${some('p.zone_id', filter.zone_id)}
    ${filter.status === undefined ? sql`` : sql`and ${among('p.status', filter.status, 'text')}`}
    ${filter.source === undefined ? sql`` : sql`and ${among('p.source', filter.source, 'text')}`}
    ${filter.level_index === undefined ? sql`` : sql`and ${among('p.level_index', filter.level_index, 'int')}`}
    ${filter.entity === undefined ? sql`` : covering(site_id, filter.entity)}
    ${filter.bbox === undefined ? sql`` : standingIn(site_id, filter.bbox)}
    ${filter.from === undefined ? sql`` : sql`and (p.end_at is null or p.end_at > ${filter.from})`}
    ${soon === undefined ? sql`` : yesOrNo(soon.wanted, sql`p.status = 'issued' and p.end_at > ${soon.now} and p.end_at <= ${soon.until}`)}
    ${filter.awaiting_countersign === undefined ? sql`` : yesOrNo(filter.awaiting_countersign, sql`p.status = 'approved' and p.issue_signed_at is not null`)}
    ${filter.handed_back === undefined ? sql`` : yesOrNo(filter.handed_back, sql`p.handed_back_at is not null and p.status in ('issued', 'expired')`)}
    ${filter.stopped === undefined ? sql`` : yesOrNo(filter.stopped.wanted, stoppedAmong(filter.stopped.ids))}
    ${q === undefined ? sql`` : found ? matchingFound(q, places) : matching(site_id, q, places, filter.rare_pair)}
    ${filter.updated_since === undefined ? sql`` : sql`and p.updated_at >= ${filter.updated_since}`}`
}

/** A page of a list: how many rows, and the keys of the last row of the page before. */
export type PageAsked = { limit: number; after: readonly (string | number | null)[] | null }

/** The order of every list of permits: latest start first, those without a window before all others, then by id. */
export const IN_ORDER = sql`order by p.start_at desc nulls first, p.id desc`

type Condition = ReturnType<typeof sql>

/** The rows that are taken of a list, in its order: those after a row, and at most this many. */
export type Taken = { after?: PageAsked['after']; rows: Condition }

/**
 * Returns the conditions of permits that start before `to`. With `from`, a permit that starts more than a week before it has to be one of the few with a long
 * window, so that the permits before a period aren't all read.
 */
function startingBefore(to: Instant, from: Instant | undefined): Condition[] {
  const open = sql`p.start_at is null`
  const before = sql`p.start_at < ${to}::timestamptz`
  if (from === undefined) return [open, before]
  const earlier = sql`${from}::timestamptz - interval '7 days'`
  const long = sql`(p.end_at is null or p.end_at - p.start_at > interval '7 days')`
  return [open, sql`p.start_at >= ${earlier} and ${before}`, sql`p.start_at < ${earlier} and ${before} and ${long}`]
}

/** A person who lists permits. `sees_few`: so few that they are found first, and then filtered (`seesFew`). */
export type Lister = Viewer & { sees_few?: boolean }

/** The ranges of indexes that together have all permits of a list; none if one index has them all. `short`: they have few permits. */
type Ranges = { of: readonly Condition[]; left: Condition; short?: true }

function rangesOf(lister: Lister, filter: ListFilter): Ranges {
  const { to, from, type_sets = [] } = filter
  const by_contractor = ofContractors(filter)
  const types = sql`${ofTypes(filter)} ${oneOf(by_contractor)}`
  const ways = lister.sees_few ? waysToSee(lister) : null
  if (ways !== null) {
    const in_time = to === undefined ? sql`true` : sql`(p.start_at is null or p.start_at < ${to}::timestamptz)`
    return { of: ways.map(({ sees }) => sees), left: sql`${in_time} ${types}`, short: true }
  }
  const seen = visibleTo(lister)
  if (to !== undefined) return { of: startingBefore(to, from), left: sql`${seen} ${types}` }
  // A second condition that is always true would make PostgreSQL believe that few permits remain.
  if (type_sets.length >= 2)
    return { of: type_sets.map(set => sql`p.categories = ${set}::text[]`), left: sql`${seen} ${oneOf(by_contractor)}` }
  return by_contractor.length > 1 ? { of: by_contractor, left: sql`${seen} ${ofTypes(filter)}` } : { of: [], left: sql`${seen} ${types}` }
}

/**
 * Returns `permit p where …` for the permits of a site that the viewer sees and the filter lets through. Ranges of an index are read in the order of the list,
 * and no further than the list goes: otherwise they would all be read and sorted.
 */
export function listed(site_id: Id, lister: Lister, filter: ListFilter, taken?: Taken): Condition {
  const ranges = rangesOf(lister, filter)
  const those = sql`p.site_id = ${site_id} and ${ranges.left} ${narrowed(site_id, filter, ranges.short ?? false)} ${taken === undefined ? sql`` : beyond(taken.after)}`
  if (ranges.of.length === 0) return sql`permit p where ${those}`
  const order = ranges.short || taken === undefined ? sql`` : sql`${IN_ORDER} limit ${taken.rows}`
  const parts = ranges.of.map(range => sql`(select p.* from permit p where ${range} and ${those} ${order})`)
  return sql`(${sql.join(parts, sql` union all `)}) p where true`
}

const FEW = 1000

/**
 * Returns whether a person without a wider role sees few permits of a site, by a look into three indexes. PostgreSQL expects an average number for everyone, and
 * would search all permits of the site for those of a person who sees none.
 */
export async function seesFew(db: Db, site_id: Id, viewer: Viewer): Promise<boolean> {
  const ways = waysToSee(viewer)
  if (ways === null) return false
  const counts = ways.map(
    ({ found }) =>
      sql`(select count(*) from (select 1 from permit p where p.site_id = ${site_id} and ${found} limit ${FEW + 1}::integer) s)`,
  )
  const { rows } = await sql<{ few: boolean }>`select ${sql.join(counts, sql` + `)} <= ${FEW}::integer as few`.execute(db)
  return rows[0]?.few ?? false
}

const MOST_SETS = 24
const MOST_LOOKS = 200

/**
 * Returns the different sets of types in which one of these types occurs on permits of the site; undefined if there are too many to read each of them along the
 * index. The sets are found one after the other, with one look into the index for each.
 */
export async function typeSets(db: Db, site_id: Id, codes: readonly string[]): Promise<string[][] | undefined> {
  const { rows } = await sql<{ types: string[]; n: number }>`
    with recursive found (types, n) as (
      (select p.categories, 1 from permit p where p.site_id = ${site_id} order by p.categories limit 1)
      union all
      select (select p.categories from permit p where p.site_id = ${site_id} and p.categories > f.types order by p.categories limit 1), f.n + 1
      from found f where f.types is not null and f.n < ${MOST_LOOKS}::integer)
    select types, n from found where types && ${codes}::text[] or n = ${MOST_LOOKS}::integer limit ${MOST_SETS + 1}::integer`.execute(db)
  return rows.length > MOST_SETS || rows.some(row => row.n === MOST_LOOKS) ? undefined : rows.map(row => row.types)
}

/** Two letters or digits, which are too short for the index by three letters. */
const PAIR = /^[a-z0-9]{2}$/i
/** How many of the newest permits are looked at to see whether two letters are rare, and how many of these can have them. */
const [LOOKED_AT, WITH_PAIR] = [500, 5]

/**
 * Returns a text in lower case if it is two letters or digits that few permits have; undefined if it is anything else. Those that many have are found soonest in the
 * order of the board, and a second condition for each of them would cost more.
 */
export async function rarePair(db: Db, site_id: Id, text: string): Promise<string | undefined> {
  if (!PAIR.test(text)) return undefined
  const pair = text.toLowerCase()
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select w.words from permit_words w where w.site_id = ${site_id} order by w.permit_id desc limit ${LOOKED_AT}::integer) s
    where s.words like ${containing(pair)}::text`.execute(db)
  return (rows[0]?.n ?? 0) > WITH_PAIR ? undefined : pair
}

/** Returns the condition for the rows of this page and those that follow. */
function beyond(after: PageAsked['after'] = null) {
  if (after === null) return sql``
  return after[0] === null
    ? sql`and ((p.start_at is null and p.id < ${after[1]}::uuid) or p.start_at is not null)`
    : sql`and p.start_at is not null and (p.start_at, p.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`
}

/** The rows that are read to count a list. */
export const COUNTING: Taken = { rows: UNTIL_COUNTED }

/** Lists the permits of a site that the caller sees, in the order of every list. */
export async function permitsFor(db: Db, site_id: Id, viewer: Lister, filter: ListFilter, page: PageAsked): Promise<PermitRow[]> {
  const { rows } = await sql<PermitRow>`
    select p.* from ${listed(site_id, viewer, filter, { after: page.after, rows: sql`${page.limit}` })} ${IN_ORDER} limit ${page.limit}`.execute(
    db,
  )
  return rows
}

/** Counts the permits; null if there are more than a header needs. */
export const countPermits = (db: Db, site_id: Id, viewer: Lister, filter: ListFilter): Promise<number | null> =>
  countUpTo(db, listed(site_id, viewer, filter, COUNTING), IN_ORDER)
