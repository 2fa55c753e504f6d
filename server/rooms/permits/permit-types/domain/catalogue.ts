// The ten types that a new site has, with the pre-checks and documents that their work really needs (`permits-decisions.md` §1; HSG250, HSG47,
// L101, LOLER, IRR17). No document is mandatory.
import { slugOf } from '../../../../../shared/text.ts'
import type { PermitType } from './sets.ts'

type Shipped = { code: string; name: string; hours: number; checks: string[]; slots: string[]; extendable?: boolean }

const SHIPPED: readonly Shipped[] = [
  {
    code: 'GEN',
    name: 'General permit',
    hours: 168,
    extendable: true,
    checks: [
      'Work area inspected by the permit holder',
      'Crew briefed on hazards and controls',
      'Access and egress kept clear',
      'Emergency arrangements known to the crew',
    ],
    slots: ['RAMS', 'Briefing record'],
  },
  {
    code: 'HW',
    name: 'Hot work',
    hours: 12,
    checks: [
      'Fire watch named, present during the work and for 60 minutes after it',
      'Extinguishers of the right type at the work face',
      'Combustibles cleared or covered within 10 m',
      'Detectors in the area isolated, and their reinstatement planned',
      'Gas cylinders upright, secured and fitted with flashback arrestors',
      'Openings, ducts and voids sealed against sparks',
      'Areas below and on the other side of walls checked',
    ],
    slots: ['RAMS', 'Detector isolation record'],
  },
  {
    code: 'CSE',
    name: 'Confined space entry',
    hours: 12,
    checks: [
      'Atmosphere tested before entry: oxygen, flammable gases, toxic gases',
      'Continuous gas monitoring in place',
      'Attendant stationed outside for the whole entry',
      'Rescue plan written, rescue team and equipment ready',
      'Space isolated from energy, fluids and moving parts',
      'Ventilation running',
      'Communication with entrants tested',
      'Entrants and attendant trained for this class of space',
    ],
    slots: ['RAMS', 'Gas test certificate', 'Rescue plan', 'Isolation certificate'],
  },
  {
    code: 'WAH',
    name: 'Work at height',
    hours: 12,
    checks: [
      'Scaffold or platform tagged and inspected within 7 days',
      'Edge protection or fall arrest in place',
      'Harnesses and lanyards inspected, anchor points approved',
      'Exclusion zone marked below the work',
      'Tools and materials secured against falling',
      'Weather forecast checked against the limits',
      'Rescue from height planned',
    ],
    slots: ['RAMS', 'Scaffold handover certificate', 'Rescue plan'],
  },
  {
    code: 'EXC',
    name: 'Excavation and breaking ground',
    hours: 12,
    checks: [
      'Plans of buried services checked and available on site (HSG47)',
      'Area scanned with CAT and Genny, services marked on the ground',
      'Trial holes dug by hand',
      'Support or battering designed for the ground conditions',
      'Edge protection and safe access in place',
      'Spoil and plant kept back from the edge',
      'Excavation inspected before each shift',
    ],
    slots: ['RAMS', 'Service drawings', 'Scan record', 'Temporary works design'],
  },
  {
    code: 'ELE',
    name: 'Electrical work',
    hours: 12,
    checks: [
      'Circuits isolated, locked off and tagged at the point of isolation',
      'Circuits proved dead with an approved tester, tester proved before and after',
      'Caution and danger notices posted',
      'Competent person named for the isolation',
      'Adjacent live parts screened',
      'Earths applied where required',
    ],
    slots: ['RAMS', 'Isolation certificate', 'Single-line diagram'],
  },
  {
    code: 'CRO',
    name: 'Crane operation',
    hours: 12,
    checks: [
      'Thorough examination in date (LOLER)',
      'Ground bearing and outriggers checked',
      'Appointed person, operator, slinger and signaller named',
      'Wind within the limits of the crane',
      'Slew and oversail clear of people, structures and lines',
      'Radio communication tested',
    ],
    slots: ['Lift plan', 'Examination report', 'RAMS'],
  },
  {
    code: 'PRT',
    name: 'Pressure test',
    hours: 12,
    checks: [
      'Test pressure and medium as specified',
      'System isolated, vents and drains checked',
      'Relief device set and in date',
      'Exclusion zone cleared and marked',
      'Gauges calibrated',
      'Controlled release planned',
    ],
    slots: ['Test procedure', 'Gauge calibration certificates', 'RAMS'],
  },
  {
    code: 'RAD',
    name: 'Radiography',
    hours: 12,
    checks: [
      'Controlled area barriered, signed and patrolled',
      'Radiation protection supervisor present',
      'Regulator notified of the work',
      'Dosemeters worn, survey meter checked',
      'Source security and emergency plan in place',
      'People cleared from areas on the other side of walls and floors',
    ],
    slots: ['Local rules', 'Notification', 'RAMS'],
  },
  {
    code: 'LIFT',
    name: 'Lifting operation',
    hours: 12,
    checks: [
      'Lift plan reviewed by the appointed person',
      'Load weight and centre of gravity confirmed',
      'Accessories examined within 6 months and matched to the load',
      'Exclusion zone under the load path',
      'Wind and weather within the limits',
      'Team briefed, signals agreed',
    ],
    slots: ['Lift plan', 'Accessory certificates', 'RAMS'],
  },
]

/** The types of a new site. The site's regime decides which need a parent; until one is applied, none does (`permits.md`, Regime). */
export const CATALOGUE: readonly PermitType[] = SHIPPED.map(({ code, name, hours, checks, slots, extendable }) => ({
  code,
  name,
  active: true,
  requires_parent: false,
  is_extendable: extendable ?? false,
  single_stage: false,
  requires_powra: false,
  // An answer to each is expected. A site that requires one before submission adds the guard prechecks_confirmed.
  pre_checks: checks.map(label => ({ code: slugOf(label), label, required: true })),
  expected_attachments: slots.map(label => ({ key: slugOf(label), label, required: false })),
  default_duration_hours: hours,
}))
