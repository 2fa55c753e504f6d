// Creates a plain room: `npm run new-room GROUP AREA`. It has the endpoints of its table, its tests, its line in groups.ts, and a migration. What comes
// next is in docs/adding-an-area.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [group = '', area = ''] = process.argv.slice(2)
if (!/^[a-z]+$/.test(group) || !/^[a-z]+(-[a-z]+)*$/.test(area)) {
  console.error('npm run new-room GROUP AREA, for example: npm run new-room logistics orders (the groups are listed in docs/groups.md)')
  process.exit(2)
}
const folder = `${root}server/rooms/${group}/${area}`
if (existsSync(folder)) {
  console.error(`There is already a room called “${area}” in ${group}.`)
  process.exit(1)
}

const singular = area
  .replaceAll('-', '_')
  .replace(/ies$/, 'y')
  .replace(/(ss|x|ch)es$/, '$1')
  .replace(/s$/, '')
const words = singular.replaceAll('_', ' ')
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const pascal = singular.split('_').map(upper).join('')
const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
const plural = area.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const title = upper(area.replaceAll('-', ' '))

const files: Record<string, string> = {
  'schema.ts': `import { name, orNull, recordId } from '../../../base/schema.ts'

/** The fields of a ${words}, by the name of their column. */
export const fields = {
  name: name('Name, unique on the site'),
  contractor_id: orNull(recordId('contractor', 'Contractor')),
}
`,
  'actions.ts': `import { resource } from '../../../kernel/resource/door.ts'
import { fields } from './schema.ts'

/** The ${area.replaceAll('-', ' ')} of a site. */
export const ${plural} = resource({
  kind: '${singular}',
  path: '/sites/:site_id/${area}',
  noun: '${words}',
  shape: '${pascal}',
  says: 'A ${words} of a site',
  fields,
  unique: ['name'],
  bin: true,
  list: { order: ['lower(name)'], search: ['name'] },
  access: {
    view: 'site_view',
    create: { own: '${singular}_edit', any: '${singular}_manage' },
    change: { own: '${singular}_edit', any: '${singular}_manage' },
    remove: { own: '${singular}_edit', any: '${singular}_manage' },
    restore: '${singular}_manage',
  },
})
`,
  'routes.ts': `import { routesOf } from '../../../kernel/resource/kit.ts'
import { ${plural} } from './actions.ts'

export const routes = routesOf(${plural}, { order: 'by name' })
`,
  'door.ts': `import { ${plural} } from './actions.ts'

/** A ${words} as a record. */
export const ${camel} = ${plural}.kind
`,
  'room.ts': `import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { ${plural} } from './actions.ts'
import { ${camel} } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: '${area}',
  says: '${title} of a site.',
  routes,
  kinds: [${camel}],
  events: ${plural}.events,
  uses: ${plural}.uses,
  permissions: {
    ${singular}_edit: held(BANDS.contribute, 'Create, edit and delete ${area.replaceAll('-', ' ')} of your own contractor'),
    ${singular}_manage: held(BANDS.coordinate, 'Create, edit, delete and restore all ${area.replaceAll('-', ' ')}'),
  },
})
`,
  'cases.ts': `// Who can call each endpoint of this room, and a call that succeeds for each one that writes: see tests/calls.ts.
import { CONTRIBUTE, COORDINATE, plainCases, roomCases } from '../../../../tests/calls.ts'

const { routes, records } = plainCases({
  ...{ kind: '${singular}', path: '/sites/:site_id/${area}', edit: '${singular}_edit', manage: '${singular}_manage' },
  body: t => ({ name: \`${upper(words)} \${t.fresh()}\` }),
  change: t => ({ name: \`Other \${t.fresh()}\` }),
})

export const cases = roomCases({ held: { ${singular}_edit: CONTRIBUTE, ${singular}_manage: COORDINATE }, records, routes })
`,
  'api.test.ts': `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('${area}', () => {
  const house = useHouse()

  test('a ${words} is created, found, changed, deleted and restored', async () => {
    const w = await house.world()
    const made = await w.as('coordinator').post(\`/sites/\${w.site_id}/${area}\`, { name: 'First' })
    assert.equal(made.status, 201, made.text)
    const one = \`/sites/\${w.site_id}/${area}/\${made.body.id}\`
    assert.deepEqual((await w.as('viewer').get(\`/sites/\${w.site_id}/${area}?q=first\`)).body.map((found: { id: string }) => found.id), [made.body.id])
    assert.equal((await w.as('viewer').patch(one, { name: 'Second' })).status, 403)
    assert.equal((await w.as('coordinator').patch(one, { name: 'Second' })).body.name, 'Second')
    assert.equal((await w.as('coordinator').del(one)).status, 204)
    assert.equal((await w.as('viewer').get(one)).status, 404)
    assert.equal((await w.as('coordinator').post(\`/sites/\${w.site_id}/${area}/\${made.body.id}/restore\`)).body.name, 'Second')
  })
})
`,
}

mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files)) writeFileSync(`${folder}/${file}`, content)

const stamp = new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '_')
writeFileSync(
  `${root}server/migrations/${stamp}_${area.replaceAll('-', '_')}.sql`,
  `create table ${singular} (
  site_id uuid not null references site (site_id),
  id uuid not null,
  version integer not null,
  created_at timestamptz(3) not null,
  created_by uuid,
  updated_at timestamptz(3) not null,
  updated_by uuid,
  deleted_at timestamptz(3),
  name text not null,
  contractor_id uuid,
  primary key (site_id, id),
  foreign key (site_id, contractor_id) references contractor (site_id, id)
);
create index ${singular}_by_name on ${singular} (site_id, lower(name), id);
create index ${singular}_of_contractor on ${singular} (site_id, contractor_id);
select make_record('${singular}');
`,
)

const list = `${root}server/groups.ts`
const text = readFileSync(list, 'utf8')
const imported = `import { room as ${plural} } from './rooms/${group}/${area}/room.ts'\n`
const entry = new RegExp(`(\\{\\s*name: '${group}',[^\\[]*\\[)([^\\]]*?)(,?\\s*\\])`)
const listed = entry.test(text)
  ? text.replace(entry, `$1$2, ${plural}$3`)
  : text.replace(
      /(const groups: readonly Group\[\] = \[[\s\S]*?)(\n\])/,
      `$1\n  { name: '${group}', title: '${upper(group)}', rooms: [${plural}] },$2`,
    )
writeFileSync(list, listed.replace(/\n\n\/\*\* The groups/, `\n${imported}\n/** The groups`))
console.log(`server/rooms/${group}/${area} is there. Next: npm run gen && npm run format && npm test -- ${group}/${area}`)
console.log('docs/adding-an-area.md explains the next steps, and what npm run check asks for.')
