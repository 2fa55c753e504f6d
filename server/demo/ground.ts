// The ground of the demo site: everything on its map, in metres east and north of the south-west corner.
import type { ContractorKey } from './site.ts'

/** South-west corner of the ground. */
export const CORNER = { lon: -0.0362, lat: 51.4968 }

/** x, y, width, height in metres. */
export type Box = readonly [number, number, number, number]
/** Corners in metres. */
export type Corners = readonly (readonly [number, number])[]

/** The corners of a rectangle. */
export const box = (x: number, y: number, width: number, height: number): Corners => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]

/** The site within its hoarding. */
export const GROUND: Corners = [
  [0, 0],
  [238, 0],
  [260, 22],
  [260, 180],
  [14, 180],
  [0, 166],
]

/** An area, building or zone, as it is drawn on the map. */
export type Drawn = {
  code: string
  name: string
  kind: 'area' | 'building' | 'zone'
  corners: Corners
  aliases?: string[]
  zone_type?: string
  /** The contractor that is responsible for the zone. */
  contractor?: ContractorKey
  levels?: { from: number; to: number; height_m: number }
  /** Code of the building that an indoor zone is in, and the lowest and highest level of the zone. */
  building?: string
  level_from?: number
  level_to?: number
}

const area = (code: string, name: string, corners: Corners): Drawn => ({ kind: 'area', code, name, corners })
const building = (code: string, name: string, corners: Corners, aliases: string[], levels: Drawn['levels']): Drawn => ({
  kind: 'building',
  code,
  name,
  corners,
  aliases,
  ...(levels === undefined ? {} : { levels }),
})
const zone = (code: string, name: string, zone_type: string, [x, y, width, height]: Box, more: Partial<Drawn> = {}): Drawn => ({
  kind: 'zone',
  code,
  name,
  zone_type,
  corners: box(x, y, width, height),
  ...more,
})

/** Everything on the map, parents before their children. */
export const FRAME: readonly Drawn[] = [
  area('P1', 'Plot 1 North', [
    [5, 95],
    [125, 95],
    [125, 175],
    [15, 175],
    [5, 165],
  ]),
  area('P2', 'Plot 2 East', box(135, 95, 120, 80)),
  area('P3', 'Plot 3 South', box(5, 5, 120, 80)),
  area('P4', 'Logistics and welfare', [
    [135, 5],
    [234, 5],
    [255, 26],
    [255, 85],
    [135, 85],
  ]),
  building(
    'A',
    'Block A',
    [
      [20, 110],
      [80, 110],
      [80, 138],
      [62, 138],
      [62, 155],
      [20, 155],
    ],
    ['BLK A', 'Tower A'],
    { from: -1, to: 11, height_m: 3.4 },
  ),
  building(
    'B',
    'Block B',
    [
      [150, 110],
      [220, 110],
      [220, 150],
      [165, 150],
      [150, 138],
    ],
    ['BLK B'],
    { from: 0, to: 6, height_m: 3.4 },
  ),
  building('C', 'Block C', box(20, 20, 55, 40), ['BLK C'], { from: 0, to: 3, height_m: 3.6 }),
  building('EC', 'Energy centre', box(90, 20, 25, 30), ['Energy Ctr'], { from: -1, to: 1, height_m: 4.5 }),

  // In buildings
  zone('A-CORE', 'Block A core and stair 1', 'work', [42, 120, 16, 14], { building: 'A' }),
  zone('A-B1-PLANT', 'Block A basement plant room', 'hazardous_area', [24, 114, 16, 18], { building: 'A', level_from: -1, level_to: -1 }),
  zone('B-ATR', 'Block B atrium', 'work', [175, 120, 20, 20], { building: 'B' }),
  zone('EC-BOIL', 'Energy centre boiler hall', 'hazardous_area', [92, 22, 20, 16], { building: 'EC', level_from: 0, level_to: 0 }),

  // Entrances and routes
  zone('GATE', 'Gate 1 and haul road', 'vehicle_route', [128, 60, 125, 12], { aliases: ['Haul road', 'Gate 1'] }),
  zone('HR2', 'Haul road 2', 'vehicle_route', [5, 86, 250, 8]),
  zone('HR3', 'Haul road 3', 'vehicle_route', [126, 95, 8, 78]),
  zone('G1', 'Wheel wash', 'other', [253, 57, 7, 18]),
  zone('G2', 'Turnstiles', 'pedestrian_route', [0, 86, 5, 8], { aliases: ['Gate 2'] }),
  zone('PW1', 'Walkway 1', 'pedestrian_route', [140, 74, 112, 3]),
  zone('PW2', 'Walkway 2', 'pedestrian_route', [5, 62, 115, 3]),
  zone('PW3', 'Walkway 3', 'pedestrian_route', [223, 37, 3, 22]),
  zone('CAR', 'Car park', 'parking', [228, 40, 22, 16]),

  // Lifting areas, and the zones below them
  zone('TC1', 'Tower crane 1', 'lifting', [86, 118, 14, 14], { contractor: 'northgate', aliases: ['TC 1'] }),
  zone('HST', 'Hoist', 'lifting', [45, 103, 8, 6.5], { contractor: 'castle' }),
  zone('DZ-A', 'Drop zone A', 'exclusion', [80.5, 110, 5, 28]),
  zone('DZ-B', 'Drop zone B', 'exclusion', [150, 104, 70, 5.5]),
  zone('PUMP', 'Pump stand', 'work', [86, 136, 14, 12], { contractor: 'ferris' }),

  // Laydown, storage, compounds
  zone('LD1', 'Laydown 1', 'laydown', [145, 15, 45, 30], { aliases: ['Yard', 'LD 1'] }),
  zone('LD2', 'Cladding laydown', 'laydown', [224, 112, 27, 38], { contractor: 'meridian', aliases: ['LD 2'] }),
  zone('LD3', 'Rebar laydown', 'laydown', [20, 158, 60, 14], { contractor: 'ferris', aliases: ['LD 3'] }),
  zone('SCF', 'Scaffold yard', 'storage', [145, 47, 28, 11], { contractor: 'castle' }),
  zone('GWC', 'Groundworks', 'storage', [80, 53, 36, 8], { contractor: 'halden' }),
  zone('MEC', 'M&E store', 'storage', [104, 100, 18, 12], { contractor: 'brightwell' }),
  zone('SKIP', 'Skips', 'storage', [178, 47, 14, 11]),
  zone('LPG', 'Gas bottles', 'hazardous_area', [194, 15, 7, 8], { aliases: ['Gas cage'] }),
  zone('SUB', 'Substation', 'restricted', [7, 40, 9, 9]),

  // People
  zone('WELF', 'Welfare and site office', 'welfare', [203, 14, 36, 23]),
  zone('MUST', 'Muster point A', 'other', [140, 78, 20, 5]),

  // Ground works
  zone('DRN', 'Foul sewer run, MH3 to MH7', 'work', [8, 66, 110, 10], {
    contractor: 'halden',
    aliases: ['Drain run', 'MH3', 'MH4', 'MH5', 'MH6', 'MH7'],
  }),
]

