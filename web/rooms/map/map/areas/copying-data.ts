// Requests for copying what was on the map in one week to another.
import { plusDays, startOfDay } from '../../../../../shared/time.ts'
import { ask, client, freshKey, type Schemas } from '../../../../base/api.ts'
import { asFault } from '../../../../base/fault.ts'
import { tokensMoved } from '../tokens-data.ts'
import type { CopiedKind, Copies, CopyDays } from './copying.ts'

const INVALID = 422
const CONFLICT = 409
const FORBIDDEN = 403

function send(kind: CopiedKind, body: Schemas['CopyFromRange']): Promise<Schemas['CopiedFromRange']> {
  const given = { body, headers: freshKey() }
  if (kind === 'workers') return ask(client.POST('/workers/copy-from-range', given))
  if (kind === 'plant') return ask(client.POST('/plant/copy-from-range', given))
  return ask(client.POST('/active-areas/copy-from-range', given))
}

/** Copies one kind, or says with `dry_run` what would be copied; null if there is nothing on these days. */
export async function copyKind(kind: CopiedKind, body: Schemas['CopyFromRange']): Promise<Copies> {
  try {
    return await send(kind, body)
  } catch (error) {
    const fault = asFault(error)
    // The service refuses days without anything at `from_date`; the days themselves have been checked before.
    if (fault.status === INVALID && fault.fields.size === 1 && fault.fields.get('from_date')?.includes('nothing to copy') === true)
      return null
    throw error
  } finally {
    if (body.dry_run !== true) await tokensMoved()
  }
}

/** Says what would be copied of a kind, or why the service would refuse it. */
export async function rehearsed(kind: CopiedKind, body: Schemas['CopyFromRange']): Promise<{ copies: Copies; refused: string | null }> {
  try {
    return { copies: await copyKind(kind, body), refused: null }
  } catch (error) {
    const fault = asFault(error)
    // One kind can be refused, such as exclusion zones to a contractor; the others can still be copied.
    if (fault.status !== CONFLICT && fault.status !== FORBIDDEN) throw error
    return { copies: null, refused: fault.message }
  }
}

/** Returns the names of what starts on these days, by id. */
export async function namesOn(
  kind: CopiedKind,
  site_id: string,
  zone: string,
  { from_date, to_date }: CopyDays,
): Promise<Map<string, string>> {
  const query = { site_id, from: startOfDay(zone, from_date), to: startOfDay(zone, plusDays(to_date, 1)), limit: 500 }
  const rows: { id: string; name: string }[] =
    kind === 'workers'
      ? await ask(client.GET('/workers', { params: { query } }))
      : kind === 'plant'
        ? await ask(client.GET('/plant', { params: { query } }))
        : await ask(client.GET('/active-areas', { params: { query } }))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Removes everything that was just copied: all of it, or nothing if someone has changed one of the copies. */
export async function undoCopies(site_id: string, made: ReadonlyMap<CopiedKind, readonly string[]>): Promise<void> {
  const ids = (kind: CopiedKind) => [...(made.get(kind) ?? [])]
  const body = { site_id, worker_ids: ids('workers'), plant_ids: ids('plant'), active_area_ids: ids('active_areas') }
  try {
    await ask(client.POST('/copies/undo', { body, headers: freshKey() }))
  } finally {
    await tokensMoved()
  }
}
