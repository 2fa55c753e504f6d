// Creates a room: `npm run new-room GROUP AREA`. It has seven files with one working list endpoint, its test, its line in groups.ts, and a migration.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [group = '', name = ''] = process.argv.slice(2)
if (!/^[a-z]+$/.test(group) || !/^[a-z]+(-[a-z]+)*$/.test(name)) {
  console.error('npm run new-room GROUP AREA, for example: npm run new-room logistics deliveries (the groups are listed in docs/groups.md)')
  process.exit(2)
}
const folder = `${root}server/rooms/${group}/${name}`
if (existsSync(folder)) {
  console.error(`There is already a room called “${name}”.`)
  process.exit(1)
}
const singular = name
  .replaceAll('-', '_')
  .replace(/ies$/, 'y')
  .replace(/(ss|x|ch)es$/, '$1')
  .replace(/s$/, '')
const pascal = singular
  .split('_')
  .map(w => w.charAt(0).toUpperCase() + w.slice(1))
  .join('')
const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
const path = `/sites/:site_id/${name}`

const files: Record<string, string> = {
  'schema.ts': `import { id, instant, integer, name, object, paging, shape } from '../../../base/schema.ts'

export const ${pascal} = shape('${pascal}', 'Say what it is', {
  id: id('Id'),
  site_id: id('Site'),
  name: name('Name'),
  version: integer('Version'),
  created_at: instant('When it was made'),
  updated_at: instant('When it was last changed'),
})

export const ${pascal}Filter = object({ ...paging })
`,
  'queries.ts': `import type { Db } from '../../../base/db.ts'
import type { Id } from '../../../base/ids.ts'

/** A row of this room. */
export type ${pascal}Row = { site_id: Id; id: Id; version: number; created_at: string; updated_at: string; name: string }

/** Those of a site, by id. */
export async function ${camel}sOn(db: Db, site_id: Id, limit: number, after: readonly (string | number | null)[] | null): Promise<${pascal}Row[]> {
  let query = db.selectFrom('${singular}').selectAll().where('site_id', '=', site_id)
  if (after !== null) query = query.where('id', '>', String(after[0]))
  return query.orderBy('id').limit(limit + 1).execute()
}
`,
  'actions.ts': `import type { Ctx } from '../../../base/ctx.ts'
import type { Id } from '../../../base/ids.ts'
import { cut, PAGE, readCursor } from '../../../base/paging.ts'
import { ${camel}sOn } from './queries.ts'

/** Those of a site. */
export async function list${pascal}s(ctx: Ctx, site_id: Id, query: { limit?: number; cursor?: string }): Promise<{ rows: unknown[]; next: string | null }> {
  const limit = query.limit ?? PAGE
  return cut(await ${camel}sOn(ctx.db, site_id, limit, readCursor(query.cursor, 1)), limit, row => [row.id])
}
`,
  'routes.ts': `import { get, page } from '../../../base/http.ts'
import { ref, Type } from '../../../base/schema.ts'
import { list${pascal}s } from './actions.ts'
import { ${pascal}, ${pascal}Filter } from './schema.ts'

export const routes = [
  get('${path}', {
    name: '${singular}.list',
    summary: 'List ${name.replaceAll('-', ' ')}',
    says: 'Returns the ${name.replaceAll('-', ' ')} of a site, by id.',
    access: { needs: 'site_view' },
    query: ${pascal}Filter,
    reply: Type.Array(ref(${pascal})),
    handle: async ({ ctx, site_id, query }) => {
      const { rows, next } = await list${pascal}s(ctx, site_id, query)
      return page(rows, { next })
    },
  }),
]
`,
  'door.ts': `import { kind } from '../../../kernel/records/door.ts'
import type { ${pascal}Row } from './queries.ts'

/** As a record. */
export const ${camel} = kind<${pascal}Row>({ name: '${singular}', label: row => row.name })
`,
  'room.ts': `import { defineRoom } from '../../../kernel/sockets/door.ts'
import { ${camel} } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({ name: '${name}', says: '${title} of a site.', routes, kinds: [${camel}] })
`,
  'api.test.ts': `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('${name}', () => {
  const house = useHouse()

  test('a new site has none', async () => {
    const w = await house.world()
    const found = await w.as('viewer').get(\`/sites/\${w.site_id}/${name}\`)
    assert.deepEqual([found.status, found.body], [200, []])
  })
})
`,
}

mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files)) writeFileSync(`${folder}/${file}`, content)

const stamp = new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '_')
writeFileSync(
  `${root}server/migrations/${stamp}_${name.replaceAll('-', '_')}_create.sql`,
  `create table ${singular} (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  name text not null,
  primary key (site_id, id)
);
select make_record('${singular}');
`,
)

const list = `${root}server/groups.ts`
const text = readFileSync(list, 'utf8')
const room = `${camel}s`
const imported = `import { room as ${room} } from './rooms/${group}/${name}/room.ts'\n`
const entry = new RegExp(`(\\{ name: '${group}',[^\\[]*\\[)([^\\]]*)(\\])`)
const titleOfGroup = group.charAt(0).toUpperCase() + group.slice(1)
const listed = entry.test(text)
  ? text.replace(entry, `$1$2, ${room}$3`)
  : text.replace(
      /(const groups: readonly Group\[\] = \[[\s\S]*?)(\n\])/,
      `$1\n  { name: '${group}', title: '${titleOfGroup}', rooms: [${room}] },$2`,
    )
writeFileSync(list, listed.replace(/\n\n\/\*\* The groups/, `\n${imported}\n/** The groups`))
console.log(
  `server/rooms/${group}/${name} is there. Next: npm run format && npm run gen, a line in contract/, then npm run check says what is missing.`,
)
