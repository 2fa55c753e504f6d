import pg from 'pg'
import type { Engine } from '../../server/base/engine.ts'

const STAMPED = new Set(['version', 'created_at', 'created_by', 'updated_at', 'updated_by'])
const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  citext: 'string',
  bpchar: 'string',
  char: 'string',
  varchar: 'string',
  date: 'string',
  time: 'string',
  timestamptz: 'string',
  interval: 'string',
  box: 'string',
  xid8: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  json: 'unknown',
  jsonb: 'Json',
}

type Column = {
  table_name: string
  column_name: string
  type: string
  is_array: boolean
  nullable: boolean
  has_default: boolean
  generated: boolean
  is_record: boolean
  /** The check that lists the values of a text column, if it has one. */
  values_check: string | null
}

/** Returns TypeScript types of every table, from the catalogue of a migrated database. */
export async function tableTypes(engine: Engine, database: string): Promise<string> {
  const client = new pg.Client({ ...engine.connection, database })
  await client.connect()
  const { rows } = await client.query<Column>(`
    select c.relname as table_name, a.attname as column_name,
           case when t.typelem <> 0 and t.typcategory = 'A' then e.typname else t.typname end as type,
           t.typcategory = 'A' as is_array, not a.attnotnull as nullable,
           a.atthasdef and a.attgenerated = '' as has_default, a.attgenerated <> '' as generated,
           exists (select 1 from pg_trigger g where g.tgrelid = c.oid and g.tgname = 'record_stamp') as is_record,
           (select pg_get_constraintdef(k.oid) from pg_constraint k
             where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) like 'CHECK ((% = ANY (ARRAY[%' limit 1) as values_check
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_type e on e.oid = t.typelem
    where c.relkind in ('r', 'v', 'm') and c.relname not like 'pg\\_%'
    order by c.relname, a.attnum`)
  await client.end()
  const tables = Map.groupBy(rows, row => row.table_name)
  const lines = [
    '// Generated from the migrated database by `npm run gen`. Do not edit.',
    "import type { ColumnType, Generated } from 'kysely'",
    "import type { JsonIn } from './json-columns.ts'",
    '',
    '/** JSON: read as a value, written as text by `jsonb()`. */',
    'export type Json<C extends string> = ColumnType<JsonIn<C>, string, string>',
    '/** JSON with a default. */',
    'export type JsonDefault<C extends string> = ColumnType<JsonIn<C>, string | undefined, string>',
    '/** Nullable JSON. */',
    'export type JsonOrNull<C extends string> = ColumnType<JsonIn<C>, string | null | undefined, string | null>',
    '/** Written by the record trigger alone. */',
    'type Stamped<T> = ColumnType<T, never, never>',
    '',
  ]
  for (const [table, columns] of tables) {
    lines.push(`export interface ${pascal(table)}Table {`)
    for (const column of columns) lines.push(`  ${column.column_name}: ${typeOf(column)}`)
    lines.push('}', '')
  }
  lines.push('/** Every table of the service. */', 'export interface Tables {')
  for (const table of tables.keys()) lines.push(`  ${table}: ${pascal(table)}Table`)
  lines.push('}', '')
  lines.push('/** The columns of each table that contain JSON. */', 'export const JSON_COLUMNS: Record<string, readonly string[]> = {')
  for (const [table, columns] of tables) {
    const json = columns.filter(column => TYPES[column.type] === 'Json' && !column.is_array).map(column => `'${column.column_name}'`)
    if (json.length > 0) lines.push(`  ${table}: [${json.join(', ')}],`)
  }
  lines.push('}', '')
  return lines.join('\n')
}

const pascal = (name: string) =>
  name
    .split('_')
    .map(w => w.charAt(0).toUpperCase() + w.slice(1))
    .join('')

/** Returns the values of a text column that has a check with all of them: `CHECK ((status = ANY (ARRAY['active'::text, 'left'::text])))`. */
function valuesOf({ column_name, is_array, values_check }: Column): string | null {
  const [, column, list = ''] =
    /^CHECK \(\(\(?(\w+)(?:\)::text)? = ANY \(\(?ARRAY\[(.*?)\]\)?(?:::text\[\])?\)\)\)$/.exec(values_check ?? '') ?? []
  if (column !== column_name || is_array) return null
  return [...list.matchAll(/'([^']*)'::/g)].map(([, value]) => `'${value}'`).join(' | ')
}

function typeOf(column: Column): string {
  const known = TYPES[column.type]
  if (known === undefined) throw new Error(`No TypeScript type for ${column.type} (${column.table_name}.${column.column_name}).`)
  if (known === 'Json')
    return `${column.nullable ? 'JsonOrNull' : column.has_default ? 'JsonDefault' : 'Json'}<'${column.table_name}.${column.column_name}'>`
  const base = valuesOf(column) ?? `${known}${column.is_array ? '[]' : ''}`
  const type = column.nullable ? `${base} | null` : base
  if ((column.is_record && STAMPED.has(column.column_name)) || column.generated) return `Stamped<${type}>`
  return column.has_default ? `Generated<${type}>` : type
}
