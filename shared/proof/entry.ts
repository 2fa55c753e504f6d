// What the hash of an entry of the audit log covers (since version 2), as text: written in one place for the server that seals, the server that verifies, and
// anyone who checks an exported file. Keys are in the order of RFC 8785, so plain JSON is canonical here; only `changes` needs more.

/** The part of an entry that is known before it is numbered, with digests of names, reason and changes. */
export type EntryFacts = {
  acting_for: string | null
  action: string
  actor_id: string | null
  actor_kind: string
  batch_id: string
  cause: string
  changes_digest: string
  entity_id: string
  entity_type: string
  id: string
  parent_id: string | null
  parent_type: string | null
  /** True if the entry changes nothing that the log shows. */
  quiet: boolean
  request_id: string
  reverts_entry_id: string | null
  site_id: string
  state_digest: string | null
  words_digest: string
  work_date: string
}

/** Returns the facts of an entry in canonical JSON; their digest is `facts` in `linkText`. */
export const factsText = (entry: EntryFacts): string =>
  JSON.stringify({
    acting_for: entry.acting_for,
    action: entry.action,
    actor_id: entry.actor_id,
    actor_kind: entry.actor_kind,
    batch_id: entry.batch_id,
    cause: entry.cause,
    changes_digest: entry.changes_digest,
    entity_id: entry.entity_id,
    entity_type: entry.entity_type,
    id: entry.id,
    parent_id: entry.parent_id,
    parent_type: entry.parent_type,
    quiet: entry.quiet,
    request_id: entry.request_id,
    reverts_entry_id: entry.reverts_entry_id,
    site_id: entry.site_id,
    state_digest: entry.state_digest,
    words_digest: entry.words_digest,
    work_date: entry.work_date,
  })

/** The words of an entry: the part that can identify a person, and is erased when the law requires it. */
export type EntryWords = { actor_name: string; entity_label: string; reason: string | null }

/** Returns the words of an entry in canonical JSON; `words_digest` is the digest of their salt and this. */
export const wordsText = (entry: EntryWords): string =>
  JSON.stringify({ actor_name: entry.actor_name, entity_label: entry.entity_label, reason: entry.reason })

/** Returns the text that follows the previous entry’s hash in the hash of an entry. */
export const linkText = (entry: { at: string; events: string | null; facts: string; seq: number; v: number }): string =>
  JSON.stringify({ at: entry.at, events: entry.events, facts: entry.facts, seq: entry.seq, v: entry.v })

/** Returns the text that follows the previous event’s hash in the hash of an event. */
export const eventLinkText = (event: { at: string; digest: string; event_no: number }): string =>
  JSON.stringify({ at: event.at, digest: event.digest, event_no: event.event_no })
