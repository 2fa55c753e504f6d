// What a signature on a permit covers, in the same form on the server and on the phone, so that the phone can calculate how its own photo, still waiting
// to be sent, will change it.
import { canonicalJson, digestOf } from './canonical.ts'

/** A file that a signature covers. */
export type SignedFile = { slot: string | null; filename: string; sha256: string }

type SignedCheck = {
  code: string
  label: string
  required: boolean
  answer: 'yes' | 'no' | 'not_applicable' | null
  comment: string | null
}
type StampedControls = { text: string; added_by: string; added_at: string; stamp: string }

/** The fields of a permit that a signature covers. */
export type Signed = {
  permit_id: string
  site_id: string
  permit_number: string | null
  categories: readonly string[]
  contractor_id: string | null
  requestor_id: string | null
  receiver_id: string | null
  parent_id: string | null
  title: string | null
  description: string | null
  controls: string | null
  location: string | null
  place: unknown
  start_at: string | null
  end_at: string | null
  hazards: readonly string[]
  ppe: readonly string[]
  limitations: string | null
  pre_checks: readonly SignedCheck[]
  rams: unknown
  stage1_controls: StampedControls | null
  stage2_controls: StampedControls | null
  attachments: readonly SignedFile[]
}

/** Returns the content to be signed, always in the same form, whatever else the row contains: attachments by slot, name and hash. */
export function contentOf(permit: Omit<Signed, 'attachments' | 'permit_id'> & { id: string }, attachments: readonly SignedFile[]): Signed {
  const sorted = [...attachments].sort((a, b) =>
    `${a.slot ?? ''} ${a.filename} ${a.sha256}`.localeCompare(`${b.slot ?? ''} ${b.filename} ${b.sha256}`, 'en'),
  )
  return {
    permit_id: permit.id,
    site_id: permit.site_id,
    permit_number: permit.permit_number,
    categories: [...permit.categories].sort(),
    contractor_id: permit.contractor_id,
    requestor_id: permit.requestor_id,
    receiver_id: permit.receiver_id,
    parent_id: permit.parent_id,
    title: permit.title,
    description: permit.description,
    controls: permit.controls,
    location: permit.location,
    place: permit.place ?? null,
    start_at: permit.start_at,
    end_at: permit.end_at,
    hazards: permit.hazards,
    ppe: permit.ppe,
    limitations: permit.limitations,
    pre_checks: permit.pre_checks.map(({ code, label, required, answer, comment }) => ({ code, label, required, answer, comment })),
    rams: permit.rams,
    stage1_controls: permit.stage1_controls,
    stage2_controls: permit.stage2_controls,
    attachments: sorted.map(({ slot, filename, sha256 }) => ({ slot, filename, sha256 })),
  }
}

/** The content of a permit that a signature covers, apart from its files. */
export type Signable = Omit<Signed, 'attachments' | 'permit_id'> & { id: string }

/** Returns the hash of the content, which a signature contains. */
export const contentHashOf = (permit: Signable, attachments: readonly SignedFile[]): Promise<string> =>
  digestOf(canonicalJson(contentOf(permit, attachments)))
