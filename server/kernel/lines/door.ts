// Log lines for operators: added without waiting, cleaned of personal data, and written in batches.

import { routePattern, scrubbed } from '../../../shared/scrub.ts'
import { counted } from '../../../shared/text.ts'
import type { Clock } from '../../base/clock.ts'
import type { Line, Lines, Timers } from '../../base/ctx.ts'
import { type Db, outside } from '../../base/db.ts'
import { ids } from '../../base/ids.ts'
import { insertLines, type LineRow } from './queries.ts'

export { dropOldLines, linesOf } from './queries.ts'

/** Maximum number of lines waiting to be written. Further lines are counted and dropped, so that a storm of errors doesn't overload the database. */
const WAITING = 5000
const AT_ONCE = 500
const PAUSE_MS = 1000

/** Collects the log lines of a process, and writes them every second while there are any. */
export function keepLines(house: { db: Db; clock: Clock; timers: Timers; broken(error: unknown): void }): Lines {
  const waiting: LineRow[] = []
  let dropped = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      while (waiting.length > 0) {
        const batch = waiting.splice(0, AT_ONCE)
        if (dropped > 0) batch.push(rowOf(droppedLine(dropped), house.clock))
        dropped = 0
        // Lines that can't be written are dropped: the process log has them too, and nobody waits for this.
        await outside(() => insertLines(house.db, batch)).catch(house.broken)
      }
    })
    return writing
  }
  let timer: { stop(): void } | null = null
  return {
    push(line) {
      if (waiting.length >= WAITING) dropped++
      else waiting.push(rowOf(line, house.clock))
      timer ??= house.timers.every(PAUSE_MS, () => {
        if (waiting.length === 0) {
          timer?.stop()
          timer = null
        } else void flush()
      })
    },
    flush,
  }
}

const droppedLine = (n: number): Line => ({
  source: 'server',
  level: 'warn',
  kind: 'lines',
  name: 'lines.dropped',
  message: `${counted(n, 'line')} ${n === 1 ? 'was' : 'were'} dropped because lines arrived faster than they could be written.`,
})

const rowOf = (line: Line, clock: Clock): LineRow => ({
  id: ids.next(),
  at: clock.now(),
  source: line.source,
  level: line.level,
  kind: line.kind.slice(0, 60),
  name: scrubbed(line.name, 200),
  message: scrubbed(line.message, 2000),
  stack: line.stack == null ? null : scrubbed(line.stack, 8000),
  route: line.route == null ? null : routePattern(line.route),
  value: line.value ?? null,
  request_id: line.request_id ?? null,
  user_id: line.user_id ?? null,
  site_id: line.site_id ?? null,
  app_version: line.app_version ?? null,
  platform: line.platform == null ? null : scrubbed(line.platform, 200),
  device_at: line.device_at ?? null,
  network: line.network ?? null,
})
