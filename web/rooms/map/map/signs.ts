// Signs of points of interest, as plain data: the shapes and colours of ISO 7010 where there is one (green helps people, red fights fire).
import type { Schemas } from '../../../base/api.ts'

/** A point of interest. */
export type Poi = Schemas['Poi']
/** Words on the map. */
export type TextLabel = Schemas['TextLabel']
type PoiKind = Poi['poi_kind']

/** What a sign looks like: its colour, and lines in a square of 24 units, or letters. */
export type Sign = { hue: 'safe' | 'stop' | 'brand' | 'soft'; paths?: readonly string[]; fill?: true; says?: string }

const FLAME = 'M12 3c1 4 5 6 5 11a5 5 0 0 1-10 0c0-2 1-3 2-4 0 2 1 3 2 3 1-3-1-6 1-10z'
const DOT = 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z'

/** The sign of each kind. */
export const SIGNS: Record<PoiKind, Sign> = {
  assembly_point: {
    hue: 'safe',
    paths: ['M3 3l5 5M8 4v4H4', 'M21 3l-5 5M16 4v4h4', 'M3 21l5-5M8 20v-4H4', 'M21 21l-5-5M16 20v-4h4', 'M12 10.5v3M10.5 12h3'],
  },
  first_aid: { hue: 'safe', paths: ['M9 4h6v5h5v6h-5v5H9v-5H4V9h5z'], fill: true },
  aed: { hue: 'safe', says: 'AED' },
  eyewash: { hue: 'safe', paths: ['M3 13s3.5-5 9-5 9 5 9 5-3.5 5-9 5-9-5-9-5z', 'M12 11a2 2 0 1 0 0 4 2 2 0 0 0 0-4z', 'M12 2v3'] },
  safety_shower: { hue: 'safe', paths: ['M5 4h14', 'M8 8v4M12 8v4M16 8v4', 'M8 15v4M12 15v4M16 15v4'] },
  emergency_phone: {
    hue: 'safe',
    paths: ['M6 4l3 0 2 5-2 2a12 12 0 0 0 4 4l2-2 5 2v3a2 2 0 0 1-2 2C10 20 4 12 4 6a2 2 0 0 1 2-2z'],
    fill: true,
  },
  emergency_exit: { hue: 'safe', paths: ['M13 3h7v18h-7', 'M3 12h11', 'M10 8l4 4-4 4'] },
  fire_extinguisher: { hue: 'stop', paths: ['M8 10a3 3 0 0 1 6 0v10H8z', 'M11 7V4h5', 'M11 5L6 8'] },
  fire_hose: { hue: 'stop', paths: ['M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z', 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z', 'M19 12v9'] },
  fire_point: { hue: 'stop', paths: [FLAME], fill: true },
  fire_call_point: { hue: 'stop', paths: ['M5 5h14v14H5z', DOT] },
  drinking_water: { hue: 'safe', paths: ['M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z'], fill: true },
  hydrant: { hue: 'stop', says: 'H' },
  spill_kit: { hue: 'brand', paths: ['M12 4c3 4 4 6 4 8a4 4 0 0 1-8 0c0-2 1-4 4-8z', 'M4 20h16'] },
  isolation_point: { hue: 'brand', paths: ['M13 2L6 13h5l-1 9 8-12h-6z'], fill: true },
  vehicle_gate: { hue: 'brand', paths: ['M4 20V6M20 20V6M4 10h16M4 15h16'] },
  pedestrian_gate: { hue: 'brand', paths: ['M12 3.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z', 'M12 9v6M8 12h8M12 15l-3 6M12 15l3 6'] },
  welfare: { hue: 'brand', paths: ['M5 8h11v6a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4z', 'M16 9h2a2 2 0 0 1 0 5h-2', 'M8 5V3M12 5V3'] },
  toilets: { hue: 'brand', says: 'WC' },
  smoking_point: { hue: 'brand', paths: ['M3 16h13v3H3z', 'M19 16v3', 'M19 12c0-3-4-2-4-6'] },
  skip: { hue: 'soft', paths: ['M3 8h18l-3 10H6z'] },
  fuel_store: { hue: 'soft', paths: ['M5 21V4h9v17', 'M4 21h11', 'M7 7h5v4H7z', 'M14 11h3v7a2 2 0 0 0 3 0V9l-3-3'] },
  wheel_wash: { hue: 'soft', paths: ['M12 7a6 6 0 1 0 0 12 6 6 0 0 0 0-12z', DOT, 'M6 3v2M12 2v2M18 3v2'] },
  temporary_power: { hue: 'soft', paths: ['M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0z', 'M12 18v3'] },
  weather_station: { hue: 'soft', paths: ['M4 9h10a3 3 0 1 0-3-3', 'M4 14h14a3 3 0 1 1-3 3'] },
  camera: { hue: 'soft', paths: ['M3 8h12v9H3z', 'M15 11l6-3v9l-6-3'] },
  other: { hue: 'soft', paths: [DOT], fill: true },
}

/** Orders points for a list: those for emergencies first, then by kind and name. */
export const inOrder = (points: readonly Poi[]): Poi[] =>
  points.toSorted(
    (a, b) => Number(b.emergency) - Number(a.emergency) || a.poi_kind.localeCompare(b.poi_kind) || a.name.localeCompare(b.name),
  )
