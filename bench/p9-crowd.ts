// P9: more requests than the machine can serve. Goodput compared with the peak, and the p99 of admitted requests compared with an unloaded one, in one run.

import { type Flood, flood } from './flood.ts'
import { type Bench, median } from './kit.ts'
import { load } from './load.ts'
import { fullSite } from './p1-board.ts'

/** Medians of all rounds, for each load as a multiple of the peak; `other` is a sum. */
export type CrowdBench = {
  unloaded_p99_ms: number
  peak_per_second: number
  loads: {
    times: number
    goodput: number
    p99_ratio: number
    refused: number
    refused_p99_ms: number
    other: number
    first_other: string | null
  }[]
  /** Results of a number of callers who each wait for their response, and what `ready` returned in the meantime. */
  callers: { connections: number; ok_per_second: number; ready: number[]; memory_mb: number }[]
}

/**
 * Requests board pages in rounds: with one caller, with four and eight (the better rate is the peak), then at one, three and ten times the peak.
 * Last, with 500 and 2,500 callers.
 */
export async function crowdBench(bench: Bench, permits = 5000, rounds = 3, seconds = 4): Promise<CrowdBench> {
  const w = await fullSite(bench, permits)
  const calls = (['coordinator', 'hse', 'viewer', 'member'] as const).map(role => ({
    method: 'GET',
    path: `/permits/applications?site_id=${w.site_id}&limit=50`,
    token: w.as(role).token ?? '',
  }))
  await load(bench.address, calls, { connections: 8, seconds: 3 })
  const alone: number[] = []
  const peaks: number[] = []
  const floods = new Map<number, { flood: Flood; p99_ratio: number; goodput: number }[]>([
    [1, []],
    [3, []],
    [10, []],
  ])
  for (let round = 0; round < rounds; round++) {
    const unloaded = await load(bench.address, calls, { connections: 1, seconds })
    const tries = []
    for (const connections of [4, 8]) tries.push((await load(bench.address, calls, { connections, seconds })).per_second)
    const peak = Math.max(...tries)
    alone.push(unloaded.p99_ms)
    peaks.push(peak)
    for (const [times, list] of floods) {
      const said = await flood(bench.address, calls, { per_second: peak * times, seconds })
      list.push({ flood: said, goodput: said.ok_per_second / peak, p99_ratio: said.ok_p99_ms / unloaded.p99_ms })
    }
  }
  const callers: CrowdBench['callers'] = []
  for (const connections of [500, 2500]) {
    const ready: number[] = []
    const going = load(bench.address, calls, { connections, seconds })
    for (let i = 0; i < 3; i++) {
      await new Promise(done => setTimeout(done, (seconds * 1000) / 4))
      ready.push((await fetch(`${bench.address}/api/health/ready`)).status)
    }
    const said = await going
    callers.push({
      connections,
      ok_per_second: (said.answers - said.failed) / seconds,
      ready,
      memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    })
  }
  return {
    unloaded_p99_ms: median(alone),
    peak_per_second: median(peaks),
    loads: [...floods].map(([times, list]) => ({
      times,
      goodput: median(list.map(one => one.goodput)),
      p99_ratio: median(list.map(one => one.p99_ratio)),
      refused: median(list.map(one => one.flood.refused / Math.max(1, one.flood.sent))),
      refused_p99_ms: median(list.map(one => one.flood.refused_p99_ms)),
      other: list.reduce((sum, one) => sum + one.flood.other, 0),
      first_other: list.find(one => one.flood.first_other !== null)?.flood.first_other ?? null,
    })),
    callers,
  }
}
