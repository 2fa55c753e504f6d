// The texts of the demo site's permits: the work, who does it and where.
import type { ContractorKey } from './site.ts'

/** Where a piece of work can be. */
export type Spot = { says: string; building?: string; level?: number; zone?: string }

/** A piece of work that is repeated in several places. */
export type Job = {
  contractor: ContractorKey
  types: readonly string[]
  title: string
  work: string
  controls: string
  hazards: readonly string[]
  ppe: readonly string[]
  spots: readonly Spot[]
}

const BASIC = ['Hard hat', 'Safety boots', 'Hi-vis vest', 'Gloves']
const HOT = [...BASIC, 'Welding visor', 'Flame-retardant overalls']
const HEIGHT = [...BASIC, 'Harness with twin lanyard', 'Chin strap']
const GAS = [...BASIC, 'Escape set', 'Personal gas monitor', 'Harness and tripod']
const ARC = [...BASIC, 'Arc-rated coverall', 'Insulated gloves', 'Face shield']

const on = (building: string, level: number, says: string): Spot => ({ building, level, says })
const inside = (building: string, level: number, zone: string, says: string): Spot => ({ building, level, zone, says })
const zone = (code: string, says: string): Spot => ({ zone: code, says })

export const JOBS: readonly Job[] = [
  // Ferris & Cole: frame, temporary works, fit-out
  {
    contractor: 'ferris',
    types: ['TW'],
    title: 'Strike slab soffit',
    work: 'Strike table forms and back-prop the slab above; tables out by the crane on the north face.',
    controls:
      'Strike only after the temporary works supervisor has released the bay. Exclusion zone below and beside. Banksman at the opening.',
    hazards: ['Collapse', 'Falling objects', 'Work at an open edge'],
    ppe: BASIC,
    spots: [
      on('A', 8, 'Block A level 8, bays C to E'),
      on('A', 9, 'Block A level 9, bays A to C'),
      on('B', 5, 'Block B level 5, bays 1 to 4'),
    ],
  },
  {
    contractor: 'ferris',
    types: ['GEN'],
    title: 'Blockwork and lintels',
    work: 'Dense blockwork to risers and party walls, precast lintels set by hand winch.',
    controls: 'Pallets spread on propped bays only. Dust kept down by water suppression. Walls braced until cured.',
    hazards: ['Manual handling', 'Silica dust', 'Fresh walls in wind'],
    ppe: [...BASIC, 'FFP3 mask'],
    spots: [on('A', 3, 'Block A level 3, grid 2 to 6'), on('A', 4, 'Block A level 4, risers'), on('C', 1, 'Block C level 1')],
  },
  {
    contractor: 'ferris',
    types: ['WAH'],
    title: 'Install edge protection',
    work: 'Clamp-on edge protection and mesh panels around the slab edge before the next pour.',
    controls: 'Fixed from inside with restraint lanyards. Area below fenced off. Tools tethered.',
    hazards: ['Fall from height', 'Falling objects'],
    ppe: HEIGHT,
    spots: [
      on('A', 10, 'Block A level 10, perimeter'),
      on('A', 11, 'Block A level 11, perimeter'),
      on('B', 6, 'Block B level 6, perimeter'),
    ],
  },
  {
    contractor: 'ferris',
    types: ['OOH'],
    title: 'Concrete pour and power float',
    work: 'Pour of 120 m³ C40/50, finish by power float after dark.',
    controls: 'Pump set up on mats, hose whip line kept clear. Task lights at 200 lux. Noise monitor at the east fence.',
    hazards: ['Pump line burst', 'Working at night', 'Noise'],
    ppe: [...BASIC, 'Wellingtons', 'Eye protection'],
    spots: [on('B', 6, 'Block B level 6, pour 2'), on('A', 11, 'Block A level 11, pour 1')],
  },
  {
    contractor: 'ferris',
    types: ['HW'],
    title: 'Cut and grind cast-in channels',
    work: 'Trim cast-in channels and weld make-up plates at the stair landings.',
    controls: 'Fire blankets over the timber falsework, watch with two CO₂ and one water extinguisher, 60 minutes after the last spark.',
    hazards: ['Fire', 'Sparks through openings', 'Fume'],
    ppe: HOT,
    spots: [inside('A', 6, 'A-CORE', 'Block A level 6, stair 1'), inside('A', 7, 'A-CORE', 'Block A level 7, stair 1')],
  },

  // Halden: ground, drains
  {
    contractor: 'halden',
    types: ['EXC'],
    title: 'Excavate foul drain',
    work: 'Trench to 2.4 m for 225 mm clay pipe, boxed, bedding and haunching, backfill in layers.',
    controls: 'CAT and Genny before each bucket, hand dig within 500 mm of marked services. Trench boxes before entry. Spoil 1.5 m back.',
    hazards: ['Buried services', 'Collapse of sides', 'Plant and people'],
    ppe: BASIC,
    spots: [zone('DRN', 'MH3 to MH4'), zone('DRN', 'MH4 to MH5'), zone('DRN', 'MH6 to MH7')],
  },
  {
    contractor: 'halden',
    types: ['EXC'],
    title: 'Trial holes for 11 kV cable',
    work: 'Four hand-dug trial holes to prove line and depth of the UKPN cable.',
    controls: 'Insulated tools, vacuum excavation by preference. Cable treated as live. Permit to dig and drawings at the hole.',
    hazards: ['Live cable', 'Traffic'],
    ppe: [...BASIC, 'Insulated gloves'],
    spots: [zone('GATE', 'Gate 1, west verge'), zone('GATE', 'Haul road at chainage 60')],
  },
  {
    contractor: 'halden',
    types: ['CSE'],
    title: 'Enter manhole to bench and connect',
    work: 'Enter, form benching, core and connect the new branch.',
    controls: 'Gas tested before and throughout, tripod and winch rigged, attendant at the top. Upstream flow plugged with two stoppers.',
    hazards: ['Toxic atmosphere', 'Drowning by surge', 'Restricted escape'],
    ppe: GAS,
    spots: [zone('DRN', 'MH5'), zone('DRN', 'MH6')],
  },
  {
    contractor: 'halden',
    types: ['GEN'],
    title: 'Formation and capping layer',
    work: 'Trim formation, geotextile, 350 mm 6F2 in two layers, plate tests.',
    controls: 'One-way system, spotter at the crossing, reversing under a banksman only.',
    hazards: ['Plant and people', 'Dust'],
    ppe: BASIC,
    spots: [zone('LD1', 'Laydown 1'), zone('GATE', 'Haul road, east half')],
  },
  {
    contractor: 'halden',
    types: ['LIFT'],
    title: 'Lift trench boxes',
    work: 'Lift and set trench boxes with a 14 t excavator and four-leg chains.',
    controls: 'Excavator with check valves and load chart. Slinger trained. Nobody between box and face.',
    hazards: ['Dropped load', 'Crushing'],
    ppe: BASIC,
    spots: [zone('DRN', 'MH3 to MH4'), zone('DRN', 'MH6 to MH7')],
  },

  // Northgate: steel, cranes, testing
  {
    contractor: 'northgate',
    types: ['LIFT', 'WAH'],
    title: 'Erect steel frame',
    work: 'Erect columns and beams of the plant-room frame, two bolts per connection before release.',
    controls: 'Lift plan NSE-LP-014. MEWP with harness clipped on. Wind limit 9.8 m/s at the hook. Drop zone barriered.',
    hazards: ['Falling steel', 'Fall from height', 'Wind'],
    ppe: HEIGHT,
    spots: [
      on('A', 11, 'Block A roof plant frame, grid 1 to 3'),
      on('B', 6, 'Block B roof plant frame'),
      on('EC', 1, 'Energy centre, upper frame'),
    ],
  },
  {
    contractor: 'northgate',
    types: ['HW'],
    title: 'Weld stair stringers',
    work: 'Site weld stringers to landings, 6 mm fillet, MMA.',
    controls: 'Fire blankets to both sides, openings plugged, watch on the level below. Detectors isolated at the fire panel.',
    hazards: ['Fire', 'Arc eye', 'Fume'],
    ppe: HOT,
    spots: [
      inside('A', 4, 'A-CORE', 'Block A level 4, stair 1'),
      inside('A', 5, 'A-CORE', 'Block A level 5, stair 1'),
      on('C', 2, 'Block C level 2, stair 2'),
    ],
  },
  {
    contractor: 'northgate',
    types: ['CRO'],
    title: 'Mobile crane for cladding rails',
    work: '60 t mobile set up on mats; lifts of rail bundles up to 1.8 t.',
    controls: 'Ground bearing 180 kPa confirmed by the designer. Slew limited away from the haul road. Radio channel 4.',
    hazards: ['Overturning', 'Oversail of the footpath', 'Dropped load'],
    ppe: BASIC,
    spots: [zone('LD1', 'Laydown 1, pad 2'), zone('GATE', 'Haul road, pad 1')],
  },
  {
    contractor: 'northgate',
    types: ['RAD'],
    title: 'Radiography of butt welds',
    work: 'Gamma radiography of eight full-penetration welds, Ir-192, after the day shift.',
    controls: 'Controlled area barriered at 7.5 µSv/h, patrolled, floors above and below cleared. RPS on site throughout.',
    hazards: ['Ionising radiation', 'Entry by others'],
    ppe: [...BASIC, 'Dosemeter'],
    spots: [on('A', 11, 'Block A roof plant frame'), on('EC', 0, 'Energy centre, ground floor')],
  },
  {
    contractor: 'northgate',
    types: ['HW', 'WAH'],
    title: 'Weld shear studs and deck laps',
    work: 'Through-deck stud welding and stitch welds at laps.',
    controls: 'Nobody under the deck. Stud welder earthed at the work. Edge lines rigged and tagged.',
    hazards: ['Fire', 'Fall from height', 'Electric shock'],
    ppe: [...HOT, 'Harness with twin lanyard'],
    spots: [on('B', 6, 'Block B level 6, deck'), on('EC', 1, 'Energy centre, upper deck')],
  },

  // Castle: scaffolds
  {
    contractor: 'castle',
    types: ['WAH'],
    title: 'Erect independent scaffold',
    work: 'Independent tied scaffold, seven lifts, loading bay at lift 4. Design CAS-221.',
    controls: 'TG20:21 and SG4:22. Advance guard rail. Base fenced off. Handover tag before anyone else climbs it.',
    hazards: ['Fall from height', 'Falling tube and fittings'],
    ppe: HEIGHT,
    spots: [on('A', 0, 'Block A east elevation'), on('A', 0, 'Block A south elevation'), on('C', 0, 'Block C west elevation')],
  },
  {
    contractor: 'castle',
    types: ['WAH'],
    title: 'Adapt scaffold for hoist',
    work: 'Remove two ties, add bracing and hoist gates at each level.',
    controls: 'Adaptation drawing on the job. Scaffold tagged as closed during the work. Ties removed one at a time.',
    hazards: ['Instability', 'Fall from height'],
    ppe: HEIGHT,
    spots: [on('A', 5, 'Block A north elevation, lift 5'), on('B', 3, 'Block B west elevation, lift 3')],
  },
  {
    contractor: 'castle',
    types: ['GEN'],
    title: 'Weekly scaffold inspection and tags',
    work: 'Inspect, tighten, replace boards and renew the tags of all scaffolds.',
    controls: 'Any scaffold found unsafe is closed at once and reported to the site manager.',
    hazards: ['Fall from height', 'Slips'],
    ppe: HEIGHT,
    spots: [on('B', 2, 'Block B, all elevations'), on('A', 4, 'Block A, all elevations')],
  },
  {
    contractor: 'castle',
    types: ['WAH', 'LIFT'],
    title: 'Strike birdcage',
    work: 'Strike the birdcage from the top; bundles out by the tower crane.',
    controls: 'No throwing. Bundles in stillages. Atrium closed to all other trades.',
    hazards: ['Falling objects', 'Fall from height'],
    ppe: HEIGHT,
    spots: [inside('B', 0, 'B-ATR', 'Block B atrium'), inside('B', 1, 'B-ATR', 'Block B atrium, upper half')],
  },
  {
    contractor: 'castle',
    types: ['TW'],
    title: 'Load propping under transfer slab',
    work: 'Load the heavy-duty props by flat jacks in the order of the drawing.',
    controls: 'Jack loads read and signed by the temporary works supervisor. Level below closed.',
    hazards: ['Collapse', 'Stored energy'],
    ppe: BASIC,
    spots: [on('A', 0, 'Block A ground floor, grid 4 to 5'), on('A', -1, 'Block A basement, grid 4 to 5')],
  },

  // Brightwell: power, pipes
  {
    contractor: 'brightwell',
    types: ['ELE'],
    title: 'Energise distribution boards',
    work: 'Dead test, then energise boards and prove the emergency-off circuit.',
    controls: 'Locked off and tagged at LV-2 until dead tests are signed. Two people. Caution notices on each floor.',
    hazards: ['Electric shock', 'Arc flash'],
    ppe: ARC,
    spots: [on('A', 2, 'Block A level 2, DB-A-02'), on('A', 3, 'Block A level 3, DB-A-03'), on('B', 1, 'Block B level 1, DB-B-01')],
  },
  {
    contractor: 'brightwell',
    types: ['ELE'],
    title: 'Terminate LV switchboard',
    work: 'Terminate 4 × 300 mm² incomers, torque and thermal survey.',
    controls: 'Upstream breaker racked out, earthed, padlocked; key in the lock-out box. Proved dead before touch.',
    hazards: ['Electric shock', 'Manual handling'],
    ppe: ARC,
    spots: [on('EC', 0, 'Energy centre, LV room'), on('EC', -1, 'Energy centre basement, cable void')],
  },
  {
    contractor: 'brightwell',
    types: ['PRT'],
    title: 'Pressure test chilled-water risers',
    work: 'Hydrostatic test at 9 bar for two hours, section by section.',
    controls: 'Water, never air. Relief valve at 10 bar. Area 5 m around closed, gauge read from outside.',
    hazards: ['Stored pressure', 'Flooding'],
    ppe: [...BASIC, 'Eye protection'],
    spots: [on('A', 5, 'Block A riser 2, levels 1 to 5'), on('B', 4, 'Block B riser 1'), on('EC', 0, 'Energy centre, primary headers')],
  },
  {
    contractor: 'brightwell',
    types: ['HW'],
    title: 'Braze copper pipework',
    work: 'Braze 54 mm copper on trapeze brackets at high level.',
    controls: 'Oxy-acetylene on a trolley with arrestors, cylinders out of the building each night. Watch 60 minutes.',
    hazards: ['Fire', 'Cylinders', 'Work at height'],
    ppe: HOT,
    spots: [
      on('B', 2, 'Block B level 2, corridor'),
      inside('A', -1, 'A-B1-PLANT', 'Block A basement plant room'),
      inside('EC', 0, 'EC-BOIL', 'Energy centre boiler hall'),
    ],
  },
  {
    contractor: 'brightwell',
    types: ['CSE'],
    title: 'Clean and inspect break tank',
    work: 'Enter the sectional tank, clean, inspect the internal stays and seals.',
    controls: 'Inlet spaded and locked. Forced ventilation. Gas monitor on the entrant. Attendant at the manway with a radio.',
    hazards: ['Oxygen depletion', 'Chemicals', 'Restricted escape'],
    ppe: GAS,
    spots: [inside('A', -1, 'A-B1-PLANT', 'Block A basement, tank T1'), on('EC', -1, 'Energy centre basement, tank T3')],
  },
  {
    contractor: 'brightwell',
    types: ['GEN'],
    title: 'First-fix containment',
    work: 'Tray, basket and conduit at high level from mobile towers.',
    controls: 'Towers by PASMA-trained people, tagged weekly. Dust-extracted drills.',
    hazards: ['Work at low height', 'Dust'],
    ppe: [...BASIC, 'Eye protection'],
    spots: [on('A', 6, 'Block A level 6'), on('C', 1, 'Block C level 1'), on('B', 3, 'Block B level 3')],
  },

  // Meridian: roof and envelope
  {
    contractor: 'meridian',
    types: ['HW', 'WAH'],
    title: 'Torch-on membrane to roof',
    work: 'Two-layer torch-on felt to upstands and outlets.',
    controls: 'Safe-to-torch at all upstands. Gas on the roof for one day only. Thermal camera check 60 and 120 minutes after.',
    hazards: ['Fire', 'Fall from height', 'LPG'],
    ppe: [...HOT, 'Harness with twin lanyard'],
    spots: [on('B', 6, 'Block B roof, north half'), on('C', 3, 'Block C roof'), on('EC', 1, 'Energy centre roof')],
  },
  {
    contractor: 'meridian',
    types: ['WAH'],
    title: 'Fix curtain-wall brackets',
    work: 'Set out and fix brackets to the slab edge from mast climbers.',
    controls: 'Mast climber handed over and inspected this week. Tools tethered. Pavement below closed by barriers.',
    hazards: ['Fall from height', 'Falling objects'],
    ppe: HEIGHT,
    spots: [
      on('A', 5, 'Block A east elevation, level 5'),
      on('A', 6, 'Block A east elevation, level 6'),
      on('B', 4, 'Block B south elevation, level 4'),
    ],
  },
  {
    contractor: 'meridian',
    types: ['LIFT'],
    title: 'Hoist unitised panels',
    work: 'Hoist 3.2 m × 1.5 m panels of 420 kg by spider crane and vacuum lifter.',
    controls: 'Vacuum lifter tested this morning. Wind limit 8 m/s. Tag lines. Street marshal while panels pass the pavement.',
    hazards: ['Dropped panel', 'Wind'],
    ppe: HEIGHT,
    spots: [on('A', 7, 'Block A east elevation, level 7'), on('A', 8, 'Block A east elevation, level 8')],
  },
  {
    contractor: 'meridian',
    types: ['GEN'],
    title: 'Sealant and gaskets from inside',
    work: 'Joint sealant, gaskets and vapour barrier tape from the slab.',
    controls: 'Solvents in the day’s quantity only. Lanyards at openings without a rail.',
    hazards: ['Solvent vapour', 'Work at an open edge'],
    ppe: [...BASIC, 'Half mask A2'],
    spots: [on('A', 4, 'Block A level 4, perimeter'), on('A', 5, 'Block A level 5, perimeter'), on('C', 2, 'Block C level 2, perimeter')],
  },
  {
    contractor: 'meridian',
    types: ['CRO'],
    title: 'Tower crane lifts to roof',
    work: 'Membrane rolls, insulation and gravel bags to the roof by TC1.',
    controls: 'Slinger and signaller chosen by the appointed person. Landing area propped and marked. No slew over the welfare cabins.',
    hazards: ['Dropped load', 'Overloading of the roof'],
    ppe: HEIGHT,
    spots: [zone('TC1', 'TC1 to Block B roof'), zone('TC1', 'TC1 to Block C roof')],
  },
]
