import { localeOf } from '../../../../../shared/locale.ts'
import { mergePatch } from '../../../../../shared/merge-patch.ts'
import { keysOf } from '../../../../../shared/narrow.ts'
import { dateOn } from '../../../../../shared/time.ts'
import { zoneNamed } from '../../../../../shared/zones.ts'
import type { Actor, Standing } from '../../../../base/actor.ts'
import type { Ctx } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, forbidden, invalid, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids, PLATFORM } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { lockOn, shownFlags } from '../../../../kernel/access/domain.ts'
import { actorFor } from '../../../../kernel/access/door.ts'
import { readBox } from '../../../../kernel/geometry/door.ts'
import { changesOf } from '../../../../kernel/records/domain.ts'
import { hold } from '../../../../kernel/records/door.ts'
import { countsOf, livePermits, recalculated, seedNewSite } from '../../../../kernel/site/door.ts'
import { limitFaults } from '../../weather/domain/limits.ts'
import { changing, codeFrom, type LifeFacts, MOST_LIVE, mayClose, siteFaults, siteFlags, statusOf } from '../domain.ts'
import { memberCounts } from '../queries/members.ts'
import {
  codesLike,
  insertSite,
  mainContractors,
  type SeenSite,
  type SiteRow,
  type SiteSet,
  saveSite,
  sitesFor,
  siteWithCode,
} from '../queries/sites.ts'
import type { NewSite, SiteChange, SiteFilter } from '../schema/sites.ts'
import { groundFrom, locationOf } from './boundary.ts'

export const labelled = (site: Pick<SiteRow, 'site_id' | 'name'>) => ({ kind: 'site', id: site.site_id, label: site.name })

/** Returns the caller as an actor on each site of a list. */
function actorAt(ctx: Ctx, site: SeenSite): Actor {
  const { id, name, is_superadmin } = ctx.actor
  if (id === null) return ctx.actor
  const standing: Standing = {
    site_id: site.site_id,
    membership_id: site.my_membership_id,
    role: site.my_role,
    contractor_id: site.my_contractor_id,
    timezone: site.timezone,
    lock:
      site.locked_at === null ? null : { locked_at: site.locked_at, locked_by_name: site.locked_by_name, lock_reason: site.lock_reason },
  }
  return actorFor({ id, name, is_superadmin }, standing, ctx.house.settings)
}

/** Returns the live permits of the sites that the caller could close. */
const shownLive = (ctx: Ctx, sites: readonly SeenSite[]): Promise<Map<Id, string[]>> =>
  livePermits(
    ctx,
    sites.flatMap(site => (mayClose(actorAt(ctx, site)) ? [site.site_id] : [])),
    MOST_LIVE,
  )

function shownSite(
  ctx: Ctx,
  site: SeenSite,
  live: readonly string[],
  periods: { contractor_id: Id; from: string; to: string | null }[],
): Record<string, unknown> {
  const { location_lon, location_lat, my_role, ...rest } = site
  const facts: LifeFacts = { status: statusOf(site), live, force: false }
  return {
    ...rest,
    location: location_lon === null || location_lat === null ? null : { lon: location_lon, lat: location_lat },
    main_contractors: periods,
    status: facts.status,
    today: dateOn(site.timezone, ctx.now),
    my_role,
    permissions: shownFlags(siteFlags(actorAt(ctx, site), facts)),
  }
}

/** Lists the caller's sites, complete and with the caller's flags. */
export async function listSites(ctx: Ctx, filter: SiteFilter): Promise<{ rows: unknown[]; next: string | null }> {
  if (ctx.actor.id === null) return { rows: [], next: null }
  const limit = filter.limit ?? PAGE
  const bbox = filter.bbox === undefined ? undefined : readBox(filter.bbox)
  const found = await sitesFor(
    ctx.db,
    { id: ctx.actor.id, is_superadmin: ctx.actor.is_superadmin },
    {
      ...(filter.q === undefined ? {} : { q: filter.q }),
      ...(filter.id === undefined ? {} : { ids: filter.id }),
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(bbox === undefined ? {} : { bbox }),
      include_deleted: filter.include_deleted === true || filter.status?.includes('deleted') === true,
      updated_since: filter.updated_since,
      limit,
      after: readCursor(filter.cursor, 2),
    },
  )
  const { rows, next } = cut(found, limit, row => [row.sort_name, row.site_id])
  if (rows.length === 0) return { rows: [], next }
  const site_ids = rows.map(r => r.site_id)
  const periods = Map.groupBy(await mainContractors(ctx.db, site_ids), p => p.site_id)
  const counts = filter.include?.includes('counts') ? await countsOf(ctx, site_ids) : null
  const members = counts === null ? null : await memberCounts(ctx.db, site_ids)
  const live = await shownLive(ctx, rows)
  return {
    next,
    rows: rows.map(row => ({
      ...shownSite(ctx, row, live.get(row.site_id) ?? [], periods.get(row.site_id) ?? []),
      ...(counts === null
        ? {}
        : {
            counts: {
              live_permits: 0,
              open_alerts: 0,
              ...Object.fromEntries(counts.get(row.site_id) ?? []),
              members: members?.get(row.site_id) ?? 0,
            },
          }),
    })),
  }
}

