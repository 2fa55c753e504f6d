// Creates a plain room: `npm run new-room GROUP AREA`. It has the endpoints of its table, its tests, its line in groups.ts, and a migration. What comes
// next is in docs/adding-an-area.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { capitalized } from '../shared/text.ts'
import { roomFiles } from './room-files.ts'

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

const { plural, files, migration } = roomFiles(area)
mkdirSync(folder, { recursive: true })
for (const [file, content] of Object.entries(files)) writeFileSync(`${folder}/${file}`, content)

const stamp = new Date().toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '_')
writeFileSync(`${root}server/migrations/${stamp}_${area.replaceAll('-', '_')}.sql`, migration)

const list = `${root}server/groups.ts`
const text = readFileSync(list, 'utf8')
const imported = `import { room as ${plural} } from './rooms/${group}/${area}/room.ts'\n`
const entry = new RegExp(`(\\{\\s*name: '${group}',[^\\[]*\\[)([^\\]]*?)(,?\\s*\\])`)
const listed = entry.test(text)
  ? text.replace(entry, `$1$2, ${plural}$3`)
  : text.replace(
      /(const groups: readonly Group\[\] = \[[\s\S]*?)(\n\])/,
      `$1\n  { name: '${group}', title: '${capitalized(group)}', rooms: [${plural}] },$2`,
    )
writeFileSync(list, listed.replace(/\n\n\/\*\* The groups/, `\n${imported}\n/** The groups`))
console.log(`server/rooms/${group}/${area} is there. Next: npm run gen && npm run format && npm test -- ${group}/${area}`)
console.log('docs/adding-an-area.md explains the next steps, and what npm run check asks for.')
