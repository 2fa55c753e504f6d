import { metresTo } from '../../../../shared/geometry/plane.ts'
import { chosenFrom, textIn, textOrNull } from '../../../../shared/narrow.ts'
import { dateOn, type Instant, instant, isWorkDate, ms, readInstant, type WorkDate } from '../../../../shared/time.ts'
import type { Ctx } from '../../../base/ctx.ts'
import { sql } from '../../../base/db.ts'
import { conflict, enforce, forbidden, invalidField, notFound, type Refusal, refuse, type Verdict } from '../../../base/errors.ts'
import type { FileAnswer } from '../../../base/files.ts'
import type { Id } from '../../../base/ids.ts'
import type { Row } from '../../../base/rows.ts'
import { list, optional, text, workDate } from '../../../base/schema.ts'
import { myScope } from '../../../kernel/access/door.ts'
import { type Token, tokenKind } from '../../../kernel/covers/door.ts'
import { takenAt } from '../../../kernel/evidence/domain.ts'
import {
  attachEvidence,
  type Brought,
  type CitedRow,
  citedBy,
  evidenceOf,
  isPublished,
  published,
  readFileOf,
  removeAllEvidence,
} from '../../../kernel/evidence/door.ts'
import { type Filter, filters } from '../../../kernel/listing/door.ts'
import { MAP_ANY } from '../../../kernel/placed/domain.ts'
import { geometryIn } from '../../../kernel/placed/door.ts'
import { hold, type Kind } from '../../../kernel/records/door.ts'
import { resource } from '../../../kernel/resource/door.ts'
import { zoneOf } from '../kit/actions/occurrences.ts'
import { cantDelete, dayFault, isOtherDay, PHOTO_KINDS, PHOTOS_AT_MOST, TOKEN_KINDS } from './domain.ts'
import { photosOn, sameBytes } from './queries.ts'
import { computed, fields } from './schema.ts'

type Photo = Row<'token_photo'>

/** The permission to see photos that were not published. */
export const SEE_ALL = 'token_photo_view'
const KIND = 'token_photo'

const todayOf = (ctx: Ctx): WorkDate => dateOn(zoneOf(ctx), ctx.now)
const ownerOf = ({ site_id, id }: Pick<Photo, 'site_id' | 'id'>) => ({ site_id, kind: KIND, id })

/** Returns what a photo shows, by its kind; null if it isn’t on the map of the site. */
async function tokenOf(
  ctx: Ctx,
  { site_id, token_kind, token_id }: Pick<Photo, 'site_id' | 'token_kind' | 'token_id'>,
): Promise<Token | null> {
  const [token] = await tokenKind(token_kind).load(ctx, site_id, [token_id], [])
  return token ?? null
}

/** The files of photos, by the id of the photo. */
async function filesOf(ctx: Ctx, rows: readonly Photo[]): Promise<Map<Id, CitedRow>> {
  const [first] = rows
  const ids = rows.map(({ id }) => id)
  return new Map(first === undefined ? [] : (await evidenceOf(ctx.db, first.site_id, KIND, ids)).map(file => [file.owner_id, file]))
}

/** Reads where a range of days begins or ends: a site day, or an instant on one. `last`: the instant itself is no longer part of it. */
function dayAt(ctx: Ctx, field: string, value: unknown, last: boolean): WorkDate {
  const said = String(value)
  const at = isWorkDate(said) ? null : readInstant(said)
  if (at !== null) return dateOn(zoneOf(ctx), last ? instant(ms(at) - 1) : at)
  if (!isWorkDate(said)) return refuse(invalidField(field, 'must be a date, such as 2026-03-16, or an instant.'))
  return last ? dateOn('UTC', instant(ms(`${said}T00:00:00.000Z`) - 1)) : said
}
const range = (field: 'from' | 'to', description: string): Filter => ({
  schema: optional(text(description, { max: 40, example: '2026-03-16' })),
  column: 'work_date',
  where: (column, value, ctx) =>
    field === 'from'
      ? sql`${column} >= ${dayAt(ctx, field, value, false)}::date`
      : sql`${column} <= ${dayAt(ctx, field, value, true)}::date`,
})

