import { type DestinationStream, type Logger, pino } from 'pino'
import { codeIn } from '../../shared/narrow.ts'

/** Most that is held while the log can’t be written; what comes then is lost, so that memory stays bounded. */
const MOST_HELD_BYTES = 4 * 1024 * 1024

const trouble: { code: string | null; lost: number } = { code: null, lost: 0 }

/** Returns why lines can’t be written to standard output at the moment (an error code of the system, or null), and how many lines were lost since the start. */
export const logTrouble = (): { code: string | null; lost: number } => ({ ...trouble })

/**
 * Writes lines to standard output. If that fails (a full disk, a reader that has gone), the service continues: what was not written is held and tried again
 * with the next line.
 */
function toOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: false, maxLength: MOST_HELD_BYTES })
  output.on('error', error => {
    trouble.code = codeIn(error) || 'unknown'
  })
  output.on('write', () => {
    trouble.code = null
  })
  output.on('drop', () => {
    trouble.lost++
  })
  // pino writes what is held when the process ends, and would try again forever.
  process.prependListener('exit', () => {
    if (trouble.code !== null) output.destroy()
  })
  return output
}

/** Lets the process continue if its messages can’t be written to standard output or standard error. */
export function surviveFullLog(): void {
  process.stderr.on('error', () => {})
  process.stdout.on('error', error => {
    trouble.code = codeIn(error) || 'unknown'
  })
}

/**
 * Makes the log: JSON lines on standard output. Code never logs a token, an address or personal data; as a safeguard, `authorization`, `password` and
 * `token` are censored here, at the top level and one level below.
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths: ['authorization', 'password', 'token', '*.authorization', '*.password', '*.token'], censor: '[out]' },
    },
    destination ?? toOutput(),
  )
}
