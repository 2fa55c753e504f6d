// Permits with everything that a response shows and its flags depend on, in one statement: pages of cards, pages of whole permits, and permits by id.
import { at, mapValues } from '../../../../../shared/narrow.ts'
import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'
import { among, onePast, plannedPerCall } from '../../../../base/plans.ts'
import { countIn, countShown, countUpTo } from '../../../../kernel/listing/door.ts'
import { type AroundRow, aroundColumns, utc } from '../../kit/queries/around.ts'
import { type AttachmentRow, CARD, type CardRow, type ExtensionRow, type PermitRow, type SignatureRow } from '../../kit/queries/permits.ts'
import { COUNTING, IN_ORDER, type Lister, type ListFilter, listed, type PageAsked } from './lists.ts'

/** What is read together with a permit. */
type Beside = AroundRow & { contractor_name: string | null }

/** A permit for a card, with what surrounds it. */
export type CardFound = CardRow & Beside

/** A permit with everything about it. */
export type WholeFound = PermitRow &
  Beside & {
    files: AttachmentRow[]
    signatures: Omit<SignatureRow, 'site_id' | 'content'>[]
    extensions: ExtensionRow[]
    /** Its newest document. */
    paper: { sha256: string; made_at: Instant } | null
  }

const cardColumns = sql.raw(CARD.map(column => `p.${column}`).join(', '))

const wholeColumns = sql.raw(`
  coalesce((select jsonb_agg(jsonb_build_object('site_id', a.site_id, 'id', a.id, 'version', a.version, 'created_at', ${utc('a.created_at')}, 'created_by', a.created_by,
      'permit_id', a.permit_id, 'slot', a.slot, 'filename', a.filename, 'sha256', a.sha256, 'media_type', a.media_type, 'size', a.size, 'width', a.width, 'height', a.height)
      order by a.created_at, a.id) from permit_attachment a where a.site_id = p.site_id and a.permit_id = p.id), '[]') as files,
  coalesce((select jsonb_agg(jsonb_build_object('id', g.id, 'permit_id', g.permit_id, 'number', g.number, 'kind', g.kind, 'signer_id', g.signer_id, 'signer_name', g.signer_name,
      'signer_role', g.signer_role, 'signed_at', ${utc('g.signed_at')}, 'note', g.note, 'statement', g.statement, 'on_behalf_of', g.on_behalf_of, 'presence', g.presence,
      'content_hash', g.content_hash, 'prev_hash', g.prev_hash, 'hash', g.hash, 'voided_at', ${utc('g.voided_at')}, 'void_reason', g.void_reason)
      order by g.number) from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id), '[]') as signatures,
  coalesce((select jsonb_agg(jsonb_build_object('site_id', x.site_id, 'id', x.id, 'version', x.version, 'permit_id', x.permit_id, 'requested_by', x.requested_by,
      'requested_at', ${utc('x.requested_at')}, 'requested_end_at', ${utc('x.requested_end_at')}, 'previous_end_at', ${utc('x.previous_end_at')}, 'reason', x.reason,
      'status', x.status, 'decided_by', x.decided_by, 'decided_at', ${utc('x.decided_at')}, 'decision_reason', x.decision_reason, 'signature_id', x.signature_id)
      order by x.requested_at, x.id) from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id), '[]') as extensions,
  (select jsonb_build_object('sha256', k.sha256, 'made_at', ${utc('k.made_at')}) from paper k where k.site_id = p.site_id and k.subject_id = p.id
    order by k.as_at desc, k.id desc limit 1) as paper`)

/** Returns the columns that don’t belong to the permit itself. If `gate` is false, overdue permits aren't needed. */
const besides = (gate: boolean) =>
  sql`(select c.name from contractor c where c.site_id = p.site_id and c.id = p.contractor_id) as contractor_name, ${aroundColumns(gate)}`

const USUAL: readonly string[] = ['ids', 'status', 'contractor_id'] satisfies (keyof ListFilter)[]

/** Returns whether one plan is good for every list of this form: the caller sees almost everything, and each of its filters has an index in the order of the list. */
const isUsual = (viewer: Lister, filter: ListFilter): boolean =>
  (viewer.is_superadmin || viewer.in_band) && Object.keys(filter).every(name => USUAL.includes(name))

type Found<Row> = { rows: Row[]; total: number | null }

/**
 * Reads a page, and one row more if there are more, with everything that its rows show. The list is counted if it is longer than the page; `total` is null if
 * there are more than a header needs.
 */
async function pageOf<Row>(
  db: Db,
  site_id: Id,
  viewer: Lister,
  filter: ListFilter,
  page: PageAsked,
  columns: { own: ReturnType<typeof sql>; more: ReturnType<typeof sql> },
): Promise<Found<Row>> {
  const counting = listed(site_id, viewer, filter, COUNTING)
  const taken = onePast(page.limit)
  // The rows of the page are selected first, so that what surrounds a permit is read for these rows only.
  const { rows } = await sql<Row & { counted: number | null }>`${isUsual(viewer, filter) ? sql`` : plannedPerCall}
    with page as materialized (select ${columns.own} from ${listed(site_id, viewer, filter, { after: page.after, rows: taken })} ${IN_ORDER} limit ${taken})
    select p.*, ${columns.more},
      case when ${page.after !== null}::boolean or (select count(*) from page) > ${page.limit}::integer then ${countIn(counting, IN_ORDER)} end as counted
    from page p ${IN_ORDER}`.execute(db)
  if (rows.length === 0 && page.after !== null) return { rows, total: await countUpTo(db, counting, IN_ORDER) }
  const counted = rows[0]?.counted
  return { rows, total: counted == null ? rows.length : countShown(counted) }
}

/** Counts several lists in one statement; null for each that has more rows than a header needs. */
export async function countLists(
  db: Db,
  site_id: Id,
  viewer: Lister,
  lists: Readonly<Record<string, ListFilter>>,
): Promise<Record<string, number | null>> {
  const counts = Object.entries(lists).map(
    ([name, filter]) => sql`${countIn(listed(site_id, viewer, filter, COUNTING), IN_ORDER)} as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<string, number>>`${plannedPerCall} select ${sql.join(counts)}`.execute(db)
  return mapValues(at(rows, 0), countShown)
}

/** Reads a page of cards. */
export const cardPage = (
  db: Db,
  site_id: Id,
  viewer: Lister,
  filter: ListFilter,
  page: PageAsked,
  gate: boolean,
): Promise<Found<CardFound>> => pageOf(db, site_id, viewer, filter, page, { own: cardColumns, more: besides(gate) })

/** Reads a page of whole permits. */
export const wholePage = (
  db: Db,
  site_id: Id,
  viewer: Lister,
  filter: ListFilter,
  page: PageAsked,
  gate: boolean,
): Promise<Found<WholeFound>> => pageOf(db, site_id, viewer, filter, page, { own: sql`p.*`, more: sql`${besides(gate)}, ${wholeColumns}` })

/** Returns whole permits by their ids, without checking what the caller can see. */
export async function wholeById(db: Db, site_id: Id, ids: readonly Id[], gate: boolean): Promise<WholeFound[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<WholeFound>`
    select p.*, ${besides(gate)}, ${wholeColumns} from permit p where p.site_id = ${site_id} and ${among('p.id', ids, 'uuid')}`.execute(db)
  return rows
}
