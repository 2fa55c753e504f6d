import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import '../../server/groups.ts'
import { allEvents } from '../../server/kernel/events/door.ts'
import { SWITCHABLE_GROUPS } from '../../shared/groups.ts'
import type { Here } from '../base/site.tsx'
import { SHARED } from '../base/stale.ts'
import { capturesOf, closedAt, entriesOf, groupAt, groupOffAt, isAt, waysOf } from './nav.ts'
import { outside, pages, rooms, stale } from './rooms.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = (pattern: string) => globSync(pattern, { cwd: root }).filter(file => !file.endsWith('.test.ts'))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const folders = [...new Set(files('web/rooms/*/*/*').map(dirname))].filter(folder => !folder.endsWith('/kit')).sort()
const roomFile = (folder: string) => `${folder}/room.ts`

/** What concerns one person alone (frames of `me`), and changes to the map, which are counted and not listed as events. */
const UNREGISTERED = ['notification', 'task', 'unread', 'site_map']

const SITE = '01929f3e-7c1a-7b60-9d5e-3f1c2a4b5d6e'
const person = (...permissions: string[]): Here => ({
  site_id: SITE,
  name: 'Quayside Yard',
  zone: 'Europe/London',
  role: 'member',
  contractor_id: null,
  me: { id: SITE, name: 'Max', email: 'max@example.com', is_superadmin: false } as Here['me'], // only what the navigation reads
  locked: false,
  groups_off: [],
  can: permission => permissions.includes(permission),
  canChange: permission => permissions.includes(permission),
})
const everyone = { ...person(), can: () => true, canChange: () => true }