/** A point of interest: its kind and name, and where it is, in metres. */
export type Pointed = {
  poi_kind: string
  name: string
  at: readonly [number, number]
  building?: string
  level_index?: number
  phone?: string
}

/** What everybody has to find. */
export const POINTS: readonly Pointed[] = [
  { poi_kind: 'assembly_point', name: 'Muster point A', at: [150, 80.5] },
  { poi_kind: 'assembly_point', name: 'Muster point B', at: [60, 78] },
  { poi_kind: 'first_aid', name: 'First aid room', at: [210, 20], phone: '+44 20 7946 0112' },
  { poi_kind: 'aed', name: 'Defibrillator, site office', at: [207, 30] },
  { poi_kind: 'aed', name: 'Defibrillator, Block A stair 1', at: [50, 127], building: 'A', level_index: 0 },
  { poi_kind: 'eyewash', name: 'Eyewash, energy centre', at: [96, 30], building: 'EC', level_index: 0 },
  { poi_kind: 'fire_point', name: 'Fire point 1', at: [48, 142], building: 'A', level_index: 0 },
  { poi_kind: 'fire_point', name: 'Fire point 2', at: [160, 118], building: 'B', level_index: 0 },
  { poi_kind: 'fire_point', name: 'Fire point 3', at: [30, 40], building: 'C', level_index: 0 },
  { poi_kind: 'fire_point', name: 'Fire point 4, gas bottles', at: [192, 25] },
  { poi_kind: 'fire_call_point', name: 'Call point, site office', at: [203, 24] },
  { poi_kind: 'hydrant', name: 'Hydrant at Gate 1', at: [246, 76] },
  { poi_kind: 'vehicle_gate', name: 'Gate 1', at: [252, 66] },
  { poi_kind: 'pedestrian_gate', name: 'Gate 2, turnstiles', at: [3, 90] },
  { poi_kind: 'drinking_water', name: 'Drinking water, welfare', at: [222, 20] },
  { poi_kind: 'toilets', name: 'Toilets, welfare', at: [230, 30] },
  { poi_kind: 'spill_kit', name: 'Spill kit, Laydown 1', at: [188, 42] },
  { poi_kind: 'isolation_point', name: 'Isolation point, substation', at: [12, 44] },
  { poi_kind: 'smoking_point', name: 'Smoking shelter', at: [236, 11] },
]

/** Words that the coordinator has written on the map. */
export const LABELS: readonly { text: string; at: readonly [number, number]; size_px?: number; min_zoom?: number }[] = [
  { text: 'One way', at: [70, 90], min_zoom: 16 },
  { text: 'No access\nbefore 09:00', at: [110, 170], min_zoom: 17 },
]
