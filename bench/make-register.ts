// Makes a register with this many rows, always the same bytes: `node tools/run.js bench/make-register.ts ROWS FILE`.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bookOf, type Written } from '../tests/books.ts'

const TYPES = ['GEN', 'HW', 'CSE', 'WAH', 'EXC', 'ELE', 'CRO', 'PRT', 'RAD', 'LIFT']
const SEPARATORS = ['; ', ', ', ' / ', ';']
const WORK = ['Weld handrails', 'Core drilling', 'Lift steel', 'Pull cable', 'Excavate for drain', 'Pressure test riser', 'Roof repairs']
const HEADERS = ['Permit No', 'Type(s)', 'Contractor', 'Location', 'Level', 'Start', 'Finish', 'Description', 'Control Measures', 'Status']
/** The first day of the register, 1 January 2025, as an Excel serial number. */
const FIRST = 45_658
const TWO = (n: number) => String(n).padStart(2, '0')

/** Returns a generator of numbers from 0 to below 1, in the same order every time (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Writes a date in the ways that registers use: a date cell, text with the day first, or ISO text. */
function dateIn(serial: number, form: number): Written {
  if (form < 0.6) return { number: serial, format: 'dd/mm/yyyy hh:mm' }
  const at = new Date(Math.round((serial - 25_569) * 86_400) * 1000)
  const time = `${TWO(at.getUTCHours())}:${TWO(at.getUTCMinutes())}`
  if (form < 0.9) return ` ${TWO(at.getUTCDate())}/${TWO(at.getUTCMonth() + 1)}/${at.getUTCFullYear()} ${time}`
  return `${at.toISOString().slice(0, 10)} ${time}`
}

/**
 * A register with this many rows below its header. About one row in fifty has a fault, one in a hundred repeats an earlier number, and there are 300
 * contractors.
 */
export function makeRegister(rows: number, seed = 1): Buffer {
  const random = chance(seed)
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('There is nothing to pick from an empty list.')
    return one
  }
  const made = Array.from({ length: rows }, (_, i): Written[] => {
    const start = FIRST + Math.floor(random() * 500) + Math.floor(random() * 96) / 96
    const fault = random() < 0.02
    const types = [...new Set([pick(TYPES), pick(TYPES)])].join(pick(SEPARATORS))
    const number = random() < 0.01 && i > 0 ? Math.floor(random() * i) : i
    return [
      random() < 0.3 ? 100_000 + number : `PTW-${100_000 + number}`,
      types,
      random() < 0.2 ? null : `Contractor ${Math.floor(random() * 300)} Ltd`,
      `Block ${pick(['A', 'B', 'C', 'D'])}, grid ${Math.floor(random() * 40)}`,
      `Level ${Math.floor(random() * 30)}`,
      fault ? pick(['TBC', '31/02/2025', null]) : dateIn(start, random()),
      dateIn(start + 0.25 + Math.floor(random() * 40) / 8, random()),
      `${pick(WORK)} at grid ${Math.floor(random() * 40)}, see drawing ${Math.floor(random() * 900)}`,
      'Area barriered, toolbox talk held, permit displayed at the work front',
      pick(['Open', 'Closed']),
    ]
  })
  return bookOf([HEADERS, ...made])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [rows = '20000', file = 'register.xlsx'] = process.argv.slice(2)
  await writeFile(file, makeRegister(Number(rows)))
  console.log(`${file}: ${rows} rows`)
}