/** Returns one complete site. */
export async function showSite(ctx: Ctx, site_id: Id): Promise<Record<string, unknown>> {
  const [site] = await sitesFor(
    ctx.db,
    { id: ctx.actor.id ?? PLATFORM, is_superadmin: ctx.actor.is_superadmin },
    { ids: [site_id], include_deleted: true, limit: 1, after: null },
  )
  if (site === undefined) return refuse(notFound())
  return shownSite(ctx, site, (await shownLive(ctx, [site])).get(site_id) ?? [], await mainContractors(ctx.db, [site_id]))
}

function zoneOrFault(text: string, faults: FieldFault[]): string {
  const zone = zoneNamed(text)
  if (zone === null)
    faults.push({
      path: 'timezone',
      message: `“${text}” isn’t an IANA time zone such as Europe/London. Offsets and abbreviations aren’t accepted.`,
    })
  return zone ?? text
}

function localeOrFault(text: string, faults: FieldFault[]): string {
  const locale = localeOf(text)
  if (locale === null) faults.push({ path: 'locale', message: `“${text}” isn’t a language tag such as en-GB.` })
  return locale ?? text
}

/** Creates a site with everything that its rooms seed, or nothing at all; its creator becomes an administrator. */
export async function createSite(ctx: Ctx, body: NewSite): Promise<Record<string, unknown>> {
  const { boundary: drawn, copy_from_site_id, location, ...given } = body
  const faults: FieldFault[] = []
  const site_id = ids.next()
  const timezone = zoneOrFault(given.timezone, faults)
  const locale = localeOrFault(given.locale ?? 'en-GB', faults)
  const source = copy_from_site_id == null ? null : await copySource(ctx, copy_from_site_id)
  const calendar = {
    starts_on: given.starts_on ?? null,
    planned_finish_on: given.planned_finish_on ?? null,
    holidays: given.holidays ?? [],
    extra_work_dates: given.extra_work_dates ?? [],
  }
  faults.push(...siteFaults(calendar), ...limitFaults(given.weather_limits ?? []))
  const ground = groundFrom(drawn ?? null, 'boundary', location ?? null, ctx.now, faults)
  if (faults.length > 0) refuse(invalid(faults))
  // If two sites with one name are created at the same time, the second gets the next free code.
  if (given.code === undefined) await hold(ctx, 'site codes')
  const code = given.code ?? codeFrom(given.name, await codesLike(ctx.db, ''))
  await refuseTakenCode(ctx, code, null)
  ctx.trail.sites.add(site_id)
  const copied: SiteSet =
    source === null ? {} : { work_weekdays: source.work_weekdays, weather_limits: source.weather_limits, terrain: source.terrain }
  await insertSite(ctx.db, {
    ...copied,
    ...given,
    ...calendar,
    site_id,
    timezone,
    locale,
    code,
    ...ground,
  })
  ctx.site = { id: site_id, name: given.name, code, timezone, locale, main_contractor_id: null, locked_at: null }
  const attention = await seedNewSite(ctx, site_id, source?.site_id ?? null)
  if (attention.length > 0) await saveSite(ctx.db, site_id, { needs_attention: attention })
  ctx.emit({ kind: 'site.created', site_id, subject: { kind: 'site', id: site_id, label: given.name }, payload: { code } })
  return showSite(ctx, site_id)
}

/** Returns the site whose configuration is copied, if the caller can configure it. */
async function copySource(ctx: Ctx, from: Id): Promise<SeenSite> {
  const [site] = await sitesFor(
    ctx.db,
    { id: ctx.actor.id ?? PLATFORM, is_superadmin: ctx.actor.is_superadmin },
    { ids: [from], include_deleted: false, limit: 1, after: null },
  )
  if (site === undefined) return refuse(invalidField('copy_from_site_id', 'isn’t one of your sites. Choose a site that you can configure.'))
  if (!actorAt(ctx, site).can('site_configure'))
    refuse(
      forbidden(
        'site_configure',
        `You can’t copy the configuration of ${site.name}, because your role on that site doesn’t let you change its configuration. Choose another site.`,
      ),
    )
  return site
}

async function refuseTakenCode(ctx: Ctx, code: string, own: Id | null): Promise<void> {
  const taken = await siteWithCode(ctx.db, code)
  if (taken === null || taken === own) return
  const context = ctx.actor.is_superadmin ? { existing_id: taken } : {} // others may not know the other site
  refuse(conflict('key_taken', `The code ${code} is already used by another site. Choose another code.`, context))
}

