// A register of permits as a contractor keeps it in a spreadsheet: permits issued before the site used Walkdown. It is imported the way users import
// theirs.
import * as XLSX from '@e965/xlsx'
import { dateOn, type Instant, instantOf, plusDays, type WorkDate } from '../../shared/time.ts'
import type { Id } from '../base/ids.ts'
import { formOf } from '../base/multipart.ts'
import type { Occupied } from './apart.ts'
import { FRAME } from './ground.ts'
import type { Row as Reply } from './reply.ts'
import { ZONE } from './site.ts'
import type { Spot } from './spots.ts'

/** File name. */
const REGISTER = 'Quayside permit register.xlsx'

const HEADERS = ['Permit No', 'Type', 'Contractor', 'Location', 'Level', 'Start', 'Finish', 'Description of Work', 'Control Measures']

const NORTHGATE = 'NORTHGATE STEEL'
const HALDEN = 'HALDEN'
const CASTLE = 'CASTLE SCAFF'
const BRIGHTWELL = 'BRIGHTWELL M&E'
const MERIDIAN = 'MERIDIAN FACADES'
const FERRIS = 'FERRIS COLE'
const BARRIERS = 'Area fenced off and signed, toolbox talk held, permit shown at the work front'
const WATCH = 'Combustibles moved 10 m, two extinguishers, fire watch 60 minutes after the last spark'
const HIGH = 'Harness clipped on, tools tethered, rescue kit at hand'
const DEAD = 'Isolated, locked off, tagged, proved dead; key in the lock-out box'

/** A row: type, contractor, place, level, first and last day relative to today (null: the cell says "TBC"), work, controls. */
type Row = readonly [string, string, string, string, number, number | null, string, string]

const ROWS: readonly Row[] = [
  ['GEN', FERRIS, 'Block A', 'L03', -6, 4, 'Party walls and lintels, grid 2 to 6', BARRIERS],
  ['GEN', FERRIS, 'Block C', 'GF', -4, 6, 'Setting out and screed, east bays', BARRIERS],
  ['GEN', BRIGHTWELL, 'Energy Ctr', 'GF', -5, 6, 'Pipework and supports, boiler hall', BARRIERS],
  ['GEN', BRIGHTWELL, 'BLK A', 'L06', -3, 8, 'Tray and basket from mobile towers', BARRIERS],
  ['GEN', CASTLE, 'Block A', 'GF', -2, 5, 'Materials and barriers for the east elevation', BARRIERS],
  ['WAH', CASTLE, 'Block C', 'GF', -1, 3, 'Scaffold ties and loading bay, west elevation', HIGH],
  ['WAH', MERIDIAN, 'Tower A', 'L07', -2, 3, 'Curtain-wall brackets, east elevation', HIGH],
  ['WAH', MERIDIAN, 'Block B', 'L06', -1, 2, 'Flashings and cavity barriers at the parapet', HIGH],
  ['HW', NORTHGATE, 'Block A', 'L10', 0, 0, 'Weld seat cleats to columns, grid 3', WATCH],
  ['HW', BRIGHTWELL, 'Block B', 'GF', 0, 1, 'Braze copper headers', WATCH],
  ['HW', MERIDIAN, 'Block C', 'L03', 0, 2, 'Torch-on repairs at roof outlets', WATCH],
  [
    'LIFT',
    NORTHGATE,
    'Laydown 1',
    '',
    -1,
    1,
    'Steel bundles, lift plan NSE-LP-019',
    'Lift plan briefed, exclusion below the load, radio channel 4',
  ],
  ['GEN', NORTHGATE, 'BLK B', 'L03', -3, 8, 'Bolt up and plumb steel, grid 7; tower cranes', BARRIERS],
  ['GEN', MERIDIAN, 'Block B', 'GF', -3, 8, 'Set out and prepare the south elevation', BARRIERS],
  ['ELE', BRIGHTWELL, 'Block A', 'L02', 0, 1, 'Dead tests at DB-A-02', DEAD],
  ['ELE', BRIGHTWELL, 'Substation', '', 1, 2, 'Cable test before energising, with the network operator', DEAD],
  ['GEN', HALDEN, 'Drain run', '', -3, 6, 'Lay and test pipes, MH4 to MH5', BARRIERS],
  ['EXC', HALDEN, 'Gate 1', '', 1, 3, 'Trial holes beside the 11 kV cable', 'Hand dig, vacuum first, drawings at the hole'],
  [
    'CSE',
    BRIGHTWELL,
    'Energy Ctr',
    'B1',
    2,
    2,
    'Inspect the cable void below the switch room',
    'Gas tested, attendant at the hatch throughout',
  ],
  [
    'PRT',
    BRIGHTWELL,
    'Block C',
    'L02',
    4,
    4,
    'Hydrostatic test of riser 1 at 9 bar',
    'Water only, relief valve set at 10 bar, 5 m exclusion zone',
  ],
  ['CRO', NORTHGATE, 'Laydown 1', '', 2, 3, '60 t mobile on pad 2, cladding rails', 'Ground released by the designer, slew limited'],
  ['TW', FERRIS, 'Block B', 'L05', -1, 2, 'Strike table forms, bays 1 to 4', 'Released by the temporary works supervisor'],
  ['EXC', HALDEN, 'Drain run', '', -9, -2, 'Break out and remove the old culvert', 'Services marked, plant and people apart'],
  ['GEN', BRIGHTWELL, 'Block D', 'L01', -2, 7, 'First fix, show apartment', BARRIERS],
  [
    'RAD',
    NORTHGATE,
    'Block A',
    'L11',
    2,
    null,
    'Radiography of the roof frame, after the day shift',
    'Controlled area patrolled, RPS on site',
  ],
]

