import type { Static } from 'typebox'
import type { Ctx } from '../../../../base/ctx.ts'
import { forbidden, invalidField, notFound, refuse } from '../../../../base/errors.ts'
import type { Id } from '../../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../../base/paging.ts'
import { initialsOf, RANK } from '../../../../kernel/access/domain.ts'
import { allPermissions } from '../../../../kernel/access/door.ts'
import { dayOf, minutesOf, nearestWorkingDay, runOf, shiftsOn, without, workDateOf } from '../../../../kernel/site/domain.ts'
import { calendarOf, revisionOf } from '../../../../kernel/site/door.ts'
import { describeInvite } from '../../invitations/door.ts'
import { membersOf } from '../queries/members.ts'
import { contractorOf, listedSites } from '../queries/sites.ts'
import type { MemberFilter, PeriodQuery } from '../schema/reading.ts'

/** Lists a site's members, with addresses for people who manage members. */
export async function listMembers(ctx: Ctx, site_id: Id, filter: MemberFilter): Promise<{ rows: unknown[]; next: string | null }> {
  const status = filter.status ?? ['active']
  const manages = ctx.actor.can('member_manage')
  if (!manages && status.some(s => s !== 'active'))
    refuse(forbidden('member_manage', 'Only people who manage members can see pending and former members. Ask for active members only.'))
  const holder = filter.can === undefined ? undefined : allPermissions().get(filter.can)
  if (filter.can !== undefined && holder === undefined)
    refuse(invalidField('can', `isn’t a permission: “${filter.can}”. Use a permission such as permit_request.`))
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
  if (query.at !== undefined && query.work_date !== undefined)
    refuse(invalidField('work_date', 'can’t be given together with "at". Send only one of them.'))
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
