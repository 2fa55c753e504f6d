import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PermitWorld } from '../permits.ts'
import { picture } from '../token-photos.ts'
import { drawnWorld, idle } from './ground.ts'
import { hold } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: photos of a day', () => {
  const stage = useStage()
  let w: PermitWorld
  let gang: string
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    const made = await w.as('coordinator').post('/workers/', {
      ...{ site_id: w.site_id, name: 'Steel fixers', trade: 'Steel fixer', headcount: 6 },
      ...{ start_at: '2026-03-16T07:00:00.000Z', end_at: '2026-03-16T17:00:00.000Z', place: { point: { lon: -0.0195, lat: 51.5053 } } },
    })
    assert.equal(made.status, 201, made.text)
    gang = made.body.id
  })
  const at = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const photos = async () => (await w.as('viewer').get(`/sites/${w.site_id}/token-photos?token_id=${gang}`)).body

  for (const width of [390, 1440])
    test(`§13 a photo of today is taken in the panel of a gang, is shown under its day, and opens large (${width} px)`, async () => {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(at(`?chosen=${gang}`))
      const note = page.getByRole('region', { name: 'Photos' })
      const camera = note.getByLabel('Take photo')
      await camera.waitFor({ state: 'attached' })
      assert.equal(await camera.getAttribute('capture'), 'environment', 'a phone opens its camera')
      if (width === 390) await note.getByText('No photos of the last two weeks.').waitFor()
      await idle(page)
      await stage.axe(page)
      await camera.setInputFiles({ name: `bay-${width}.jpg`, mimeType: 'image/jpeg', buffer: await picture(width) })
      const day = note.getByRole('list', { name: 'Photos of Mon 16 Mar' })
      await day.getByRole('button', { name: `bay-${width}.jpg` }).click()
      await page.getByRole('dialog').getByRole('img').waitFor()
      await stage.axe(page)
      await page.keyboard.press('Escape')
      assert.ok(
        (await photos()).some(
          (one: { filename: string; work_date: string }) => one.filename === `bay-${width}.jpg` && one.work_date === '2026-03-16',
        ),
      )
    })

  test('§13 people change the caption of their own photo and delete it; the arrow keys move the cursor of the caption', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at(`?chosen=${gang}`))
    const note = page.getByRole('region', { name: 'Photos' })
    await note.getByRole('button', { name: 'bay-1440.jpg' }).click()
    const large = page.getByRole('dialog')
    await large.getByRole('button', { name: 'Edit caption' }).click()
    await large.getByLabel('Caption').fill('Bay 3 poured')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowRight')
    await stage.axe(page)
    await large.getByRole('button', { name: 'Save' }).click()
    await large.getByRole('heading', { name: 'Bay 3 poured' }).waitFor()
    const saved = (await photos()).find((one: { filename: string }) => one.filename === 'bay-1440.jpg')
    assert.equal(saved?.caption, 'Bay 3 poured')
    await stage.axe(page)
    await hold(page, large.getByRole('button', { name: 'Delete photo' }), page.getByText('The photo has been deleted.'))
    await note.getByRole('button', { name: 'Bay 3 poured' }).waitFor({ state: 'detached' })
    assert.deepEqual(
      (await photos()).map((one: { filename: string }) => one.filename),
      ['bay-390.jpg'],
    )
  })

  test('§13 §4 the photos of a delivery are in its panel, and so is a marked copy of one, under the same day', async () => {
    const made = await w.as('coordinator').post('/deliveries/', {
      ...{ site_id: w.site_id, name: 'Rebar', start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T10:00:00.000Z' },
      place: { point: { lon: -0.0192, lat: 51.5054 } },
    })
    assert.equal(made.status, 201, made.text)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at(`?chosen=${made.body.id}`))
    const note = page.getByRole('region', { name: 'Photos' })
    await note.getByLabel('Take photo').setInputFiles({ name: 'load.jpg', mimeType: 'image/jpeg', buffer: await picture(9) })
    await note.getByRole('list', { name: 'Photos of Mon 16 Mar' }).getByRole('button', { name: 'load.jpg' }).waitFor()
    await stage.axe(page)
    // The marked copy belongs to the same day of the same delivery, and shows the same.
    await note.getByRole('button', { name: 'load.jpg' }).click()
    const large = page.getByRole('dialog')
    await large.getByRole('button', { name: 'Mark a copy' }).click()
    await large.getByRole('application', { name: 'Photo to draw on' }).focus()
    for (const key of ['Enter', ...Array(8).fill('ArrowRight'), ...Array(8).fill('ArrowDown'), 'Enter']) await page.keyboard.press(key)
    await large.getByRole('button', { name: 'Save the copy' }).click()
    await page.getByText('The marked copy has been added.').waitFor()
    const added = (await w.as('viewer').get(`/sites/${w.site_id}/token-photos?token_id=${made.body.id}`)).body as Record<string, unknown>[]
    assert.deepEqual(
      added.map(one => [one.filename, one.token_kind, one.work_date, one.photo_kind]).sort(),
      ['load (marked).jpg', 'load.jpg'].map(name => [name, 'delivery', '2026-03-16', 'progress']),
    )
  })

  test('§13 without a connection a photo waits on the phone, and is sent once when there is one', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390, offline: true })
    await page.goto(at(`?chosen=${gang}`))
    const note = page.getByRole('region', { name: 'Photos' })
    await note.getByLabel('Take photo').waitFor({ state: 'attached' })
    await note.getByRole('button', { name: 'bay-390.jpg' }).waitFor()
    await page.context().setOffline(true)
    await note.getByLabel('Take photo').setInputFiles({ name: 'roof.jpg', mimeType: 'image/jpeg', buffer: await picture(7) })
    await note.getByRole('button', { name: 'roof.jpg' }).getByText('Not sent').waitFor()
    await page.context().setOffline(false)
    await note.getByRole('list', { name: 'Photos of Mon 16 Mar' }).getByRole('button', { name: 'roof.jpg' }).waitFor({ timeout: 30_000 })
    await note.getByText('Not sent').waitFor({ state: 'detached' })
    assert.equal((await photos()).filter((one: { filename: string }) => one.filename === 'roof.jpg').length, 1)
  })

  test('§13 a viewer sees the photos and can’t add any', async () => {
    const { page } = await stage.sit(w.as('viewer'), { width: 390 })
    await page.goto(at(`?chosen=${gang}`))
    const note = page.getByRole('region', { name: 'Photos' })
    await note.getByRole('button', { name: 'bay-390.jpg' }).waitFor()
    assert.equal(await note.getByLabel('Take photo').count(), 0)
    await note.getByRole('button', { name: 'bay-390.jpg' }).click()
    await page.getByRole('dialog').getByRole('img').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete photo' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Edit caption' }).count(), 0)
  })
})
