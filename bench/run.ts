// `npm run bench [-- P1 P3 …]`: the figures that the design promises and this machine can measure, each compared with a limit or a peer in the same run.
import { availableParallelism, totalmem } from 'node:os'
import { openBench, pgbench, say, shown, wanted } from './kit.ts'
import { boardBench } from './p1-board.ts'
import { sizeBench } from './p1b-size.ts'
import { stepBench } from './p2-steps.ts'
import { importBench } from './p3-import.ts'
import { readingBench } from './p3-reading.ts'
import { conflictBench } from './p4-conflicts.ts'
import { tileBench } from './p5-tiles.ts'
import { paperBench } from './p6-paper.ts'
import { startBench } from './p7-start.ts'
import { fanoutBench } from './p8-fanout.ts'
import { crowdBench } from './p9-crowd.ts'
import { liveClashBench } from './p10-clashes.ts'
import { clashScaleBench } from './p11-clash-scale.ts'
import { type Frames, framesBench } from './p12-frames.ts'
import { sizeOfWork } from './p13-size.ts'
import { mapBench } from './p14-map.ts'

const of = (ratio: number | null) =>
  ratio === null ? 'pgbench isn’t installed, so there is no comparison' : `${shown(ratio)} of the limit`

console.log(
  `${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GB; limit: ${pgbench() === null ? 'none (no pgbench)' : 'pgbench on the same server'}\n`,
)
if (wanted('P1') || wanted('P2') || wanted('P3')) {
  const bench = await openBench()
  if (wanted('P1')) {
    const b = await boardBench(bench)
    say(
      'P1',
      `board page, 50 of ${b.permits.toLocaleString('en')} permits at 16 connections: ${shown(b.per_second)}/s, p50 ${shown(b.p50_ms)} ms, p99 ${shown(b.p99_ms)} ms, ${shown(b.cpu_ms)} ms of the serving thread per page; the same ${b.statements} statements in pgbench: ${b.limit_per_second === null ? '–' : shown(b.limit_per_second)}/s; ${of(b.ratio)}`,
      'at least 0.30 of pgbench running the same SQL',
    )
  }
  if (wanted('P2')) {
    const b = await stepBench(bench)
    say(
      'P2',
      `lifecycle step at 16 connections on ${b.sites} sites: ${shown(b.per_second)}/s, p50 ${shown(b.p50_ms)} ms (alone ${shown(b.alone_p50_ms)} ms), ${shown(b.cpu_ms)} ms of the serving thread per step; the same ${b.statements} statements in one durable function: ${b.limit_per_second === null ? '–' : shown(b.limit_per_second)}/s; ${of(b.ratio)}`,
      'at least 0.5 of pgbench running the same statements as one function',
    )
  }
  if (wanted('P3')) {
    const b = await importBench(bench)
    say(
      'P3',
      `register of ${b.rows.toLocaleString('en')} rows over HTTP: first import ${shown(b.new_seconds)} s, second import ${shown(b.again_seconds)} s, longest stall ${shown(b.worst_stall_ms)} ms, most processor time in one turn of the event loop ${shown(b.worst_turn_ms)} ms; a row-by-row upsert without an audit log: ${shown(b.peer_seconds)} s; the import is ${shown(b.ratio)} times quicker (the second one ${shown(b.ratio_again)} times)`,
      '4 times quicker than a row-by-row upsert; no stall over 50 ms',
    )
  }
  await bench.close()
}
if (wanted('P1B')) {
  const bench = await openBench()
  const b = await sizeBench(bench)
  const worst = b.requests.reduce((most, one) => Math.max(most, one.ratio), 0)
  say(
    'P1b',
    [
      `board pages with ${b.large.toLocaleString('en')} permits, one caller: at most ${shown(worst)} times as long as with ${b.small.toLocaleString('en')} (${shown(b.page_ms)} ms)`,
      ...b.requests.map(
        r =>
          `  ${r.who.padEnd(11)} ${r.filter.padEnd(26)} ${shown(r.small_ms).padStart(6)} → ${shown(r.large_ms).padStart(6)} ms ${shown(r.ratio).padStart(5)}×, ${String(r.rows).padStart(2)} rows, ${r.read} read: ${r.plan}`,
      ),
    ].join('\n'),
    'at most 1.5 times as long as on the smaller board, with every filter',
  )
  await bench.close()
}
if (wanted('P3')) {
  const b = await readingBench()
  say(
    'P3',
    `reading and checking only: ${shown(b.seconds)} s; the spreadsheet library alone, without checks: ${shown(b.peer_seconds)} s; longest stall ${shown(b.worst_stall_ms)} ms, most processor time in one turn of the event loop ${shown(b.worst_turn_ms)} ms`,
    'no stall over 50 ms',
  )
}
if (wanted('P4')) {
  const b = await conflictBench()
  const l = b.layouts
  say(
    'P4',
    [
      `conflicts among permits that are live at one time, with polygons, windows and the matrix; ${b.peer}, the same join: ${shown(b.peer_ms)} ms, which is ${shown(b.ratio)} times as long; ${b.same ? 'the same result' : 'ANOTHER RESULT'}`,
      ...b.sizes.map(
        s =>
          `  ${s.permits.toLocaleString('en')} permits: ${shown(s.sweep_ms)} ms for ${s.compared.toLocaleString('en')} comparisons and ${s.clashes.toLocaleString('en')} conflicts, after ${shown(s.index_ms)} ms to prepare them; ${shown(s.per_n_log_n)} ns for each n log n`,
      ),
      `  5,000 permits spread over two weeks: ${shown(b.spread.sweep_ms)} ms for ${b.spread.clashes.toLocaleString('en')} conflicts`,
      `  one changed permit among 5,000: p50 ${shown(b.one_ms)} ms, p95 ${shown(b.one_p95_ms)} ms${b.peer_one_ms === null ? '' : `; in the database ${shown(b.peer_one_ms)} ms`}`,
      l === null
        ? '  PostGIS isn’t installed, so random layouts weren’t compared with it'
        : `  ${l.layouts.toLocaleString('en')} random layouts with ${l.pairs.toLocaleString('en')} conflicts: ${l.different} differ from PostGIS, ${l.close} are within 2 mm of a limit; distances differ by at most ${(l.worst_m * 1000).toFixed(3)} mm`,
    ].join('\n'),
    '10 times quicker than the join in PostGIS with the same result; 5,000 permits in 8 ms, one changed permit in 1 ms; grows no faster than n log n',
  )
}
if (wanted('P5')) {
  const bench = await openBench()
  const b = await tileBench(bench)
  say(
    'P5',
    [
      `vector tile of zoom 16 with 5,000 tokens; the largest tile has ${Math.round(b.largest_sent / 1000)} kB as it is sent, ${Math.round(b.largest / 1000)} kB before compression; most processor time in one turn of the event loop ${shown(b.turn_ms)} ms`,
      ...b.sites.map(
        s =>
          `  ${s.dead.toLocaleString('en')} that are over: a new tile ${shown(s.cold_ms)} ms (p95 ${shown(s.cold_p95_ms)} ms), the first tile of a place ${shown(s.first_ms)} ms (p95 ${shown(s.first_p95_ms)} ms), one after a change ${shown(s.changed_ms)} ms (p95 ${shown(s.changed_p95_ms)} ms), an edit and the tile with it p95 ${shown(s.edit_ms)} ms, kept ${shown(s.warm_ms)} ms, unchanged ${shown(s.unchanged_ms)} ms; its query ${shown(s.query_ms)} ms`,
      ),
      `  ten times the rows that are over: ${shown(b.ratio)} times the query; geojson-vt and vt-pbf, without database and request: ${shown(b.peer_ms)} ms, which is ${shown(b.peer_ratio)} of the time of our new tile`,
      b.postgis_ms === null
        ? '  PostGIS isn’t installed, so there is no comparison with ST_AsMVT'
        : `  in turns with the first site: ST_AsMVT ${shown(b.postgis_ms)} ms, which is ${shown(b.postgis_ratio)} of the time of our new tile, ${shown(b.postgis_first_ratio)} of the first one of a place and ${shown(b.postgis_changed_ratio)} of one after a change`,
      b.tileserver_rate === null
        ? '  TILESERVER isn’t the folder of a tileserver-gl-light, so there is no comparison with it'
        : `  over 16 connections: ${shown(b.kept_rate)} kept tiles a second, tileserver-gl-light ${shown(b.tileserver_rate)} with the same bytes, so ours are ${shown(b.tileserver_ratio)} times as many`,
    ].join('\n'),
    'a new tile at 0.9 of ST_AsMVT, a kept one 10 times quicker than tileserver-gl-light; an edit is in the tiles in 200 ms; at most 1.3 times the query; unchanged 5 ms; no stall over 50 ms',
  )
  await bench.close()
}
if (wanted('P6')) {
  const bench = await openBench()
  const b = await paperBench(bench)
  say(
    'P6',
    `permit as a PDF, ${b.pages} pages, ${Math.round(b.bytes / 1000)} kB: ${shown(b.ms)} ms for the whole request, ${shown(b.kept_ms)} ms once it is stored, ${b.same_bytes ? 'the same bytes each time' : 'DIFFERENT BYTES'}; Chromium printing the same text and pictures ${b.peer_ms === null ? '–' : `${shown(b.peer_ms)} ms`}: ${b.ratio === null ? 'Chromium isn’t installed, so there is no comparison' : `${shown(b.ratio)} times quicker`}`,
    '40 times quicker than printing with Chromium; 20 ms; the same bytes each time',
  )
  await bench.close()
}
if (wanted('P7')) {
  const b = await startBench()
  say(
    'P7',
    `start to the first authenticated response: ${shown(b.seconds)} s, ${shown(b.idle_mb)} MB idle; a bare Node and PostgreSQL alone: ${shown(b.engine_seconds + b.bare_node_seconds)} s (${shown(b.ratio)} times as long)`,
    '0.7 s, 140 MB',
  )
}
if (wanted('P8')) {
  const bench = await openBench()
  const b = await fanoutBench(bench)
  say(
    'P8',
    `a step reaches ${b.clients.toLocaleString('en')} open apps of ${b.people.toLocaleString('en')} people: p50 ${shown(b.p50_ms)} ms, p99 ${shown(b.p99_ms)} ms after the request; a bare broadcast p50 ${shown(b.bare_p50_ms)} ms, p99 ${shown(b.bare_p99_ms)} ms; steps at 16 connections: ${shown(b.per_second)} frames/s, broadcasts: ${shown(b.bare_per_second)}/s; ${shown(b.ratio)} of the broadcast`,
    'at least 0.7 of a bare broadcast',
  )
  await bench.close()
}
if (wanted('P9')) {
  const bench = await openBench({ pool: 12, patient: false })
  const b = await crowdBench(bench)
  say(
    'P9',
    [
      `board pages: one caller: p99 ${shown(b.unloaded_p99_ms)} ms; peak ${shown(b.peak_per_second)}/s`,
      ...b.loads.map(
        l =>
          `  at ${l.times}× the peak: goodput ${shown(l.goodput)} of the peak, p99 of admitted requests ${shown(l.p99_ratio)} times that of one caller; ${shown(l.refused * 100)} % refused, p99 of refusals ${shown(l.refused_p99_ms)} ms; ${l.other} other responses${l.first_other === null ? '' : ` (${l.first_other})`}`,
      ),
      ...b.callers.map(
        c => `  ${c.connections} callers at once: ${shown(c.ok_per_second)}/s served, readiness ${c.ready.join(', ')}, ${c.memory_mb} MB`,
      ),
    ].join('\n'),
    'at 3× the peak: goodput at least 0.9 of the peak, p99 of admitted requests at most 4 times that of one caller, all others refused with 503 and Retry-After',
  )
  await bench.close()
}
if (wanted('P10')) {
  const bench = await openBench()
  const b = await liveClashBench(bench)
  say(
    'P10',
    `a clash is seen on another node, with ${b.permits} permits and ${b.gangs} gangs: a gang moved next to a permit after p50 ${shown(b.gang.p50_ms)} ms, p95 ${shown(b.gang.p95_ms)} ms; a permit submitted next to another after p50 ${shown(b.permit.p50_ms)} ms, p95 ${shown(b.permit.p95_ms)} ms${b.missed === 0 ? '' : `; ${b.missed} NOT SEEN within ten seconds`}`,
    'p95 at most 1 s',
  )
  await bench.close()
}
if (wanted('P11')) {
  const bench = await openBench()
  const b = await clashScaleBench(bench)
  say(
    'P11',
    [
      `${b.clashes.toLocaleString('en')} clashes ahead on a site with 5,000 open permits, 30,000 gangs ahead and 500,000 episodes that are over: everything again in ${shown(b.rebuild_ms)} ms, ${shown(b.growth)} times as long as on half the site`,
      `  a gang was moved: its clash is in the list after p50 ${shown(b.edit.p50_ms)} ms, p95 ${shown(b.edit.p95_ms)} ms, ${shown(b.edit.worker_p50_ms)} ms of it the worker's`,
      `  badges of ${b.badges.permits} permits ${shown(b.badges.changed_ms)} ms after a change, ${shown(b.badges.same_ms)} ms without one (${shown(b.badges.same_ms / b.badges.sql_ms)} times the bare statement); board page ${shown(b.board.changed_ms)} and ${shown(b.board.same_ms)} ms`,
      `  ${b.unresolved.open.toLocaleString('en')} episodes open: a page of 50 of them ${shown(b.unresolved.page_ms)} ms (${shown(b.unresolved.page_ms / b.unresolved.page_sql_ms)} times the bare statement), counts ${shown(b.unresolved.summary_ms)} ms (${shown(b.unresolved.summary_ms / b.unresolved.summary_sql_ms)} times), the whole list ${shown(b.unresolved.list_ms)} ms`,
    ].join('\n'),
    'an edit within 1 s (p95); twice the site at most 2.3 times; badges of 500 permits 100 ms; to settle 50 ms',
  )
  await bench.close()
}
if (wanted('P12')) {
  const b = await framesBench()
  const costOf = (f: Frames) => f.page_ms + f.drawing_ms
  const of = (f: Frames) =>
    `p50 ${shown(f.p50_ms)} ms, p95 ${shown(f.p95_ms)} ms between frames, ${shown(f.per_second)} frames/s; processor time for a frame: ${shown(f.page_ms)} ms in the page, ${shown(f.drawing_ms)} ms to draw it`
  say(
    'P12',
    [
      `map with ${b.tokens.toLocaleString('en')} live tokens on 600 × 400 m, dragged and zoomed, drawn without a graphics card: ${of(b.with)}`,
      `  the same map without tokens: ${of(b.without)}; with tokens a frame takes ${shown(costOf(b.with) / costOf(b.without))} times the processor time, and ${shown(b.without.per_second / b.with.per_second)} times as long`,
      `  a page without a map: ${of(b.empty)}`,
      `  from the request to the drawn map ${shown(b.first_ms / 1000)} s; longest task when the map comes to rest ${shown(b.rest_ms)} ms (without tokens ${shown(b.rest_without_ms)} ms)`,
    ].join('\n'),
    '60 frames/s, or as many as the same map without tokens',
  )
}
if (wanted('P13')) {
  const bench = await openBench()
  const kilobytes = (bytes: number) => `${shown(bytes / 1000)} kB`
  for (const one of await sizeOfWork(bench))
    say(
      'P13',
      [
        `${one.of} (${one.made.toLocaleString('en')} of them): ${kilobytes(one.bytes)} in the database, ${shown(one.events)} events`,
        ...one.parts.map(([name, bytes]) => `${kilobytes(bytes)} ${name}`),
        `rows: ${one.rows.map(([name, rows]) => `${name} ${shown(rows)}`).join(', ')}`,
      ].join('\n     '),
      'none: docs/scale.md is made from these figures',
    )
  await bench.close()
}
if (wanted('P14')) {
  const bench = await openBench()
  await mapBench(bench, one =>
    say(
      'P14',
      `${one.what}: ${shown(one.request_ms)} ms for the whole request, ${one.database_ms === null ? '' : `${shown(one.database_ms)} ms of it at the database, `}${shown(one.request_ms / one.bare_ms)} times the bare SQL (${shown(one.bare_ms)} ms)${one.growth === null ? '' : `; with ten times what is over, its statements take ${shown(one.growth)} times as long`}`,
      one.goal,
    ),
  )
  await bench.close()
}
process.exit(0)
