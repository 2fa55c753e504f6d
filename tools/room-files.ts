// The files of a plain room: what `npm run new-room` writes.
import { capitalized } from '../shared/text.ts'

/** The text of each file of a room by its name, and its migration. */
export type RoomFiles = { plural: string; files: Record<string, string>; migration: string }

/** Words that can't name a variable. An area can be called so: import, cases. */
const RESERVED =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

const variable = (name: string): string => (RESERVED.test(name) ? `${name}Area` : name)
const camelCase = (name: string): string => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the files of a new area: `orders` has a table `order`. */
export function roomFiles(area: string): RoomFiles {
  const singular = area
    .replaceAll('-', '_')
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch)es$/, '$1')
    .replace(/s$/, '')
  const words = singular.replaceAll('_', ' ')
  const one = `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`
  const pascal = capitalized(camelCase(singular))
  const plural = variable(camelCase(area))
  // An area without a plural, such as stock, has one name for the area and for its kind of record.
  const own = variable(camelCase(singular))
  const record = own === plural ? `${own}Record` : own
  const title = capitalized(area.replaceAll('-', ' '))

  const files: Record<string, string> = {
    'schema.ts': `import { name, orNull, recordId } from '../../../base/schema.ts'

/** The fields of ${one}, by the name of their column. */
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
  says: '${capitalized(one)} of a site',
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

/** ${capitalized(one)} as a record. */
export const ${record} = ${plural}.kind
`,
    'room.ts': `import { BANDS, held } from '../../../kernel/access/domain.ts'
import { defineRoom } from '../../../kernel/sockets/door.ts'
import { ${plural} } from './actions.ts'
import { ${record} } from './door.ts'
import { routes } from './routes.ts'

export const room = defineRoom({
  name: '${area}',
  says: '${title} of a site.',
  routes,
  kinds: [${record}],
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
  body: t => ({ name: \`${capitalized(words)} \${t.fresh()}\` }),
  change: t => ({ name: \`Other \${t.fresh()}\` }),
})

export const cases = roomCases({ held: { ${singular}_edit: CONTRIBUTE, ${singular}_manage: COORDINATE }, records, routes })
`,
    'api.test.ts': `import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useHouse } from '../../../../tests/world.ts'

describe('${area}', () => {
  const house = useHouse()

  test('${one} is created, found, changed, deleted and restored', async () => {
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

  // Names in quotes, because a noun can be a word of SQL: order, group, check.
  const migration = `create table "${singular}" (
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
create index ${singular}_by_name on "${singular}" (site_id, lower(name), id);
create index ${singular}_of_contractor on "${singular}" (site_id, contractor_id);
select make_record('${singular}');
`
  return { plural, files, migration }
}
