// The navigation, collected from the rooms: what a person can open, by group.

import type { SwitchableGroup } from '../../shared/groups.ts'
import type { GlyphName } from '../base/kit/glyph.tsx'
import type { Capture, Counts, Entry, Group, WebRoom } from '../base/room.ts'
import type { Here } from '../base/site.tsx'
import type { Key } from '../base/words.ts'
import { groups, rooms } from './rooms.ts'

const FACES: Record<Group, { label: Key; glyph: GlyphName }> = {
  today: { label: 'nav.group.today', glyph: 'today' },
  permits: { label: 'nav.group.permits', glyph: 'board' },
  map: { label: 'nav.group.map', glyph: 'map' },
  site: { label: 'nav.group.site', glyph: 'site' },
}

/** A group of the navigation as a person sees it: its pages are its tabs, and it opens on the first of them. */
export type Way = { name: Group; label: Key; glyph: GlyphName; tabs: readonly Entry[] }

const isSeen = (entry: { when?(here: Here): boolean }, here: Here): boolean => entry.when?.(here) !== false

/** Leaves out the rooms of groups that the site has switched off. */
const roomsOn = (all: readonly WebRoom[], here: Here): WebRoom[] =>
  all.filter(room => room.switchable === undefined || !here.groups_off.includes(room.switchable))

/** Returns the groups in which a person can open something, in the order of the navigation. */
export const waysOf = (here: Here): Way[] =>
  groups.flatMap(group => {
    const tabs = roomsOn(group.rooms, here)
      .flatMap(room => room.entries)
      .filter(entry => entry.tab === true && isSeen(entry, here))
    return tabs.length === 0 ? [] : [{ name: group.name, ...FACES[group.name], tabs }]
  })

/** Returns everything that a person can open, for the command menu. */
export const entriesOf = (here: Here): Entry[] =>
  roomsOn(rooms, here)
    .flatMap(room => room.entries)
    .filter(entry => isSeen(entry, here))

/** Returns what a person can start from anywhere. */
export const capturesOf = (here: Here): Capture[] => {
  const seen = roomsOn(rooms, here)
    .flatMap(room => room.captures ?? [])
    .filter(one => isSeen(one, here))
  // What is loaded may be a list of any length, so it comes last.
  return [...seen.filter(one => 'to' in one), ...seen.filter(one => !('to' in one))]
}

/** The patterns of each room's pages, with its groups, as regular expressions on the part of a URL after the site. */
const PATTERNS = groups.flatMap(({ name, rooms }) =>
  rooms.map(room => ({
    name,
    switchable: room.switchable,
    pages: room.pages.map(page => new RegExp(`^${page.path.replaceAll('/', '\\/').replace(/\$\w+/g, '[^/]+')}$`)),
    needs: room.pages.map(page => page.needs),
  })),
)

/** Returns the group that a page belongs to; undefined for a page that doesn't exist. `path` is the URL after the site. */
export const groupAt = (path: string): Group | undefined => PATTERNS.find(one => one.pages.some(page => page.test(path)))?.name

/** Returns the group of rooms of a page, if the site has switched it off. `path` is the URL after the site. */
export const groupOffAt = (path: string, { groups_off }: Pick<Here, 'groups_off'>): SwitchableGroup | undefined =>
  groups_off.find(off => PATTERNS.some(one => one.switchable === off && one.pages.some(page => page.test(path))))

/** Returns what a page says to a person who can't see it; undefined if they can. `path` is the URL after the site. */
export function closedAt(path: string, here: Pick<Here, 'can'>): Key | undefined {
  for (const { pages, needs } of PATTERNS) {
    const needed = needs[pages.findIndex(page => page.test(path))]
    if (needed !== undefined && !here.can(needed.permission)) return needed.says
  }
  return undefined
}

/** Returns whether a URL is the page of an entry, or below it. */
export const isAt = (entry: Entry, site_id: string, path: string): boolean => {
  const own = entry.to(site_id).split('?')[0] ?? ''
  return path === own || path.startsWith(`${own}/`)
}

/** Returns the sum of what is waiting for the person on the tabs of a group, apart from numbers that are only for information. */
export const waitingOn = (tabs: readonly Entry[], counts: Counts): number =>
  tabs.reduce((sum, tab) => sum + (tab.informs === true ? 0 : (tab.count?.(counts) ?? 0)), 0)
