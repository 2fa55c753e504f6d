import { type DestinationStream, type Logger, pino } from 'pino'

/** JSON lines on standard output. Never a token, an address or personal data: what could hold one is cut out here. */
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
