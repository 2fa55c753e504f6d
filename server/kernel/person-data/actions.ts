import { randomBytes } from 'node:crypto'
import { jobActor } from '../../base/actor.ts'
import { type Ctx, type House, writing } from '../../base/ctx.ts'
import type { Db } from '../../base/db.ts'
import { decrypted, encrypted } from '../../base/encrypt.ts'
import { type Id, PLATFORM } from '../../base/ids.ts'
import { unwrapped, type Wrapping, wrapped, wrappedBy } from '../../base/wrapped.ts'
import type { Change, Draft } from '../audit/domain.ts'
import { kindNamed, kindOfTable } from '../records/door.ts'
import { aboutKey, aboutValue, ERASED, isCiphertext, isErased, type Known, SHOWN, touched } from './domain.ts'
import { type After, destroyKeys, keysFor, keysOf, keysWrappedOtherwise, replaceKey, type Wanting } from './queries.ts'

/** What a transaction has changed in one record. */
type Changed = Pick<Draft, 'site_id' | 'record_id' | 'table_name' | 'before' | 'after'>

/** Encrypts the person data in the changes of a record, as its entry stores them. */
export type Encipher = (one: Changed, changes: Change[]) => Change[]

type Key = { no: number; bytes: Buffer }

/** Decrypts a key as it is stored; null if that isn't possible. */
function keyIn(settings: Wrapping, kind: string, id: Id, stored: unknown): Buffer | null {
  const value = unwrapped(settings, aboutKey(kind, id), stored)?.value
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : null
  return bytes?.length === 32 ? bytes : null
}

/** Returns the keys of records that are written; a record without one was erased, and has no value that is kept. */
async function keysToWrite(ctx: Ctx, wanting: readonly Omit<Wanting, 'key'>[]): Promise<Map<Id, Key>> {
  const { settings } = ctx.house
  const keys = new Map<Id, Key>()
  const whole = wanting.map(one => ({
    ...one,
    key: wrapped(settings, aboutKey(one.kind, one.record_id), randomBytes(32).toString('base64')),
  }))
  const kinds = new Map(wanting.map(one => [one.record_id, one.kind]))
  const read = async (some: readonly Wanting[], another: boolean): Promise<Set<Id>> => {
    const unreadable = new Set<Id>()
    for (const { record_id, no, key } of await keysFor(ctx.db, some, { now: ctx.now, wrapped_by: wrappedBy(settings), another })) {
      const bytes = keyIn(settings, kinds.get(record_id) ?? '', record_id, key)
      if (bytes === null) unreadable.add(record_id)
      else keys.set(record_id, { no, bytes })
    }
    return unreadable
  }
  const unreadable = await read(whole, false)
  // A write goes on with another key; what was encrypted with the damaged one stays unreadable.
  if (unreadable.size > 0)
    await read(
      whole.filter(one => unreadable.has(one.record_id)),
      true,
    )
  return keys
}

/**
 * Returns how the person data in these changes is encrypted. It asks for the keys of all records in one statement, and for none if no person data was changed; kinds
 * without person data cost nothing.
 */
export async function encipherer(ctx: Ctx, all: readonly Changed[]): Promise<Encipher> {
  const wanting = all.flatMap(({ site_id, record_id, table_name, before, after }) => {
    const kind = kindOfTable(table_name)
    if (kind === undefined || kind.personal.length === 0) return []
    const fields = touched(kind.personal, before, after)
    const keeps = fields.some(field => (after?.[field] ?? null) !== null)
    return fields.length === 0 ? [] : [{ site_id, kind: kind.name, record_id, keeps }]
  })
  if (wanting.length === 0) return (_one, changes) => changes
  const keys = await keysToWrite(ctx, wanting)
  const cipher = ctx.house.settings.algorithms.key_cipher
  return ({ table_name, record_id }, changes) => {
    const kind = kindOfTable(table_name)
    if (kind === undefined || kind.personal.length === 0) return changes
    const key = keys.get(record_id)
    const hide = (field: string, value: unknown) => {
      if (value === null) return null
      if (key === undefined) return ERASED
      const about = aboutValue(kind.name, record_id, field)
      return { encrypted: encrypted(key.bytes, Buffer.from(JSON.stringify(value)), about, cipher), key: key.no }
    }
    return changes.map(change =>
      kind.personal.includes(change.path)
        ? { path: change.path, before: hide(change.path, change.before), after: hide(change.path, change.after) }
        : change,
    )
  }
}

/** Decrypts a stored value of a field with person data. Values from before the field was encrypted are returned as they are. */
export type Decipher = (id: Id, field: string, value: unknown) => Known

