// Conversions between the map, the corners that a surveyor types, and the service.
import { type Feature, type Ground, groundOf } from './model.ts'

/** Degrees with seven decimals are centimetres: nobody draws more precisely. */
const round = (degrees: number): number => Number(degrees.toFixed(7))

/** Returns the outer rings of the polygons of an area; drawing doesn't support holes. */
export const parted = (ground: Ground): number[][][][] =>
  (ground.type === 'Polygon' ? [ground.coordinates] : ground.coordinates).map(rings =>
    rings.slice(0, 1).map(ring => ring.map(([lon, lat]) => [round(lon ?? 0), round(lat ?? 0)])),
  )

/** Returns whether an outline has holes: then it is redrawn, not dragged, because dragging would fill them. */
export const hasHoles = (ground: Ground): boolean =>
  (ground.type === 'Polygon' ? [ground.coordinates] : ground.coordinates).some(rings => rings.length > 1)

/** Joins polygons into one area; null when there are none. */
export function joined(polygons: number[][][][]): Ground | null {
  const rounded = polygons.map(rings => rings.map(ring => ring.map(([lon, lat]) => [round(lon ?? 0), round(lat ?? 0)])))
  const [first] = rounded
  if (first === undefined) return null
  return rounded.length === 1 ? { type: 'Polygon', coordinates: first } : { type: 'MultiPolygon', coordinates: rounded }
}

/** Returns corners as text, one per line, latitude first as people say it. */
export const cornersOf = (ground: Ground | null): string =>
  (ground === null ? [] : (parted(ground)[0]?.[0] ?? []))
    .slice(0, -1)
    .map(([lon, lat]) => `${lat}, ${lon}`)
    .join('\n')

/** Reads typed corners. Returns an area, a string that says which line isn't a corner, or null when there are too few. */
export function groundOfCorners(text: string): Ground | string | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const ring: number[][] = []
  for (const line of lines) {
    const [lat, lon, ...more] = line
      .trim()
      .split(/[\s,;]+/)
      .map(Number)
    const fits = lat !== undefined && lon !== undefined && more.length === 0 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180
    if (!fits) return line.trim()
    ring.push([round(lon), round(lat)])
  }
  const [first] = ring
  return first === undefined || ring.length < 3 ? null : { type: 'Polygon', coordinates: [[...ring, first]] }
}

/** Kinds of feature that can be drawn. */
export const KINDS = ['boundary', 'area', 'building', 'zone'] as const
/** A kind of feature that can be drawn. */
export type Kind = (typeof KINDS)[number]

/** The values of a feature's form. */
export type Form = {
  name: string
  code: string
  /** One per line, because registers contain names with commas. */
  aliases: string
  zone_type: NonNullable<Feature['zone_type']>
  building_id: string
  level_from: string
  level_to: string
  contractor_id: string
  lowest: string
  highest: string
  effective_at: string | null
}

/** Returns the form of a feature, or of a new one. */
export function formOf(feature: Feature | null): Form {
  return {
    name: feature?.name ?? '',
    code: feature?.code ?? '',
    aliases: feature?.aliases.join('\n') ?? '',
    zone_type: feature?.zone_type ?? 'work',
    building_id: feature?.building_id ?? '',
    level_from: feature?.level_from == null ? '' : String(feature.level_from),
    level_to: feature?.level_to == null ? '' : String(feature.level_to),
    contractor_id: feature?.contractor_id ?? '',
    lowest: String(feature?.levels.at(0)?.index ?? 0),
    highest: String(feature?.levels.at(-1)?.index ?? 0),
    effective_at: null,
  }
}

const MOST_LEVELS = 351

/** Returns levels from the lowest to the highest: existing ones keep their names, new ones are named by `call`. */
export function levelsFrom(known: Feature['levels'], lowest: number, highest: number, call: (index: number) => string): Feature['levels'] {
  if (!Number.isInteger(lowest) || !Number.isInteger(highest) || highest < lowest || highest - lowest >= MOST_LEVELS) return known
  return Array.from({ length: highest - lowest + 1 }, (_, i) => {
    const index = lowest + i
    return known.find(level => level.index === index) ?? { index, name: call(index), aliases: [], floor_elevation_m: null, height_m: null }
  })
}

/** Returns the lines of a text without duplicates. */
const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
  ),
]

const numberOf = (text: string): number | null => (text === '' ? null : Number(text))

/** Returns what is sent from a form: every field that this kind has. */
export function bodyOf(
  kind: Exclude<Kind, 'boundary'>,
  form: Form,
  ground: Ground,
  known: Feature['levels'],
  call: (index: number) => string,
) {
  return {
    name: form.name.trim(),
    code: form.code.trim() === '' ? null : form.code.trim(),
    aliases: linesOf(form.aliases),
    outline: ground,
    ...(kind === 'building' ? { levels: levelsFrom(known, Number(form.lowest), Number(form.highest), call) } : {}),
    ...(kind === 'zone'
      ? {
          zone_type: form.zone_type,
          building_id: form.building_id === '' ? null : form.building_id,
          level_from: form.building_id === '' ? null : numberOf(form.level_from),
          level_to: form.building_id === '' ? null : numberOf(form.level_to),
          contractor_id: form.contractor_id === '' ? null : form.contractor_id,
        }
      : {}),
    ...(form.effective_at === null ? {} : { effective_at: form.effective_at }),
  }
}

/** Returns what restores a feature to its earlier state. */
export const inverseOf = (feature: Feature) =>
  bodyOf(feature.kind, formOf(feature), groundOf({ geometry: feature.outline }), feature.levels, String)
