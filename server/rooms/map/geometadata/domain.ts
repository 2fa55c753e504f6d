// What a layer can be, what must be said about one, and how its features become areas, buildings and zones (`map.md` §9). Pure.
import { isOneOf, textIn } from '../../../../shared/narrow.ts'
import type { FieldFault } from '../../../base/errors.ts'
import { ZONE_TYPES, type ZoneType } from '../reference-features/domain/features.ts'
import { type GivenLevel, HIGHEST, LOWEST, levelWord } from '../reference-features/domain/levels.ts'

export const ROLES = ['overlay', 'utilities', 'constraint', 'topography', 'reference'] as const
export type LayerRole = (typeof ROLES)[number]

export const UTILITIES = [
  'water',
  'gas',
  'electric_hv',
  'electric_lv',
  'telecoms',
  'foul',
  'surface_water',
  'heat',
  'fuel',
  'unknown',
] as const
export type Utility = (typeof UTILITIES)[number]

/** PAS 128: from records (D), from a site visit (C), detected (B), exposed (A). */
export const QUALITY_LEVELS = ['QL-A', 'QL-B', 'QL-C', 'QL-D'] as const
export type QualityLevel = (typeof QUALITY_LEVELS)[number]

export const STATUSES = ['ready', 'processing', 'failed'] as const

/** How a layer is drawn. */
export type LayerStyle = { stroke: string; fill: string; width: number; label_property: string | null }

/** Which properties of its features a layer of areas, buildings or zones takes what from. */
export type LayerMap = { code?: string | null; name: string; key: string; levels?: string | null; zone_type?: string | null }

/** The colours of buried services that the trade knows (NJUG). */
const SERVICE_COLOURS: Record<Utility, string> = {
  water: '#1d70b8',
  gas: '#f5b800',
  electric_hv: '#d4351c',
  electric_lv: '#1a1a1a',
  telecoms: '#6f777b',
  foul: '#8d5524',
  surface_water: '#28a197',
  heat: '#f47738',
  fuel: '#85994b',
  unknown: '#912b88',
}
const ROLE_COLOURS: Record<LayerRole, string> = {
  overlay: '#4c2c92',
  utilities: SERVICE_COLOURS.unknown,
  constraint: '#b10e1e',
  topography: '#7b6d5b',
  reference: '#505a5f',
}

/** Returns the style of a layer without one of its own. */
export function standardStyle(role: LayerRole, utility: Utility | null): LayerStyle {
  const colour = utility === null ? ROLE_COLOURS[role] : SERVICE_COLOURS[utility]
  return { stroke: colour, fill: colour, width: role === 'utilities' ? 3 : 2, label_property: null }
}

/** What is said about a layer, as far as rules compare it. */
type Said = {
  role: string
  utility: string | null
  quality_level: string | null
  reference_kind: string | null
  map: LayerMap | null
}

/** Returns faults of what is said about a layer: services have a utility and a quality level, and layers of features say which and how. */
export function layerFaults(said: Said): FieldFault[] {
  const faults: FieldFault[] = []
  if (said.role !== 'utilities')
    for (const field of ['utility', 'quality_level'] as const)
      if (said[field] !== null) faults.push({ path: field, message: 'can only be set for layers of buried services (role utilities).' })
  for (const field of ['reference_kind', 'map'] as const) {
    if (said.role === 'reference' && said[field] === null)
      faults.push({ path: field, message: 'is required for layers with the role reference.' })
    if (said.role !== 'reference' && said[field] !== null)
      faults.push({ path: field, message: 'can only be set for layers with the role reference.' })
  }
  if (said.map !== null && said.reference_kind !== null) {
    if (said.map.levels != null && said.reference_kind !== 'building')
      faults.push({ path: 'map.levels', message: 'can only be set for buildings.' })
    if (said.map.zone_type != null && said.reference_kind !== 'zone')
      faults.push({ path: 'map.zone_type', message: 'can only be set for zones.' })
  }
  return faults
}

/** What the properties of a feature say about an area, building or zone. */
export type Mapped = { key: string; name: string; code?: string | null; levels?: GivenLevel[]; zone_type?: ZoneType }

const plain = (value: unknown): string => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : textIn(value).trim())

/** Reads levels: the number of storeys from the ground up, or a list of levels such as `B1, G, 1, 2`. Null if it is neither. */
export function levelsIn(value: unknown): GivenLevel[] | null {
  const text = plain(value)
  if (text === '') return []
  if (/^\d{1,3}$/.test(text)) {
    const storeys = Number(text)
    return storeys > HIGHEST + 1 ? null : Array.from({ length: storeys }, (_, index) => ({ index }))
  }
  const indexes = text.split(/[,;]/).map(word => levelWord(word.trim()))
  const known = indexes.flatMap(index => (index === null || index < LOWEST || index > HIGHEST ? [] : [{ index }]))
  return known.length === indexes.length ? known : null
}

/** Reads the properties of a feature, or returns why they can't be used. */
export function mappedBy(map: LayerMap, properties: Readonly<Record<string, unknown>>): Mapped | string {
  const key = plain(properties[map.key])
  if (key === '') return `Its property “${map.key}” is empty, so it has no key.`
  if (key.length > 200) return `Its key is ${key.length} characters long; at most 200 are accepted.`
  const name = plain(properties[map.name]) || key
  if (name.length > 200) return `Its name is ${name.length} characters long; at most 200 are accepted.`
  const mapped: Mapped = { key, name }
  if (map.code != null) {
    const code = plain(properties[map.code])
    if (code.length > 60) return `Its code is ${code.length} characters long; at most 60 are accepted.`
    mapped.code = code === '' ? null : code
  }
  if (map.levels != null) {
    const levels = levelsIn(properties[map.levels])
    if (levels === null)
      return `Its property “${map.levels}” must be the number of storeys, or a list of levels such as B1, G, 1, 2; it is “${plain(properties[map.levels]).slice(0, 60)}”.`
    mapped.levels = levels
  }
  if (map.zone_type != null) {
    const type = plain(properties[map.zone_type])
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
    if (type !== '' && !isOneOf(ZONE_TYPES, type)) return `Its zone type “${type.slice(0, 60)}” isn’t one of ${ZONE_TYPES.join(', ')}.`
    if (isOneOf(ZONE_TYPES, type)) mapped.zone_type = type
  }
  return mapped
}

/** Services found only from records or a site visit are somewhere near, and exposed before digging (HSG47). */
export const isUnproven = (quality_level: QualityLevel | null): boolean => quality_level === 'QL-C' || quality_level === 'QL-D'
