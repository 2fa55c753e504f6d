// Common entries of a request, offered with one tap: the hazards of each type of work, and entries of the last permits.
import type { Schemas } from '../../../base/api.ts'
import type { Fields } from './drafts.ts'

/** Hazards of each standard type of work; a site's own type has the general ones. */
const HAZARDS: Record<string, readonly string[]> = {
  HW: ['Fire', 'Fume', 'Burns'],
  CSE: ['Low oxygen', 'Toxic gas', 'Flooding', 'Entrapment'],
  WAH: ['Fall from height', 'Falling objects', 'Wind'],
  EXC: ['Buried services', 'Collapse', 'Moving plant'],
  ELE: ['Live services', 'Arc flash', 'Stored energy'],
  CRO: ['Falling loads', 'Moving plant', 'Wind'],
  LIFT: ['Falling loads', 'Crushing', 'Wind'],
  PRT: ['Stored pressure', 'Flying fragments', 'Noise'],
  RAD: ['Ionising radiation', 'Lost source'],
}
const GENERAL: readonly string[] = ['Moving plant', 'Manual handling', 'Noise', 'Dust']
const MOST_HAZARDS = 6

/** Lists hazards to offer for these types. */
export const hazardsOf = (codes: readonly string[]): string[] => {
  const own = codes.flatMap(code => HAZARDS[code] ?? GENERAL)
  return [...new Set(own)].slice(0, MOST_HAZARDS)
}

/** Protective equipment to offer. */
export const PPE: readonly string[] = ['Hard hat', 'Safety boots', 'Hi-vis vest', 'Gloves', 'Eye protection', 'Harness', 'Respirator']

const TITLE_MOST = 80

/** Returns the title for a description: its first line, cut at a word. */
export function titleOf(description: string | null | undefined): string | null {
  const line = (description ?? '')
    .split('\n')
    .find(one => one.trim() !== '')
    ?.trim()
  if (line === undefined) return null
  if (line.length <= TITLE_MOST) return line
  const cut = line.slice(0, TITLE_MOST)
  return `${cut.slice(0, cut.lastIndexOf(' ') > TITLE_MOST / 2 ? cut.lastIndexOf(' ') : TITLE_MOST - 1)}…`
}

/** Returns whether a person wrote a title other than the one from the description. */
export const hasOwnTitle = ({ title, description }: Fields): boolean => title != null && title !== titleOf(description)

/** Returns a description with its title, which follows it until a person writes another one. */
export const described = (fields: Fields, description: string | null): Fields =>
  hasOwnTitle(fields) ? { description } : { description, title: titleOf(description) }

const MOST_PLACES = 3

/** Lists the places of the latest permits without duplicates. */
export function lastPlaces(
  cards: readonly Pick<Schemas['PermitCard'], 'location' | 'place'>[],
): { location: string; place: Fields['place'] }[] {
  const seen = new Map<string, Fields['place']>()
  for (const { location, place } of cards) if (location !== null && !seen.has(location)) seen.set(location, placeOf(place))
  return [...seen].slice(0, MOST_PLACES).map(([location, place]) => ({ location, place }))
}

/** Returns what a new permit copies from an earlier one: everything except its window, its answers and its parent. `retired` types are left out. */
export function copyOf(
  permit: Schemas['Permit'],
  active: ReadonlySet<string>,
  members: ReadonlySet<string>,
): { fields: Fields; retired: string[] } {
  const { contractor_id, receiver_id, title, description, controls, location, place, hazards, ppe, limitations } = permit
  return {
    fields: {
      categories: permit.categories.filter(code => active.has(code)),
      contractor_id,
      receiver_id: receiver_id !== null && members.has(receiver_id) ? receiver_id : null,
      title,
      description,
      controls,
      location,
      place: placeOf(place),
      hazards,
      ppe,
      limitations,
    },
    retired: permit.categories.filter(code => !active.has(code)),
  }
}

/** Returns a place in the form that drafts use. */
const placeOf = (place: Schemas['Place'] | null): Fields['place'] => place
