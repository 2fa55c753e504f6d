// What a room of the app says about itself. The lists of the app (routes, navigation, texts, what an event makes stale) are collected from these manifests.
import type { ComponentType } from 'react'
import type { SwitchableGroup } from '../../shared/groups.ts'
import type { GlyphName } from './kit/glyph.tsx'
import type { Here } from './site.tsx'
import type { Singles, Staleness } from './stale.ts'
import type { Key } from './words.ts'

/** A page: its URL below `/sites/$siteId`, and its component, loaded when the page is opened. */
export type Page = {
  path: string
  load(): Promise<{ default: ComponentType }>
  /** True for a page that people open first on a phone: its parts are fetched while the app itself is still loading. */
  field?: boolean
  /** The permission without which the page has nothing to show, and what it says to people without it: who has it. */
  needs?: { permission: string; says: Key }
}

/** The groups of the navigation, in the order of a working day. */
export const GROUPS = ['today', 'permits', 'map', 'site'] as const
/** A group of the navigation. */
export type Group = (typeof GROUPS)[number]

/** What is waiting for the person, for the numbers in the navigation. */
export type Counts = { tasks: number; notifications: number }

/** A way to a page, in the navigation and in the command menu. */
export type Entry = {
  label: Key
  glyph: GlyphName
  to(site_id: string): string
  /** Who sees it; by default everyone on the site. */
  when?(here: Here): boolean
  /** True for a tab of the room's group, in the order of the rooms; otherwise the page is only in the command menu. */
  tab?: boolean
  /** A place of its own in the bar of a phone. */
  phone?: boolean
  /** The number shown next to it: what is waiting for the person. */
  count?(counts: Counts): number
  /** True if the number is only for information, and nothing is waiting for the person. */
  informs?: boolean
}

/** Something that people can start from wherever they are, with the button Capture. */
export type Capture =
  | { label: Key; glyph: GlyphName; to(site_id: string): string; when?(here: Here): boolean }
  /** Links that depend on data, drawn by a part of the room. */
  | { label: Key; load(): Promise<{ default: ComponentType }>; when?(here: Here): boolean }

/** What a room adds to the app. */
export type WebRoom = {
  name: string
  /** Its group in the navigation; null when its pages are outside of a site. */
  group: Group | null
  /** The group of rooms that it is part of, if a site can switch that off: the navigation then leaves the room out, and its pages say so (decision 1024). */
  switchable?: SwitchableGroup
  pages: readonly Page[]
  /** Pages outside of a site, with their whole URL. */
  outside?: readonly Page[]
  entries: readonly Entry[]
  captures?: readonly Capture[]
  /** Which events make its queries stale; a query that no event concerns has an empty list. */
  stale: Staleness
  /** Which of its queries can read single records again. */
  singles?: Singles
  /** True if its pages are for an office with a connection: a phone stores them only once they have been opened. */
  office?: boolean
}
