import { type DestinationStream, type Logger, pino } from 'pino'

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
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}
