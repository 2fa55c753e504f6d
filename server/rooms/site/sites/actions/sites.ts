import { dateOn } from '../../../../../shared/time.ts'
import { type Actor, jobActor, type Standing } from '../../../../base/actor.ts'
import { type Ctx, type House, writing } from '../../../../base/ctx.ts'
import { conflict, enforce, type FieldFault, forbidden, invalid, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import { type Id, ids, PLATFORM } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import type { Static } from '../../../../base/schema.ts'
import { initialsOf, RANK, scopeOf, shownFlags } from '../../../../kernel/access/domain.ts'
import { actorFor, allPermissions, oversightOf } from '../../../../kernel/access/door.ts'
import { headOf } from '../../../../kernel/audit/door.ts'
import { readBox } from '../../../../kernel/geometry/door.ts'
import { dayOf, minutesOf, nearestWorkingDay, runOf, shiftsOn, without, workDateOf } from '../../../../kernel/site/domain.ts'
import { allSeeds, calendarOf, countsOf, livePermits, recalculated, retentionHolds, revisionOf } from '../../../../kernel/site/door.ts'
import { describeInvite } from '../../invitations/door.ts'
import { changing, codeFrom, deleting, type LifeFacts, locking, nuking, siteFaults, siteFlags, statusOf, zoneNamed } from '../domain.ts'
import {
  beginMainContractor,
  codesLike,
  contractorOf,
  endMainContractor,
  erasePiece,
  eraseSiteRow,
  holdCodes,
  insertSite,
  listedSites,
  mainContractors,
  memberCounts,
  membersOf,
  nukedSite,
  type SeenSite,
  type SiteRow,
  type SiteSet,
  saveSite,
  sitesFor,
  siteWithCode,
  tablesToErase,
} from '../queries.ts'
import type { LockSite, MemberFilter, NewSite, NukeSite, PeriodQuery, SiteChange, SiteFilter } from '../schema.ts'
import { groundFrom, locationOf } from './boundary.ts'

const labelled = (site: Pick<SiteRow, 'site_id' | 'name'>) => ({ kind: 'site', id: site.site_id, label: site.name })

/** Returns the caller as an actor on each site of a list. */
function actorAt(
  ctx: Ctx,
  site: Pick<
    SeenSite,
    'site_id' | 'timezone' | 'my_role' | 'my_membership_id' | 'my_contractor_id' | 'locked_at' | 'locked_by_name' | 'lock_reason'
  >,
): Actor {
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

function shownSite(
  ctx: Ctx,
  site: SeenSite,
  actor: Actor,
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
    permissions: shownFlags(siteFlags(actor, facts)),
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
  const live = await livePermits(ctx, site_ids)
  return {
    next,
    rows: rows.map(row => ({
      ...shownSite(ctx, row, actorAt(ctx, row), live.get(row.site_id) ?? [], periods.get(row.site_id) ?? []),
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
  const live = await livePermits(ctx, [site_id])
  return shownSite(ctx, site, actorAt(ctx, site), live.get(site_id) ?? [], await mainContractors(ctx.db, [site_id]))
}

function zoneOrFault(text: string, faults: FieldFault[]): string {
  const zone = zoneNamed(text)
  if (zone === null)
    faults.push({
      path: 'timezone',
      message: `"${text}" isn’t an IANA time zone such as Europe/London. Offsets and abbreviations aren’t time zones.`,
    })
  return zone ?? text
}

function localeOrFault(text: string, faults: FieldFault[]): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text
  } catch {
    faults.push({ path: 'locale', message: `"${text}" isn’t a language tag such as en-GB.` })
    return text
  }
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
  faults.push(...siteFaults(calendar))
  const ground = groundFrom(drawn ?? null, 'boundary', location ?? null, ctx.now, faults)
  if (faults.length > 0) refuse(invalid(faults))
  // If two sites with one name are created at the same time, the second gets the next free code.
  if (given.code === undefined) await holdCodes(ctx.db)
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
  } as SiteSet & { site_id: Id; name: string; code: string; timezone: string }) // the schema requires the name
  ctx.site = { id: site_id, name: given.name, code, timezone, locale, main_contractor_id: null, locked_at: null }
  const attention: string[] = []
  for (const seed of allSeeds()) {
    if (source !== null && seed.copy !== undefined) attention.push(...(await seed.copy(ctx, site_id, source.site_id)))
    else await seed.run(ctx, site_id)
  }
  if (attention.length > 0) await saveSite(ctx.db, site_id, { needs_attention: attention })
  ctx.emit({ kind: 'site.created', site_id, subject: { kind: 'site', id: site_id, label: given.name }, payload: { code } })
  ctx.redraw(site_id, 'reference')
  return showSite(ctx, site_id)
}

/** Returns the site whose configuration is copied, if the caller can configure it. */
async function copySource(ctx: Ctx, from: Id): Promise<SeenSite> {
  const [site] = await sitesFor(
    ctx.db,
    { id: ctx.actor.id ?? PLATFORM, is_superadmin: ctx.actor.is_superadmin },
    { ids: [from], include_deleted: false, limit: 1, after: null },
  )
  if (site === undefined) return refuse(invalidField('copy_from_site_id', 'isn’t one of your sites.'))
  if (!actorAt(ctx, site).can('site_configure')) refuse(forbidden('site_configure', `You can’t copy the configuration of ${site.name}.`))
  return site
}

async function refuseTakenCode(ctx: Ctx, code: string, own: Id | null): Promise<void> {
  const taken = await siteWithCode(ctx.db, code)
  if (taken !== null && taken !== own)
    refuse(conflict('key_taken', `The code ${code} is already used by another site.`, { existing_id: taken }))
}

/** Changes those fields of a site that the caller can change; one forbidden field refuses all. */
export async function changeSite(ctx: Ctx, site: SiteRow, body: SiteChange): Promise<Record<string, unknown>> {
  const { deleted, location, ...set } = body
  if (deleted !== undefined) return restoreSite(ctx, site, deleted)
  const fields = Object.keys(body).flatMap(field =>
    field === 'settings' && body.settings !== undefined ? Object.keys(body.settings).map(setting => ({ field, setting })) : [{ field }],
  )
  enforce([changing(fields, ctx.actor)])
  const faults: FieldFault[] = []
  const next: SiteSet = { ...set, ...(location === undefined ? {} : locationOf(location, site)) } as SiteSet // the change's fields are columns
  if (set.timezone !== undefined) next.timezone = zoneOrFault(set.timezone, faults)
  if (set.locale !== undefined) next.locale = localeOrFault(set.locale, faults)
  if (set.settings !== undefined) next.settings = { ...site.settings, ...set.settings }
  if (faults.length > 0) refuse(invalid(faults))
  const rederived = await settle(ctx, site, next, Object.keys(body))
  return { ...(await showSite(ctx, site.site_id)), ...(rederived === null ? {} : { rederived }) }
}

/** Saves changed columns of a site and what follows from them. Returns what a new time zone moved. */
async function settle(ctx: Ctx, site: SiteRow, next: SiteSet, changed: string[]): Promise<number | null> {
  const faults = siteFaults({ ...site, ...next })
  if (faults.length > 0) refuse(invalid(faults))
  if (next.code !== undefined && next.code !== site.code) await refuseTakenCode(ctx, next.code, site.site_id)
  await saveSite(ctx.db, site.site_id, next)
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
    refuse(conflict('access', `${steps.join(', ')}: this can’t be reverted here. Change it with its own call instead.`, { paths: steps }))
  const settings = fields.settings
  const named = Object.keys(fields).flatMap((field): { field: string; setting?: string }[] => {
    if (field.startsWith('location_')) return [{ field: 'location' }]
    if (field !== 'settings' || settings === undefined) return [{ field }]
    const keys = new Set([...Object.keys(settings), ...Object.keys(site.settings)]) as Set<keyof typeof settings> // names of settings
    return [...keys]
      .filter(key => JSON.stringify(settings[key]) !== JSON.stringify(site.settings[key]))
      .map(setting => ({ field, setting }))
  })
  enforce([changing(named, ctx.actor)])
  await settle(ctx, site, fields, [...new Set(named.map(one => one.field))])
}

/** Columns that the steps of a site write: lock, deletion, boundary, the main contractor. */
const STEPS = /^(lock|deleted|nuked|boundary|main_contractor|needs_attention)/

async function restoreSite(ctx: Ctx, site: SiteRow, deleted: boolean): Promise<Record<string, unknown>> {
  if (!ctx.actor.is_superadmin) refuse(forbidden('site_nuke', 'Only a superadmin can restore a deleted site.'))
  if (deleted) refuse(invalidField('deleted', 'can only be set to false. Use DELETE to end a site.'))
  if (site.deleted_at === null) refuse(invalidField('deleted', 'is already false.'))
  await saveSite(ctx.db, site.site_id, {
    deleted_at: null,
    locked_at: site.locked_at ?? ctx.now,
    locked_by: site.locked_by ?? ctx.actor.id,
    lock_reason: site.lock_reason ?? 'This site was restored. Unlock it to work on it again.',
  })
  ctx.note(site.site_id, { action: 'restore' })
  ctx.emit({ kind: 'site.restored', site_id: site.site_id, subject: labelled(site), payload: {} })
  return showSite(ctx, site.site_id)
}

async function lifeOf(ctx: Ctx, site: SiteRow, force: boolean): Promise<LifeFacts> {
  const live = (await livePermits(ctx, [site.site_id])).get(site.site_id) ?? []
  return { status: statusOf(site), live, force }
}

/** Locks or unlocks a site. The lock takes the site row exclusively, so that nothing that started before can still commit after the response. */
export async function lockSite(ctx: Ctx, site: SiteRow, body: Static<typeof LockSite>): Promise<Record<string, unknown>> {
  const facts = await lifeOf(ctx, site, body.force === true)
  enforce([locking(facts, body.locked)])
  const set = body.locked
    ? { locked_at: ctx.now, locked_by: ctx.actor.id, lock_reason: body.reason }
    : { locked_at: null, locked_by: null, lock_reason: null }
  await saveSite(ctx.db, site.site_id, set)
  ctx.note(site.site_id, { action: 'transition', reason: body.reason })
  ctx.emit({
    kind: body.locked ? 'site.locked' : 'site.unlocked',
    site_id: site.site_id,
    subject: labelled(site),
    payload: { reason: body.reason },
  })
  return { ...(await showSite(ctx, site.site_id)), ...(body.locked && facts.live.length > 0 ? { live_permits: facts.live } : {}) }
}

/** Deletes a site: from then on only superadmins can see it. */
export async function deleteSite(ctx: Ctx, site: SiteRow): Promise<void> {
  enforce([deleting(await lifeOf(ctx, site, false))])
  await saveSite(ctx.db, site.site_id, { deleted_at: ctx.now })
  ctx.note(site.site_id, { action: 'delete' })
  ctx.emit({ kind: 'site.deleted', site_id: site.site_id, subject: labelled(site), payload: {} })
}

/** Erases a site. Within the request it disappears for everyone; a job then deletes it table by table. */
export async function nukeSite(ctx: Ctx, site: SiteRow, body: Static<typeof NukeSite>): Promise<void> {
  if (body.confirm !== site.code) refuse(invalidField('confirm', `must be the site's code, ${site.code}, exactly.`))
  const holds = await retentionHolds(ctx, site.site_id)
  enforce([nuking(await lifeOf(ctx, site, true), holds, body.override_retention === true)])
  await saveSite(ctx.db, site.site_id, { nuked_at: ctx.now, deleted_at: site.deleted_at ?? ctx.now })
  ctx.note(site.site_id, { action: 'delete', reason: body.reason })
  // The platform's log says it from now on: while the job deletes the site, its own log proves nothing any more.
  ctx.trail.entries.push({
    site_id: PLATFORM,
    entity_type: 'site',
    entity_id: site.site_id,
    entity_label: site.name,
    note: { action: 'delete' },
    changes: [{ path: 'erasing', before: { code: site.code, name: site.name }, after: null }],
  })
  await ctx.enqueue('site_nuke', { site_id: site.site_id, reason: body.reason }, { site_id: PLATFORM })
}

/** Ends the period of the main contractor and starts that of another. */
export async function setMainContractor(ctx: Ctx, site: SiteRow, contractor_id: Id | null): Promise<Record<string, unknown>> {
  if (contractor_id !== null) {
    const contractor = await contractorOf(ctx.db, site.site_id, contractor_id)
    if (contractor === null) return refuse(invalidField('contractor_id', 'isn’t a contractor on this site.'))
    if (contractor.status === 'left') refuse(conflict('contractor_left', `${contractor.name} has left the site.`))
  }
  if (contractor_id !== site.main_contractor_id) {
    await endMainContractor(ctx.db, site.site_id, ctx.now)
    if (contractor_id !== null) await beginMainContractor(ctx.db, site.site_id, ids.next(), contractor_id, ctx.now)
    await saveSite(ctx.db, site.site_id, { main_contractor_id: contractor_id })
    ctx.emit({
      kind: 'main_contractor.changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { before: site.main_contractor_id, after: contractor_id },
      contractor_ids: contractor_id === null ? [] : [contractor_id],
    })
    ctx.redraw(site.site_id, 'tokens', 'areas')
  }
  return showSite(ctx, site.site_id)
}

/** Sets the risk score from which an observation is serious. */
export async function setThreshold(ctx: Ctx, site: SiteRow, risk_score: number | null): Promise<Record<string, unknown>> {
  if (risk_score !== site.observation_threshold) {
    await saveSite(ctx.db, site.site_id, { observation_threshold: risk_score })
    ctx.emit({
      kind: 'site.observation_threshold_changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { before: site.observation_threshold, after: risk_score, turned_serious: [] },
    })
  }
  return { ...(await showSite(ctx, site.site_id)), turned_serious: [] }
}

/** Switches whether oversight counts through chains; returns the derived pairs that this added or removed. */
export async function setTransitive(ctx: Ctx, site: SiteRow, transitive: boolean): Promise<Record<string, unknown>> {
  const { pairs } = await oversightOf(ctx.db, site.site_id)
  const overseers = [...new Set(pairs.map(p => p.overseer_id))]
  const derived = overseers.flatMap(overseer_id =>
    [...scopeOf(overseer_id, pairs, true)]
      .filter(([id, { via }]) => id !== overseer_id && via.length > 0)
      .map(([subordinate_id]) => ({ overseer_id, subordinate_id })),
  )
  const changed = transitive !== site.oversight_transitive
  if (changed) {
    await saveSite(ctx.db, site.site_id, { oversight_transitive: transitive })
    ctx.emit({
      kind: 'contractor.oversight_changed',
      site_id: site.site_id,
      subject: labelled(site),
      payload: { oversight_transitive: transitive },
    })
  }
  const answer = await showSite(ctx, site.site_id)
  return transitive ? { ...answer, pairs_added: changed ? derived : [] } : { ...answer, pairs_removed: changed ? derived : [] }
}

/** Lists a site's members, with addresses for people who manage members. */
export async function listMembers(ctx: Ctx, site_id: Id, filter: MemberFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const status = filter.status ?? ['active']
  const manages = ctx.actor.can('member_manage')
  if (!manages && status.some(s => s !== 'active'))
    refuse(forbidden('member_manage', 'Only people who manage members can see pending and former members.'))
  const holder = filter.can === undefined ? undefined : allPermissions().get(filter.can)
  if (filter.can !== undefined && holder === undefined) refuse(invalidField('can', `isn’t a permission: "${filter.can}".`))
  const limit = filter.limit ?? PAGE
  const found = await membersOf(ctx.db, site_id, {
    ...(filter.role === undefined ? {} : { roles: filter.role }),
    ...(holder === undefined ? {} : { held_by: holder.roles }),
    ...(filter.contractor_id === undefined ? {} : { contractor_ids: filter.contractor_id }),
    ...(filter.id === undefined ? {} : { user_ids: filter.id }),
    ...(filter.q === undefined ? {} : { q: filter.q }),
    status,
    limit,
    after: readCursor(filter.cursor, 3),
  })
  const { rows, next } = cut(found, limit, row => [-row.rank, row.sort_name, row.membership_id])
  return {
    next,
    rows: rows.map(({ email, sort_name: _sort, ...row }) => ({
      ...row,
      rank: RANK[row.role],
      initials: initialsOf(row.name),
      ...(manages ? { email } : {}),
    })),
  }
}

/** Returns the revision of the map picture, and of each layer. */
export async function snapshotRevision(ctx: Ctx, site_id: Id) {
  const { revision, layers } = await revisionOf(ctx.db, site_id)
  const zero = { reference: 0, areas: 0, tokens: 0, annotations: 0, plans: 0, site_map: 0, overlays: 0 }
  return { revision, layers: { ...zero, ...layers } }
}

/** Returns the working day at an instant, or of a site day. */
export async function workingPeriod(ctx: Ctx, site_id: Id, query: Static<typeof PeriodQuery>) {
  if (query.at !== undefined && query.work_date !== undefined) refuse(invalidField('work_date', 'can’t be given together with at.'))
  const calendar = await calendarOf(ctx.db, site_id)
  const contractor_id = query.contractor_id ?? null
  if (contractor_id !== null && (await contractorOf(ctx.db, site_id, contractor_id)) === null)
    refuse(invalidField('contractor_id', 'isn’t a contractor on this site.'))
  const at = query.at ?? ctx.now
  const work_date = query.work_date ?? workDateOf(calendar, at, contractor_id)
  const day = dayOf(calendar, work_date)
  const runs = shiftsOn(calendar, work_date, contractor_id)
    .map(shift => runOf(calendar.timezone, shift, work_date))
    .sort((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const intervals = runs.flatMap(run => without([run], run.breaks).map(i => ({ shift_id: run.shift.id, name: run.shift.name, ...i })))
  const start_at = runs[0]?.start_at ?? null
  const end_at = runs.reduce<string | null>((last, run) => (last === null || run.end_at > last ? run.end_at : last), null)
  const within = (list: readonly { start_at: string; end_at: string }[]) => list.some(i => i.start_at <= at && at < i.end_at)
  const state =
    start_at === null || end_at === null
      ? 'none'
      : within(intervals)
        ? 'working'
        : within(runs)
          ? 'break'
          : at < start_at
            ? 'before'
            : at >= end_at
              ? 'after'
              : 'between'
  return {
    work_date,
    working_day: day.working,
    because: day.because,
    ...(day.name === undefined ? {} : { name: day.name }),
    state,
    start_at,
    end_at,
    intervals,
    working_minutes: minutesOf(
      without(
        runs,
        runs.flatMap(r => r.breaks),
      ),
    ),
    previous_work_date: nearestWorkingDay(calendar, work_date, -1),
    next_work_date: nearestWorkingDay(calendar, work_date, 1),
  }
}

/** Lists the sites that anonymous callers can see; with the token of an invitation only its site, listed or not, and what the invitation gives. */
export async function publicSites(ctx: Ctx, token: string | undefined): Promise<unknown[]> {
  const invited = token === undefined ? null : await describeInvite(ctx, token)
  if (token !== undefined && invited === null) return refuse(notFound())
  const found = await listedSites(ctx.db, invited?.site_id ?? null)
  return found.map(({ contractor_name, contractor_colour, ...site }) => ({
    ...site,
    main_contractor: contractor_name === null || contractor_colour === null ? null : { name: contractor_name, colour: contractor_colour },
    ...(invited === null ? {} : { invite: invited.invite }),
  }))
}

const PIECE = 5000

/**
 * Deletes everything of a nuked site, table by table, in batches, children before parents. Then writes one entry to the platform's chain: what was erased,
 * by which person and why, with the last seq and hash, so that a printed chain can still be checked. If it is interrupted and started again, it continues.
 */
export async function eraseSite(
  house: House,
  site_id: Id,
  reason: string,
  progress: (fraction: number, message: string) => Promise<void>,
): Promise<Record<string, unknown>> {
  const { db } = house.database
  const site = await nukedSite(db, site_id)
  if (site === null) return { erased: false }
  const head = await headOf(db, site_id)
  const tables = await tablesToErase(db)
  const rows: Record<string, number> = {}
  for (const [i, table] of tables.entries()) {
    await progress(i / tables.length, table)
    for (let gone = PIECE; gone >= PIECE; ) {
      gone = await writing(house, { actor: jobActor('site_nuke'), cause: 'site.nuke' }, ctx => erasePiece(ctx.db, table, site_id, PIECE))
      rows[table] = (rows[table] ?? 0) + gone
    }
  }
  await writing(house, { actor: jobActor('site_nuke'), cause: 'site.nuke' }, async ctx => {
    const { code, name } = site
    ctx.trail.entries.push({
      site_id: PLATFORM,
      entity_type: 'site',
      entity_id: site_id,
      entity_label: name,
      note: { action: 'delete', reason },
      changes: [
        {
          path: 'erased',
          before: { code, name, nuked_at: site.nuked_at, rows, last_seq: head?.seq ?? 0, last_hash: head?.hash ?? null },
          after: null,
        },
      ],
    })
    ctx.emit({ kind: 'site.nuked', site_id: PLATFORM, subject: { kind: 'site', id: site_id, label: name }, payload: { code } })
    await eraseSiteRow(ctx.db, site_id)
  })
  return { erased: true, rows }
}
