import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { PermitWorld } from '../permits.ts'
import { centre, drawnWorld, ground, idle } from './ground.ts'
import { hold, middleOf } from './hands.ts'
import { useStage } from './kit.ts'

const POINT = { lon: -0.0187, lat: 51.5055 }
type Label = {
  id: string
  text: string
  rotation_deg: number
  style_key: string
  size_px: number
  colour: string | null
  end_at: string | null
  version: number
} & {
  place: { point: { lon: number; lat: number }; building_id: string | null; level_index: number | null }
}

describe('§6 the app: text labels on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower = ''
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })
  // A label that begins after the time of the browsers could be changed ahead of now.
  beforeEach(() => {
    stage.house.clock('2026-03-16T09:00:00.000Z')
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const found = async (query: string): Promise<Label[]> => (await w.as('viewer').get(`/text-labels/?site_id=${w.site_id}&${query}`)).body
  const one = async (query: string): Promise<Label> => (await found(query))[0] ?? assert.fail(`There is no label ${query}.`)
  const write = async (body: object): Promise<Label> => {
    const made = await w.as('coordinator').post('/text-labels/', { site_id: w.site_id, place: { point: POINT }, ...body })
    assert.equal(made.status, 201, made.text)
    return made.body
  }
  const shot = async (page: Page, name: string) => {
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
  }
  const unsaved = (page: Page) => page.getByText('It isn’t saved yet.', { exact: false })

  for (const width of [390, 1440])
    test(`§6 a label is written from the menu, with faults at their fields; another client shows it; it is edited and removed, at ${width} px`, async () => {
      const text = `Haul road ${width}`
      const other = await stage.sit(w.as('viewer'))
      await other.page.goto(site())
      await idle(other.page)
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site())
      await idle(page)
      await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
      await page.getByRole('button', { name: 'Text label' }).click()
      const dialog = page.getByRole('dialog').first()
      const words = dialog.getByLabel('Text', { exact: true })
      await words.fill('1\n2\n3\n4\n5\n6')
      await dialog.getByLabel('Minimum zoom').fill('18')
      await dialog.getByLabel('Maximum zoom').fill('16')
      await page.getByRole('button', { name: 'Choose on the map' }).click()
      const map = page.getByRole('dialog').last().locator('[data-map=idle]')
      await map.waitFor()
      await map.click()
      await page.getByRole('button', { name: 'Use this place' }).click()
      await page.getByText('Marked on the map').waitFor()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('has more than 5 lines.').first().waitFor()
      for (const field of [words, dialog.getByLabel('Minimum zoom'), dialog.getByLabel('Maximum zoom')])
        assert.equal(await field.getAttribute('aria-invalid'), 'true')
      // Each fault is at its field, with the label of the form; the form says how many there are, and the first has the focus.
      await dialog.getByRole('alert').getByText('3 fields need correcting').waitFor()
      assert.equal(await dialog.getByRole('alert').getByText('Minimum zoom').count(), 0, 'it is said once')
      assert.equal(await words.evaluate(field => field === document.activeElement), true)
      assert.deepEqual(
        (await dialog.locator('.entry .fault').allTextContents()).toSorted(),
        [
          '“Maximum zoom” is lower than “Minimum zoom”.',
          '“Minimum zoom” is higher than “Maximum zoom”.',
          '“Text” has more than 5 lines.',
        ].toSorted(),
      )
      assert.doesNotMatch((await dialog.textContent()) ?? '', /[a-z]_[a-z]/)
      // The sample stays in sight while a field at the end of the form is changed.
      await dialog.getByLabel('Maximum zoom').focus()
      const both = dialog.locator('.label-samples')
      const [held, form, low] = await Promise.all([
        both.boundingBox(),
        dialog.boundingBox(),
        dialog.getByLabel('Maximum zoom').boundingBox(),
      ])
      assert.ok(held !== null && form !== null && low !== null)
      assert.ok(
        held.y >= form.y && held.y + held.height <= low.y,
        `the sample is at ${held.y}, the form at ${form.y}, the field at ${low.y}`,
      )
      await words.fill(`${text}\none way`)
      await dialog.getByLabel('Minimum zoom').fill('0')
      await dialog.getByLabel('Maximum zoom').fill('24')
      await dialog.getByLabel('Style').selectOption('Title')
      assert.equal(await dialog.getByLabel('Size, pixels').inputValue(), '18', 'the size of the style')
      await dialog.getByLabel('Turned by, in degrees').fill('-30')
      const sample = dialog.locator('.label-sample bdi').first()
      assert.equal(await sample.textContent(), `${text}\none way`, 'what is typed is shown as it will be drawn')
      assert.match((await sample.getAttribute('style')) ?? '', /font-size: 18px.*rotate\(-30deg\)/)
      await dialog.getByLabel('Own colour').check()
      await dialog.getByLabel('Colour', { exact: true }).fill('#c00000')
      assert.equal(await sample.evaluate(one => getComputedStyle(one).color), 'rgb(192, 0, 0)')
      const seen = other.page.locator('.frame-list').getByRole('button', { name: text })
      await stage.axe(page)
      await shot(page, `label-form-${width}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      await seen.waitFor()
      const made = await one(`q=${width}`)
      const drawn = [made.text, made.rotation_deg, made.style_key, made.size_px, made.colour]
      assert.deepEqual(drawn, [`${text}\none way`, -30, 'title', 18, '#c00000'])

      const row = page.locator('.frame-list').getByRole('button', { name: text })
      await row.click()
      const note = page.locator('.map-floating')
      await note.getByRole('heading', { name: text }).waitFor()
      await note.getByText('one way').waitFor()
      await idle(page)
      await stage.axe(page)
      await shot(page, `label-note-${width}`)
      await note.getByRole('button', { name: 'Edit' }).click()
      await words.fill('')
      await words.fill(`No access ${width}`)
      await dialog.getByLabel('Style').selectOption('Warning')
      await dialog.getByLabel('Own colour').uncheck()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await note.getByRole('heading', { name: `No access ${width}` }).waitFor()
      await other.page
        .locator('.frame-list')
        .getByRole('button', { name: `No access ${width}` })
        .waitFor()

      stage.house.clock('2026-03-16T09:05:00.000Z')
      await note.getByRole('button', { name: 'Edit' }).click()
      const remove = page.getByRole('button', { name: 'Hold to remove from the map' })
      await hold(page, remove, page.getByText(`No access ${width} has been removed.`, { exact: false }))
      await page
        .locator('.frame-list')
        .getByRole('button', { name: `No access ${width}` })
        .waitFor({ state: 'detached' })
      assert.equal((await one(`id=${made.id}`)).end_at, '2026-03-16T09:05:00.000Z')
    })

  for (const width of [390, 1440])
    test(`§6 a label is turned and moved with its handles, by pointer and by keyboard, and is saved only when that is confirmed, at ${width} px`, async () => {
      const { id } = await write({ text: `Turning ${width}`, style_key: 'warning', size_px: 18 })
      const now = () => one(`id=${id}`)
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(site(`?chosen=${id}`))
      await idle(page)
      const turn = page.getByRole('button', { name: `Turn Turning ${width}`, exact: false })
      await turn.focus()
      await page.keyboard.press('Shift+ArrowRight')
      await page.keyboard.press('ArrowRight')
      await page.getByText(`Turning ${width} would be turned to 16°. It isn’t saved yet.`).waitFor()
      await centre(page)
      await stage.axe(page)
      await shot(page, `label-turning-${width}`)
      await page.keyboard.press('Escape')
      await unsaved(page).waitFor({ state: 'detached' })
      assert.equal((await now()).rotation_deg, 0, 'nothing was saved')

      // Dragged round to the right of the words, it is a quarter clockwise.
      const move = page.getByRole('button', { name: `Move Turning ${width}`, exact: false })
      await idle(page)
      const [middle, above] = [await middleOf(move), await middleOf(turn)]
      await page.mouse.move(above.x, above.y)
      await page.mouse.down()
      await page.mouse.move(middle.x + 50, middle.y - 40, { steps: 4 })
      await page.mouse.move(middle.x + 90, middle.y, { steps: 4 })
      await page.mouse.up()
      await page.getByText(`Turning ${width} would be turned to 90°. It isn’t saved yet.`).waitFor()
      await move.focus()
      await page.keyboard.press('Shift+ArrowUp')
      await page.getByText(`Turning ${width} would be moved by 10 m and turned to 90°. It isn’t saved yet.`).waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await unsaved(page).waitFor({ state: 'detached' })
      const saved = await now()
      assert.equal(saved.rotation_deg, 90)
      assert.ok(Math.abs((saved.place.point.lat - POINT.lat) * 111_260 - 10) < 0.1, JSON.stringify(saved.place))
      await page.getByRole('button', { name: `Turn Turning ${width}, now 90°`, exact: false }).waitFor()
    })

  test('§6 a change by another person isn’t overwritten, and the map says so', async () => {
    const { id } = await write({ text: 'Contested' })
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?chosen=${id}`))
    await idle(page)
    // The screen doesn’t hear of the change.
    await page.route('**/text-labels/at-time*', route => route.abort('internetdisconnected'))
    await page.getByRole('button', { name: 'Turn Contested', exact: false }).focus()
    await page.keyboard.press('ArrowRight')
    await unsaved(page).waitFor()
    assert.equal((await w.as('hse').patch(`/text-labels/${id}`, { rotation_deg: 45 })).status, 200)
    await page.keyboard.press('Enter')
    await page
      .locator('.move-bar')
      .getByText(/changed/)
      .waitFor()
    assert.equal((await one(`id=${id}`)).rotation_deg, 45)
  })

  test('§6 a double click writes where it is, on the level that the map shows; a zone below it isn’t selected', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?building=${tower}&level=1&view=51.50525,-0.0196,19`))
    await idle(page)
    const host = page.locator('[data-map]')
    const before = page.url()
    await host.dblclick()
    const dialog = page.getByRole('dialog').first()
    await dialog.getByText('Marked on the map').waitFor()
    assert.equal(page.url(), before, 'nothing is selected, and the map is where it was')
    await dialog.getByLabel('Text', { exact: true }).fill('Wet floor')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('.frame-list').getByRole('button', { name: 'Wet floor' }).waitFor()
    const { place } = await one('q=Wet')
    assert.deepEqual([place.building_id, place.level_index], [tower, 1])
    assert.ok(Math.abs(place.point.lon + 0.0196) < 2e-6 && Math.abs(place.point.lat - 51.50525) < 2e-6, JSON.stringify(place))
    // A single click still selects the building.
    await page.goto(site('?view=51.50525,-0.0196,19'))
    await idle(page)
    await host.click({ position: { x: 500, y: 200 } })
    await page.waitForURL(/chosen=/)
  })

  test('§6 people who can’t write see the labels and can’t change them; a member changes those of their own contractor', async () => {
    const [theirs, own] = [await write({ text: 'Of the main contractor' }), await write({ text: 'Of ACME', contractor_id: w.acme })]
    const viewer = await stage.sit(w.as('viewer'))
    await viewer.page.goto(site('?view=51.5062,-0.0186,18'))
    await idle(viewer.page)
    await viewer.page.locator('[data-map]').dblclick()
    await viewer.page.waitForURL(/view=[^&]*19(\.0*)?(&|$)/)
    assert.equal(await viewer.page.getByRole('dialog').count(), 0, 'a double click zooms in')
    const { page } = await stage.sit(w.as('member'))
    for (const [label, changes] of [
      [theirs, 0],
      [own, 1],
    ] as const) {
      const flags = page.waitForResponse(response => response.url().includes(`id=${label.id}`))
      await page.goto(site(`?chosen=${label.id}`))
      await page.locator('.map-floating').getByRole('heading', { name: label.text }).waitFor()
      await flags
      await idle(page)
      if (changes > 0) await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).waitFor()
      assert.equal(await page.locator('.map-floating').getByRole('button', { name: 'Edit' }).count(), changes, label.text)
      assert.equal(await page.getByRole('button', { name: /^Turn / }).count(), changes, label.text)
    }
    // At another time nothing can be changed.
    await page.goto(site(`?chosen=${own.id}&at=2026-03-16T09:30:00.000Z`))
    await page.locator('.map-floating').getByRole('heading', { name: own.text }).waitFor()
    await idle(page)
    assert.equal(await page.getByRole('button', { name: /^Turn / }).count(), 0)
  })

  for (const { width, theme } of [
    { width: 390, theme: 'light' },
    { width: 1440, theme: 'dark' },
  ] as const)
    test(`§6 each label is drawn in the style that it has on this site, or in its own colour, at ${width} px in the ${theme} theme`, async () => {
      const own = await stage.house.world()
      await own.as('admin').put(`/sites/${own.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
      const { styles } = (await own.as('admin').get(`/sites/${own.site_id}/label-styles/`)).body
      const loud = {
        ...styles[0],
        key: 'loud',
        name: 'Loud',
        background: '#00ff00',
        border_colour: '#ff00ff',
        text_colour: '#000000',
        padding_px: 8,
      }
      const put = await own.as('admin').put(`/sites/${own.site_id}/label-styles/`, { styles: [...styles, loud] })
      assert.equal(put.status, 200, put.text)
      const { page } = await stage.sit(own.as('viewer'), { width, theme })
      const host = page.locator('[data-map]')
      const view = '?view=51.50567,-0.0186,18'
      const greens = async () => {
        await page.goto(`${stage.url}/sites/${own.site_id}/map${view}`)
        await idle(page)
        const { data, info } = await sharp(await host.screenshot())
          .raw()
          .toBuffer({ resolveWithObject: true })
        let n = 0
        for (let i = 0; i < data.length; i += info.channels) if (data[i] === 0 && data[i + 1] === 255 && data[i + 2] === 0) n++
        return n
      }
      const lines = [
        ['note', 'Haul road one way', 0],
        ['title', 'North gate', 0],
        ['warning', 'No access before 09:00', -30],
        ['route', 'Route to the canteen', 20],
        ['restriction', 'Quiet area', 0],
      ] as const
      for (const [i, [style_key, text, rotation_deg]] of lines.entries()) {
        const point = { lon: -0.0186, lat: 51.5061 - i * 0.00022 }
        const made = await own.as('coordinator').post('/text-labels/', {
          ...{ site_id: own.site_id, text, style_key, rotation_deg, place: { point } },
          size_px: styles.find((style: { key: string }) => style.key === style_key).size_px,
        })
        assert.equal(made.status, 201, made.text)
      }
      assert.equal(await greens(), 0)
      const { body } = await own.as('coordinator').post('/text-labels/', {
        ...{ site_id: own.site_id, text: 'Loud\nand clear', style_key: 'loud', size_px: 24, rotation_deg: 90 },
        place: { point: { lon: -0.0182, lat: 51.5055 } },
      })
      const upright = await greens()
      assert.ok(upright > 1500, `the box behind the text: ${upright}`)
      await shot(page, `labels-on-map-${width}`)
      await own.as('coordinator').patch(`/text-labels/${body.id}`, { style_key: 'note' })
      assert.equal(await greens(), 0, 'another style')
      const contractor_id = await own.contractor('Green Ltd')
      await own.as('admin').patch(`/contractors/${contractor_id}`, { colour: '#00ff00' })
      const theirs = (await own.as('coordinator').patch(`/text-labels/${body.id}`, { contractor_id, size_px: 60 })).body
      assert.equal(theirs.colour, '#00ff00')
      assert.equal(await greens(), 0, 'the colour of a contractor isn’t that of the label')
      await own.as('coordinator').patch(`/text-labels/${body.id}`, { contractor_id: null, colour: '#00ff00' })
      const letters = await greens()
      assert.ok(letters > 300, `letters in the label’s own colour: ${letters}`)
      await shot(page, `labels-own-colour-${width}`)
    })

  test('§6 text is drawn as it is written: as seven characters, from right to left, and with emoji', async () => {
    const own = await stage.house.world()
    await own.as('admin').put(`/sites/${own.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
    const texts = ['<b>x</b>', 'ممنوع الدخول 24', 'אין כניסה (9)', '🚧 Wet floor 🚧', '施工中']
    for (const [i, text] of texts.entries())
      await own.as('coordinator').post('/text-labels/', {
        ...{ site_id: own.site_id, text, size_px: 28, rotation_deg: i === 2 ? 20 : 0, style_key: 'title' },
        place: { point: { lon: -0.0186, lat: 51.5061 - i * 0.00022 } },
      })
    const { page } = await stage.sit(own.as('viewer'))
    await page.goto(`${stage.url}/sites/${own.site_id}/map?view=51.50567,-0.0186,18`)
    await idle(page)
    // Around the place of each label there is more than one colour; nothing else is drawn there.
    const { data, info } = await sharp(await page.locator('[data-map]').screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true })
    const metres = (78_271.517 / 2 ** 18) * Math.cos((51.5 * Math.PI) / 180)
    for (const [i, text] of texts.entries()) {
      const y = Math.round(info.height / 2 - ((51.5061 - i * 0.00022 - 51.50567) * 111_260) / metres)
      let dark = 0
      for (let x = info.width / 2 - 40; x < info.width / 2 + 40; x++)
        for (let dy = -10; dy <= 10; dy++) if ((data[((y + dy) * info.width + Math.round(x)) * info.channels] ?? 255) < 60) dark++
      assert.ok(dark > 60, `${text}: ${dark}`)
    }
    for (const text of texts) await page.locator('.frame-list').getByText(text, { exact: true }).waitFor()
    await shot(page, 'labels-written')
  })
})