/** Changes those fields of a site that the caller can change; one forbidden field refuses all. */
export async function changeSite(ctx: Ctx, site: SiteRow, body: SiteChange): Promise<Record<string, unknown>> {
  const { deleted, location, ...set } = body
  const { settings, ...columns } = set
  if (deleted !== undefined) return restoreSite(ctx, site, deleted, [...Object.keys(set), ...(location === undefined ? [] : ['location'])])
  enforce([lockOn(ctx.actor)])
  const named = Object.keys(settings ?? {}).map(setting => ({ field: 'settings', setting }))
  enforce([changing([...Object.keys(body).flatMap(field => (field === 'settings' ? [] : { field })), ...named], ctx.actor)])
  const faults: FieldFault[] = []
  const merged = settings === undefined ? {} : { settings: mergePatch(site.settings, settings) }
  const next: SiteSet = { ...columns, ...merged, ...(location === undefined ? {} : locationOf(location, site)) }
  if (set.timezone !== undefined) next.timezone = zoneOrFault(set.timezone, faults)
  if (set.locale !== undefined) next.locale = localeOrFault(set.locale, faults)
  faults.push(...limitFaults(set.weather_limits ?? []))
  if (faults.length > 0) refuse(invalid(faults))
  const rederived = await settle(ctx, site, next, Object.keys(body))
  return { ...(await showSite(ctx, site.site_id)), ...(rederived === null ? {} : { rederived }) }
}

/** Saves changed columns of a site and what follows from them. Returns what a new time zone moved. */
async function settle(ctx: Ctx, site: SiteRow, next: SiteSet, named: readonly string[]): Promise<number | null> {
  const faults = siteFaults({ ...site, ...next })
  if (faults.length > 0) refuse(invalid(faults))
  if (next.code !== undefined && next.code !== site.code) await refuseTakenCode(ctx, next.code, site.site_id)
  const set = changesOf(site, next)
  if (Object.keys(set).length === 0) return null
  const changed = named.filter(
    field => field in set || (field === 'location' && Object.keys(set).some(column => column.startsWith('location_'))),
  )
  await saveSite(ctx.db, site.site_id, set)
  const calendar = ['timezone', 'work_weekdays', 'holidays', 'extra_work_dates'].filter(name => changed.includes(name))
  ctx.emit({ kind: 'site.changed', site_id: site.site_id, subject: labelled(site), payload: { fields: changed } })
  if (calendar.length > 0)
    ctx.emit({ kind: 'site.calendar_changed', site_id: site.site_id, subject: labelled(site), payload: { fields: calendar } })
  const rederived =
    next.timezone !== undefined && next.timezone !== site.timezone ? await recalculated(ctx, site.site_id, next.timezone) : null
  if (rederived !== null) ctx.redraw(site.site_id, 'tokens', 'areas')
  if (changed.includes('location')) ctx.redraw(site.site_id, 'reference')
  return rederived
}

/** Restores fields of a site to earlier values, each with the permission that it needs. Locking, deleting and other steps can't be reverted this way. */
export async function restoreFields(ctx: Ctx, site: SiteRow, fields: SiteSet): Promise<void> {
  const steps = Object.keys(fields).filter(name => STEPS.test(name))
  if (steps.length > 0)
    refuse(
      conflict('access', `These changes can’t be reverted here: ${steps.join(', ')}. Use the site’s own actions instead.`, {
        paths: steps,
      }),
    )
  const settings = fields.settings
  const named = Object.keys(fields).flatMap((field): { field: string; setting?: string }[] => {
    if (field.startsWith('location_')) return [{ field: 'location' }]
    if (field !== 'settings' || settings === undefined) return [{ field }]
    const keys = new Set([...keysOf(settings), ...keysOf(site.settings)])
    return [...keys]
      .filter(key => JSON.stringify(settings[key]) !== JSON.stringify(site.settings[key]))
      .map(setting => ({ field, setting }))
  })
  enforce([changing(named, ctx.actor)])
  await settle(ctx, site, fields, [...new Set(named.map(one => one.field))])
}

/** Columns that the steps of a site write: lock, deletion, boundary, the main contractor. */
const STEPS = /^(lock|deleted|nuked|boundary|main_contractor|needs_attention)/

async function restoreSite(ctx: Ctx, site: SiteRow, deleted: boolean, others: readonly string[]): Promise<Record<string, unknown>> {
  if (!ctx.actor.is_superadmin)
    refuse(forbidden('site_nuke', 'Only a superadmin can restore a deleted site. Ask a superadmin to restore it.'))
  if (deleted) refuse(invalidField('deleted', 'can only be set to false. Use DELETE to delete a site.'))
  if (site.deleted_at === null) refuse(invalidField('deleted', 'is already false: this site isn’t deleted.'))
  const [other] = others
  if (other !== undefined)
    refuse(invalidField(other, 'can’t be changed while the site is restored. Restore and unlock the site first, then change it.'))
  await saveSite(ctx.db, site.site_id, {
    deleted_at: null,
    locked_at: site.locked_at ?? ctx.now,
    locked_by: site.locked_by ?? ctx.actor.id,
    lock_reason: site.lock_reason ?? 'This site was restored. Unlock the site to work on it again.',
  })
  ctx.note(site.site_id, { action: 'restore' })
  ctx.emit({ kind: 'site.restored', site_id: site.site_id, subject: labelled(site), payload: {} })
  return showSite(ctx, site.site_id)
}
