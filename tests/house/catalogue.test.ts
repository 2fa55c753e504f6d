import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindOfTable } from '../../server/kernel/records/door.ts'
import { useHouse } from '../world.ts'

/** Tables of the installation, not of a site. On a sharded server they are reference tables. */
const PLATFORM = [
  'weather_cell', // the last answer of a weather service, for all sites of a cell
  'weather_call', // the calls of a day
  'schema_migration', // the version of the schema
  'app_user', // a person belongs to the installation; sites refer to them by membership
  'app_user_seen', // when a person was last active
  'record_directory', // finds the site of an id alone
  'email_suppression', // an address is suppressed on all sites
  'platform_secret', // keys of the installation
  'push_key', // keys of the installation
  'push_subscription', // people's devices belong to no site
  'push_send', // messages on their way to them
  'rate_count', // limits shared by all nodes
  'schedule_run', // the scheduler belongs to the installation
  'account', // an account of the built-in provider belongs to the installation
  'account_code_step', // the last code that an account's authenticator app has given
  'account_token', // confirmations of the addresses of accounts, which belong to the installation
  'oidc_item', // sessions of the built-in provider belong to no site
  'live_process', // what a process is doing now
  'device_key', // keys for what the app stores on people's devices
  'diag_line', // errors of the installation and its apps
  'email_report', // a mail system's report about an address belongs to no site
  'invite_token', // finds the site of a token before anything is known of its holder
]

/** Tables without the record trigger, each with its reason. */
const UNTRACKED = [
  ...PLATFORM.filter(table => table !== 'app_user' && table !== 'account'),
  'site_head', // the numbering itself; only seal() writes it
  'audit_draft', // temporary rows between the trigger and the seal
  'audit_open', // marks that drafts wait for the seal
  'permit_words', // derived from the permit, for search
  'audit_entry', // the audit log
  'event', // numbered by the seal, never changed
  'idempotency_key', // stored responses, for 24 hours
  'site_counter', // human-readable numbers; the record with the number has the history
  'contractor_name', // derived from the contractor, for uniqueness
  'geodata_feature', // replaced with the file of its layer, whose record has the digest of its content
  'weather_hour', // written once by the clock, and never changed
  'weather_kept', // the forecast of a morning, written once by the clock
  'weather_notice', // which limits people were notified of
  'site_seed', // what a site was given; what was added has a history
  'rule_profile_period', // when each profile was active; the profile says who changed it
  'clash_rule_version', // the states of a rule, which the history of the rule has, too
  'clash_site', // how far the clashes of a site are known
  'clash_episode', // follows from what is on the site, its rules and the clock; what happened to it is in clash_episode_event
  'clash_asked', // derived, for the clock: when people are asked to settle an episode
  'clash', // follows from what is on the site, its rules and the clock
  'clash_episode_event', // this is the history of an episode
  'clash_permit_link', // what permits covered when their clashes were computed last
  'permit_conflicts_told', // how many conflicts a permit had at its last event
  'person_key', // keys that are made once and destroyed once; what is encrypted with them has a history
  'delivery_late', // which late vehicles people were notified of
  'permit_gap', // which work without a live permit people were notified of
  'geometry_cut_step', // the steps of a cut, each of which is a change of the cut and a version of its feature
  'reference_feature_parent', // derived from geometries whose versions have a history
  'paper_order', // queue between a step and the printing of its document, which is a record
  'stored_file', // referred to by records that have a history
  'job_run', // progress of background work; what it writes has a history
  'chain_check', // how far the audit log itself has been verified
  'event_cursor', // how far a consumer has read
  'event_receipt', // marks that a consumer has handled an event
  'event_waiting', // events that wait for a retry
  'notification', // made from an event, which never changes
  'notification_send', // how a notification was delivered
  'notification_message', // an email or push on its way
  'notification_preference', // a person's notification settings belong to the person
  'notification_rule_version', // a rule's history is this table itself
  'notification_rule_hour', // counts
  'task', // derived from the record that raises it
  'task_acknowledgement', // a person's own
]

describe('the catalogue', () => {
  const house = useHouse()
  const ask = async <T>(text: string): Promise<T[]> => (await house.house.database.pool.query(text)).rows

  test('every table of a site has site_id first in its keys, so that the schema can be sharded by site', async () => {
    const keys = await ask<{ table: string; name: string; first: string }>(`
      select c.relname as table, i.relname as name, a.attname as first from pg_index x
      join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
      join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[0] where x.indisunique or x.indisexclusion`)
    const strange = keys.filter(key => key.first !== 'site_id' && !PLATFORM.includes(key.table))
    // The site table has one row per site and is a reference table; its code is unique in the installation.
    assert.deepEqual(
      strange.map(key => key.name),
      ['site_code_once'],
    )
  })

  test('every foreign key stays within one site, or refers to a table of the installation', async () => {
    const keys = await ask<{ name: string; from: string; to: string; first: string }>(`
      select k.conname as name, c.relname as from, p.relname as to, a.attname as first from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
      join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' where k.contype = 'f'`)
    assert.deepEqual(
      keys.filter(key => key.first !== 'site_id' && !PLATFORM.includes(key.to)).map(key => key.name),
      [],
    )
  })

  test('every table has the record trigger, or is in the list with its reason', async () => {
    const tables = await ask<{ name: string; tracked: boolean }>(`
      select c.relname as name, exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'record_draft') as tracked
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' where c.relkind = 'r'`)
    assert.deepEqual(
      tables.filter(table => !table.tracked && !UNTRACKED.includes(table.name)).map(table => table.name),
      [],
    )
    assert.deepEqual(
      tables.filter(table => table.tracked && UNTRACKED.includes(table.name)).map(table => table.name),
      [],
      'this list may only become shorter',
    )
    assert.deepEqual(
      tables.filter(table => table.tracked && kindOfTable(table.name) === undefined).map(table => table.name),
      [],
      'a record without a kind',
    )
  })

  test('no sequence counts across sites', async () => {
    assert.deepEqual(await ask(`select sequencename from pg_sequences where schemaname = 'public'`), [])
  })

  test('instants are stored in milliseconds, as they are sent', async () => {
    const columns = await ask<{ name: string }>(`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type like 'timestamp%' and (data_type <> 'timestamp with time zone' or datetime_precision <> 3)`)
    assert.deepEqual(columns, [])
  })

  test('a write without an actor is refused, and so is a commit whose drafts were not sealed', async () => {
    const w = await house.world()
    const client = await house.house.database.pool.connect()
    try {
      await assert.rejects(client.query('update contractor set name = name where site_id = $1', [w.site_id]), /no actor, no write/)
      await client.query(`begin; set local walkdown.actor_kind = 'user'; set local walkdown.now = '2026-03-16T09:00:00Z'`)
      await client.query('update contractor set name = $2 where site_id = $1', [w.site_id, 'By a side door'])
      await assert.rejects(client.query('commit'), /unsealed change of contractor/)
      await assert.rejects(
        client.query('update audit_entry set actor_name = $2 where site_id = $1', [w.site_id, 'nobody']),
        /the audit trail stands/,
      )
      await assert.rejects(client.query('delete from audit_entry where site_id = $1', [w.site_id]), /the audit trail stands/)
    } finally {
      client.release()
    }
  })
})
