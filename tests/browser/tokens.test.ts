import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import type { World } from '../world.ts'
import { centre, drawnWorld, idle, metreOf } from './ground.ts'
import { hold } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: workers and plant on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower = ''
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const gangs = async (query = '') => (await w.as('viewer').get(`/workers/?site_id=${w.site_id}${query}`)).body

  test('a supervisor puts a gang on the map with a phone, where they are; it repeats, and another client shows it at once', async () => {
    const other = await stage.sit(w.as('hse'))
    await other.page.goto(site())
    await idle(other.page)
    const { page, context } = await stage.sit(w.as('coordinator'), { width: 390 })
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ longitude: -0.0195, latitude: 51.5053, accuracy: 4 })
    await page.goto(site('?add=worker'))
    await page.getByLabel('Name of the worker or gang').fill('Steel fixers')
    await page.getByLabel('Trade').fill('Steel fixer')
    await page.getByLabel('Number of people').fill('6')
    await page.getByRole('button', { name: 'Where I am' }).click()
    await page.getByText('Marked on the map').waitFor()
    await page.getByLabel('Repeat on other days').check()
    await page.getByLabel('Last day').fill('2026-03-27')
    await stage.axe(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: /Steel fixers · 6 people/ }).waitFor()
    assert.equal((await gangs()).length, 10)
    await other.page.getByRole('button', { name: /Steel fixers · 6 people/ }).waitFor()
    await other.page.getByText('6 people and 0 machines').waitFor()
  })

  for (const width of [390, 1440])
    test(`§6 a gang that is added after work comes with the next shift, and the form says so; at night that is the night shift, at ${width} px`, async () => {
      const now = '2026-03-16T18:10:00.000Z'
      const form = (page: Page) => page.getByRole('dialog', { name: 'Worker or gang' })
      const open = async (own: World, query: string): Promise<Page> => {
        const { page } = await stage.sit(own.as('coordinator'), { width })
        await page.clock.setFixedTime(new Date(now))
        await page.goto(`${stage.url}/sites/${own.site_id}/map?add=worker${query}`)
        await form(page).waitFor()
        return page
      }
      const window = async (page: Page) => [
        await form(page).getByLabel('From').inputValue(),
        await form(page).getByLabel('Until').inputValue(),
      ]
      const own = await stage.house.world()
      const page = await open(own, '')
      await form(page).getByText('From tomorrow 07:30, when the shift “Day” starts.').waitFor()
      assert.deepEqual(await window(page), ['2026-03-17T07:30', '2026-03-17T17:30'])
      await stage.axe(page)
      await form(page).getByLabel('From').fill('2026-03-16T18:30')
      await form(page).getByText('From tomorrow', { exact: false }).waitFor({ state: 'detached' })
      const night = { site_id: own.site_id, name: 'Night', start_time: '20:00', end_time: '05:00' }
      assert.equal((await own.as('admin').post('/shifts/', night)).status, 201)
      assert.deepEqual(await window(await open(own, '&at=2026-03-16T22:00:00.000Z')), ['2026-03-16T22:00', '2026-03-17T05:00'])
      const before = await open(own, '&at=2026-03-16T18:30:00.000Z')
      await form(before).getByText('From 20:00 today, when the shift “Night” starts.').waitFor()
      assert.deepEqual(await window(before), ['2026-03-16T20:00', '2026-03-17T05:00'])
    })

  test('§6 what is planned for another day starts at the time that the map shows, says where it is if it starts later, and can be changed there', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site('?at=2026-03-19T08:00:00.000Z'))
    await idle(page)
    const put = async (name: string, from: string | null) => {
      await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
      await page.getByRole('button', { name: 'Plant', exact: true }).click()
      const form = page.getByRole('dialog', { name: 'Plant' })
      await form.getByLabel('Name', { exact: true }).fill(name)
      assert.equal(await form.getByLabel('From').inputValue(), '2026-03-19T08:00')
      if (from !== null) {
        await form.getByLabel('From').fill(from)
        assert.equal(await form.getByLabel('Until').inputValue(), '2026-03-20T17:00', 'the end follows the start')
      }
      await form.getByRole('button', { name: 'Choose on the map' }).click()
      const map = page.getByRole('dialog').last().locator('[data-map=idle]')
      await map.waitFor()
      await map.click()
      await page.getByRole('button', { name: 'Use this place' }).click()
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await form.waitFor({ state: 'detached' })
    }
    await put('Crane today', null)
    await page.getByRole('button', { name: /Crane today/ }).waitFor()
    await put('Crane later', '2026-03-20T07:30')
    await page.getByText('Crane later is on the map from Fri 20 Mar 07:30.').waitFor()
    await page.getByRole('button', { name: 'Show that time' }).click()
    await page.waitForURL(/at=2026-03-20/)
    await page.getByRole('button', { name: /Crane later/ }).click()
    const note = page.locator('.map-floating')
    await note.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Crane with a new name')
    await page.getByLabel('Last thorough examination').fill('2024-03-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Its thorough examination has expired.', { exact: false }).waitFor()
    await page.getByRole('button', { name: /^Crane with a new name/ }).waitFor()

    await note.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('dialog', { name: 'Where Crane with a new name is', exact: true }).waitFor()
    await idle(page)
    await page.locator('dialog [data-map]').click({ position: { x: 200, y: 160 } })
    await page.getByRole('button', { name: 'Use this place' }).click()
    await page.getByText('Crane with a new name has been moved.', { exact: true }).waitFor()
    const plant: { name: string; start_at: string }[] = (await w.as('viewer').get(`/plant?site_id=${w.site_id}&limit=500`)).body
    assert.deepEqual(
      plant.flatMap(({ name, start_at }) => (name === 'Crane with a new name' ? [start_at] : [])),
      ['2026-03-20T07:30:00.000Z'],
      'what is planned is moved where it is planned, and isn’t on the map now',
    )
  })

  test('the panel of a gang says where, until when and under which permit; an edit changes one day; the whole schedule is finished by holding', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site())
    await page.getByRole('button', { name: /Steel fixers · 6 people/ }).click()
    const note = page.locator('.map-floating')
    await note.getByText('Steel fixer · 6 people').waitFor()
    await note.getByText('Part of a schedule', { exact: true }).waitFor()
    await idle(page)
    await stage.axe(page)
    await note.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Number of people').fill('4')
    await page.getByText('What you change here changes only this day.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /Steel fixers · 4 people/ }).waitFor()
    assert.deepEqual(
      (await gangs()).map((one: { headcount: number }) => one.headcount),
      [4, ...Array.from({ length: 9 }, () => 6)],
    )
    await note.getByRole('button', { name: 'Schedule', exact: true }).click()
    await hold(
      page,
      page.getByRole('button', { name: 'Hold to finish the schedule now' }),
      page.getByText('Steel fixers is finished.', { exact: false }),
    )
    // Its first day starts at this minute, so none of it has happened.
    assert.equal((await gangs()).length, 0)
  })

  for (const [kind, width] of [
    ['gang', 390],
    ['machine', 1440],
  ] as const)
    test(`§2 a ${kind} that leaves early is finished with one tap from its panel, and what it says then undoes it, at ${width} px`, async () => {
      const times = { start_at: '2026-03-16T08:30:00.000Z', ...(kind === 'gang' ? { end_at: '2026-03-16T16:00:00.000Z' } : {}) }
      const body = { site_id: w.site_id, name: `Early ${kind}`, place: { point: { lon: -0.0195, lat: 51.5053 } }, ...times }
      const by = w.as('coordinator')
      const made = await (kind === 'gang'
        ? by.post('/workers/', { ...body, trade: 'Painter' })
        : by.post('/plant', { ...body, category: 'hoist' }))
      assert.equal(made.status, 201, made.text)
      const path = kind === 'gang' ? '/workers' : '/plant'
      const ends = async () => (await w.as('viewer').get(`${path}?site_id=${w.site_id}&id=${made.body.id}`)).body[0].end_at
      const { page } = await stage.sit(by, { width })
      await page.goto(site(`?chosen=${made.body.id}`))
      await idle(page)
      const note = page.locator('.map-floating')
      await note.getByRole('button', { name: 'Finish now' }).click()
      await page.getByText(`Early ${kind} has finished. The map still shows it at earlier times.`).waitFor()
      await stage.axe(page)
      assert.equal(await ends(), '2026-03-16T09:00:00.000Z')
      await page.getByRole('button', { name: new RegExp(`^Early ${kind}`) }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Undone', { exact: true }).waitFor()
      assert.equal(await ends(), made.body.end_at)
      await page.getByRole('button', { name: new RegExp(`^Early ${kind}`) }).waitFor()
      assert.equal((await by.del(`${path}/${made.body.id}`)).status, 204)
    })

  test('four gangs of one contractor are placed for a fortnight with the times typed once, and the form of the next has nothing of the last', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site('?at=2026-03-19T08:00:00.000Z'))
    await idle(page)
    await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
    await page.getByRole('button', { name: 'Worker or gang', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Worker or gang' })
    const name = form.getByLabel('Name of the worker or gang')
    await form.getByLabel('From').fill('2026-03-23T07:30')
    await form.getByLabel('Until').fill('2026-03-23T17:30')
    await form.getByLabel('Repeat on other days').check()
    await form.getByLabel('Last day').fill('2026-04-03')
    const names = ['Fixers', 'Joiners', 'Layers', 'Slingers']
    for (const gang of names) {
      await name.fill(gang)
      await form.getByLabel('Trade').fill(gang.toLowerCase())
      await form.getByRole('button', { name: 'Choose on the map' }).click()
      const map = page.getByRole('dialog').last().locator('[data-map=idle]')
      await map.waitFor()
      await map.click()
      await page.getByRole('button', { name: 'Use this place' }).click()
      if (gang === 'Slingers') break
      await form.getByRole('button', { name: 'Save and add another' }).click()
      await form.getByText('Not on the map yet').waitFor()
      assert.equal(await name.inputValue(), '')
      assert.equal(await name.evaluate(field => field === document.activeElement), true, 'the next name is typed at once')
      assert.equal(await form.getByLabel('Until').inputValue(), '2026-03-23T17:30')
      assert.equal(await form.getByLabel('Last day').inputValue(), '2026-04-03')
    }
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const placed = await gangs('&from=2026-03-23T00:00:00Z&to=2026-04-04T00:00:00Z&limit=500')
    for (const gang of names) assert.equal(placed.filter((token: { name: string }) => token.name === gang).length, 10, gang)
  })

  test('§0.5 a schedule shows what a change does before it is saved; one that hasn’t begun is deleted; a gang that is there once is made to repeat', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site('?at=2026-03-23T08:00:00.000Z'))
    await idle(page)
    await page.getByRole('button', { name: /^Fixers/ }).click()
    const note = page.locator('.map-floating')
    await note.getByRole('button', { name: 'Schedule', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Schedule of Fixers' })
    await form.getByText('10 days are ahead.').waitFor()
    const changes = form.getByRole('region', { name: 'What this changes' })
    await changes.getByText('Nothing changes.').waitFor()
    await form.getByRole('textbox', { name: 'Day off' }).fill('2026-03-25')
    await form.getByRole('button', { name: 'Add: Day off' }).click()
    await form.getByLabel('Last day').fill('2026-04-06')
    await changes.getByText('1 day is removed: Wed 25 Mar').waitFor()
    await changes.getByText('1 day is added: Mon 6 Apr').waitFor()
    await changes.getByText('Nothing changes.').waitFor({ state: 'detached' })
    await stage.axe(page)
    const days = async () =>
      (await gangs('&from=2026-03-23T00:00:00Z&to=2026-04-08T00:00:00Z&limit=500'))
        .filter((token: { name: string }) => token.name === 'Fixers')
        .map((token: { occurrence_date: string }) => token.occurrence_date)
    assert.equal((await days()).includes('2026-03-25'), true, 'nothing is changed before it is saved')
    const refused: string[] = []
    page.on('response', reply => {
      if (reply.status() === 412) refused.push(reply.url())
    })
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    assert.deepEqual(refused, [], 'what a change would do isn’t asked of the version before it')
    assert.deepEqual(
      [(await days()).length, (await days()).includes('2026-03-25'), (await days()).includes('2026-04-06')],
      [10, false, true],
    )
    await note.getByRole('button', { name: 'Schedule', exact: true }).click()
    await hold(
      page,
      form.getByRole('button', { name: 'Hold to delete the schedule' }),
      page.getByText('The schedule of Fixers has been deleted.'),
    )
    assert.deepEqual(await days(), [])

    const once = { start_at: '2026-03-23T07:30:00.000Z', end_at: '2026-03-23T15:30:00.000Z' }
    const body = { site_id: w.site_id, name: 'Roofers', trade: 'Roofer', place: { point: { lon: -0.0195, lat: 51.5053 } }, ...once }
    const roofers = await w.as('coordinator').post('/workers/', body)
    assert.equal(roofers.status, 201, roofers.text)
    await page.getByRole('button', { name: /^Roofers/ }).click()
    await note.getByRole('button', { name: 'Repeat' }).click()
    const repeat = page.getByRole('dialog', { name: 'Repeat Roofers' })
    await repeat.getByLabel('Last day').fill('2026-03-26')
    await repeat.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Roofers repeats until Thu 26 Mar.').waitFor()
    await note.getByText('Part of a schedule').waitFor()
    const repeated = (await gangs('&from=2026-03-23T00:00:00Z&to=2026-04-08T00:00:00Z&limit=500')).filter(
      (token: { name: string }) => token.name === 'Roofers',
    )
    assert.deepEqual([repeated.length, repeated[0].id], [4, roofers.body.id])
  })

  for (const [kind, path, more] of [
    ['gang', '/workers', { trade: 'Roofer' }],
    ['machine', '/plant', { category: 'mewp' }],
  ] as const)
    test(`1082 a ${kind} on all days ahead is changed as the person saw its schedule: what someone else has changed in it since stays`, async () => {
      const pattern = { start_date: '2026-03-17', end_date: '2026-03-20', start_time: '07:30', end_time: '17:30' }
      const name = `Lead ${kind}`
      const template = { name, notes: 'North', ...more, place: { point: { lon: -0.0195, lat: 51.5053 } } }
      const made = await w.as('coordinator').post(`${path}/create-schedule`, { site_id: w.site_id, template, pattern })
      assert.equal(made.status, 201, made.text)
      const group = `${path}/schedule-group/${made.body.group.id}`
      const notes = async () => (await w.as('admin').get(group)).body.template.notes
      const { page } = await stage.sit(w.as('coordinator'))
      await page.goto(site(`?at=2026-03-17T09:00:00.000Z&chosen=${made.body.occurrences[0].id}`))
      await idle(page)
      const form = page.getByRole('dialog', { name })
      const save = async (text: string) => {
        await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
        await form.getByRole('radio', { name: 'All days ahead' }).check()
        await form.getByLabel('Notes').fill(text)
        await form.getByRole('button', { name: 'Save', exact: true }).click()
        await page.getByText(`${name} has been changed on all days ahead.`).waitFor()
        await form.waitFor({ state: 'detached' })
      }
      await save('East')
      await save('West')
      assert.equal(await notes(), 'West', 'one person after the other')
      const read = page.waitForResponse(reply => reply.url().endsWith(group))
      await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
      await read
      assert.equal((await w.as('admin').patch(group, { notes: 'Roof' })).status, 200)
      await form.getByRole('radio', { name: 'All days ahead' }).check()
      await form.getByLabel('Notes').fill('South')
      await form.getByRole('button', { name: 'Save', exact: true }).click()
      await form.getByRole('alert').waitFor()
      assert.equal(await notes(), 'Roof')
      await w.as('coordinator').del(group)
    })

  test('a crane is added by keyboard with its reach, and moved; the map of an hour ago still shows where it was', async () => {
    const before = await w.as('coordinator').post('/plant', {
      ...{ site_id: w.site_id, name: 'TC1', category: 'tower_crane', working_radius_m: 30, start_at: '2026-03-16T07:00:00.000Z' },
      place: { point: { lon: -0.0195, lat: 51.5053 } },
    })
    assert.equal(before.status, 201, before.text)
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site())
    await page.getByRole('button', { name: 'TC1 Tower crane' }).focus()
    await page.keyboard.press('Enter')
    const note = page.locator('.map-floating')
    await note.getByText('Keep out: 31 m').waitFor()
    await note.getByRole('button', { name: 'Move now' }).click()
    await page.getByLabel('Map for choosing a place').waitFor({ state: 'attached' })
    await idle(page.locator('dialog').page())
    await page.locator('dialog [data-map]').click({ position: { x: 200, y: 160 } })
    await page.getByRole('button', { name: 'Use this place' }).click()
    await page.getByText('TC1 has been moved.', { exact: false }).waitFor()
    const at = async (time: string) =>
      (await w.as('viewer').get(`/plant/at-time?site_id=${w.site_id}&at=${time}`)).body.map(
        (one: { place: { point: { lon: number } } }) => one.place.point.lon,
      )
    assert.deepEqual(await at('2026-03-16T08:00:00.000Z'), [-0.0195])
    const now = await at('2026-03-16T09:00:00.000Z')
    assert.equal(now.length, 1)
    assert.notEqual(now[0], -0.0195)
  })

  test('§2 the panel of a machine has its history: what was changed, when, and who did it, without what follows from it', async () => {
    const made = await w.as('coordinator').post('/plant', {
      ...{ site_id: w.site_id, name: 'Hoist 1', category: 'hoist', start_at: '2026-03-16T07:00:00.000Z' },
      place: { point: { lon: -0.0195, lat: 51.5053 } },
    })
    assert.equal(made.status, 201, made.text)
    const changed = await w.as('hse').patch(`/plant/${made.body.id}`, { name: 'Hoist 1a', end_at: '2026-03-16T16:00:00.000Z' })
    assert.equal(changed.status, 200, changed.text)
    const { page } = await stage.sit(w.as('viewer'), { width: 390 })
    await page.goto(site(`?chosen=${made.body.id}`))
    await idle(page)
    await page.locator('.map-floating').getByRole('button', { name: 'History' }).click()
    const rows = page.getByRole('dialog', { name: 'History of Hoist 1a' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    const said = await rows.allTextContents()
    assert.match(said[0] ?? '', /^Changed: end \(Mon 16 Mar 16:00\), nameSaved by /)
    assert.match(said[1] ?? '', /^AddedSaved by Cora Coordinator, Mon 16 Mar/)
    await stage.axe(page)
    assert.equal((await w.as('coordinator').del(`/plant/${made.body.id}`)).status, 204)
  })

  test('the list shows the number of people of a gang whose name is too long for its row', async () => {
    const made = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, trade: 'Groundworker', headcount: 5, end_at: '2026-03-16T17:00:00.000Z' },
      name: 'Drainage gang of the northern works: foul sewer, surface water and attenuation tank, second phase, with the sewer connection of the street',
      place: { point: { lon: -0.0192, lat: 51.5051 } },
    })
    assert.equal(made.status, 201, made.text)
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site())
    const people = page.getByRole('button', { name: /^Drainage gang of the northern works/ }).getByText('5 people')
    await people.scrollIntoViewIfNeeded()
    const shown = await people.evaluate(one => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      return one === document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    })
    assert.ok(shown, 'it is cut')
    assert.equal((await w.as('coordinator').del(`/workers/${made.body.id}`)).status, 204)
  })

  test('§4 what is put in a building while the map shows one of its levels is on that level, unless the person says otherwise', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?building=${tower}&level=2`))
    await idle(page)
    await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
    await page.getByRole('button', { name: 'Worker or gang', exact: true }).click()
    await page.getByRole('button', { name: 'Choose on the map' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose on the map' })
    await picker.locator('[data-map=idle]').waitFor()
    const map = picker.locator('[data-map]')
    const metre = await metreOf(picker)
    const { width, height } = (await map.boundingBox()) ?? assert.fail('There is a map.')
    // The middle of the map is that of the site, 200 m by 150 m, and that of the tower is at 50 m, 45 m.
    await map.click({ position: { x: width / 2 - 50 * metre, y: height / 2 + 30 * metre } })
    await picker.getByLabel('Level').waitFor()
    assert.equal(await picker.getByLabel('Building').inputValue(), tower)
    assert.equal(await picker.getByLabel('Level').inputValue(), '2')
  })

  for (const width of [390, 1440])
    test(`§4 a gang is moved with the pointer and with the arrow keys, is saved only when that is confirmed, and another client shows it at once, at ${width} px`, async () => {
      const { id } = (
        await w.as('coordinator').post('/workers/', {
          ...{ site_id: w.site_id, name: `Drivers ${width}`, trade: 'Driver', end_at: '2026-03-16T17:00:00.000Z' },
          place: { point: { lon: -0.0192, lat: 51.5051 } },
        })
      ).body
      const where = async () => (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&id=${id}`)).body[0].place.point
      const other = await stage.sit(w.as('hse'))
      await other.page.goto(site(`?chosen=${id}`))
      await idle(other.page)
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${id}`))
      await idle(page)
      const handle = page.getByRole('button', { name: `Move Drivers ${width}`, exact: false })
      await handle.focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.getByText(`Drivers ${width} would be moved by 10 m. It isn’t saved yet.`).waitFor()
      await centre(page)
      await stage.axe(page)
      await page.keyboard.press('Escape')
      await page.getByText('It isn’t saved yet.', { exact: false }).waitFor({ state: 'detached' })
      assert.equal((await where()).lon, -0.0192, 'nothing was saved')
      const box = await handle.boundingBox()
      if (box === null) throw new Error('The handle isn’t on the screen.')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 30, y - 20, { steps: 5 })
      await page.mouse.up()
      await page.getByText('It isn’t saved yet.', { exact: false }).waitFor()
      const seen = other.page.waitForResponse(response => response.url().includes('/workers/at-time'))
      await page.getByRole('button', { name: 'Move here' }).click()
      await page.getByText(`Drivers ${width} has been moved.`, { exact: false }).waitFor()
      const now = await where()
      const shown: { id: string; place: { point: unknown } }[] = await (await seen).json()
      assert.deepEqual(shown.find(one => one.id === id)?.place.point, now)
      assert.ok(now.lon > -0.0192 && now.lat > 51.5051, JSON.stringify(now))
    })

  test('§1 inline: a permit is requested from the panel of a gang, and begins with its place and its time', async () => {
    const { id } = (
      await w.as('coordinator').post('/workers/', {
        ...{ site_id: w.site_id, name: 'Roofers', trade: 'Roofer', contractor_id: w.acme, start_at: '2026-03-16T09:00:00.000Z' },
        ...{ end_at: '2026-03-16T16:30:00.000Z', place: { point: { lon: -0.0187, lat: 51.5055 } } },
      })
    ).body
    const { page } = await stage.sit(w.as('member'))
    await page.goto(site(`?chosen=${id}`))
    await page.getByRole('button', { name: 'Request a permit' }).click()
    await page.waitForURL(/\/request\?draft=/)
    await page.getByRole('textbox', { name: 'Title' }).first().waitFor()
    const [draft] = (await w.as('member').get(`/permits?site_id=${w.site_id}&status=draft`)).body
    assert.deepEqual([draft.title, draft.end_at, draft.contractor_id], ['Roofers', '2026-03-16T16:30:00.000Z', w.acme])
    assert.equal((await w.as('member').get(`/permits/applications/${draft.id}/entities`)).body[0].entity_id, id)
  })

  test('a member sees everything, and can only change what belongs to their own contractor', async () => {
    const { page } = await stage.sit(w.as('member'))
    await page.goto(site())
    await page.getByRole('button', { name: 'TC1 Tower crane' }).click()
    const note = page.locator('.map-floating')
    await note.getByText('Keep out: 31 m').waitFor()
    await idle(page)
    assert.equal(await note.getByRole('button', { name: 'Edit' }).count(), 0)
    await page.getByRole('button', { name: 'Add to the map' }).click()
    await page.getByRole('button', { name: 'Worker or gang' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Zone', exact: true }).count(), 0)
  })
})
