// What a person can do on a site, from their membership and the site's lock. Pure, so that it can be tested without the app.
import type { SwitchableGroup } from '../../shared/groups.ts'
import type { Schemas } from './api.ts'
import type { Flag } from './fault.ts'
import { t } from './words.ts'

/** The person who is signed in, with their memberships. */
export type Me = Schemas['Me']

/** The current site. */
export type Here = {
  site_id: string
  name: string
  zone: string
  role: string | null
  /** Contractor that the person works for here; null for none. */
  contractor_id: string | null
  me: Me['user']
  locked: boolean
  /** Groups of pages that the site leaves out of its navigation. */
  groups_off: readonly SwitchableGroup[]
  /** Whether the person has this permission here: for pages, what is read, and what a locked site still allows. The service decides what is allowed. */
  can(permission: string): boolean
  /** Whether a change that needs this permission is offered: the person has it, and the site isn't locked. */
  canChange(permission: string): boolean
}

/** Returns a person's membership of a site; null if there is none. */
export function hereOf(me: Me, site_id: string, site: Schemas['Site'] | undefined): Here | null {
  const membership = me.memberships.find(one => one.site_id === site_id && one.status === 'active')
  if (membership !== undefined) {
    const held = new Set(membership.permissions)
    // What an older version of the app stored on this device doesn’t have the groups.
    const { locked, groups_off = [] } = membership.flags
    const can = (permission: string): boolean => me.user.is_superadmin || held.has(permission)
    return {
      site_id,
      name: membership.site_name,
      zone: membership.timezone,
      role: membership.role,
      contractor_id: membership.contractor_id,
      me: me.user,
      locked,
      groups_off,
      can,
      canChange: permission => !locked && can(permission),
    }
  }
  if (!me.user.is_superadmin || site === undefined) return null
  const locked = site.locked_at !== null
  return {
    site_id,
    name: site.name,
    zone: site.timezone,
    role: null,
    contractor_id: null,
    me: me.user,
    locked,
    groups_off: site.settings?.groups?.off ?? [],
    can: () => true,
    canChange: () => !locked,
  }
}

/** Returns the decision about a change that nothing but the lock of the site can refuse, as the service does on a record. */
export const lockFlag = ({ locked }: Pick<Here, 'locked'>): Flag =>
  locked ? { allowed: false, because: [{ code: 'site_locked', detail: t('site.locked') }] } : { allowed: true, because: [] }
