import type { ComponentType } from 'react'
import type { GlyphName } from './kit/glyph.tsx'
import type { Here } from './site.tsx'
import type { Key } from './words.ts'

/** A page: its URL below `/sites/$siteId`, and its component, loaded when the page is opened. */
export type Page = { path: string; load(): Promise<{ default: ComponentType }> }

/** An entry of the navigation, shown everywhere. */
export type Entry = {
  label: Key
  glyph: GlyphName
  to(site_id: string): string
  /** Who sees it; by default everyone on the site. */
  when?(here: Here): boolean
  /** In the bar (the first five on a phone), or only in the command menu. */
  bar?: boolean
  /** The number shown next to it: what is waiting for the person. */
  count?(counts: { tasks: number; notifications: number }): number
}

/** What a room adds to the app. */
export type WebRoom = { name: string; pages: readonly Page[]; entries: readonly Entry[] }
