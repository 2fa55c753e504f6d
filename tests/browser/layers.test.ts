import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { collection } from '../geo.ts'
import type { PermitWorld } from '../permits.ts'
import { sheet, upload } from '../plans.ts'
import { drawnWorld, ground, idle, positionAt } from './ground.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

const picture = async (page: Page) =>
  sharp(await page.locator('[data-map]').screenshot())
    .raw()
    .toBuffer({ resolveWithObject: true })

describe('the app: layers of surveys', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
  })
  const gas = JSON.stringify(
    collection(
      [{ type: 'LineString', coordinates: [positionAt(5, 10), positionAt(90, 15), positionAt(195, 5)] }, { ref: 'G1' }],
      [{ type: 'LineString', coordinates: [positionAt(90, 15), positionAt(95, 140)] }, { ref: 'G2' }],
    ),
  )

  test('§9 the layers of a site load even if the map shows half of Europe, as it does before a boundary is drawn', async () => {
    const own = await stage.house.world()
    const body = { site_id: own.site_id, name: 'Gas mains', role: 'topography', features: JSON.parse(gas) }
    const sent = await own.as('hse').post('/geometadata/layers', body)
    assert.equal(sent.status, 201, sent.text)
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/map?view=51,0,4`)
    const answer = await page.waitForResponse(response => /\/layers\/[^/]+\/features/.test(response.url()))
    assert.equal(answer.status(), 200, await answer.text())
    await page.getByRole('region', { name: 'Layers', exact: true }).getByText('Gas mains').waitFor()
    assert.equal(await page.getByText('couldn’t be loaded', { exact: false }).count(), 0)
  })

  test('§9 on a site without a boundary the map goes to a layer that was uploaded, because it shows half of Europe there', async () => {
    const own = await stage.house.world()
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/map?view=51,0,4`)
    await idle(page)
    await page.getByRole('region', { name: 'Layers', exact: true }).getByRole('button', { name: 'Upload layer' }).click()
    const form = page.getByRole('dialog')
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Gas mains.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(gas) })
    await form.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Gas mains has been uploaded: 2 features.').waitFor()
    const view = () => (new URL(page.url()).searchParams.get('view') ?? '').split(',').map(Number)
    await page.waitForFunction(() => Number(new URLSearchParams(location.search).get('view')?.split(',')[2]) > 15)
    const [lon = 0, lat = 0] = positionAt(100, 75)
    assert.ok(Math.abs((view()[0] ?? 0) - lat) < 0.001 && Math.abs((view()[1] ?? 0) - lon) < 0.001, page.url())
  })

  test('§9 a manager uploads a layer, sees it on the map in its colour, hides it, and exports the map; a member can neither upload nor export', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    const panel = page.getByRole('region', { name: 'Layers', exact: true })
    await panel.getByRole('button', { name: 'Upload layer' }).click()
    const form = page.getByRole('dialog')
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Gas mains.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(gas) })
    assert.equal(await form.getByLabel('Name').inputValue(), 'Gas mains')
    await form.getByLabel('Service').selectOption({ label: 'Gas' })
    await stage.axe(page)
    await form.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Gas mains has been uploaded: 2 features.').waitFor()
    const shown = panel.getByRole('checkbox', { name: /Gas mains Gas · records only \(QL-D\) · 2 features/ })
    await shown.waitFor()
    assert.ok(await shown.isChecked())
    await idle(page)
    const yellow = async () => {
      const { data, info } = await picture(page)
      let n = 0
      for (let i = 0; i < data.length; i += info.channels)
        if ((data[i] ?? 0) > 230 && Math.abs((data[i + 1] ?? 0) - 184) < 25 && (data[i + 2] ?? 0) < 60) n++
      return n
    }
    await page.waitForTimeout(500)
    assert.ok((await yellow()) > 100, `${await yellow()} pixels of the gas main`)
    await stage.axe(page)
    await shown.uncheck()
    await idle(page)
    await page.waitForTimeout(500)
    assert.ok((await yellow()) < 20)

    await panel.getByText(/\d+ things on the map, as GeoJSON/).waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), panel.getByRole('button', { name: 'Export' }).click()])
    assert.match(download.suggestedFilename(), /\.geojson$/)

    const member = await stage.sit(w.as('member'))
    await member.page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(member.page)
    const theirs = member.page.getByRole('region', { name: 'Layers', exact: true })
    await theirs.getByRole('checkbox', { name: /Gas mains/ }).waitFor()
    assert.deepEqual(
      [await theirs.getByRole('button', { name: 'Upload layer' }).count(), await theirs.getByRole('button', { name: 'Export' }).count()],
      [0, 0],
    )
  })
  test('§9 the panel says which layers couldn’t be loaded, so that a missing gas main never looks like none, and loads them again', async () => {
    const { page } = await stage.sit(w.as('hse'))
    const features = /\/geometadata\/layers\/[^/]+\/features/
    await page.route(features, route => route.abort('internetdisconnected'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    const panel = page.getByRole('region', { name: 'Layers', exact: true })
    const missing = panel.getByText('The map doesn’t show everything of these layers, because they couldn’t be loaded: Gas mains.')
    await missing.waitFor()
    await stage.axe(page)
    await page.unroute(features)
    await panel.getByRole('button', { name: 'Load again' }).click()
    await missing.waitFor({ state: 'detached' })
  })

  test('§9 at 390 px a file that doesn’t say its grid is refused at the field of the grid, is read in a grid that a person types, and what is odd about it stays until it is closed', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    const panel = page.getByRole('region', { name: 'Layers', exact: true })
    await panel.getByRole('button', { name: 'Upload layer' }).click()
    const form = page.getByRole('dialog')
    const far = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [714_516.69, 5_668_458.24] } }
    await form.getByLabel('File', { exact: true }).setInputFiles({
      ...{ name: 'Far away.geojson', mimeType: 'application/geo+json' },
      buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [far] })),
    })
    await form.getByRole('button', { name: 'Upload' }).click()
    await form.locator('.entry .fault').getByText('“Grid” is required', { exact: false }).waitFor()
    const grid = form.getByLabel('Grid', { exact: true })
    assert.equal(await grid.getAttribute('aria-invalid'), 'true')
    assert.equal(await form.getByRole('alert').count(), 0, 'it is said once')
    assert.equal(await grid.evaluate(field => field === document.activeElement), true)
    assert.equal(await form.getByText('“crs”').count(), 0, 'no name of the API')
    await grid.selectOption({ label: 'Another grid' })
    await form.getByLabel('EPSG code').fill('26911')
    await stage.axe(page)
    await form.getByRole('button', { name: 'Upload' }).click()
    const note = panel.getByText('Check Far away')
    await note.waitFor()
    await panel.getByText('No feature of this layer is within 2 km of the site.').waitFor()
    await fitsPhone(page)
    const [tick, more] = [panel.locator('.layer-row .tick').last(), panel.getByRole('button', { name: 'More about Far away' })]
    const [left, right] = [await tick.boundingBox(), await more.boundingBox()]
    assert.ok((right?.y ?? 0) < (left?.y ?? 0) + (left?.height ?? 0), 'its menu is on its line')
    await panel.getByRole('button', { name: 'Close', exact: true }).click()
    await note.waitFor({ state: 'detached' })
  })

  test('§9 a new file of a layer can have another service and quality level; a layer is deleted only after a question', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    const panel = page.getByRole('region', { name: 'Layers', exact: true })
    const menu = async (item: string) => {
      await panel.getByRole('button', { name: 'More about Gas mains' }).click()
      await page
        .getByRole('button', { name: item })
        .or(page.getByRole('menuitem', { name: item }))
        .click()
    }
    await menu('Upload new file')
    const form = page.getByRole('dialog')
    await form
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'Detected.geojson', mimeType: 'application/geo+json', buffer: Buffer.from(gas) })
    await form.getByLabel('Survey quality (PAS 128)').selectOption({ label: 'detected (QL-B)' })
    await form.getByRole('button', { name: 'Upload' }).click()
    const shown = panel.getByRole('checkbox', { name: /Gas mains Gas · detected \(QL-B\)/ })
    await shown.waitFor()
    await menu('Delete layer')
    const question = panel.getByText('Delete Gas mains for everyone? You can’t undo this.')
    await question.waitFor()
    await panel.getByText('Permits to break ground will no longer warn about these services.').waitFor()
    await stage.axe(page)
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.ok(await shown.isVisible())
    await menu('Delete layer')
    await panel.getByRole('button', { name: 'Delete layer', exact: true }).click()
    await shown.waitFor({ state: 'detached' })
  })

  test('§12 an export of one site is uploaded into a second one, and the same things are on its map', async () => {
    const area = await w.as('coordinator').post('/active-areas/', {
      ...{ site_id: w.site_id, name: 'Bay 1', area_kind: 'delivery_bay', start_at: '2026-03-01T00:00:00.000Z', end_at: null },
      place: { polygon: ground(150, 100, 20, 10) },
    })
    assert.equal(area.status, 201, area.text)
    const parts = upload(await sheet(), 'plan.png', { site_id: w.site_id, feature_id: tower })
    const plan = await w.as('coordinator').send('POST', '/floor-plans/upload-image', parts)
    assert.equal(plan.status, 201, plan.text)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/map`)
    await idle(page)
    const panel = page.getByRole('region', { name: 'Layers', exact: true })
    const said = (await panel.getByText(/\d+ things on the map, as GeoJSON/).textContent()) ?? ''
    const [download] = await Promise.all([page.waitForEvent('download'), panel.getByRole('button', { name: 'Export' }).click()])
    const buffer = await readFile(await download.path())
    const exported: { features: { geometry: { type: string } | null }[] } = JSON.parse(buffer.toString())
    const drawn = exported.features.filter(one => one.geometry !== null).length
    assert.equal(drawn, Number(/\d+/.exec(said)?.[0]))

    const second = await stage.house.world({ name: 'Second yard' })
    const put = await second.as('admin').put(`/sites/${second.site_id}/boundary`, { geometry: ground(0, 0, 200, 150) })
    assert.equal(put.status, 200, put.text)
    const there = (await stage.sit(second.as('hse'))).page
    await there.goto(`${stage.url}/sites/${second.site_id}/map`)
    await idle(there)
    const theirs = there.getByRole('region', { name: 'Layers', exact: true })
    await theirs.getByRole('button', { name: 'Upload layer' }).click()
    const form = there.getByRole('dialog')
    await form.getByLabel('File', { exact: true }).setInputFiles({ name: 'First yard.geojson', mimeType: 'application/geo+json', buffer })
    await form.getByRole('button', { name: 'Upload' }).click()
    await there.getByText(`First yard has been uploaded: ${drawn} features.`).waitFor()
    const layer = theirs.getByRole('checkbox', { name: /First yard/ })
    await layer.waitFor()
    assert.ok(await layer.isChecked())
    await idle(there)
    await stage.axe(there)
    const [row] = (await second.as('hse').get(`/geometadata/layers?site_id=${second.site_id}`)).body
    const { status, body, text } = await second.as('hse').get(`/geometadata/layers/${row.id}/features`)
    assert.equal(status, 200, text)
    const shapes = (all: readonly { geometry: unknown }[]) => all.map(one => JSON.stringify(one.geometry)).sort()
    assert.deepEqual(shapes(body.features), shapes(exported.features))
  })
})
