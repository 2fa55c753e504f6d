// Which groups of rooms use which, read from the imports of the code: the page docs/groups.md, and the check that neither groups nor rooms use each other in a circle.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { groups } from '../../server/groups.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Use of one group by another: `permits` uses `map` through these rooms. */
export type GroupUse = { from: string; to: string; rooms: readonly string[] }

/** A folder of `server/rooms`: a room of a group, or the kit of a group. */
type Place = { group: string; area: string }

/** Lists the imports between rooms. Type-only imports count: a reader follows them as well. */
function imports(): { from: Place; to: Place }[] {
  return globSync('server/rooms/**/*.ts', { cwd: root }).flatMap(file => {
    if (file.endsWith('.test.ts')) return []
    const [, , group = '', area = ''] = file.split('/')
    return [...readFileSync(`${root}${file}`, 'utf8').matchAll(/from '(\.[^']+)'/g)].flatMap(([, path = '']) => {
      const [place, kind, ...to] = normalize(join(dirname(file), path)).split('/')
      return place === 'server' && kind === 'rooms' ? [{ from: { group, area }, to: { group: to[0] ?? '', area: to[1] ?? '' } }] : []
    })
  })
}

/** Lists which room or kit uses which, by `group/area`. */
export function roomUses(): { from: string; to: string }[] {
  const uses = imports().map(({ from, to }) => `${from.group}/${from.area} ${to.group}/${to.area}`)
  return [...new Set(uses)]
    .map(use => ({ from: use.split(' ')[0] ?? '', to: use.split(' ')[1] ?? '' }))
    .filter(({ from, to }) => from !== to)
}

/** Lists the uses between groups, sorted. */
export function groupUses(): GroupUse[] {
  const found = new Map<string, Set<string>>()
  for (const { from, to } of imports()) {
    if (from.group === to.group) continue
    const key = `${from.group} ${to.group}`
    found.set(key, (found.get(key) ?? new Set()).add(to.area))
  }
  return [...found]
    .map(([key, rooms]) => {
      const [from = '', to = ''] = key.split(' ')
      return { from, to, rooms: [...rooms].sort() }
    })
    .sort((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1))
}

/** Returns a circle of groups or rooms as their names in order, the first one again at the end; null if there is none. */
export function circleOf(uses: readonly Pick<GroupUse, 'from' | 'to'>[]): string[] | null {
  const next = Map.groupBy(uses, use => use.from)
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): string[] | null => {
    const at = path.indexOf(name)
    if (at >= 0) return [...path.slice(at), name]
    if (done.has(name)) return null
    for (const { to } of next.get(name) ?? []) {
      const circle = visit(to, [...path, name])
      if (circle !== null) return circle
    }
    done.add(name)
    return null
  }
  for (const name of next.keys()) {
    const circle = visit(name, [])
    if (circle !== null) return circle
  }
  return null
}

/** Returns the page docs/groups.md. */
export function groupsPage(): string {
  const uses = groupUses()
  const lines = groups.map(({ name, title, rooms }) => `- **${title}** (\`${name}\`): ${rooms.map(room => room.name).join(', ')}`)
  const edges = uses.map(({ from, to, rooms }) => `  ${from} -->|${rooms.join(', ')}| ${to}`)
  return `<!-- Generated from server/groups.ts and the imports of the rooms by npm run gen. -->

# Groups of rooms

Rooms that belong together are in one folder of \`server/rooms\` and of \`web/rooms\`. The API reference and the navigation follow the same groups.

${lines.join('\n')}

An arrow goes from the group that uses another one to the group that is used, through the doors of the rooms on the arrow. There are no circular dependencies: a house test fails if one appears.

\`\`\`mermaid
flowchart TD
${groups.map(({ name, title }) => `  ${name}[${title}]`).join('\n')}
${edges.join('\n')}
\`\`\`
`
}
