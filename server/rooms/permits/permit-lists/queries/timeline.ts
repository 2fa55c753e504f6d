import type { Instant } from '../../../../../shared/time.ts'
import { type Db, sql } from '../../../../base/db.ts'
import type { Id } from '../../../../base/ids.ts'

/** An event of a permit, with the note of its step and the hash of the signature that the step made. */
export type TimelineRow = {
  event_no: number
  kind: string
  at: Instant
  actor_name: string
  actor_kind: string
  payload: Record<string, unknown>
  note: string | null
  hash: string | null
  /** Name of the absent receiver on whose behalf a hand-back was signed. */
  on_behalf_of: string | null
}

/**
 * Returns everything that happened to a permit, oldest first. The note of a step is the reason of its audit entry (for an approval the generated sentence
 * comes first); the hash and the absent receiver are those of the step's signature, or null.
 */
export async function timelineOf(db: Db, site_id: Id, permit_id: Id): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    select e.event_no, e.kind, e.at, e.actor_name, e.actor_kind, e.payload,
      coalesce(e.payload ->> 'lapse_reason', e.payload ->> 'note', e.payload ->> 'reason',
        case when e.kind <> 'permit.extension_lapsed' then (select a.reason from audit_entry a
          where a.site_id = e.site_id and a.entity_id = e.subject_id and a.request_id = e.request_id and a.reason is not null order by a.seq limit 1) end) as note,
      signed.hash, signed.on_behalf_of ->> 'name' as on_behalf_of
    from event e left join permit_signature signed on signed.site_id = e.site_id and signed.permit_id = e.subject_id and signed.id = coalesce((e.payload ->> 'signature_id')::uuid,
        case when e.kind = 'permit.handed_back' then (select a.entity_id from audit_entry a
          where a.site_id = e.site_id and a.parent_id = e.subject_id and a.request_id = e.request_id and a.entity_type = 'permit_signature' and a.action = 'sign' limit 1) end)
    where e.site_id = ${site_id} and e.subject_id = ${permit_id} and e.kind like 'permit.%' order by e.event_no`.execute(db)
  return rows
}