/** Returns how the person data of these records of one kind is decrypted, as far as their keys are still there. */
export async function decipherer(db: Db, settings: Wrapping, kind: string, site_id: Id, ids: readonly Id[]): Promise<Decipher> {
  const stored = new Map((await keysOf(db, site_id, ids)).map(({ record_id, no, key }) => [`${record_id} ${no}`, key]))
  return (id, field, value) => {
    if (isErased(value)) return { value: null, lost: 'erased' }
    if (!isCiphertext(value)) return { value, lost: null }
    const key = stored.get(`${id} ${value.key}`)
    if (key === null) return { value: null, lost: 'erased' }
    try {
      const bytes = key === undefined ? null : keyIn(settings, kind, id, key)
      if (bytes !== null)
        return { value: JSON.parse(decrypted(bytes, value.encrypted, aboutValue(kind, id, field)).toString()), lost: null }
    } catch {
      // the key or the value was altered
    }
    return { value: null, lost: 'unreadable' }
  }
}

/** An entry of the audit log, as far as person data goes. */
type Entry = { site_id: Id; entity_type: string; entity_id: Id; changes: Change[] | null }

/** Returns the changes of entries of one site with their person data, each by itself; entries without person data are left out. */
async function decrypting<E extends Entry>(
  ctx: Ctx,
  entries: readonly E[],
  put: (entry: E, open: (change: Change) => [Known, Known]) => void,
): Promise<void> {
  const byKind = Map.groupBy(entries, entry => entry.entity_type)
  for (const [name, all] of byKind) {
    const personal = kindNamed(name)?.personal ?? []
    if (personal.length === 0) continue
    const ids = [...new Set(all.map(entry => entry.entity_id))]
    const open = await decipherer(ctx.db, ctx.house.settings, name, all[0]?.site_id ?? PLATFORM, ids)
    for (const entry of all)
      put(entry, ({ path, before, after }) =>
        personal.includes(path)
          ? [open(entry.entity_id, path, before), open(entry.entity_id, path, after)]
          : [
              { value: before, lost: null },
              { value: after, lost: null },
            ],
      )
  }
}

const shown = (known: Known): unknown => (known.lost === null ? known.value : SHOWN[known.lost])

/** Returns entries of one site with their person data decrypted; in place of a value that can't be read, why. */
export async function withPersonData<E extends Entry>(ctx: Ctx, entries: readonly E[]): Promise<E[]> {
  const read = new Map<E, E>()
  await decrypting(ctx, entries, (entry, open) => {
    const changes = entry.changes?.map(change => {
      const [before, after] = open(change)
      return { path: change.path, before: shown(before), after: shown(after) }
    })
    read.set(entry, { ...entry, changes: changes ?? null })
  })
  return entries.map(entry => read.get(entry) ?? entry)
}

/** Returns an entry with its person data decrypted, without the changes that can't be read. */
export async function asKnown<E extends Entry>(ctx: Ctx, entry: E): Promise<E> {
  let known = entry
  await decrypting(ctx, [entry], (_entry, open) => {
    const changes = entry.changes?.flatMap(change => {
      const [before, after] = open(change)
      return before.lost === null && after.lost === null ? [{ path: change.path, before: before.value, after: after.value }] : []
    })
    known = { ...entry, changes: changes ?? null }
  })
  return known
}

/**
 * Erases the person data of records from the audit log, by destroying their keys. The caller has locked the records, and blanks their fields in the same transaction;
 * the entry about that doesn't contain the values either.
 */
export async function erasePersonData(ctx: Ctx, kind: string, site_id: Id, ids: readonly Id[]): Promise<void> {
  if (ids.length > 0) await destroyKeys(ctx.db, kind, site_id, ids, ctx.now)
}

const AT_ONCE = 500

/** Encrypts keys with the present SECRETS_KEY and cipher, if they aren't yet. A key that can't be decrypted stays as it is. */
export async function wrapPersonKeys(house: House): Promise<void> {
  const { settings } = house
  const wrapped_by = wrappedBy(settings)
  let after: After = { kind: '', site_id: PLATFORM, record_id: PLATFORM, no: 0 }
  for (;;) {
    const keys = await keysWrappedOtherwise(house.database.db, wrapped_by, after, AT_ONCE)
    const last = keys.at(-1)
    if (last === undefined) return
    await writing(house, { actor: jobActor('keys'), cause: 'person_key.wrap' }, async ctx => {
      for (const key of keys) {
        const about = aboutKey(key.kind, key.record_id)
        const found = unwrapped(settings, about, key.key)
        if (found !== null) await replaceKey(ctx.db, key, wrapped(settings, about, found.value), wrapped_by)
      }
    })
    after = last
  }
}
