// The rows with which benchmarks and tests fill sites in a few statements, without the history that each write has (`session_replication_role = replica`).

/** SQL of the place of a row, from its `lon` and `lat`: the columns place, place_source, lon, lat and bounds. */
export const PLACED = `jsonb_build_object('point', jsonb_build_object('lon', lon, 'lat', lat)), 'none', lon, lat, box(point(lon, lat), point(lon, lat))`

/** SQL of the start and the end of the row `n`: the first `alive` are there now, and the others were there on one of 700 days that are over. */
export const nowOrOver = (alive: number | string): string => `
  case when n <= ${alive} then now() - interval '1 hour' else now() - (n % 700 + 2) * interval '1 day' end,
  case when n <= ${alive} then now() + interval '9 hours' else now() - (n % 700 + 2) * interval '1 day' + interval '10 hours' end`

/** Start and end of what is there now. */
export const NOW = `now() - interval '1 hour', now() + interval '9 hours'`

/**
 * Gangs to insert: `count` of them, numbered `n` from 1. All are SQL that can use `n`: `spot` the columns `lon` and `lat`, `times` a start and an end, `about` what
 * differs from the usual gang.
 */
export type Gangs = {
  count: number | string
  spot: string
  times: string
  about?: { name?: string; trade?: string; headcount?: string; colour?: string }
}

/** The statement that inserts gangs into the site `$1`. */
export const insertGangs = ({ count, spot, times, about = {} }: Gangs): string => `
  insert into worker (site_id, id, version, created_at, updated_at, name, trade, headcount, radius_m, colour, start_at, end_at, place, place_source, lon, lat, bounds)
  select $1::uuid, gen_random_uuid(), 1, now(), now(), ${about.name ?? `'Gang ' || n`}, ${about.trade ?? `'Steel fixer'`}, ${about.headcount ?? '6'}, 2,
    ${about.colour ?? 'null'}, ${times}, ${PLACED}
  from (select n, ${spot} from generate_series(1, ${count}) n) r`
