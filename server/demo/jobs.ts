// The texts of the demo site's permits: the work, who does it and where.
import type { Job } from './job.ts'
import { FRAME_JOBS } from './jobs-frame.ts'
import { TRADE_JOBS } from './jobs-trades.ts'

/** All the work. */
export const JOBS: readonly Job[] = [...FRAME_JOBS, ...TRADE_JOBS]
