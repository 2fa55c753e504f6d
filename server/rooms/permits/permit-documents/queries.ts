import type { Instant } from '../../../../shared/time.ts'
import { type Db, sql } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'
import { spelled } from '../../../kernel/audit/door.ts'
import type { AttachmentRow, ExtensionRow, PermitRow, SignatureRow } from '../kit/queries/permits.ts'
import { PAPER_FORM, type PaperFacts } from './domain/facts.ts'

/** The facts of a permit's document, with the rows that its statement and snapshot are made from. */
export type PaperRows = PaperFacts & {
  permit: PermitRow
  signatures: Omit<SignatureRow, 'content' | 'presence'>[]
  attachments: AttachmentRow[]
  extensions: ExtensionRow[]
}

/**
 * Returns the facts of a permit's document, in one statement, as at the last change of the permit or of what depends on it, so that the same record gives
 * the same document at any time. Related permits have only number and state, without their window: a draft has no number, and anyone with the document may know its parent.
 */
export async function paperFacts(db: Db, site_id: Id, permit_id: Id): Promise<PaperRows | null> {
  const named = (column: 'building_id' | 'zone_id') => sql`
    coalesce((select v.name from reference_feature_version v where v.site_id = p.site_id and v.feature_id = ${sql.ref(`p.${column}`)}
        and v.valid_from <= m.as_at and (v.valid_to is null or v.valid_to > m.as_at) order by v.number desc limit 1),
      (select f.name from reference_feature f where f.site_id = p.site_id and f.id = ${sql.ref(`p.${column}`)}))`
  const related = sql`jsonb_build_object('permit_number', q.permit_number, 'status', q.status,
        'signed', q.issue_signed_at is not null, 'handed_back', q.handed_back_at is not null)`
  const { rows } = await sql<{ as_at: Instant; facts: Omit<PaperRows, 'as_at'> }>`
    select m.as_at, jsonb_build_object(
      'permit', to_jsonb(p) - 'place_bounds',
      'site', (select jsonb_build_object('name', s.name, 'code', s.code, 'timezone', s.timezone) from site s where s.site_id = p.site_id),
      'types', coalesce((select jsonb_agg(jsonb_build_object('code', t.code, 'name', t.name, 'slots', t.expected_attachments) order by t.code)
        from permit_type t where t.site_id = p.site_id and t.code = any(p.categories)), '[]'),
      'contractor', (select c.name from contractor c where c.site_id = p.site_id and c.id = p.contractor_id),
      'people', coalesce((select jsonb_object_agg(u.id, u.name) from app_user u where u.id in (
          select unnest(array[p.requestor_id, p.receiver_id, p.issuer_id])
          union select (c ->> 'answered_by')::uuid from jsonb_array_elements(p.pre_checks) c
          union select x.requested_by from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id
          union select x.decided_by from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id
          union select a.created_by from permit_attachment a where a.site_id = p.site_id and a.permit_id = p.id)), '{}'),
      'building', ${named('building_id')},
      'zone', ${named('zone_id')},
      'level', (select l ->> 'name' from reference_feature_version v, jsonb_array_elements(v.levels) l
        where v.site_id = p.site_id and v.feature_id = p.building_id and v.valid_from <= m.as_at and (v.valid_to is null or v.valid_to > m.as_at)
          and (l ->> 'index')::int = p.level_index limit 1),
      'parent', (select ${related} from permit q
        where q.site_id = p.site_id and q.id = p.parent_id and q.permit_number is not null),
      'children', coalesce((select jsonb_agg(${related} order by q.permit_number) from permit q
        where q.site_id = p.site_id and q.parent_id = p.id and q.permit_number is not null), '[]'),
      'reissued_from', (select q.permit_number from permit q where q.site_id = p.site_id and q.id = p.reissued_from_id),
      'signatures', coalesce((select jsonb_agg(to_jsonb(g) - 'content' - 'presence' order by g.number) from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id), '[]'),
      'attachments', coalesce((select jsonb_agg(to_jsonb(a) order by a.created_at, a.id) from permit_attachment a where a.site_id = p.site_id and a.permit_id = p.id), '[]'),
      'stopped', (select coalesce(jsonb_agg(jsonb_build_object('reason', b.reason, 'stopped_at', e.created_at) order by e.created_at, e.id), '[]')
        from area_stop_permit e join area_stop b on b.site_id = e.site_id and b.id = e.stop_id where e.site_id = p.site_id and e.permit_id = p.id and e.revalidated_at is null),
      'was_stopped', (select jsonb_agg(jsonb_build_object('reason', b.reason, 'stopped_at', e.created_at, 'revalidated_at', e.revalidated_at, 'revalidated_by', g.signer_name)
          order by e.created_at, e.id)
        from area_stop_permit e join area_stop b on b.site_id = e.site_id and b.id = e.stop_id left join permit_signature g on g.site_id = e.site_id and g.id = e.signature_id
        where e.site_id = p.site_id and e.permit_id = p.id and (e.revalidated_at is not null or p.status <> 'issued' or p.handed_back_at is not null)),
      'extensions', coalesce((select jsonb_agg(to_jsonb(x) order by x.requested_at, x.id) from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id), '[]')
    ) as facts
    from permit p cross join lateral (select greatest(p.updated_at,
      (select max(g.updated_at) from permit_signature g where g.site_id = p.site_id and g.permit_id = p.id),
      (select max(a.updated_at) from permit_attachment a where a.site_id = p.site_id and a.permit_id = p.id),
      (select max(x.updated_at) from permit_extension x where x.site_id = p.site_id and x.permit_id = p.id),
      (select max(e.updated_at) from area_stop_permit e where e.site_id = p.site_id and e.permit_id = p.id)) as as_at) m
    where p.site_id = ${site_id} and p.id = ${permit_id}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { as_at, facts: found } = row
  // Documents of permits that were never stopped say nothing of stops, so they stay what they were.
  const { was_stopped, ...facts } = found
  // Instants in JSON have the database's format.
  const each = <T>(list: T[]): T[] => list.map(row => spelled(row as Record<string, unknown>) as T) // the same rows, with their instants respelled
  return {
    form: PAPER_FORM,
    as_at,
    ...facts,
    permit: spelled(facts.permit) as PermitRow, // as above
    signatures: each(facts.signatures),
    attachments: each(facts.attachments),
    extensions: each(facts.extensions),
    stopped: each([...(facts.stopped ?? [])]),
    ...(was_stopped == null ? {} : { was_stopped: each([...was_stopped]) }),
  }
}
