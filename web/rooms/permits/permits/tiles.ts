// The numbers of a site, each with the filters of the list that it leads to.
import type { Schemas } from '../../../base/api.ts'
import type { GlyphName } from '../../../base/kit/glyph.tsx'
import type { Filters } from './model.ts'

/** A number of the site: the filters of its list, and how it looks when it isn't zero. */
export type Tile = { name: TileName; filters: Filters; tone: 'safe' | 'warn' | 'stop' | 'act' | ''; glyph: GlyphName }
type TileName = Exclude<keyof Schemas['PermitCounts'], 'under_way'>

/** What is under way on the site counts wherever its permit comes from: the lists of these numbers include imported permits. */
export const WITH_IMPORTED = { imported: '1' }

/** Returns the numbers of a site; the last one only for people who have been here before. */
export const tilesOf = (last_visit: string | null): Tile[] =>
  listsOf(last_visit).map(tile => ({ ...tile, filters: { ...tile.filters, ...WITH_IMPORTED } }))

/** Returns whether a number is shown: stopped permits are rare, so theirs is there only if there are some. */
export const isShown = ({ name }: Pick<Tile, 'name'>, counts: Partial<Schemas['PermitCounts']>): boolean =>
  name !== 'stopped' || (counts.stopped !== 0 && counts.stopped !== undefined)

const listsOf = (last_visit: string | null): Tile[] => [
  { name: 'stopped', filters: { stopped: '1' }, tone: 'stop', glyph: 'stop' },
  { name: 'live', filters: { show: 'live' }, tone: 'safe', glyph: 'ok' },
  { name: 'soon', filters: { soon: '1' }, tone: 'warn', glyph: 'clock' },
  { name: 'awaiting_countersign', filters: { countersign: '1' }, tone: 'act', glyph: 'hand' },
  { name: 'in_review', filters: { show: 'review' }, tone: '', glyph: 'tasks' },
  { name: 'expired', filters: { show: 'expired' }, tone: 'stop', glyph: 'stop' },
  { name: 'handed_back', filters: { handed_back: '1' }, tone: 'warn', glyph: 'return' },
  ...(last_visit === null ? [] : [{ name: 'changed', filters: { since: last_visit }, tone: '', glyph: 'bell' } as const]),
]