const cited = ({ work_date }: Photo, cited_by: readonly unknown[]): Refusal =>
  conflict('cited', `A record that has been issued, such as the diary of ${work_date}, shows this photo, so it stays with that day.`, {
    work_date,
    cited_by,
  })

/** Why photos stay, by their id: other records show them. */
async function staying(ctx: Ctx, rows: readonly Photo[]): Promise<Map<Id, Verdict>> {
  const files = await filesOf(ctx, rows)
  const kept = new Map<Id, Verdict>()
  for (const row of rows) {
    const file = files.get(row.id)
    if (file !== undefined && file.cited > 0) kept.set(row.id, cited(row, await citedBy(ctx, file)))
  }
  return kept
}

/** Refuses a day that the photo can’t be on: it has the same bytes there already, or enough photos. */
async function makeRoom(ctx: Ctx, photo: Photo): Promise<void> {
  const existing_id = await sameBytes(ctx.db, photo)
  if (existing_id !== null) refuse(conflict('key_taken', 'That day already has this photo. Delete one of the two.', { existing_id }))
  if ((await photosOn(ctx.db, photo)) >= PHOTOS_AT_MOST)
    refuse(conflict('too_many', `There are ${PHOTOS_AT_MOST} photos of this day already. Delete one that you don’t need first.`))
}

/** The files that are being added, for the hooks of the same write. */
const bringing = new WeakMap<Ctx, Brought>()
const writing = { own: 'map_entity_edit', any: MAP_ANY }

const made = resource({
  ...{ kind: KIND, path: '/sites/:site_id/token-photos', param: 'photo_id', noun: 'photo', shape: 'TokenPhoto' },
  says: 'A photo of what a gang, a machine or a delivery did on a day',
  ...{ without_show: true, fields, computed },
  fixed: ['token_kind', 'token_id'],
  defaults: { photo_kind: 'progress', in_diary: true, work_date: undefined },
  label: row => `Photo of ${row.work_date}`,
  sees: async (ctx, row) => ctx.actor.can('map_view') && (ctx.actor.can(SEE_ALL) || (await isPublished(ctx, ownerOf(row)))),
  list: {
    order: ['work_date', '?last taken_at', 'id'],
    sees: (ctx, site_id) => (ctx.actor.can(SEE_ALL) ? null : published(site_id, sql`t.id`, KIND)),
    filters: {
      work_date: {
        schema: optional(list(workDate('Site days'), 'Site days', { max: 100 })),
        where: (column, days) => sql`${column} = any(${days}::date[])`,
      },
      from: range('from', 'First site day, as a date or as an instant on it'),
      to: range('to', 'Just after the last site day: a date, which is not included, or an instant'),
      token_kind: filters.oneOf(TOKEN_KINDS, 'Kinds'),
      token_id: filters.among('Workers, gangs, machines and deliveries'),
      schedule_group_id: filters.among('Schedules'),
      contractor_id: filters.among('Contractors'),
      photo_kind: filters.oneOf(PHOTO_KINDS, 'What they show of the day'),
      in_diary: filters.flag('Whether the diary can show them'),
    },
  },
  access: { view: 'map_view', create: writing, change: writing, remove: writing },
  limits: {
    remove: (ctx, row) => cantDelete(row, { id: ctx.actor.id, any: ctx.actor.can(MAP_ANY), now: ctx.now }),
    relied_on: staying,
  },
  tell: (ctx, verb, row) => {
    const { site_id, id, token_kind, token_id, work_date, contractor_id } = row
    const past = verb === 'created' ? 'added' : verb === 'deleted' ? 'removed' : 'changed'
    const subject = { kind: KIND, id, label: `Photo of ${work_date}` }
    ctx.emit({ kind: `token_photo.${past}`, site_id, subject, payload: { token_kind, token_id, work_date, contractor_id } })
  },
  hooks: {
    async faults(ctx, next, before) {
      if (before !== null && before.work_date === next.work_date) return []
      const token = await tokenOf(ctx, next)
      if (token === null)
        return [{ path: 'work_date', message: 'can’t be changed, because what the photo shows was removed from the map.' }]
      const fault = dayFault(token, next.work_date, { zone: zoneOf(ctx), today: todayOf(ctx) })
      if (fault !== null) return [fault]
      if (before !== null) enforce([(await staying(ctx, [before])).get(before.id) ?? null])
      await hold(ctx, 'photos of a day', next.site_id, next.token_id)
      await makeRoom(ctx, next)
      return []
    },
    async shown(ctx, rows) {
      const files = await filesOf(ctx, rows)
      return rows.map(row => {
        const { id, filename, media_type, size, width, height, taken_point } = files.get(row.id) ?? refuse(notFound())
        const date_mismatch = isOtherDay(row.taken_at, row.work_date, zoneOf(ctx))
        return { evidence_id: id, filename, media_type, size, width, height, taken_point, date_mismatch }
      })
    },
    async after(ctx, row, before) {
      const file = bringing.get(ctx)
      if (row === null && before !== null) await removeAllEvidence(ctx, ownerOf(before))
      else if (row !== null && before === null && file !== undefined) await attachEvidence(ctx, ownerOf(row), file, { role: 'during' })
    },
  },
})

