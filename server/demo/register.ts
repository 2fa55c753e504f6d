// A register of permits as a contractor keeps it in a spreadsheet: permits issued before the site used Walkdown. It is imported the way users import
// theirs.
import * as XLSX from '@e965/xlsx'
import { dateOn, type Instant, plusDays, type WorkDate } from '../../shared/time.ts'
import { ZONE } from './site.ts'

/** File name. */
export const REGISTER = 'Quayside permit register.xlsx'

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
  ['GEN', BRIGHTWELL, 'BLK B', 'L03', -5, 3, 'Containment at high level, corridor', BARRIERS],
  ['GEN', BRIGHTWELL, 'BLK A', 'L06', -3, 8, 'Tray and basket from mobile towers', BARRIERS],
  ['WAH', CASTLE, 'Block A', 'L05', -2, 2, 'Scaffold ties, north elevation, lifts 4 to 6', HIGH],
  ['WAH', CASTLE, 'Block B', 'L02', -1, 5, 'Loading bay and hoist gates', HIGH],
  ['WAH', MERIDIAN, 'Tower A', 'L07', -2, 3, 'Curtain-wall brackets, east elevation', HIGH],
  ['WAH', MERIDIAN, 'Block B', 'L04', -1, 4, 'Flashings and cavity barriers, south elevation', HIGH],
  ['HW', NORTHGATE, 'Block A', 'L10', 0, 0, 'Weld seat cleats to columns, grid 3', WATCH],
  ['HW', BRIGHTWELL, 'Energy Ctr', 'GF', 0, 1, 'Braze primary headers', WATCH],
  ['HW', MERIDIAN, 'Block C', 'L03', 0, 2, 'Torch-on repairs at roof outlets', WATCH],
  [
    'LIFT',
    NORTHGATE,
    'TC1',
    '',
    -1,
    6,
    'Steel bundles to Block A, lift plan NSE-LP-019',
    'Lift plan briefed, exclusion below the load, radio channel 4',
  ],
  ['LIFT', FERRIS, 'Rebar laydown', '', -1, 5, 'Offload and turn reinforcement bundles', 'Tag lines, slinger named, nobody under the load'],
  [
    'LIFT',
    MERIDIAN,
    'Cladding laydown',
    '',
    0,
    4,
    'Offload unitised panels with the telehandler',
    'Banksman, panels strapped, wind below 9 m/s',
  ],
  ['ELE', BRIGHTWELL, 'Block A', 'L02', 0, 1, 'Dead tests at DB-A-02', DEAD],
  ['ELE', BRIGHTWELL, 'Substation', '', 1, 2, 'Cable test before energising, with the network operator', DEAD],
  [
    'EXC',
    HALDEN,
    'Drain run',
    '',
    -3,
    3,
    'Trench MH3 to MH4, backfill in layers',
    'Services marked, boxes in before entry, spoil 1.5 m back',
  ],
  ['EXC', HALDEN, 'Gate 1', '', 1, 3, 'Trial holes beside the 11 kV cable', 'Hand dig, vacuum first, drawings at the hole'],
  [
    'CSE',
    HALDEN,
    'MH6',
    '',
    1,
    1,
    'Benching and connection of the new branch',
    'Gas tested, tripod rigged, attendant at the top throughout',
  ],
  [
    'PRT',
    BRIGHTWELL,
    'Block B',
    'L04',
    1,
    1,
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
/** A wall-clock time in the form of a date cell. */
const moment = (date: WorkDate, hour: number) => ({
  t: 'n',
  v: (Date.parse(`${date}T00:00:00Z`) - EPOCH) / DAY_MS + hour / 24,
  z: 'dd/mm/yyyy hh:mm',
})
const FIRST_NUMBER = 412
const [OPENS, SHUTS] = [7.5, 18]
/** Permits that end today run until this hour, late in the evening, so that none ends just before the demo begins. */
const LATEST = 23.5

/** Returns the register as a workbook, with dates relative to the site day of `now`. */
export function registerBook(now: Instant): Buffer {
  const today = dateOn(ZONE, now)
  const rows = ROWS.map(([type, contractor, place, level, first, last, work, controls], i) => [
    `QY-${String(FIRST_NUMBER + i).padStart(5, '0')}`,
    type,
    contractor,
    place,
    level === '' ? null : level,
    moment(plusDays(today, first), OPENS),
    last === null ? 'TBC' : moment(plusDays(today, last), last === 0 ? LATEST : SHUTS),
    work,
    controls,
  ])
  const sheet = XLSX.utils.aoa_to_sheet([['Quayside Yard: permits issued before Walkdown'], [], HEADERS, ...rows])
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Register')
  const bytes: unknown = XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true })
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes))
}
