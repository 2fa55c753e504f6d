import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle } from './ground.ts'
import { dataShown, fitsPhone, hintsFit, hold, painted, press, reach } from './hands.ts'
import { setLine, useStage } from './kit.ts'
import { picture } from './picture.ts'

type Group = { id: string; name: string; version: number; predicate: unknown; visibility: string; description: string | null }

/** More groups than a page of the list has. */
const MANY = 52

const trade = (value: string) => ({ field: 'trade', op: 'eq', value })

describe('the app: smart groups', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part = '') => `${stage.url}/sites/${w.site_id}/settings/smart-groups${part}`
  const members = (page: Page) => page.getByRole('complementary', { name: 'Members now' })
  const line = (page: Page, n = 1) => page.getByRole('group', { name: `Condition ${n}`, exact: true })
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
  const groups = async (): Promise<Group[]> => (await w.as('admin').get(`/smart-groups/?site_id=${w.site_id}`)).body
  const named = async (name: string): Promise<Group> =>
    (await groups()).find(one => one.name === name) ?? assert.fail(`There is a group called ${name}.`)
  const make = async (by: Parameters<PermitWorld['as']>[0], body: Record<string, unknown>): Promise<string> => {
    const made = await w.as(by).post('/smart-groups/', { site_id: w.site_id, subject: 'entity', predicate: true, ...body })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const ruleWith = async (group: string): Promise<string> => {
    const when = { all: [{ within_m: 5 }, { field: 'a.group_ids', op: 'overlaps', value: [group] }] }
    const made = await w.as('hse').post('/clash-rules/', {
      ...{
        site_id: w.site_id,
        name: 'Rebar near machines',
        a: { kinds: ['worker'] },
        b: { kinds: ['plant'] },
        when,
      },
      ...{ levels: { mode: 'same' }, outcome: { severity: 'amber' } },
    })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    const common = { site_id: w.site_id, start_at: '2026-03-16T07:00:00Z', end_at: '2026-03-16T17:00:00Z' }
    for (const [name, work, lon] of [
      ['Fixers', 'Steel fixer', -0.0192],
      ['Joiners', 'Joiner', -0.0188],
    ] as const) {
      const made = await w.as('coordinator').post('/workers/', { ...common, name, trade: work, place: { point: { lon, lat: 51.5055 } } })
      assert.equal(made.status, 201, made.text)
    }
  })

  test('§18 a group that is opened by its URL has the whole layout of its form: the members are next to it on a wide screen', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at('/new'))
    const form = await page.getByRole('form', { name: 'What the group contains' }).boundingBox()
    const beside = await members(page).boundingBox()
    assert.ok(form !== null && beside !== null && beside.x >= form.x + form.width, 'the members are beside the form')
  })

  for (const width of [1440, 390])
    test(`§18 from a site without groups: one is made by keyboard, previewed, saved, found, shown on the map, changed, kept while a rule uses it, and deleted, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width })
      await page.goto(`${stage.url}/sites/${w.site_id}/map`)
      await idle(page)
      assert.equal(await page.getByLabel('Show only a smart group').count(), 0)
      await page.getByRole('link', { name: 'Manage smart groups' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('There are no smart groups yet.', { exact: false }).waitFor()
      await picture(page, `groups-none-${width}`)
      await stage.axe(page)
      await press(page, page.getByRole('link', { name: 'New group' }).first())
      await members(page).getByText('2 members').waitFor()
      await reach(page, page.getByLabel('Group name'))
      await page.keyboard.type('Rebar')
      await reach(page, page.getByLabel('Who sees it'))
      await page.keyboard.type('E')
      await press(page, page.getByRole('button', { name: 'Add condition' }))
      await line(page).getByLabel('Field').selectOption({ label: 'The trade' })
      await members(page).getByText('As soon as every condition is complete', { exact: false }).waitFor()
      await reach(page, line(page).getByLabel('Value'))
      await page.keyboard.type('Steel fixer')
      await members(page).getByText('1 member', { exact: true }).waitFor()
      await members(page).getByText('Things on site where the trade is “Steel fixer”').waitFor()
      await members(page).getByRole('link', { name: 'Fixers' }).waitFor()
      await painted(page)
      await picture(page, `groups-new-${width}`)
      await stage.axe(page)
      await press(page, save(page))
      await page.getByRole('heading', { name: 'Rebar', level: 1 }).waitFor()
      const { id, predicate, visibility } = await named('Rebar')
      assert.deepEqual([predicate, visibility], [{ all: [trade('Steel fixer')] }, 'shared'])
      await press(page, page.getByRole('link', { name: 'All smart groups' }))
      const row = page.locator('[data-row]').filter({ hasText: 'Rebar' })
      await row.getByText('1 member', { exact: true }).waitFor()
      await row.getByText('Things on site where the trade is “Steel fixer”').waitFor()
      await row.getByText('Everyone on the site').waitFor()
      await page.getByLabel('Search groups').fill('nothing is called so')
      await row.waitFor({ state: 'detached' })
      await page.getByLabel('Search groups').fill('reb')
      await row.waitFor()
      await press(page, row.getByRole('link', { name: 'Show on the map: Rebar' }))
      await page.getByText('Only members of “Rebar” are shown: one at this time.', { exact: false }).waitFor()

      await page.goto(at(`/${id}`))
      await line(page).getByLabel('Value').fill('Joiner')
      await members(page).getByRole('link', { name: 'Joiners' }).waitFor()
      await page.getByText('1 unsaved change').waitFor()
      await page.reload()
      await page.getByText('1 unsaved change').waitFor()
      assert.deepEqual((await named('Rebar')).predicate, { all: [trade('Steel fixer')] }, 'kept on the device alone')
      await save(page).click()
      await page.getByRole('region', { name: 'Smart group' }).getByText('where the trade is “Joiner”', { exact: false }).waitFor()
      assert.deepEqual((await named('Rebar')).predicate, { all: [trade('Joiner')] })

      const rule = await ruleWith(id)
      const drop = page.getByRole('button', { name: 'Delete Rebar' })
      await page.getByText('“Rebar” is used by “Rebar near machines”. Change that first.').waitFor()
      assert.equal(await drop.getAttribute('aria-disabled'), 'true')
      const uses = page.getByRole('list', { name: 'Used by' })
      assert.match((await uses.getByRole('link', { name: 'Rebar near machines' }).getAttribute('href')) ?? '', new RegExp(`${rule}$`))
      await page.getByLabel('Who sees it').selectOption({ label: 'Only you' })
      await save(page).click()
      await page.locator('.save-bar').getByText('is used by “Rebar near machines”', { exact: false }).waitFor()
      await picture(page, `groups-used-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await page.getByRole('button', { name: 'Discard changes' }).click()
      const gone = await w.as('hse').del(`/clash-rules/${rule}`)
      assert.equal(gone.status, 204, gone.text)
      await page.getByText('“Rebar” is used by', { exact: false }).waitFor({ state: 'detached' })
      await hold(page, drop, page.getByText('“Rebar” has been deleted.', { exact: false }))
      await page.getByText('There are no smart groups yet.', { exact: false }).waitFor()
      assert.deepEqual(await groups(), [])
    })

  test('§18 faults of a condition are shown at its line and in its JSON; without a connection the members are promised', async () => {
    const own = await make('admin', { name: 'My own' })
    const { page, context } = await stage.sit(w.as('admin'))
    await page.goto(at('/new'))
    await members(page).getByText('The condition matches everything.').waitFor()
    await page.getByLabel('Group name').fill('Nested')
    await page.getByLabel('Who sees it').selectOption({ label: 'Everyone on the site' })
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page).getByLabel('Field').selectOption({ label: 'The set of groups' })
    await line(page).getByLabel('My own').check()
    await line(page).locator('.fault').waitFor()
    await members(page).getByText('The condition has faults. They are shown at the conditions.').waitFor()
    await page.getByLabel('Who sees it').selectOption({ label: 'Only you' })
    await members(page).getByText('2 members').waitFor()
    assert.equal(await line(page).locator('.fault').count(), 0)
    await page.getByRole('radio', { name: 'Permits' }).check()
    // It has things on the site, not permits: it keeps its name, so that people see what to remove, and isn’t offered again.
    await line(page).getByText('“My own” is a group of things on site, not of permits.', { exact: false }).waitFor()
    await line(page).getByLabel('My own').click()
    await line(page).getByText('There is nothing to choose on this site.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Edit as JSON' }).click()
    const json = page.getByLabel('Condition as JSON')
    await json.fill('{"all": [')
    await page.getByText('isn’t valid JSON.', { exact: false }).first().waitFor()
    await json.fill('{"any": [{"field": "trade", "op": "eq", "value": "x"}, {"field": "status", "op": "eq", "value": "live"}]}')
    await page.getByRole('listitem').getByText('predicate.any[0].field').waitFor()
    await page.getByRole('listitem').getByText('predicate.any[1].value').waitFor()
    await stage.axe(page)
    await json.fill('{"any": [{"field": "status", "op": "in", "value": ["issued"]}]}')
    await members(page).getByText('1 member', { exact: true }).waitFor()
    await members(page).getByText('(permit)').waitFor()
    await page.getByRole('button', { name: 'Edit as lines' }).click()
    assert.equal(await line(page).getByLabel('Live', { exact: true }).isChecked(), true)
    await setLine(context, false)
    await line(page).getByLabel('Requested', { exact: true }).check()
    await members(page).getByText('The members are shown as soon as there is a connection.').waitFor()
    await setLine(context, true)
    await members(page).getByText('2 members').waitFor()
    assert.equal((await w.as('admin').del(`/smart-groups/${own}`)).status, 204)
  })

  test('§18 a change that someone else saved meanwhile is shown, and nothing that was typed is lost', async () => {
    const id = await make('admin', { name: 'Joiners', predicate: trade('Joiner'), visibility: 'shared' })
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at(`/${id}`))
    await page.getByLabel('What it is for').fill('For the morning round')
    const other = await w.as('coordinator').patch(`/smart-groups/${id}`, { name: 'All joiners' })
    assert.equal(other.status, 200, other.text)
    await page.getByText('Name: Joiners → All joiners').waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Continue with the newer group' }).click()
    assert.equal(await page.getByLabel('Group name').inputValue(), 'All joiners')
    assert.equal(await page.getByLabel('What it is for').inputValue(), 'For the morning round')
    await save(page).click()
    await page.getByText('Someone changed this group', { exact: false }).waitFor({ state: 'detached' })
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
    const { name, description } = await named('All joiners')
    assert.deepEqual([name, description], ['All joiners', 'For the morning round'])
  })

  test('§18 a person who can’t change the rules that use a condition reads why, and can save it as a group of their own; §0.1 others read shared groups', async () => {
    const id = await make('admin', { name: 'Riggers', predicate: trade('Rigger'), visibility: 'shared' })
    await ruleWith(id)
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at(`/${id}`))
    await line(page).getByLabel('Value').fill('Joiner')
    await save(page).click()
    await page.getByText('The condition of “Riggers” is used by “Rebar near machines”.', { exact: false }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save as a new group of your own' }).click()
    await page.getByRole('heading', { name: 'Riggers (copy)', level: 1 }).waitFor()
    assert.deepEqual((await named('Riggers')).predicate, trade('Rigger'))

    const viewer = await stage.sit(w.as('viewer'))
    await viewer.page.goto(at(`/${id}`))
    await viewer.page.locator('.because').first().waitFor()
    assert.equal(await save(viewer.page).count(), 0)
    assert.equal(await viewer.page.getByRole('button', { name: 'Delete Riggers' }).count(), 0)
    assert.equal(await viewer.page.getByLabel('Group name').isDisabled(), true)
    await viewer.page.goto(at(''))
    await viewer.page.getByText('clash rules and notification rules can use it if it is shared', { exact: false }).waitFor()
    await viewer.page.goto(at('/new'))
    assert.equal(await viewer.page.getByLabel('Who sees it').isDisabled(), true)
    await viewer.page.getByText('Your role on this site doesn’t include sharing groups.', { exact: false }).waitFor()
    await viewer.page.getByLabel('Group name').fill('For me')
    await save(viewer.page).click()
    await viewer.page.getByRole('heading', { name: 'For me', level: 1 }).waitFor()
    await stage.axe(viewer.page)
  })

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 320, theme: 'outdoor' },
    { width: 1440, theme: 'dark' },
  ])
    test(`9.26 the groups and one of them fit a screen of ${width} px in the ${theme} theme`, async () => {
      const predicate = { any: [trade('Joiner'), { all: [trade('Rigger'), { field: 'level_index', op: 'gte', value: 1 }] }] }
      const id = await make('admin', {
        name: `Lifting ${width}`,
        predicate,
        visibility: 'shared',
        colour: '#b42318',
        description: 'Who lifts',
      })
      const { page } = await stage.sit(w.as('admin'), { width, theme })
      for (const [name, part] of [
        ['list', ''],
        ['new', '/new'],
        ['one', `/${id}`],
      ] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(at(part))
        await page.locator('main h1').first().waitFor()
        await dataShown(page)
        if (name !== 'list')
          await members(page)
            .getByText(/\d members?$/)
            .first()
            .waitFor()
        if (name === 'one') assert.equal(await page.locator('option:checked', { hasText: '1: Level 1' }).count(), 1, 'levels have names')
        await painted(page)
        await picture(page, `groups-${name}-${theme}-${width}`)
        if (width < 600) await fitsPhone(page)
        await hintsFit(page)
        await stage.axe(page)
      }
    })

  test('§18 a group that would refer to itself: the loop is shown at its line before it is saved, the service refuses it, and nothing changes', async () => {
    const inner = await make('admin', { name: 'Inner' })
    const outer = await make('admin', { name: 'Outer', predicate: { field: 'group_ids', op: 'overlaps', value: [inner] } })
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at(`/${inner}`))
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page).getByLabel('Field').selectOption({ label: 'The set of groups' })
    await line(page).getByLabel('Outer').check()
    const loop = line(page).locator('.fault').getByText('“Inner” → “Outer” → “Inner”', { exact: false })
    await loop.waitFor()
    await members(page).getByText('The condition has faults. They are shown at the conditions.').waitFor()
    await save(page).click()
    await page.getByText('The group wasn’t saved. The faults are shown at their fields.').waitFor()
    await loop.waitFor()
    assert.equal((await named('Inner')).predicate, true)
    for (const id of [outer, inner]) assert.equal((await w.as('admin').del(`/smart-groups/${id}`)).status, 204)
  })

  test('§18 more groups than a page shows are loaded on request, each with its number of members', async () => {
    for (let n = 0; n < MANY; n++) await make('contractor_hse', { name: `Own ${String(n).padStart(2, '0')}`, predicate: n % 2 === 0 })
    const { page } = await stage.sit(w.as('contractor_hse'))
    await page.goto(at('?visibility=private'))
    await page.getByRole('link', { name: 'Own 00', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Own 51', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Show more' }).click()
    const last = page.locator('[data-row]').filter({ hasText: 'Own 51' })
    await last.getByText('0 members').waitFor()
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
  })
})