/** The number of rows, and of the rows that can be imported. */
export const REGISTER_ROWS = { written: ROWS.length, taken: ROWS.filter(row => row[5] !== null).length }

const EPOCH = Date.UTC(1899, 11, 30)
const DAY_MS = 86_400_000
/** A day and a time on the site, as the register has them. */
type Wall = readonly [date: WorkDate, time: string]
/** A wall-clock time in the form of a date cell. */
const moment = ([date, time]: Wall) => ({ t: 'n', v: (Date.parse(`${date}T${time}:00Z`) - EPOCH) / DAY_MS, z: 'dd/mm/yyyy hh:mm' })
const FIRST_NUMBER = 412
const [OPENS, SHUTS] = ['07:30', '18:00']
/** Permits that end today run until this time, late in the evening, so that none ends just before the demo begins. */
const LATEST = '23:30'

const startOf = (today: WorkDate, first: number): Wall => [plusDays(today, first), OPENS]
const endOf = (today: WorkDate, last: number): Wall => [plusDays(today, last), last === 0 ? LATEST : SHUTS]

const LEVELS: Readonly<Record<string, number>> = { GF: 0, B1: -1 }
/** Returns what the permits of the register take up, as far as their places are drawn. */
export function takenByRegister(now: Instant): Occupied[] {
  const today = dateOn(ZONE, now)
  return ROWS.flatMap(([type, , place, level, first, last, says]) => {
    const drawn = FRAME.find(({ name, code, aliases = [] }) => [name, code, ...aliases].includes(place))
    if (drawn === undefined || last === null) return []
    const spot: Spot =
      drawn.kind === 'zone' ? { says, zone: drawn.code } : { says, building: drawn.code, level: LEVELS[level] ?? Number(level.slice(1)) }
    return [{ types: [type], spot, from: instantOf(ZONE, ...startOf(today, first)), to: instantOf(ZONE, ...endOf(today, last)) }]
  })
}

/** Returns the register as a workbook, with dates relative to the site day of `now`. */
function registerBook(now: Instant): Buffer {
  const today = dateOn(ZONE, now)
  const rows = ROWS.map(([type, contractor, place, level, first, last, work, controls], i) => [
    `QY-${String(FIRST_NUMBER + i).padStart(5, '0')}`,
    type,
    contractor,
    place,
    level === '' ? null : level,
    moment(startOf(today, first)),
    last === null ? 'TBC' : moment(endOf(today, last)),
    work,
    controls,
  ])
  const sheet = XLSX.utils.aoa_to_sheet([['Quayside Yard: permits issued before Walkdown'], [], HEADERS, ...rows])
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Register')
  const bytes: unknown = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes))
}

type Call = (by: string, method: 'POST', path: string, body: unknown, type: string) => Promise<Reply>

/** Imports it with the import that people use. Returns the number of permits created. */
export async function importRegister(call: Call, site_id: Id, now: Instant): Promise<number> {
  const { type, payload } = formOf(REGISTER, registerBook(now), {})
  const said = await call('ada', 'POST', `/permits/upload?site_id=${site_id}`, payload, type)
  return Number(said.new)
}
