import { isWorkDate } from '../../../../shared/time.ts'
import type { Actor } from '../../../base/actor.ts'
import { type Because, explain, type FieldFault, forbidden, guard, type Verdict, wrongStep } from '../../../base/errors.ts'
import { lockOn } from '../../../kernel/access/domain.ts'
import type { NamedDate } from '../../../kernel/site/domain.ts'

/** Returns the state of a site from its columns. */
export const statusOf = (site: { locked_at: string | null; deleted_at: string | null }): 'open' | 'locked' | 'deleted' =>
  site.deleted_at !== null ? 'deleted' : site.locked_at !== null ? 'locked' : 'open'

/** Makes a code from a name: initials, then a number that makes it unique. */
export function codeFrom(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, ' ')
  const letters = plain
    .split(/\s+/)
    .filter(w => w !== '')
    .map(w => w[0])
    .join('')
    .slice(0, 6)
  const stem = letters.length >= 1 ? letters : 'SITE'
  for (let n = 1; ; n++) {
    const code = `${stem}-${n}`
    if (!taken.has(code)) return code
  }
}

/** Fields of a site by the permission that changes them (`site-and-people.md` §0.1). */
const ADMINISTERED = new Set(['name', 'code', 'timezone', 'locale', 'currency', 'public_listing'])
const ADMINISTERED_SETTINGS = new Set(['date_order', 'groups', 'import_headers'])

/** Returns the permission that changing this field needs. */
export function permissionFor(field: string, setting?: string): 'site_configure' | 'site_administer' {
  if (field === 'settings') return setting !== undefined && ADMINISTERED_SETTINGS.has(setting) ? 'site_administer' : 'site_configure'
  return ADMINISTERED.has(field) ? 'site_administer' : 'site_configure'
}

/** Refuses the whole change if one field is forbidden, and says which field. */
export function changing(fields: readonly { field: string; setting?: string }[], actor: Actor): Verdict {
  for (const { field, setting } of fields) {
    const permission = permissionFor(field, setting)
    if (actor.lacks(permission) !== null) {
      const named = setting === undefined ? field : `${field}.${setting}`
      return forbidden(
        permission,
        `Your role doesn’t let you change ${named}. Ask ${permission === 'site_configure' ? 'H&S, ' : ''}a site manager or an administrator.`,
        [{ code: 'field', detail: named }],
      )
    }
  }
  return null
}

/** Returns the faults in the calendar and dates that a site would have. */
export function siteFaults(site: {
  starts_on: string | null
  planned_finish_on: string | null
  holidays: readonly NamedDate[]
  extra_work_dates: readonly NamedDate[]
}): FieldFault[] {
  const faults: FieldFault[] = []
  if (site.starts_on !== null && site.planned_finish_on !== null && site.planned_finish_on < site.starts_on) {
    faults.push({ path: 'planned_finish_on', message: 'is before starts_on. Choose a later day.' })
  }
  const free = new Set<string>()
  site.holidays.forEach((day, i) => {
    if (!isWorkDate(day.date)) faults.push({ path: `holidays[${i}].date`, message: 'must be an existing date, YYYY-MM-DD.' })
    if (free.has(day.date))
      faults.push({ path: `holidays[${i}].date`, message: `${day.date} appears twice. Remove one of the two entries.` })
    free.add(day.date)
  })
  const extra = new Set<string>()
  site.extra_work_dates.forEach((day, i) => {
    if (extra.has(day.date))
      faults.push({ path: `extra_work_dates[${i}].date`, message: `${day.date} appears twice. Remove one of the two entries.` })
    if (free.has(day.date))
      faults.push({
        path: `extra_work_dates[${i}].date`,
        message: `${day.date} is also a holiday, and a day can’t be both. Leave it out of one list.`,
      })
    extra.add(day.date)
  })
  return faults
}

/** The facts that decide on locking, unlocking and deleting a site. */
export type LifeFacts = { status: 'open' | 'locked' | 'deleted'; live: readonly string[]; force: boolean }

/** How many live permits the flags of a site look at. */
export const MOST_LIVE = 1001

function noLivePermits({ live, force }: LifeFacts): Verdict {
  if (live.length === 0 || force) return null
  const many = live.length === MOST_LIVE ? `More than ${(MOST_LIVE - 1).toLocaleString('en')}` : live.length
  const [those, them] = live.length === 1 ? ['A permit on this site isn’t', 'it'] : [`${many} permits on this site aren’t`, 'them']
  const named = `${live.slice(0, 20).join(', ')}${live.length > 20 ? ' and others' : ''}`
  return guard('no_live_permits', `${those} closed out: ${named}. Close ${them} out first.`, { permit_numbers: live })
}

const stepsFrom = { open: ['lock', 'delete'], locked: ['unlock', 'delete', 'nuke'], deleted: ['restore', 'nuke'] } as const

/** Decides whether a site can be locked (with `no_live_permits` unless forced) or unlocked. */
export const locking = (facts: LifeFacts, locked: boolean): Verdict => {
  if (facts.status === 'deleted')
    return wrongStep(facts.status, stepsFrom.deleted, 'The site is deleted. Ask a superadmin to restore it first.')
  if ((facts.status === 'locked') === locked)
    return wrongStep(facts.status, stepsFrom[facts.status], `The site is already ${facts.status}, so there is nothing to change.`)
  return locked ? noLivePermits(facts) : null
}

/** Decides whether an open or locked site can be deleted: it must have no live permits (`no_live_permits`). */
export const deleting = (facts: LifeFacts): Verdict =>
  facts.status === 'deleted'
    ? wrongStep(facts.status, stepsFrom.deleted, 'The site is already deleted, so there is nothing left to delete.')
    : noLivePermits({ ...facts, force: false })

/** Decides whether a locked or deleted site can be nuked: legal retention periods refuse it unless they are overridden. */
export const nuking = (facts: LifeFacts, holds: readonly { label: string }[], override: boolean): Verdict => {
  if (facts.status === 'open')
    return wrongStep(facts.status, stepsFrom.open, 'Only a locked or deleted site can be erased. Lock or delete this site first.')
  if (holds.length > 0 && !override) {
    return guard(
      'no_retention_hold',
      `${holds.length === 1 ? '1 record' : `${holds.length} records`} on this site must still be kept by law. Wait until the retention period has ended, or set override_retention to true.`,
      { holds },
    )
  }
  return null
}

/** Returns whether someone could lock or delete a site, and is therefore shown which permits prevent it: others may not see these permits. */
export const mayClose = (actor: Actor): boolean => actor.can('site_administer') || actor.can('site_delete')

/** Returns `permissions` of a site; `live` is only needed for someone who could close it (`mayClose`). */
export function siteFlags(actor: Actor, facts: LifeFacts): Record<string, { allowed: boolean; because: Because[] }> {
  const may = (permission: string, ...more: Verdict[]) => explain([actor.lacks(permission), ...more])
  const frozen = lockOn(actor)
  return {
    configure: may('site_configure', frozen),
    administer: may('site_administer', frozen),
    lock: may('site_administer', locking(facts, true)),
    unlock: may('site_administer', locking(facts, false)),
    delete: may('site_delete', deleting(facts)),
    nuke: may('site_nuke', nuking(facts, [], true)),
    invite: may('member_invite', frozen),
    // A membership can be ended even on a locked site; each membership says whether it can be approved.
    manage_members: may('member_manage'),
  }
}