describe('760 the rooms of the app', () => {
  test('every room has a manifest in the list of rooms, and its texts are in the catalogue', () => {
    const [listed, catalogue] = [read('web/shell/rooms.ts'), read('web/words/en.ts')]
    assert.deepEqual(
      folders.filter(folder => !existsSync(`${root}${roomFile(folder)}`)),
      [],
      'without a manifest',
    )
    assert.deepEqual(
      folders.filter(folder => !listed.includes(`'../${roomFile(folder).slice('web/'.length)}'`)),
      [],
      'not in the list of rooms',
    )
    assert.equal(rooms.length, folders.length, 'imported, and in the list')
    const worded = folders.filter(folder => existsSync(`${root}${folder}/words.ts`))
    assert.deepEqual(
      worded.filter(folder => !catalogue.includes(`'../${folder.slice('web/'.length)}/words.ts'`)),
      [],
      'texts that nobody sees',
    )
    assert.deepEqual(
      files('web/words/en/*.ts').map(file => file.split('/').at(-1)),
      ['common.ts', 'shell.ts'],
      'texts of a room are in its folder',
    )
  })

  test('every page is loaded by its manifest, or by another page', () => {
    const named = new Set(
      files('web/{rooms,shell}/**/*.{ts,tsx}').flatMap(file =>
        [...read(file).matchAll(/import\('(\.[^']+)'\)/g)].map(([, path = '']) => join(dirname(file), path)),
      ),
    )
    const components = files('web/rooms/**/*.tsx').filter(file => /^export default/m.test(read(file)))
    assert.ok(components.length > 20, 'they are found')
    assert.deepEqual(
      components.filter(file => !named.has(file)),
      [],
    )
  })

  test('1005 only texts that add themselves are loaded for what they do: the build takes every other module of a room for definitions, and leaves out unused ones', () => {
    const acting = files('web/**/*.{ts,tsx}').flatMap(file =>
      [...read(file).matchAll(/^import '(\.[^']+\.tsx?)'/gm)].map(([, path = '']) => join(dirname(file), path)),
    )
    assert.ok(acting.length > 0, 'they are found')
    assert.deepEqual(
      acting.filter(file => file.startsWith('web/rooms/') && !/\/(?:loaded|says)\.ts$/.test(file)),
      [],
      'except it in web/vite.config.ts',
    )
  })

  test('pages have different URLs, and each belongs to a group', () => {
    const paths = [...pages, ...outside].map(page => page.path)
    assert.deepEqual(
      paths.filter((path, i) => paths.indexOf(path) !== i),
      [],
    )
    assert.deepEqual(
      pages.filter(page => groupAt(page.path.replace(/\$\w+/, 'x')) === undefined).map(page => page.path),
      [],
    )
  })

  test('every query of a room says which events make it stale', () => {
    for (const folder of folders) {
      const text = files(`${folder}/**/*.{ts,tsx}`).map(read).join('\n')
      const asked = new Set([...text.matchAll(/queryKey: \['([\w-]+)'/g)].map(([, name = '']) => name))
      const known = new Set([...Object.keys(SHARED), ...rooms.flatMap(room => Object.keys(room.stale))])
      assert.deepEqual(
        [...asked].filter(name => !known.has(name)),
        [],
        folder,
      )
    }
  })

  test('every event of the service makes some query stale', () => {
    const kinds = [...new Set(allEvents().map(event => event.kind.split('.')[0] ?? ''))].filter(
      kind => !['task', 'notification', 'user'].includes(kind),
    )
    assert.ok(kinds.length > 10, 'they are found')
    const all = [...rooms.map(room => room.stale), SHARED].flatMap(one => Object.values(one).flat()).map(kind => kind.split(' ')[0] ?? '')
    assert.deepEqual(
      kinds.filter(kind => !all.includes(kind)),
      [],
    )
    assert.deepEqual(
      [...new Set(all)].filter(kind => !UNREGISTERED.includes(kind) && !kinds.includes(kind)),
      [],
      'no such event',
    )
    assert.ok(stale.everything.length > 10)
  })
})

describe('761 the navigation', () => {
  test('at most nine groups with at most six tabs each, and every entry leads to a page', () => {
    const ways = waysOf(everyone)
    assert.deepEqual(
      ways.map(way => [way.name, way.tabs.map(tab => tab.to(SITE).slice(`/sites/${SITE}`.length))]),
      [
        ['today', ['/today', '/tasks', '/alerts', '/wallet', '/notifications']],
        ['permits', ['/board', '/stops', '/clashes', '/import']],
        ['map', ['/map']],
        ['site', ['/members', '/contractors', '/settings', '/audit']],
      ],
    )
    assert.ok(ways.length <= 9 && ways.every(way => way.tabs.length <= 6))
    for (const { to } of [...entriesOf(everyone), ...capturesOf(everyone).flatMap(one => ('to' in one ? [one] : []))])
      assert.ok(groupAt(to(SITE).slice(`/sites/${SITE}`.length).split('?')[0] ?? '') !== undefined, to(SITE))
  })

  test('what a person has no right to is hidden, and so is a group without any page', () => {
    const seen = waysOf(person('permit_request'))
    assert.deepEqual(
      seen.map(way => [way.name, way.tabs.length]),
      [
        ['today', 5],
        ['permits', 2],
        ['site', 1],
      ],
    )
    assert.equal(
      capturesOf(person()).some(one => one.label === 'board.request'),
      false,
    )
  })

  test('1024 what a site has switched off isn’t in the navigation, in the bar of a phone, under New or in the search, and the rest is as before', () => {
    const without = (...groups_off: Here['groups_off']): Here => ({ ...everyone, groups_off })
    const left = (here: Here) => {
      const names = (all: readonly { label: string }[]) => all.map(one => one.label)
      const gone = (of: (here: Here) => readonly { label: string }[]) => names(of(everyone)).filter(one => !names(of(here)).includes(one))
      return [gone(one => waysOf(one).flatMap(way => way.tabs)), gone(entriesOf), gone(capturesOf)]
    }
    assert.deepEqual(left(without()), [[], [], []])
    assert.deepEqual(left(without('map')), [['nav.map'], ['nav.map'], ['token.new_worker']])
    assert.deepEqual(left(without('conflicts')), [['clashes.title'], ['clashes.title', 'clash.title'], []])
    assert.deepEqual(
      waysOf(without('map', 'conflicts')).map(way => way.name),
      ['today', 'permits', 'site'],
    )
    assert.ok(
      capturesOf(without('map')).some(one => one.label === 'alert.raise'),
      'danger can be reported everywhere',
    )
    for (const way of waysOf(without('map', 'conflicts')))
      assert.equal(
        way.tabs.some(tab => tab.to(SITE).includes('/map')),
        false,
      )
  })

  test('1024 a page whose group is off is found by its URL, so that it can say so; the other pages say nothing', () => {
    const here = { groups_off: ['map', 'conflicts'] } as const
    const pathsOff = ['/map', '/map/emergency-plan', '/clashes', '/settings/clash-rules', '/settings/clash-rules/new']
    assert.deepEqual(
      pathsOff.map(path => groupOffAt(path, here)),
      ['map', 'map', 'conflicts', 'conflicts', 'conflicts'],
    )
    const on = ['/today', '/board', '/permits/some-id', '/alerts', '/settings', '/settings/site', '/settings/rules', '/nowhere']
    assert.deepEqual(
      on.filter(path => groupOffAt(path, here) !== undefined),
      [],
    )
    assert.equal(groupOffAt('/map', { groups_off: ['conflicts'] }), undefined)
  })

  test('1024 the rooms of a group that can be switched off say so, and every such group has a page; every other room stays', () => {
    assert.deepEqual(
      folders.map(folder => [folder, rooms.find(room => `${folder}/`.endsWith(`/${room.name}/`))?.switchable]),
      folders.map(folder => [folder, SWITCHABLE_GROUPS.find(group => folder.startsWith(`web/rooms/${group}/`))]),
    )
    for (const group of SWITCHABLE_GROUPS) assert.ok(rooms.some(room => room.switchable === group && room.pages.length > 0))
  })

  test('9.3 on a locked site a person can open the same pages, and nothing is offered that writes', () => {
    const locked = { ...everyone, locked: true, canChange: () => false }
    assert.deepEqual(
      waysOf(locked).map(way => way.tabs),
      waysOf(everyone).map(way => way.tabs),
    )
    assert.deepEqual(
      entriesOf(everyone)
        .filter(entry => !entriesOf(locked).includes(entry))
        .map(entry => entry.label),
      ['board.request'],
    )
    // Handing back is still allowed, and scanning only reads.
    assert.deepEqual(
      capturesOf(locked)
        .map(one => one.label)
        .sort(),
      ['scan.title', 'step.hand_back'],
    )
  })

  test('9.3 what a permission offers that writes isn’t offered on a locked site: only pages, reading and removing people ask for the permission alone', () => {
    /** Where a permission that isn't named after reading is asked for regardless of the lock, and why. */
    const REGARDLESS: Record<string, string> = {
      'web/rooms/permits/import/room.ts': 'a page',
      'web/rooms/permits/permits/parts/extension-conflicts.tsx': 'a preview, which only reads',
      'web/rooms/permits/workflow/room.ts': 'a page',
      'web/rooms/permits/workflow/workflow.tsx': 'a button that gives the lock as its reason',
      'web/rooms/conflicts/clash-rules/parts/in-words.tsx': 'names of groups, which are only read',
      'web/rooms/map/map/parts/layer-panel.tsx': 'an export, which only reads',
      'web/rooms/map/map/members.tsx': 'a page',
      'web/rooms/map/map/start.ts': 'a search for an address',
      'web/rooms/site/settings/room.ts': 'a page',
      'web/rooms/site/settings/parts/tabs.tsx': 'a page',
      'web/rooms/site/smart-groups/room.ts': 'a page, and a locked site still allows groups of one’s own',
      'web/rooms/site/smart-groups/draft.ts': 'why groups can’t be shared, with the lock as a reason',
      'web/rooms/site/people/room.ts': 'a page',
      'web/rooms/site/people/members.tsx': 'people can be removed from a locked site',
      'web/rooms/site/people/parts/invitations.tsx': 'a list',
      'web/rooms/site/people/parts/pending.tsx': 'a list, and people can be turned away',
      'web/shell/command-menu.tsx': 'a page',
    }
    const asking = files('web/{rooms,shell,base}/**/*.{ts,tsx}').filter(file =>
      [...read(file).matchAll(/\bcan\('(\w+)'\)/g)].some(([, permission = '']) => !permission.endsWith('_view')),
    )
    assert.deepEqual(asking.sort(), Object.keys(REGARDLESS).sort())
  })

  test('a page below a tab belongs to it, and a page whose URL only starts in the same way doesn’t', () => {
    const settings = entriesOf(everyone).find(one => one.label === 'nav.settings') ?? assert.fail('There are settings.')
    assert.deepEqual(
      [`/sites/${SITE}/settings`, `/sites/${SITE}/settings/rules`, `/sites/${SITE}/settings-of-mine`].map(path =>
        isAt(settings, SITE, path),
      ),
      [true, true, false],
    )
    assert.deepEqual(['/permits/some-id', '/settings/rules/new', '/scan', '/nowhere'].map(groupAt), ['permits', 'site', 'today', undefined])
  })

  test('1128 a page that a person can’t see says so instead of asking the service, and who can; to others it is open', () => {
    const closed = (path: string, ...permissions: string[]) => closedAt(path, person(...permissions))
    assert.equal(closed('/import'), 'closed.import')
    assert.equal(closed('/import', 'contractor_manage'), undefined)
    assert.equal(closed('/settings/clash-rules/new'), 'closed.clash_rules')
    assert.equal(closed('/settings/clash-rules/new', 'clash_view'), undefined)
    assert.deepEqual([closed('/today'), closed('/settings'), closed('/nowhere')], [undefined, undefined, undefined])
    for (const { path, needs } of pages) assert.equal(needs === undefined ? undefined : closed(path), needs?.says, path)
  })
})
