import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, painted, press, until } from './hands.ts'
import { useStage } from './kit.ts'

type Style = { key: string; name: string; sort: number; [property: string]: unknown }
type Layer = { style_key: string; fields: string[]; [property: string]: unknown }

describe('9.19 the app: label styles', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  const styles = async (): Promise<{ version: number; styles: Style[]; layers: Record<string, Layer> }> =>
    (await w.as('admin').get(`/sites/${w.site_id}/label-styles/`)).body
  const open = async (page: Page) => {
    await page.goto(`${stage.url}/sites/${w.site_id}/settings/labels`)
    await page.getByRole('heading', { name: 'Labelled features' }).waitFor()
  }
  const required = async (dialog: Locator, labels: string[]) => {
    for (const label of labels)
      assert.equal(await dialog.getByLabel(label, { exact: true }).getAttribute('required'), '', `${label} is required`)
  }
  const names = async (page: Page) => page.getByRole('region', { name: 'Styles', exact: true }).locator('li bdi.strong').allTextContents()

  for (const { width, theme } of [
    { width: 390, theme: 'outdoor' },
    { width: 1440, theme: 'dark' },
  ] as const)
    test(`9.19 a style is added with every property, moved and removed again; its layers then use the note, until that is undone: ${width} px`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width, theme })
      await open(page)
      await page.getByRole('button', { name: 'Add style' }).click()
      const dialog = page.getByRole('dialog')
      const name = `Crane zone ${width}`
      await required(dialog, ['Halo width, pixels', 'Padding, pixels', 'Size, pixels'])
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByLabel('Text colour').fill('#112233')
      await dialog.getByLabel('Halo colour').fill('#fafafa')
      await dialog.getByLabel('Halo width').fill('3.5')
      await dialog.getByLabel('Background', { exact: true }).check()
      await dialog.getByLabel('Background colour').fill('#ffee00')
      await dialog.getByLabel('Border', { exact: true }).check()
      await dialog.getByLabel('Border colour').fill('#aa0000')
      await dialog.getByLabel('Padding').fill('6')
      await dialog.getByLabel('Size').fill('20')
      await dialog.getByLabel('Weight').selectOption('Bold')
      await dialog.getByLabel('Italic').check()
      await dialog.getByLabel('Capitals').check()
      await stage.axe(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      const key = `crane-zone-${width}`
      const made = (await styles()).styles.find(one => one.key === key)
      assert.deepEqual(made, {
        ...{ key, name, text_colour: '#112233', halo_colour: '#fafafa', halo_px: 3.5, background: '#ffee00', border_colour: '#aa0000' },
        ...{ weight: 'bold', italic: true, uppercase: true, size_px: 20, padding_px: 6, sort: made?.sort },
      })

      // A layer uses it.
      await page.getByRole('button', { name: 'Edit Buildings' }).click()
      await dialog.getByLabel('Style').selectOption(name)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })

      // By keyboard, one position up; it is there after a reload.
      const up = page.getByRole('button', { name: `Move ${name} up` })
      await press(page, up)
      await press(page, up)
      await until(page, `document.querySelectorAll('[aria-label=Styles] li bdi.strong')[3]?.textContent === ${JSON.stringify(name)}`)
      await page.reload()
      await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
      assert.deepEqual(await names(page), ['Note', 'Title', 'Warning', name, 'Route', 'Restriction'])
      assert.equal(await page.getByRole('button', { name: 'Remove Note' }).count(), 0, 'the note stays')

      const removed = page.getByText(`${name} has been removed. Labels that used this style now use Note.`)
      await page.getByRole('button', { name: `Remove ${name}` }).click()
      await removed.waitFor()
      assert.equal((await styles()).layers.building?.style_key, 'note')
      assert.ok(!(await names(page)).includes(name))
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
      assert.equal((await styles()).layers.building?.style_key, key)
      await page.getByRole('button', { name: `Remove ${name}` }).click()
      await page.getByRole('button', { name: `Edit ${name}` }).waitFor({ state: 'detached' })
      assert.ok(!(await styles()).styles.some(one => one.key === key))
    })

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 1440, theme: 'outdoor' },
  ] as const)
    test(`9.19 a layer gets its fields in order, both zoom levels and its length; a fault is shown at its field; Reset gives the standard: ${width} px`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width, theme })
      const standard = (await styles()).layers.zone
      await open(page)
      await page.getByRole('button', { name: 'Edit Zones' }).click()
      const dialog = page.getByRole('dialog')
      await required(dialog, ['Maximum length, characters', 'Minimum zoom', 'Maximum zoom'])
      await dialog.getByLabel('Show labels').uncheck()
      await dialog.getByLabel('Style').selectOption('Route')
      await dialog.getByLabel('Field 1').selectOption('Contractor’s short name')
      await dialog.getByLabel('Field 2').selectOption('Code')
      await dialog.getByLabel('Field 3').selectOption('Name')
      await dialog.getByLabel('Maximum length').fill('12')
      await dialog.getByLabel('Minimum zoom').fill('18')
      await dialog.getByLabel('Maximum zoom').fill('17.5')
      await dialog.getByText('ACME · A-02…').first().waitFor()
      await stage.axe(page)
      await dialog.getByRole('button', { name: 'Save' }).click()
      const wrong = dialog.getByLabel('Minimum zoom')
      await dialog.getByText('“Minimum zoom” can’t be above “Maximum zoom”').first().waitFor()
      assert.equal(await wrong.getAttribute('aria-invalid'), 'true')
      assert.equal((await styles()).layers.zone?.visible, true, 'nothing is saved')
      await wrong.fill('15')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual((await styles()).layers.zone, {
        visible: false,
        min_zoom: 15,
        max_zoom: 17.5,
        style_key: 'route',
        fields: ['contractor_short_name', 'code', 'name'],
        max_chars: 12,
      })
      await page.reload()
      await page.getByText('Contractor’s short name, Code, Name · up to 12 characters · zoom 15–17.5').waitFor()
      await page.getByRole('button', { name: 'Edit Zones' }).click()
      await dialog.getByLabel('Field 2').selectOption('None')
      assert.equal(await dialog.getByLabel('Field 2').inputValue(), 'name')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual((await styles()).layers.zone?.fields, ['contractor_short_name', 'name'])
      await page.getByRole('button', { name: 'Reset Zones to the standard settings' }).click()
      await page.getByText('Standard settings restored for Zones').waitFor()
      assert.deepEqual((await styles()).layers.zone, standard)
    })

  test('9.19 layers that the map doesn’t show yet have the same settings, with their own fields', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await open(page)
    await page.getByRole('button', { name: 'Edit Workers' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field 2').selectOption('Trade')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual((await styles()).layers.worker?.fields, ['name', 'trade'])
  })

  test('9.19 a change by another person is not overwritten, and a key that exists is refused at its field', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await open(page)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add style' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Second note')
    await dialog.getByLabel('Key').fill('note')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('note appears twice').first().waitFor()
    assert.equal(await dialog.getByLabel('Key').getAttribute('aria-invalid'), 'true')
    const { styles: now, layers } = await styles()
    await w.as('admin').put(`/sites/${w.site_id}/label-styles/`, { styles: now.map(one => ({ ...one, size_px: 30 })), layers })
    await dialog.getByLabel('Key').fill('second')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/changed/)
      .waitFor()
    assert.ok((await styles()).styles.every(one => one.size_px === 30))
  })

  test('9.19 Undo doesn’t overwrite what another person has changed since', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await open(page)
    await page.getByRole('button', { name: 'Remove Restriction' }).click()
    await page.getByText('Restriction has been removed.').waitFor()
    const { styles: now, layers } = await styles()
    const put = await w.as('admin').put(`/sites/${w.site_id}/label-styles/`, { styles: now.map(one => ({ ...one, size_px: 33 })), layers })
    assert.equal(put.status, 200, put.text)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page
      .locator('.toast.stop')
      .getByText(/changed/)
      .waitFor()
    assert.ok((await styles()).styles.every(one => one.size_px === 33))
  })

  test('9.19 a person who can’t change the labels sees them, and why not', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await open(page)
    assert.equal(await page.getByRole('button', { name: 'Add style' }).getAttribute('aria-disabled'), 'true')
    assert.equal(await page.getByRole('button', { name: /^(Edit|Remove|Move|Reset)/ }).count(), 0)
  })

  for (const { width, theme } of [
    { width: 320, theme: 'light' },
    { width: 390, theme: 'outdoor' },
    { width: 1440, theme: 'dark' },
  ] as const)
    test(`9.19 9.26 the label styles and their windows fit a screen of ${width} px, with a long name and large text`, async () => {
      const now = await styles()
      const long = { ...now.styles[0], key: `long-${width}`, name: `${width}${'Xy'.repeat(60)}`, size_px: 72, uppercase: true, sort: 900 }
      await w.as('admin').put(`/sites/${w.site_id}/label-styles/`, { styles: [...now.styles, long], layers: now.layers })
      const { page } = await stage.sit(w.as('admin'), { width, theme })
      await open(page)
      await page.getByRole('button', { name: `Edit ${long.name}` }).click()
      await painted(page)
      const fits = `document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth`
      assert.equal(await page.evaluate(fits), true, 'the window of a style')
      await stage.axe(page)
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/style-${width}.png` })
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Edit Zones' }).click()
      await painted(page)
      assert.equal(await page.evaluate(fits), true, 'the window of a layer')
      await stage.axe(page)
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/layer-${width}.png` })
      await page.keyboard.press('Escape')
      if (width < 600) await fitsPhone(page)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'the page')
      await stage.axe(page)
      if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/labels-${width}.png`, fullPage: true })
    })
})