/** The photos of days. Only those in something that was issued can be seen by people such as the client. */
export const photos: typeof made = {
  ...made,
  kind: {
    ...made.kind,
    holds_evidence: true,
  } satisfies Kind<Photo>,
}

/** Adds a photo. The same bytes for the same day are the photo that is there: `made` is false. */
export async function addPhoto(
  ctx: Ctx,
  site_id: Id,
  body: Record<string, unknown>,
  file: Brought,
): Promise<{ made: boolean; shown: Record<string, unknown> }> {
  const work_date = textOrNull(body.work_date) ?? todayOf(ctx)
  const [token_kind, token_id] = [chosenFrom(TOKEN_KINDS, textIn(body.token_kind)), textIn(body.token_id)]
  const token = await tokenOf(ctx, { site_id, token_kind, token_id })
  if (token === null) return refuse(invalidField('token_id', `isn’t a ${token_kind === 'plant' ? 'machine' : token_kind} on this site.`))
  await mayAdd(ctx, token)
  const { schedule_group_id, contractor_id } = token
  const { sha256, facts } = file
  await hold(ctx, 'photos of a day', site_id, token_id)
  const there = await sameBytes(ctx.db, { site_id, token_id, work_date, sha256, id: null })
  if (there !== null)
    return { made: false, shown: await photos.show(ctx, (await photos.kind.find(ctx, site_id, there, false)) ?? refuse(notFound())) }
  bringing.set(ctx, file)
  const taken_at: Instant | null = takenAt(facts, zoneOf(ctx), ctx.now)
  const shown = await photos.create(ctx, site_id, {
    ...{ ...body, work_date, schedule_group_id, contractor_id, sha256, taken_at },
    distance_m: distanceTo(token, facts),
  })
  return { made: true, shown }
}

/** Refuses a caller who can’t add photos of this: contractors can of what is theirs. */
async function mayAdd(ctx: Ctx, { contractor_id }: Token): Promise<void> {
  if (ctx.actor.can(MAP_ANY)) return
  if (contractor_id === null || !(await myScope(ctx)).has(contractor_id))
    refuse(forbidden(MAP_ANY, 'You can only add photos of what belongs to your contractor, or to a contractor that it oversees.'))
}

/** Returns how far a photo was taken from what it shows, to a decimetre; null if either place is unknown. */
function distanceTo({ place }: Token, facts: Brought['facts']): number | null {
  if (facts?.lon == null || facts.lat === null) return null
  const at = { lon: facts.lon, lat: facts.lat }
  const geometry = geometryIn(place)
  return geometry === null ? null : Math.round(metresTo(geometry, at) * 10) / 10
}

/** Returns the download of a photo. */
export async function readPhoto(ctx: Ctx, photo: Photo, variant: 'original' | 'preview' | 'thumb'): Promise<FileAnswer> {
  const file = (await filesOf(ctx, [photo])).get(photo.id) ?? refuse(notFound())
  return readFileOf(ctx, photo.site_id, file, variant)
}
