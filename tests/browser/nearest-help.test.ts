// The nearest help on the map: from where a person is, from a tapped place, and with the keyboard; with its distance, its phone and its place on the map.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { metresBetween } from '../../shared/geometry/plane.ts'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, idle, metreOf, spotAt } from './ground.ts'
import { fitsPhone, press } from './hands.ts'
import { useStage } from './kit.ts'

const PLACES = {
  office: spotAt(150, 120),
  stairs: spotAt(40, 40),
  roof: spotAt(52, 46),
  gate: spotAt(5, 5),
  assembly: spotAt(190, 10),
  toilets: spotAt(100, 100),
}

describe('the app: the nearest help', () => {
  const stage = useStage()
  let w: PermitWorld
  let tower: string
  before(async () => {
    ;({ w, tower } = await drawnWorld(stage.house))
    const put = async (name: string, poi_kind: string, point: { lon: number; lat: number }, more: object = {}, level_index?: number) => {
      const place = level_index === undefined ? { point } : { point, building_id: tower, level_index }
      const made = await w
        .as('hse')
        .post('/pois/', { site_id: w.site_id, name, poi_kind, place, start_at: '2026-03-16T09:00:00.000Z', ...more })
      assert.equal(made.status, 201, made.text)
    }
    await put('Site office', 'first_aid', PLACES.office, { phone: '+44 20 7946 0112' })
    await put('Box on the stairs', 'first_aid', PLACES.stairs, {}, 1)
    await put('Box on the top floor', 'first_aid', PLACES.roof, {}, 2)
    await put('Fire point at the gate', 'fire_point', PLACES.gate)
    await put('Car park', 'assembly_point', PLACES.assembly, { phone: '+44 20 7946 0113' })
    await put('Welfare toilets', 'toilets', PLACES.toilets)
  })
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Nearest help' })
  const open = async (page: Page, query = '') => {
    await page.goto(`${stage.url}/sites/${w.site_id}/map${query}`)
    await idle(page)
    await page.getByRole('button', { name: 'Nearest help' }).waitFor()
  }
  const row = (page: Page, kind: string) => panelOf(page).getByRole('listitem').filter({ hasText: kind })
  const metres = (from: { lon: number; lat: number }, to: { lon: number; lat: number }) => `${Math.round(metresBetween(from, to))} m`
  const pressedRow = (page: Page) => panelOf(page).locator('[aria-pressed=true]')

  test('§5 at 390 px a person whose device shares its location sees the nearest help at once, calls it, and the map goes there', async () => {
    const here = spotAt(50, 44)
    const { page, context } = await stage.sit(w.as('viewer'), { width: 390, theme: 'outdoor' })
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ longitude: here.lon, latitude: here.lat, accuracy: 6 })
    await open(page)
    await page.getByRole('button', { name: 'Nearest help' }).click()
    await panelOf(page).getByText('From your location, accurate to 6 m. In Tower: points on all its levels and outdoors count.').waitFor()
    await row(page, 'First aid')
      .getByRole('button', { name: `Box on the top floor · T Tower · Level 2 ${metres(here, PLACES.roof)}` })
      .waitFor()
    await row(page, 'Fire point').getByText(metres(here, PLACES.gate)).waitFor()
    const assembly = row(page, 'Assembly point')
    assert.equal(await assembly.getByRole('link', { name: 'Call +44 20 7946 0113' }).getAttribute('href'), 'tel:+442079460113')
    await panelOf(page).getByText('Nearest facilities').click()
    await row(page, 'Toilets').getByText('Welfare toilets').waitFor()
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/near-390.png`, fullPage: true })
    await stage.axe(page)
    await assembly.getByRole('button').click()
    await idle(page)
    assert.match((await pressedRow(page).textContent()) ?? '', /Assembly point.*Car park/)
    const map = (await page.locator('[data-map]').boundingBox()) ?? assert.fail()
    const mark = (await page.locator('.near-from').boundingBox()) ?? assert.fail()
    assert.ok(map.y >= 0, 'the map is on the screen')
    assert.ok(mark.x > map.x && mark.y > map.y && mark.y < map.y + map.height, 'and so is the person on it')
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/near-390-there.png` })
    await fitsPhone(page)
    await stage.axe(page)
  })

  test('§5 at 1440 px a tapped place decides; on a selected level only help there and outdoors counts; a place outdoors has all levels', async () => {
    const { page } = await stage.sit(w.as('viewer'))
    await open(page, `?building=${tower}&level=1`)
    await page.getByRole('button', { name: 'Nearest help' }).click()
    await panelOf(page).waitFor()
    assert.equal(await panelOf(page).getByRole('listitem').count(), 0, 'nothing is listed before the place is known')
    await page.getByLabel('Levels of Tower').waitFor()
    const map = page.locator('[data-map]')
    const box = (await map.boundingBox()) ?? assert.fail()
    const metre = await metreOf(page)
    const tap = async (x: number, y: number) => map.click({ position: { x: box.width / 2 + x * metre, y: box.height / 2 - y * metre } })
    // The map shows the whole site, with its middle in the middle.
    await tap(50 - 100, 44 - 75)
    await panelOf(page).getByText('From the place on the map. In Tower, Level 1: points on this level and outdoors count.').waitFor()
    await row(page, 'First aid').getByText('Box on the stairs').waitFor()
    await page.getByLabel('Levels of Tower').selectOption({ label: 'All' })
    await row(page, 'First aid').getByText('Box on the top floor').waitFor()
    await tap(140 - 100, 130 - 75)
    await panelOf(page).getByText('Outdoors: points on all levels count.').waitFor()
    await row(page, 'First aid').getByText('Site office').waitFor()
    const said = await row(page, 'First aid').locator('.mono').textContent()
    const distance = Number.parseInt(said ?? '', 10)
    assert.ok(Math.abs(distance - metresBetween(spotAt(140, 130), PLACES.office)) < 3, `${said}`)
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/near-1440.png`, fullPage: true })
    await stage.axe(page)
    await row(page, 'Fire point').getByRole('button').click()
    await idle(page)
    await panelOf(page).getByRole('button', { name: 'Close' }).click()
    await page.locator('.near-from').waitFor({ state: 'detached' })
  })

  test('§5 with the keyboard alone: the place is at the cross of the map; without a connection and without a location the list still works', async () => {
    const { page, context } = await stage.sit(w.as('viewer'), { theme: 'dark' })
    await open(page)
    await context.route('**/api/**', route => route.abort('internetdisconnected'))
    await press(page, page.getByRole('button', { name: 'Nearest help' }))
    await press(page, panelOf(page).getByRole('button', { name: 'From my location' }))
    await panelOf(page).getByText('Your device didn’t share its location.').waitFor()
    await press(page, panelOf(page).getByRole('button', { name: 'From the cross of the map' }))
    await panelOf(page).getByText('Outdoors: points on all levels count.').waitFor()
    await press(page, row(page, 'Fire point').getByRole('button'))
    assert.match((await pressedRow(page).textContent()) ?? '', /Fire point at the gate/)
    await stage.axe(page)
    await press(page, panelOf(page).getByRole('button', { name: 'Close' }))
    await panelOf(page).waitFor({ state: 'detached' })
  })
})
