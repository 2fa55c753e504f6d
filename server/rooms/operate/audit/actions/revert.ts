import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, invalid, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids } from '../../../../base/ids.ts'
import { spelled } from '../../../../kernel/audit/door.ts'
import { asKnown } from '../../../../kernel/person-data/door.ts'
import { type Kind, kindNamed, rowAsJson, rowFrom } from '../../../../kernel/records/door.ts'
import { against, differences, type Effect, LARGEST_BATCH, unseenAmong } from '../domain.ts'
import { changerOf, type EntryRow, entriesOn, revertsOf } from '../queries/entries.ts'
import type { Revert } from '../schema.ts'
import { sights } from './seeing.ts'
import { effectOfEntry, verdictsOn } from './show.ts'

/** The result of a revert: the new entries, and each field that has changed. */
export type Reverted = {
  entries: { id: Id; entity_type: string; entity_id: Id; entity_label: string; reverts_entry_id: Id }[]
  changed: { entity_type: string; entity_id: Id; path: string; from: unknown; to: unknown }[]
}

const named = (entry: EntryRow) => ({
  entry_id: entry.id,
  entity_type: entry.entity_type,
  entity_id: entry.entity_id,
  entity_label: entry.entity_label,
})

/**
 * Reverts an entry, or every entry of its transaction (`site-and-people.md` §15). Each is a new write through the record's own function, with today's
 * permissions, validation, events and an entry of its own. All are reverted, or none.
 */
export async function revertEntry(ctx: Ctx, entry: EntryRow, body: Revert): Promise<Reverted> {
  const entries = body.scope === 'batch' ? await wholeBatch(ctx, entry) : [entry]
  if (body.scope === 'batch' && body.fields !== undefined)
    refuse(invalid([{ path: 'fields', message: 'can only be given for a single entry; a batch is reverted as a whole.' }]))
  const seen = await sights(ctx, entries)
  if (!seen.has(entry.entity_id)) refuse(notFound())
  enforce([unseenAmong(entries.length, entries.filter(one => !seen.has(one.entity_id)).length)])
  const reverted = await revertsOf(
    ctx.db,
    entry.site_id,
    entries.map(one => one.id),
  )
  for (const one of entries)
    enforce(
      (await verdictsOn(ctx, one, reverted.get(one.id) ?? null)).map(v =>
        v === null ? null : { ...v, context: { ...v.context, ...named(one) } },
      ),
    )
  // Records are locked in the order of their ids, whatever the order of the revert, so that two reverts can't deadlock.
  for (const one of [...entries].sort((a, b) => (a.entity_id < b.entity_id ? -1 : 1)))
    await kindNamed(one.entity_type)?.find(ctx, one.site_id, one.entity_id, true)
  const done: Reverted = { entries: [], changed: [] }
  for (const one of entries) await revertOne(ctx, one, body, done)
  const { site_id, entity_type, entity_id, entity_label } = entry
  ctx.emit({
    kind: 'audit.reverted',
    site_id,
    subject: { kind: entity_type, id: entity_id, label: entity_label },
    payload: { entry_id: entry.id, entries: done.entries.length, reason: body.reason },
  })
  return done
}

async function wholeBatch(ctx: Ctx, entry: EntryRow): Promise<EntryRow[]> {
  const entries = await entriesOn(ctx.db, entry.site_id, { batch_id: [entry.batch_id] }, LARGEST_BATCH + 1)
  if (entries.length > LARGEST_BATCH)
    refuse(invalid([{ path: 'scope', message: `covers more than ${LARGEST_BATCH} changes. Revert its entries one by one.` }]))
  return entries.filter(one => one.action !== 'read')
}

async function revertOne(ctx: Ctx, entry: EntryRow, body: Revert, done: Reverted): Promise<void> {
  const kind = kindNamed(entry.entity_type)
  const effect = await effectOfEntry(ctx, entry)
  if (kind === undefined || effect === null) throw new Error('The entry can be reverted, but it has no kind or no effect.')
  const before = await asItIs(ctx, kind, entry)
  const entry_id = ids.next()
  ctx.note(entry.entity_id, { action: 'revert', reason: body.reason, reverts_entry_id: entry.id, entry_id })
  await undo(ctx, kind, entry, effect, before, body.fields ?? null)
  const after = await asItIs(ctx, kind, entry)
  const leave = new Set([
    'id',
    'site_id',
    'version',
    'created_at',
    'created_by',
    'updated_at',
    'updated_by',
    ...kind.derived,
    ...kind.secret,
  ])
  const { entity_type, entity_id, entity_label } = entry
  done.entries.push({ id: entry_id, entity_type, entity_id, entity_label, reverts_entry_id: entry.id })
  done.changed.push(...differences(before, after, leave).map(change => ({ entity_type, entity_id, ...change })))
}

/** Returns the record as the audit log would write it now; null if it doesn't exist. */
async function asItIs(ctx: Ctx, kind: Kind, entry: EntryRow): Promise<Record<string, unknown> | null> {
  const own = kind.undo.fields?.now
  if (own === undefined) return spelled(await rowAsJson(ctx.db, kind.table, entry.site_id, entry.entity_id))
  const row = await kind.find(ctx, entry.site_id, entry.entity_id, false)
  return row === null ? null : own(ctx, row)
}

async function undo(
  ctx: Ctx,
  kind: Kind,
  entry: EntryRow,
  effect: Effect,
  now: Record<string, unknown> | null,
  only: readonly string[] | null,
): Promise<void> {
  const changes = (await asKnown(ctx, entry)).changes ?? []
  if (effect === 'delete') {
    if (now !== null)
      refuse(
        conflict(
          'changed_since',
          `${entry.entity_label} exists again, so its deletion can’t be reverted. Change the record itself instead.`,
          { ...named(entry), fields: [] },
        ),
      )
    const values = Object.fromEntries(changes.map(change => [change.path, change.before]))
    const row = await rowFrom(ctx.db, kind.table, { ...values, id: entry.entity_id, site_id: entry.site_id })
    await kind.undo.delete?.bring_back(ctx, row)
    return
  }
  const row = await kind.find(ctx, entry.site_id, entry.entity_id, true)
  if (row === null || now === null) {
    const fields = changes.map(change => ({ ...change, now: null, changed_by_entry_id: null }))
    return refuse(
      conflict(
        'changed_since',
        `${entry.entity_label} has since been deleted, so this change can’t be reverted. Revert the deletion first.`,
        { ...named(entry), fields },
      ),
    )
  }
  if (effect === 'create') {
    await kind.undo.create?.take_away(ctx, row, entry.entity_id)
    return
  }
  const fixed = new Set([...kind.secret, ...kind.geometry])
  const { back, moved, unknown } = against(
    changes.filter(change => !fixed.has(change.path)),
    now,
    only,
  )
  if (unknown.length > 0)
    refuse(
      invalid(
        unknown.map(path => ({ path: 'fields', message: `${path} wasn’t changed by this entry, or has no stored value. Leave it out.` })),
      ),
    )
  if (moved.length > 0) {
    const fields = []
    for (const field of moved)
      fields.push({ ...field, changed_by_entry_id: await changerOf(ctx.db, entry.site_id, entry.entity_id, field.path, entry.seq) })
    const said = fields.map(field => field.path).join(', ')
    refuse(
      conflict('changed_since', `${entry.entity_label} has changed again since (${said}). Revert only the other fields.`, {
        ...named(entry),
        fields,
      }),
    )
  }
  await kind.undo.fields?.put(ctx, row, back)
}
