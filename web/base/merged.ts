import { isRecord } from '../../shared/narrow.ts'

/** Fields of a draft or a form that contain fields. */
const PARTS = ['fields', 'unsent', 'changed', 'was']
/** What the service knows a draft by. */
const KNOWN = ['id', 'made']

/** Adds what a person typed while the device had no key to what was stored with the key before. */
export function merged(older: unknown, newer: unknown): unknown {
  if (!isRecord(older) || !isRecord(newer)) return newer
  const both: Record<string, unknown> = { ...older, ...newer }
  for (const part of PARTS) if (isRecord(older[part]) && isRecord(newer[part])) both[part] = { ...older[part], ...newer[part] }
  for (const field of KNOWN) if (field in older) both[field] = newer[field] ?? older[field]
  return both
}
