import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import type { World } from '../world.ts'
import { ground, idle } from './ground.ts'
import { fitsPhone, hold, painted, press, reach } from './hands.ts'
import { setLine, useStage } from './kit.ts'

/** Takes a picture of a screen for a person to look at, where a folder for pictures is named. */
const picture = async (page: Page, name: string) => {
  const folder = process.env.PICTURES
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${page.viewportSize()?.width}.png` })
}

/** Returns the corners of a rectangle as they are typed, latitude first. */
const typed = (x: number, y: number, width: number, depth: number): string =>
  (ground(x, y, width, depth).coordinates[0] ?? [])
    .slice(0, 4)
    .map(([lon, lat]) => `${lat}, ${lon}`)
    .join('\n')

/** Taps a place on the map, in pixels from its middle. */
async function tap(page: Page, dx: number, dy: number): Promise<void> {
  const box = (await page.locator('[data-map]').boundingBox()) ?? assert.fail('There is a map.')
  await page.mouse.move(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy)
  await page.mouse.down()
  await page.mouse.up()
}

/** Types the corners of an outline by keyboard. */
async function typeCorners(form: Locator, text: string): Promise<void> {
  await form.getByText('Corner coordinates').first().focus()
  await form.page().keyboard.press('Enter')
  await form.getByRole('textbox', { name: 'Corner coordinates' }).fill(text)
}

describe('the app: active areas on the map', () => {
  const stage = useStage()
  /** Checks a screen as axe and a phone see it. */
  const checked = async (page: Page) => {
    const size = page.viewportSize() ?? assert.fail('It has a size.')
    if (size.width < 600) await fitsPhone(page)
    await stage.axe(page)
    await page.setViewportSize(size)
    await painted(page)
  }
  let w: World
  let permits: PermitWorld
  before(async () => {
    permits = await permitWorld(stage.house)
    w = permits
    const put = await w.as('admin').put(`/sites/${w.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
    assert.equal(put.status, 200, put.text)
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const areas = async (query = '') => (await w.as('viewer').get(`/active-areas/?site_id=${w.site_id}${query}`)).body
  const chooseWeek = async (form: Locator, from: string, to: string, target: string) => {
    await form.getByLabel('First day', { exact: true }).fill(from)
    await form.getByLabel('Last day').fill(to)
    await form.getByLabel('The first day is copied to').fill(target)
  }
  const add = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }

  test('§2 on a site without any, a coordinator draws an exclusion zone by tapping its corners; another client shows it at once, and one tap undoes it', async () => {
    const other = await stage.sit(w.as('viewer'), { theme: 'dark' })
    await other.page.goto(site())
    await other.page.getByText('No active areas are on the map at this time.').waitFor()
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site())
    await idle(page)
    await add(page, 'Active area')
    const form = page.getByRole('form', { name: 'New active area' })
    assert.equal(await form.getByRole('button', { name: 'Save' }).isDisabled(), true)
    for (const [dx, dy] of [
      [-120, -60],
      [40, -60],
      [40, 80],
      [-120, 80],
      [-120, -60],
    ] as const)
      await tap(page, dx, dy)
    await form.getByText('Drag a corner').waitFor()
    await form.getByLabel('Name').fill('Drop zone')
    await form.getByLabel('What it is for').selectOption({ label: 'Exclusion zone: keep out' })
    assert.equal(await form.getByLabel('Nobody else can be in it').isChecked(), true)
    await checked(page)
    await picture(page, 'area-draw')
    await form.getByRole('button', { name: 'Save' }).click()
    const note = page.locator('.map-floating')
    await note.getByText('Exclusion zone: keep out').waitFor()
    await note.getByText('Exclusive', { exact: true }).waitFor()
    await other.page.getByRole('button', { name: 'Drop zone Exclusion zone: keep out' }).click()
    await idle(other.page)
    await stage.axe(other.page)
    await picture(other.page, 'area-dark')
    const [made] = await areas()
    assert.deepEqual([made.area_kind, made.exclusive, made.end_at], ['exclusion', true, '2026-03-16T17:00:00.000Z'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Drop zone is as it was before.').waitFor()
    await page.getByText('No active areas are on the map at this time.').waitFor()
  })

  test('§2 by keyboard alone on a phone, an area is added, repeats, is changed for one day, and its schedule is finished', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site())
    await idle(page)
    await press(page, page.getByRole('button', { name: 'Add to the map', exact: true }))
    await press(page, page.getByRole('button', { name: 'Active area', exact: true }))
    const form = page.getByRole('form', { name: 'New active area' })
    await typeCorners(form, typed(20, 20, 40, 30))
    await form.getByLabel('Name').fill('Slab pour, bay 3')
    await form.getByLabel('Until').fill('2026-03-16T17:00')
    await press(page, form.getByLabel('Repeat on other days'), 'Space')
    await form.getByLabel('Last day').fill('2026-03-20')
    await checked(page)
    await picture(page, 'area-form')
    await press(page, form.getByRole('button', { name: 'Save' }))
    const note = page.locator('.map-floating')
    await note.getByText('Part of a schedule', { exact: true }).waitFor()
    await note.getByText('1,200 m²', { exact: false }).waitFor()
    assert.equal((await areas()).length, 5)
    await checked(page)
    await painted(page)
    await picture(page, 'area-note')
    await press(page, note.getByRole('button', { name: 'Edit' }))
    const edit = page.getByRole('form', { name: 'Edit Slab pour, bay 3' })
    await edit.getByText('What you change here changes only this day.').waitFor()
    await edit.getByLabel('What it is for').selectOption({ label: 'Hot work area' })
    await press(page, edit.getByRole('button', { name: 'Save' }))
    await note.getByText('Part of a schedule, changed for this day').waitFor()
    assert.deepEqual(
      (await areas()).map((one: { area_kind: string }) => one.area_kind),
      ['hot_work', 'work', 'work', 'work', 'work'],
    )
    await press(page, note.getByRole('button', { name: 'Schedule', exact: true }))
    await hold(
      page,
      page.getByRole('button', { name: 'Hold to finish the schedule now' }),
      page.getByText('Slab pour, bay 3 is finished.', { exact: false }),
    )
    assert.equal((await areas()).length, 0)
  })

  for (const width of [390, 1440])
    test(`§0.5 an area that repeats is changed on all days ahead, without its times, and one tap undoes it, at ${width} px`, async () => {
      const name = `Pour ${width}`
      const pattern = {
        start_date: '2026-03-16',
        end_date: '2026-03-20',
        start_time: '08:00',
        end_time: '17:00',
        weekdays: [1, 2, 3, 4, 5],
      }
      const template = { name, area_kind: 'work', notes: 'Bay 3', place: { polygon: ground(20, 20, 40, 30) } }
      const made = await w.as('coordinator').post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
      assert.equal(made.status, 201, made.text)
      const notes = async () => {
        const { body } = await w.as('coordinator').get(`/active-areas/?site_id=${w.site_id}&schedule_group_id=${made.body.group.id}`)
        return body.map((one: { notes: string; start_at: string }) => [one.notes, one.start_at])
      }
      const before = await notes()
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${made.body.occurrences[0].id}`))
      await idle(page)
      await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
      const edit = page.getByRole('form', { name: `Edit ${name}` })
      await reach(page, edit.getByRole('radio', { name: 'Only this day' }))
      await page.keyboard.press('ArrowRight')
      await edit.getByText('except days that were changed by hand', { exact: false }).waitFor()
      assert.equal(await edit.getByLabel('Until').count(), 0)
      await edit.getByLabel('Notes').fill('Bay 4')
      await checked(page)
      await edit.getByRole('button', { name: 'Save' }).click()
      await page.getByText(`${name} has been changed on all days ahead.`).waitFor()
      assert.deepEqual(
        await notes(),
        before.map(([, at]: [string, string]) => ['Bay 4', at]),
      )
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText(`${name} is as it was before.`).waitFor()
      assert.deepEqual(await notes(), before)
      await w.as('coordinator').del(`/active-areas/schedule-group/${made.body.group.id}?finish_running=true`)
    })

  test('§2 an area is changed and made to repeat: if the schedule is refused, it is corrected and saved again; what can’t be undone offers no Undo', async () => {
    const body = { site_id: w.site_id, name: 'Kerbs', start_at: '2026-03-16T08:30:00Z', end_at: '2026-03-16T17:00:00Z' }
    const made = await w.as('coordinator').post('/active-areas/', { ...body, place: { polygon: ground(150, 60, 20, 20) } })
    assert.equal(made.status, 201, made.text)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site(`?chosen=${made.body.id}`))
    await idle(page)
    await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('form', { name: 'Edit Kerbs' })
    await edit.getByLabel('Notes').fill('Bay 9')
    await edit.getByLabel('Repeat on other days').check()
    await edit.getByLabel('Last day').fill('2027-12-20')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit
      .getByText(/at most 366 days|366/)
      .first()
      .waitFor()
    await edit.getByLabel('Last day').fill('2026-03-18')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.locator('.map-floating').getByText('Part of a schedule', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    const { schedule_group_id } = (await w.as('coordinator').get(`/active-areas/${made.body.id}`)).body
    const days = (await w.as('coordinator').get(`/active-areas/?site_id=${w.site_id}&schedule_group_id=${schedule_group_id}`)).body
    assert.deepEqual(
      days.map((one: { notes: string }) => one.notes),
      ['Bay 9', 'Bay 9', 'Bay 9'],
    )
    await w.as('coordinator').del(`/active-areas/schedule-group/${schedule_group_id}?finish_running=true`)
  })

  test('§0.4 Undo keeps what someone else has changed since', async () => {
    const body = { site_id: w.site_id, name: 'Drains', start_at: '2026-03-16T08:30:00Z', end_at: '2026-03-16T17:00:00Z' }
    const made = await w.as('coordinator').post('/active-areas/', { ...body, place: { polygon: ground(150, 60, 20, 20) } })
    const path = `/active-areas/${made.body.id}`
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?chosen=${made.body.id}`))
    await idle(page)
    await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('form', { name: 'Edit Drains' })
    await edit.getByLabel('Notes').fill('Manhole 4')
    await edit.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await w.as('admin').patch(path, { notes: 'Manhole 5' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('status').getByText('changed', { exact: false }).first().waitFor()
    assert.equal((await w.as('admin').get(path)).body.notes, 'Manhole 5')
    await w.as('coordinator').del(path)
  })

  test('1082 an area on all days ahead is changed as the person saw its schedule: what someone else has changed in it since stays', async () => {
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-20', start_time: '08:00', end_time: '17:00' }
    const template = { name: 'Gutters', notes: 'Bay 3', place: { polygon: ground(20, 70, 40, 30) } }
    const made = await w.as('coordinator').post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
    assert.equal(made.status, 201, made.text)
    const path = `/active-areas/schedule-group/${made.body.group.id}`
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?at=2026-03-17T09:00:00.000Z&chosen=${made.body.occurrences[0].id}`))
    await idle(page)
    const read = page.waitForResponse(reply => reply.url().endsWith(path))
    await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('form', { name: 'Edit Gutters' })
    await edit.getByRole('radio', { name: 'All days ahead' }).check()
    await read
    assert.equal((await w.as('admin').patch(path, { notes: 'Bay 5' })).status, 200)
    await edit.getByLabel('Notes').fill('Bay 4')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByRole('alert').waitFor()
    assert.equal((await w.as('admin').get(path)).body.template.notes, 'Bay 5')
    assert.equal(await edit.getByLabel('Notes').inputValue(), 'Bay 4', 'the text stays')
    await w.as('coordinator').del(path)
  })

  test('1082 a schedule of which someone has just removed a day is shown as it is now, and can be deleted', async () => {
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-20', start_time: '08:00', end_time: '17:00' }
    const template = { name: 'Downpipes', place: { polygon: ground(20, 70, 40, 30) } }
    const made = await w.as('coordinator').post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
    assert.equal(made.status, 201, made.text)
    const [first, , third] = made.body.occurrences
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?at=2026-03-17T09:00:00.000Z&chosen=${first.id}`))
    await idle(page)
    const open = page.locator('.map-floating').getByRole('button', { name: 'Schedule', exact: true })
    const form = page.getByRole('dialog', { name: 'Schedule of Downpipes' })
    await open.click()
    await form.getByText('4 days are ahead.').waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
    assert.equal((await w.as('admin').del(`/active-areas/${third.id}`)).status, 204)
    await open.click()
    await form.getByText('3 days are ahead.').waitFor()
    await hold(
      page,
      form.getByRole('button', { name: 'Hold to delete the schedule' }),
      page.getByText('The schedule of Downpipes has been deleted.'),
    )
  })

  test('1132 a schedule of a bay that a delivery uses isn’t deleted: on a phone, the refusal says which day, and the window stays open', async () => {
    const pattern = { start_date: '2026-03-17', end_date: '2026-03-20', start_time: '08:00', end_time: '17:00' }
    const template = { name: 'East bay', area_kind: 'delivery_bay', place: { polygon: ground(20, 70, 40, 30) } }
    const made = await w.as('coordinator').post('/active-areas/schedule', { site_id: w.site_id, template, pattern })
    assert.equal(made.status, 201, made.text)
    const [first, second] = made.body.occurrences
    const booked = await w.as('coordinator').post('/deliveries/', {
      ...{ site_id: w.site_id, supplier_name: 'Readymix', start_at: '2026-03-18T09:00:00.000Z', end_at: '2026-03-18T10:00:00.000Z' },
      ...{ bay_id: second.id, place: { polygon: ground(20, 70, 40, 30) } },
    })
    assert.equal(booked.status, 201, booked.text)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site(`?at=2026-03-17T09:00:00.000Z&chosen=${first.id}`))
    await idle(page)
    await press(page, page.locator('.map-floating').getByRole('button', { name: 'Schedule', exact: true }))
    const form = page.getByRole('dialog', { name: 'Schedule of East bay' })
    await hold(
      page,
      form.getByRole('button', { name: 'Hold to delete the schedule' }),
      form.getByText('East bay on 2026-03-18 is used by other records', { exact: false }),
    )
    await stage.axe(page)
    assert.equal((await w.as('coordinator').get(`/active-areas/schedule-group/${made.body.group.id}`)).body.counts.future, 4)
    await w.as('coordinator').patch(`/deliveries/${booked.body.id}`, { status: 'cancelled' })
    assert.equal((await w.as('coordinator').del(`/deliveries/${booked.body.id}`)).status, 204)
    await hold(
      page,
      form.getByRole('button', { name: 'Hold to delete the schedule' }),
      page.getByText('The schedule of East bay has been deleted.'),
    )
  })

  test('§2 the panel of an area lists its versions: who changed what, and when', async () => {
    const body = { site_id: w.site_id, name: 'Pour 7', start_at: '2026-03-16T08:30:00Z', end_at: '2026-03-16T17:00:00Z' }
    const made = await w.as('coordinator').post('/active-areas/', { ...body, place: { polygon: ground(150, 100, 20, 20) } })
    assert.equal(made.status, 201, made.text)
    await w.as('coordinator').patch(`/active-areas/${made.body.id}`, { name: 'Pour 7a' })
    const { page } = await stage.sit(w.as('viewer'), { width: 390 })
    await page.goto(site(`?chosen=${made.body.id}`))
    await idle(page)
    await press(page, page.locator('.map-floating').getByRole('button', { name: 'History' }))
    const list = page.getByRole('dialog', { name: 'History of Pour 7a' })
    await list.getByRole('listitem').nth(1).waitFor()
    assert.match((await list.getByRole('listitem').first().textContent()) ?? '', /Changed: name · 400 m²Saved by Cora Coordinator/)
    assert.match((await list.getByRole('listitem').first().textContent()) ?? '', /^Mon 16 Mar \d\d:\d\d–17:00/, 'the day once')
    assert.match((await list.getByRole('listitem').last().textContent()) ?? '', /First drawn/)
    await stage.axe(page)
    await picture(page, 'versions')
    // The window closes alone: the panel that it was opened from stays, with the focus where it was.
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    const button = page.locator('.map-floating').getByRole('button', { name: 'History' })
    assert.ok(await button.evaluate(one => one === document.activeElement))
    // The tests after this one have the ground to themselves.
    assert.equal((await w.as('coordinator').del(`/active-areas/${made.body.id}`)).status, 204)
  })

  test('§2 a running area is retimed, and ended by holding; the map of before still shows it; a supervisor can only choose kinds that contractors draw', async () => {
    const made = await w.as('coordinator').post('/active-areas/', {
      ...{ site_id: w.site_id, name: 'Laydown east', area_kind: 'laydown', start_at: '2026-03-16T07:00:00.000Z' },
      place: { polygon: ground(120, 20, 40, 30) },
    })
    assert.equal(made.status, 201, made.text)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(site(`?chosen=${made.body.id}`))
    const note = page.locator('.map-floating')
    await note.getByText('Since', { exact: false }).waitFor()
    await note.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('form', { name: 'Edit Laydown east' })
    // The versions of an area are replayed as they were, so the form says that the map of earlier times stays as it is.
    await edit.getByText('This area has started. A new start doesn’t change the map of earlier times.').waitFor()
    await edit.getByLabel('From', { exact: true }).fill('2026-03-16T06:30')
    await edit.getByLabel('Until').fill('2026-03-16T18:30')
    await edit.getByRole('button', { name: 'Save' }).click()
    await note.getByText('18:30', { exact: false }).waitFor()
    await note.getByRole('button', { name: 'Edit' }).click()
    await hold(
      page,
      page.getByRole('button', { name: 'Hold to end it now' }),
      page.getByText('Laydown east has been removed.', { exact: false }),
    )
    const at = async (time: string) => {
      const there = (await w.as('viewer').get(`/active-areas/at-time?site_id=${w.site_id}&at=${time}`)).body
      return there.some((one: { id: string }) => one.id === made.body.id)
    }
    assert.deepEqual([await at('2026-03-16T08:00:00.000Z'), await at('2026-03-16T09:00:00.000Z')], [true, false])
    assert.equal(await at('2026-03-16T06:45:00.000Z'), false, 'it wasn’t on the map then')
    const own = await stage.sit(w.as('member'))
    await own.page.goto(site())
    await idle(own.page)
    await add(own.page, 'Active area')
    const form = own.page.getByRole('form', { name: 'New active area' })
    await form.waitFor()
    const kinds = await form.getByLabel('What it is for').locator('option').allTextContents()
    assert.deepEqual([kinds.includes('Work area'), kinds.includes('Exclusion zone: keep out')], [true, false])
    assert.equal(await own.page.getByRole('button', { name: 'Fill the rest of a place' }).count(), 0)
  })

  for (const width of [390, 1440])
    test(`§2 a zone has a strip of its week: what is there and when, what other people add meanwhile, and the weeks next to it, at ${width} px`, async () => {
      // Where no other test leaves anything.
      const name = `Deck ${width}`
      const zone = await w.as('hse').post('/reference-features/zones', {
        ...{ site_id: w.site_id, kind: 'zone', name, zone_type: 'work', outline: ground(width === 390 ? 20 : 110, 170, 40, 30) },
        effective_at: '2026-03-16T07:00:00.000Z',
      })
      assert.equal(zone.status, 201, zone.text)
      const there: string[] = []
      const put = async (path: '/active-areas/' | '/workers/' | '/plant', body: object) => {
        const [lon, lat] = ground(width === 390 ? 40 : 130, 185, 1, 1).coordinates[0]?.[0] ?? []
        const place = { point: { lon, lat } }
        const made = await w.as('coordinator').post(path, { site_id: w.site_id, start_at: '2026-03-16T08:00:00.000Z', place, ...body })
        assert.equal(made.status, 201, made.text)
        there.push(`${path.replace(/\/$/, '')}/${made.body.id}`)
        return made.body
      }
      const { page } = await stage.sit(w.as('viewer'), { width })
      await page.goto(site(`?chosen=${zone.body.id}`))
      await idle(page)
      await page.locator('.map-floating').getByRole('button', { name: 'Week' }).click()
      const week = page.getByRole('dialog', { name: `${name}: what is planned` })
      await week.getByText('Mon 16 Mar – Sun 22 Mar').waitFor()
      await week.getByText('Nothing is planned here in this week.').waitFor()
      await put('/workers/', { name: 'Deckers', trade: 'Joiner', end_at: '2026-03-16T16:00:00.000Z' })
      await put('/workers/', {
        ...{ name: 'Deckers', trade: 'Joiner' },
        start_at: '2026-03-18T08:00:00.000Z',
        end_at: '2026-03-18T16:00:00.000Z',
      })
      await put('/plant', { name: 'Lift 4', category: 'hoist' })
      const polygon = ground(width === 390 ? 22 : 112, 172, 10, 10)
      const pour = await put('/active-areas/', {
        name: 'Deck pour',
        place: { polygon },
        start_at: '2026-03-20T08:00:00.000Z',
        end_at: '2026-03-24T16:00:00.000Z',
      })
      // They began before there was a zone, so their record doesn’t name it.
      await put('/workers/', {
        ...{ name: 'Early birds', trade: 'Joiner' },
        start_at: '2026-03-16T06:00:00.000Z',
        end_at: '2026-03-16T15:00:00.000Z',
      })
      await week.getByRole('button', { name: /Early birds/ }).waitFor()
      await week.getByRole('button', { name: /Deck pour/ }).waitFor()
      await stage.axe(page)
      if (width === 390) await fitsPhone(page)
      await picture(page, 'week')
      assert.deepEqual(
        await week
          .locator('.week-row')
          .allInnerTexts()
          .then(all =>
            all.map(text =>
              text
                .split('\n')
                .filter(line => line.trim() !== '')
                .map(line => line.trim()),
            ),
          ),
        [
          ['Early birds', 'Worker or gang', 'Mon 16 Mar 06:00–15:00'],
          ['Deckers', 'Worker or gang', 'Mon 16 Mar 08:00–16:00 and 1 other time'],
          ['Lift 4', 'Plant', 'From Mon 16 Mar 08:00'],
          ['Deck pour', 'Active area', 'Fri 20 Mar 08:00 – Tue 24 Mar 16:00'],
        ],
      )
      await week.getByRole('button', { name: 'The week after' }).click()
      await week.getByText('Mon 23 Mar – Sun 29 Mar').waitFor()
      await week.getByRole('button', { name: /Deckers/ }).waitFor({ state: 'detached' })
      await week.getByRole('button', { name: /Deck pour/ }).click()
      await week.waitFor({ state: 'detached' })
      await page.locator('.map-floating').getByText('Deck pour').waitFor()
      assert.match(page.url(), new RegExp(`chosen=${pour.id}`))
      assert.match(page.url(), /at=2026-03-20T08/)
      for (const path of there) assert.equal((await w.as('coordinator').del(path)).status, 204, path)
    })

  for (const width of [390, 1440])
    test(`§2 the rest of a zone is filled and the fill is undone; a fill that is out of date says so and is filled again, at ${width} px`, async () => {
      const [x, name] = [width === 390 ? 20 : 110, `Podium ${width}`]
      const zone = await w.as('hse').post('/reference-features/zones', {
        ...{
          site_id: w.site_id,
          kind: 'zone',
          name,
          zone_type: 'work',
          outline: ground(x, 80, 50, 40),
          effective_at: '2026-03-16T07:00:00.000Z',
        },
      })
      assert.equal(zone.status, 201, zone.text)
      const taken = await w.as('coordinator').post('/active-areas/', {
        ...{
          site_id: w.site_id,
          name: `Pour ${width}`,
          start_at: '2026-03-16T08:00:00.000Z',
          end_at: '2026-03-16T12:00:00.000Z',
          place: { polygon: ground(x + 10, 90, 20, 10) },
        },
      })
      assert.equal(taken.status, 201, taken.text)
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${zone.body.id}`))
      await idle(page)
      await add(page, 'Fill the rest of a place')
      const form = page.getByRole('form', { name: 'Fill the rest of a place' })
      assert.equal(await form.getByLabel('Place to fill').inputValue(), zone.body.id)
      await form.getByLabel('Name').fill(`Ours ${width}`)
      await checked(page)
      await picture(page, 'fill-form')
      await press(page, form.getByRole('button', { name: 'Fill', exact: true }))
      await page.getByText(/^2 active areas have been added. They cover 1,80\d m² at the start.$/).waitFor()
      await picture(page, 'fill-made')
      await checked(page)
      await page.getByRole('button', { name: 'Undo the fill' }).click()
      await page.getByText('The fill has been removed.', { exact: false }).waitFor()
      await add(page, 'Fill the rest of a place')
      await form.getByLabel('Name').fill(`Ours ${width}`)
      await form.getByRole('button', { name: 'Fill', exact: true }).click()
      await page.getByRole('button', { name: 'Close', exact: true }).click()
      const note = page.locator('.map-floating')
      await note.getByText('Part of a fill').waitFor()
      stage.house.clock(width === 390 ? '2026-03-16T09:02:00.000Z' : '2026-03-16T09:04:00.000Z')
      const moved = await w.as('coordinator').patch(`/active-areas/${taken.body.id}`, { place: { polygon: ground(x + 15, 95, 20, 10) } })
      assert.equal(moved.status, 200, moved.text)
      await note.getByText('The fill is out of date', { exact: false }).waitFor()
      await checked(page)
      await picture(page, 'fill-stale')
      await note.getByRole('button', { name: 'Fill again' }).click()
      await page.getByText('The fill is up to date', { exact: false }).waitFor()
      await hold(
        page,
        page.getByRole('button', { name: 'Hold to remove the whole fill' }),
        page.getByText('The fill has been removed.', { exact: false }),
      )
    })

  for (const width of [390, 1440])
    test(`§10 a hole is drawn into an area at the cross of the map by keyboard, undone and applied again; a cut across it asks before it splits, at ${width} px`, async () => {
      const made = await w.as('coordinator').post('/active-areas/', {
        ...{ site_id: w.site_id, name: `Slab ${width}`, start_at: '2026-03-16T08:00:00.000Z' },
        place: { polygon: ground(20, 20, 60, 40) },
      })
      assert.equal(made.status, 201, made.text)
      const size = async () => Math.round((await w.as('viewer').get(`/active-areas/${made.body.id}`)).body.area_m2)
      const { page } = await stage.sit(w.as('coordinator'), { width, ...(width === 390 ? {} : { theme: 'dark' }) })
      await page.goto(site(`?chosen=${made.body.id}&view=51.50536,-0.01928,19`))
      await idle(page)
      await page.locator('.map-floating').getByRole('button', { name: 'Cut out' }).click()
      const form = page.getByRole('form', { name: `Cut out of Slab ${width}` })
      await form.getByText('Nothing has been cut out yet.').waitFor()
      const canvas = page.locator('[data-map] canvas')
      await page.locator('.map-cross-draw').waitFor()
      await canvas.focus()
      for (const key of ['Enter', 'Shift+ArrowRight', 'Enter', 'Shift+ArrowDown', 'Enter', 'Shift+ArrowLeft', 'Enter'])
        await page.keyboard.press(key)
      await form.getByText('4 corners').waitFor({ state: 'attached' })
      await checked(page)
      await picture(page, 'cut-draw')
      await form.getByRole('button', { name: 'Close the shape' }).click()
      await form.getByText('Drag a corner').waitFor()
      await form.getByRole('button', { name: 'Cut out' }).click()
      await form.getByText(/^Cut out: \d+ m²/).waitFor()
      const less = await size()
      assert.ok(less < 2390, String(less))
      await idle(page)
      await picture(page, 'cut-made')
      await form.getByRole('button', { name: /^Undo the cut/ }).click()
      await form.getByText(/^Undone: /).waitFor()
      assert.ok((await size()) >= 2399)
      await press(page, form.getByRole('button', { name: /^Apply again/ }))
      await form.getByText(/^Cut out: \d+ m²/).waitFor()
      assert.equal(await size(), less)
      await form.getByText('Corner coordinates').first().click()
      await form.getByRole('textbox', { name: 'Corner coordinates' }).fill(typed(15, 55, 70, 2))
      await form.getByText('Drag a corner').waitFor()
      await form.getByRole('button', { name: 'Cut out' }).click()
      await checked(page)
      await picture(page, 'cut-split')
      await form.getByRole('button', { name: 'Cut it into parts' }).click()
      await form
        .getByText(/^Cut out: \d+ m²/)
        .nth(1)
        .waitFor()
      assert.ok((await size()) < less)
      await w.as('coordinator').del(`/active-areas/${made.body.id}`)
    })

  for (const width of [390, 1440])
    test(`while drawing, corners attract a tap and a corner at the cross, unless Alt is held or it is switched off; a distance and an area are measured, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as(width === 390 ? 'viewer' : 'coordinator'), { width })
      await page.goto(site('?view=51.505,-0.02,19'))
      await idle(page)
      await page.getByRole('button', { name: 'Measure' }).click()
      const panel = page.getByRole('region', { name: 'Measure' })
      await page.locator('.map-cross-draw').waitFor()
      await tap(page, 150, -60)
      await panel.getByText('1 point', { exact: true }).waitFor()
      await panel.getByRole('button', { name: 'Remove the last one' }).click()
      // The boundary's corner is in the middle of the map; a tap 8 pixels next to it means it.
      await tap(page, 8, -4)
      await panel.getByRole('button', { name: 'Add a point at the cross' }).click()
      await panel.getByText('Distance: 0.00 m').waitFor()
      await page.locator('[data-map] canvas').focus()
      for (const key of ['Shift+ArrowRight', 'Shift+ArrowUp', 'Enter']) await page.keyboard.press(key)
      await panel.getByText(/^Area inside: /).waitFor()
      await checked(page)
      await picture(page, 'measure')
      await panel.getByRole('button', { name: 'Start again' }).click()
      await page.keyboard.down('Alt')
      for (const dx of [-92, -108]) await tap(page, dx, 96)
      await page.keyboard.up('Alt')
      assert.notEqual(await panel.getByText(/^Distance: /).textContent(), 'Distance: 0.00 m', 'held Alt sets points freely')
      await panel.getByRole('button', { name: 'Start again' }).click()
      await panel.getByLabel('Snap to corners and edges').uncheck()
      for (const dx of [-92, -108]) await tap(page, dx, 96)
      assert.notEqual(await panel.getByText(/^Distance: /).textContent(), 'Distance: 0.00 m')
      await panel.getByRole('button', { name: 'Start again' }).click()
      await panel.getByLabel('Snap to corners and edges').check()
      for (const dx of [-92, -108]) await tap(page, dx, 96)
      await panel.getByText('Distance: 0.00 m').waitFor()
      await panel.getByRole('button', { name: 'Close', exact: true }).click()
      await page.locator('.map-cross-draw').waitFor({ state: 'detached' })
    })

  for (const width of [390, 1440])
    test(`§0.7 a week is copied: first it says what comes along and what is left out, then it copies; again, everything is already there, at ${width} px`, async () => {
      const [from, to, target] = width === 390 ? ['2026-03-02', '2026-03-08', '2026-03-09'] : ['2026-03-09', '2026-03-15', '2026-03-16']
      const gang = {
        site_id: w.site_id,
        name: `Fixers ${width}`,
        trade: 'Steel fixer',
        headcount: 4,
        place: { point: { lon: -0.0195, lat: 51.5053 } },
      }
      for (const day of [0, 1]) {
        const date = new Date(Date.parse(`${from}T00:00:00Z`) + day * 86_400_000).toISOString().slice(0, 10)
        const made = await w
          .as('coordinator')
          .post('/workers/', { ...gang, start_at: `${date}T07:30:00.000Z`, end_at: `${date}T17:30:00.000Z` })
        assert.equal(made.status, 201, made.text)
      }
      // A machine that is still there can't be copied; the gangs can.
      const crane = await w.as('coordinator').post('/plant', {
        ...{ site_id: w.site_id, name: `TC ${width}`, category: 'tower_crane', fleet_number: `TC-${width}` },
        ...{ start_at: `${from}T06:00:00.000Z`, place: { point: { lon: -0.0192, lat: 51.5053 } } },
      })
      assert.equal(crane.status, 201, crane.text)
      const { page, context } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site())
      await idle(page)
      await add(page, 'Copy a week')
      const form = page.getByRole('dialog', { name: 'Copy a week' })
      assert.deepEqual(
        [
          await form.getByLabel('First day', { exact: true }).inputValue(),
          await form.getByLabel('The first day is copied to').inputValue(),
        ],
        ['2026-03-09', '2026-03-16'],
      )
      await chooseWeek(form, from, to, target)
      await press(page, form.getByRole('button', { name: 'Show what is copied' }))
      await form.getByText(`Fixers ${width}`).waitFor()
      await form.getByText('Plant: not copied').waitFor()
      await stage.axe(page)
      await picture(page, 'copy')
      const before = (await w.as('viewer').get(`/workers/?site_id=${w.site_id}&q=Fixers ${width}&limit=100`)).body.length
      await press(page, form.getByRole('button', { name: /^Copy \d+ entr/ }))
      await page.getByText(/entr(y has|ies have) been copied\.$/).waitFor()
      assert.equal((await w.as('viewer').get(`/workers/?site_id=${w.site_id}&q=Fixers ${width}&limit=100`)).body.length, before + 2)
      // One step back in one request, also if the first try has no connection; and the copy again.
      await setLine(context, false)
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      const again = page.locator('.toasts').getByRole('button', { name: 'Try again', exact: true })
      await again.waitFor()
      await setLine(context, true)
      const sent = page.waitForRequest('**/api/copies/undo')
      await again.click()
      await sent
      await page.getByText(/cop(y has|ies have) been removed again\.$/).waitFor()
      assert.equal((await w.as('viewer').get(`/workers/?site_id=${w.site_id}&q=Fixers ${width}&limit=100`)).body.length, before)
      const copies = { site_id: w.site_id, from_date: from, to_date: to, target_date: target }
      assert.equal((await w.as('coordinator').post('/workers/copy-from-range', copies)).status, 201)
      await add(page, 'Copy a week')
      await chooseWeek(form, from, to, target)
      await form.getByRole('button', { name: 'Show what is copied' }).click()
      await form
        .getByText(/left out, because (it is|they are) already there\.$/)
        .first()
        .waitFor()
    })

  test('§0.7 a contractor copies their gangs of a week in which a coordinator drew their exclusion zone, and reads why the areas aren’t copied', async () => {
    const contractor_id = await w.contractor('Copying Ltd')
    const mate = await w.join('member', contractor_id)
    const day = { site_id: w.site_id, contractor_id, start_at: '2026-01-05T08:00:00.000Z', end_at: '2026-01-05T17:00:00.000Z' }
    const gang = { ...day, name: 'Own gang', trade: 'Steel fixer', place: { point: { lon: -0.0195, lat: 51.5053 } } }
    assert.equal((await w.as('coordinator').post('/workers/', gang)).status, 201)
    const drawn = { ...day, name: 'Keep out', area_kind: 'exclusion', place: { polygon: ground(10, 10, 5, 5) } }
    assert.equal((await w.as('coordinator').post('/active-areas/', drawn)).status, 201)
    const { page } = await stage.sit(mate, { width: 1440 })
    await page.goto(site())
    await idle(page)
    await add(page, 'Copy a week')
    const form = page.getByRole('dialog', { name: 'Copy a week' })
    await chooseWeek(form, '2026-01-05', '2026-01-11', '2026-03-23')
    await press(page, form.getByRole('button', { name: 'Show what is copied' }))
    await form.getByText('Own gang').waitFor()
    await form.getByText(/: not copied$/).waitFor()
    await form.getByText(/Only a coordinator can draw/).waitFor()
    await press(page, form.getByRole('button', { name: /^Copy 1 entry/ }))
    await page.getByText(/entry has been copied\.$/).waitFor()
  })

  test('§0.7 a week of which only a part could be copied says so; copying again adds what is missing', async () => {
    const [from, to, target] = ['2026-02-16', '2026-02-22', '2026-02-23']
    const lasting = { site_id: w.site_id, start_at: `${from}T07:30:00.000Z`, end_at: `${from}T17:30:00.000Z` }
    const by = w.as('coordinator')
    const gang = { name: 'Half a week', trade: 'Roofer', headcount: 2, place: { point: { lon: -0.0195, lat: 51.5053 } } }
    assert.equal((await by.post('/workers/', { ...lasting, ...gang })).status, 201)
    const place = { polygon: ground(60, 60, 20, 10) }
    assert.equal((await by.post('/active-areas/', { ...lasting, name: 'Half a deck', area_kind: 'work', place })).status, 201)
    const { page } = await stage.sit(by, { width: 1440 })
    await page.goto(site())
    await idle(page)
    await add(page, 'Copy a week')
    const form = page.getByRole('dialog', { name: 'Copy a week' })
    const show = async () => {
      await chooseWeek(form, from, to, target)
      await press(page, form.getByRole('button', { name: 'Show what is copied' }))
      await form.getByRole('button', { name: /^Copy \d+ entr/ }).waitFor()
    }
    await show()
    await page.route('**/api/active-areas/copy-from-range', route => route.abort('internetdisconnected'))
    await press(page, form.getByRole('button', { name: 'Copy 2 entries' }))
    await page.getByText('1 entry has been copied; the rest hasn’t. Copy again: what is already there is left out.').waitFor()
    await page.unroute('**/api/active-areas/copy-from-range')
    await show()
    await press(page, form.getByRole('button', { name: 'Copy 1 entry' }))
    await page.getByText('1 entry has been copied.').waitFor()
    for (const path of ['/workers/', '/active-areas/'] as const) {
      const { body } = await w.as('viewer').get(`${path}?site_id=${w.site_id}&q=Half a&limit=100`)
      assert.equal(body.length, 2, path)
    }
  })

  for (const width of [390, 1440])
    test(`§3 a gang of the last two weeks is put on the map by tapping, at the cross by keyboard, or at the person’s own position, at ${width} px`, async () => {
      const name = `Roofers ${width}`
      const made = await w.as('coordinator').post('/workers/', {
        ...{
          site_id: w.site_id,
          name,
          trade: 'Roofer',
          headcount: 3,
          start_at: '2026-03-13T07:30:00.000Z',
          end_at: '2026-03-13T17:30:00.000Z',
        },
        place: { point: { lon: -0.0195, lat: 51.5053 } },
      })
      assert.equal(made.status, 201, made.text)
      const { page, context } = await stage.sit(w.as('coordinator'), { width })
      await context.grantPermissions(['geolocation'])
      await context.setGeolocation({ longitude: -0.0185, latitude: 51.5055, accuracy: 4 })
      await page.goto(site('?view=51.5055,-0.0188,18'))
      await idle(page)
      await add(page, 'Recent gangs')
      const tray = page.getByRole('region', { name: 'Recent gangs' })
      const chip = tray.getByRole('button', { name, exact: false })
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      await chip.click()
      await page.locator('.map-cross-draw').waitFor()
      const seen = await page.locator('[data-map]').evaluate(one => one.getBoundingClientRect().top)
      assert.ok(seen > -10, `the map, where the next tap goes, is on the screen: ${seen}`)
      await checked(page)
      await picture(page, 'gangs')
      await tap(page, 40, -30)
      await page.getByText(`${name} is on the map until 17:30.`).first().waitFor()
      await press(page, chip)
      await page.locator('.map-cross-draw').waitFor()
      await page.locator('[data-map] canvas').focus()
      await page.keyboard.press('Enter')
      await page.locator('.map-cross-draw').waitFor({ state: 'detached' })
      await chip.click()
      await tray.getByRole('button', { name: 'Where I am' }).click()
      await page.locator('.map-cross-draw').waitFor({ state: 'detached' })
      const now = (await w.as('viewer').get(`/workers/at-time?site_id=${w.site_id}`)).body.filter(
        (one: { name: string }) => one.name === name,
      )
      assert.deepEqual(
        now.map((one: { headcount: number; end_at: string }) => [one.headcount, one.end_at]),
        Array.from({ length: 3 }, () => [3, '2026-03-16T17:30:00.000Z']),
      )
      assert.ok(now.some((one: { place: { point: { lon: number } } }) => one.place.point.lon === -0.0185))
    })

  for (const width of [390, 1440])
    test(`import rule 8: from the panel of a permit on the map, a gang is put there for the days of the permit, at ${width} px`, async () => {
      const title = `Weld rails ${width}`
      const [lon, lat] = [-0.0195 + (width === 390 ? 0 : 0.001), 51.506]
      const permit = await permits.at('issued', {
        title,
        place: { point: { lon, lat } },
        start_at: '2026-03-16T08:00:00.000Z',
        end_at: '2026-03-18T16:00:00.000Z',
      })
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${permit.id}`))
      await idle(page)
      await press(page, page.locator('.map-floating').getByRole('button', { name: 'Put on the map for this permit' }))
      await page.getByText('The permit has 3 days of work.').waitFor()
      await page.getByLabel('Trade').fill('Welder')
      assert.equal(await page.getByLabel('Name of the worker or gang').inputValue(), title)
      assert.equal(await page.getByLabel('Repeat on other days').isChecked(), true)
      await stage.axe(page)
      await picture(page, 'seed')
      await page.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('button', { name: new RegExp(title) })
        .first()
        .waitFor()
      const rows = (await w.as('coordinator').get(`/workers/?site_id=${w.site_id}&permit_id=${permit.id}`)).body
      assert.deepEqual(
        rows.map((one: { start_at: string; end_at: string }) => [one.start_at, one.end_at]),
        ['16', '17', '18'].map(day => [`2026-03-${day}T08:00:00.000Z`, `2026-03-${day}T16:00:00.000Z`]),
      )
    })

  test('import rule 8: plant and an area are put on the map for the days of a permit as well, the area with the outline of its place', async () => {
    const title = 'Lift the stair cores'
    const [west, south, east, north] = [-0.0199, 51.5066, -0.0196, 51.5068]
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ]
    const permit = await permits.at('issued', {
      title,
      place: { polygon: { type: 'Polygon', coordinates: [ring] } },
      start_at: '2026-03-16T08:00:00.000Z',
      end_at: '2026-03-18T16:00:00.000Z',
    })
    const times = ['16', '17', '18'].map(day => [`2026-03-${day}T08:00:00.000Z`, `2026-03-${day}T16:00:00.000Z`])
    const timesOf = (rows: { start_at: string; end_at: string }[]) => rows.map(one => [one.start_at, one.end_at])
    for (const [width, what] of [
      [390, 'Plant'],
      [1440, 'An area'],
    ] as const) {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${permit.id}`))
      await idle(page)
      await press(page, page.locator('.map-floating').getByRole('button', { name: 'Put on the map for this permit' }))
      await page.getByText('The permit has 3 days of work.').waitFor()
      await page.getByRole('radio', { name: what }).check()
      await page.getByText('The permit has 3 days of work.').waitFor()
      assert.equal(await page.getByLabel('Repeat on other days').isChecked(), true)
      await stage.axe(page)
      await picture(page, `seed-${what}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('button', { name: new RegExp(title) })
        .first()
        .waitFor()
    }
    const plant = (await w.as('coordinator').get(`/plant?site_id=${w.site_id}&permit_id=${permit.id}`)).body
    assert.deepEqual(timesOf(plant), times)
    const areas = (await w.as('coordinator').get(`/active-areas?site_id=${w.site_id}`)).body.filter(
      (one: { name: string }) => one.name === title,
    )
    assert.deepEqual(timesOf(areas), times)
    for (const { place } of areas) assert.deepEqual(place.polygon.coordinates, [ring])
  })
})
