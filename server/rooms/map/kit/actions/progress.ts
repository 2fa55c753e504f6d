import type { Running } from '../../../../kernel/jobs/door.ts'

const STEP = 0.02

/** Reports the progress of a job in steps, because each report is a write; one after the other, so that what is shown never falls. */
export function reporter(job: Pick<Running, 'progress'>): (fraction: number, message: string) => void {
  let said = 0
  let next: { fraction: number; message: string } | null = null
  let busy = false
  const write = async () => {
    busy = true
    while (next !== null) {
      const { fraction, message } = next
      next = null
      await job.progress(fraction, message).catch(() => undefined) // the work itself meets the same database, and reports its failure
    }
    busy = false
  }
  return (fraction, message) => {
    if (fraction - said < STEP) return
    said = fraction
    next = { fraction, message }
    if (!busy) void write()
  }
}
