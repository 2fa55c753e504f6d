// A stock of sites that were made through the API once for the whole run. They are put aside in the template database, outside the tables of the service, so that
// nothing sees them. A test that asks for a site gets the next one, moved into the tables as it was written, with its history; each is given out once.
import type pg from 'pg'
import type { Role } from '../server/base/actor.ts'
import type { Id } from '../server/base/ids.ts'

/** Who a person says they are: enough for another token. */
export type Claims = { subject: string; name: string; email: string | null; email_verified: boolean; user_id: Id }

/** What a test knows about a site with its people. */
export type WorldFacts = { site_id: Id; superadmin: Claims; people: Record<Role, Claims> }

/** What a test knows about a site on which permits can be issued. */
export type PermitFacts = WorldFacts & { issuer: Claims; receiver: Claims; acme: Id; types: { code: string; id: Id; version: number }[] }

/** What there is in stock, by kind. */
export type Stocked = { world: WorldFacts; permits: PermitFacts }

type Queries = { query(text: string, values?: unknown[]): Promise<pg.QueryResult> }

/** The schema of a database that has its stock. */
const SCHEMA = 'stock'

/** Puts these sites aside: their rows leave the tables of the service as they are. */
export async function putAside(db: Queries, sites: readonly { kind: keyof Stocked; facts: WorldFacts }[]): Promise<void> {
  const { rows: tables } = await db.query(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    group by c.relname having bool_or(a.attname = 'site_id') order by c.relname`)
  const kinds = [...new Set(sites.map(({ kind }) => kind))]
  const moves = new Map<keyof Stocked, string[]>(kinds.map(kind => [kind, []]))
  await db.query('begin')
  // Triggers are off, as in a restore: the rows are complete, so nothing is derived from them, and nothing logs that they come and go.
  await db.query('set local session_replication_role = replica')
  await db.query(`create schema ${SCHEMA}`)
  const ids = sites.map(({ facts }) => facts.site_id)
  for (const { name, columns } of tables) {
    const { rows } = await db.query(`select distinct site_id from public."${name}" where site_id = any($1::uuid[])`, [ids])
    if (rows.length === 0) continue
    await db.query(`create table ${SCHEMA}."${name}" as select * from public."${name}" where false`)
    await db.query(
      `with gone as (delete from public."${name}" where site_id = any($1::uuid[]) returning *) insert into ${SCHEMA}."${name}" select * from gone`,
      [ids],
    )
    await db.query(`create index on ${SCHEMA}."${name}" (site_id)`)
    const filled = new Set(sites.flatMap(({ kind, facts }) => (rows.some(row => row.site_id === facts.site_id) ? [kind] : [])))
    for (const kind of filled)
      moves
        .get(kind)
        ?.push(`insert into public."${name}" (${columns}) select ${columns} from ${SCHEMA}."${name}" where site_id = taken.site_id;`)
  }
  await db.query(`create table ${SCHEMA}.taking (no serial primary key, kind text not null, site_id uuid not null, facts jsonb not null)`)
  for (const { kind, facts } of sites)
    await db.query(`insert into ${SCHEMA}.taking (kind, site_id, facts) values ($1, $2, $3)`, [kind, facts.site_id, JSON.stringify(facts)])
  for (const [kind, statements] of moves)
    await db.query(`create function ${SCHEMA}.take_${kind}() returns jsonb language plpgsql as $$
      declare taken record;
      begin
        delete from ${SCHEMA}.taking
          where no = (select no from ${SCHEMA}.taking where kind = '${kind}' order by no limit 1 for update skip locked) returning * into taken;
        if not found then return null; end if;
        ${statements.join('\n        ')}
        return taken.facts;
      end $$`)
  await db.query('commit')
}

/**
 * Settings of the connection on which sites are taken out. Triggers are off, as above. That can't be a setting of the function: PostgreSQL drops every plan of a
 * connection whenever it changes, so on a connection of the service each site would make it plan all its statements again.
 */
export const TAKING = '-c session_replication_role=replica -c plan_cache_mode=force_generic_plan'

/** Takes a site out of the stock of a database; null if there is none left. `db` has the settings above. */
export async function takeOut<Kind extends keyof Stocked>(db: Queries, kind: Kind): Promise<Stocked[Kind] | null> {
  const { rows } = await db.query(`select ${SCHEMA}.take_${kind}() as facts`)
  return rows[0]?.facts ?? null
}
