import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { spot } from '../sides.ts'
import { dataShown, fitsPhone } from './hands.ts'
import { setLine, useStage } from './kit.ts'
import { picture } from './picture.ts'

describe('the app: previews of clash rules', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part = '') => `${stage.url}/sites/${w.site_id}/settings/clash-rules${part}`
  /** The map of a preview once it has drawn this many lines. */
  const drawn = (found: Locator, n: number) => found.locator(`[data-map=idle][data-clashes="${n}"]`)
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('§1 while a rule is edited, the page shows what it would find, what differs from the saved rule, and examples; before a version is restored, too', async () => {
    const NEAR = { a: { kinds: ['worker'] }, b: { kinds: ['worker'] }, when: { within_m: 10 }, outcome: { severity: 'red' } }
    const made = await w.as('hse').post('/clash-rules', { site_id: w.site_id, name: 'Gangs apart', ...NEAR })
    assert.equal(made.status, 201, made.text)
    const gang = async (name: string, east: number) => {
      const [lon, lat] = spot(east, 0)
      const times = { start_at: '2026-03-17T10:00:00.000Z', end_at: '2026-03-17T12:00:00.000Z' }
      const body = { site_id: w.site_id, name, trade: 'Fixer', radius_m: 1, place: { point: { lon, lat } }, ...times }
      assert.equal((await w.as('coordinator').post('/workers/', body)).status, 201)
    }
    for (const [name, east] of [
      ['North gang', 0],
      ['South gang', 8],
      ['East gang', 40],
    ] as const)
      await gang(name, east)
    const { page, context } = await stage.sit(w.as('hse'))
    await page.goto(at(`/${made.body.id}`))
    const found = page.getByRole('region', { name: 'What this change would find' })
    const mapped: string[] = []
    page.on('request', request => mapped.push(...(/maplibre|inset/.test(request.url()) ? [request.url()] : [])))
    await dataShown(page)
    await found.getByText('Change the rule, and you see here what it would find.', { exact: false }).waitFor()
    assert.deepEqual(mapped, [], 'the map is loaded only when there is something to show')
    await found.getByRole('button', { name: 'Show what it finds now' }).click()
    await found.getByText('1 red clash', { exact: true }).waitFor()
    await drawn(found, 1).waitFor()
    await found.getByRole('region', { name: 'Where the first clashes would be' }).waitFor()
    assert.ok(mapped.length > 0)
    await found.getByText('The saved rule finds the same.').waitFor()
    await found.getByText('Tue 17 Mar 10:00–12:00', { exact: false }).waitFor()
    await found.getByRole('link', { name: 'South gang' }).waitFor()
    const distance = page.getByRole('group', { name: 'Condition 1', exact: true }).getByLabel('Value')
    await distance.fill('60')
    await page.getByRole('radio', { name: 'Amber' }).check()
    await found.getByText('3 amber clashes', { exact: true }).waitFor()
    await found.getByText('2 pairs are added').waitFor()
    await found.getByText('1 pair gets another severity').waitFor()
    await drawn(found, 3).waitFor()
    await stage.axe(page)
    await picture(page, 'clash-preview-1440')
    // What is selected in the list is selected on the map, and the other way round.
    const rows = found.getByRole('list', { name: 'The first clashes' }).getByRole('listitem')
    const shown = found.getByRole('button', { name: 'Shown on the map' })
    await rows.first().getByRole('button', { name: 'Show on the map' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await shown.count(), 1)
    await shown.press('Enter')
    assert.equal(await shown.count(), 0)
    const map = found.locator('[data-map=idle]')
    await map.scrollIntoViewIfNeeded()
    const box = (await map.boundingBox()) ?? assert.fail('There is a map.')
    // The gangs are on one line from west to east; the line between the closest two is in the western part of the picture.
    for (let x = 0.05; x < 0.95 && (await shown.count()) === 0; x += 0.05)
      await page.mouse.click(box.x + box.width * x, box.y + box.height / 2)
    await shown.waitFor()
    await stage.axe(page)
    await picture(page, 'clash-preview-selected-1440')
    await map.scrollIntoViewIfNeeded()
    await map.click({ position: { x: box.width / 2, y: 20 } })
    await shown.waitFor({ state: 'detached' })
    await distance.fill('1')
    await found.getByText('It would find nothing in this period.').waitFor()
    await found.getByText('1 pair is no longer found').waitFor()
    assert.equal(await found.locator('[data-map]').count(), 0, 'there is nothing to show on a map')
    await distance.fill('900')
    await found.getByText('As soon as the rule has no faults, you see here what it would find.').waitFor()
    const url = '**/api/clash-rules/dsl/preview'
    await page.route(url, route =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', detail: 'The site is being computed.' } } }),
    )
    await distance.fill('20')
    await found.getByText('The site is being computed.').waitFor()
    await page.unroute(url)
    await found.getByRole('button', { name: 'Try again' }).click()
    await found.getByText('1 amber clash', { exact: true }).waitFor()
    await setLine(context, false)
    await found.getByText('What it would find is shown as soon as there is a connection.').waitFor()
    await setLine(context, true)
    await found.getByText('1 amber clash', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 red clash', { exact: true }).waitFor()
    await dialog.getByText('1 pair gets another severity').waitFor()
    await drawn(dialog, 1).waitFor()
    await stage.axe(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'All clash rules' }).click()
    await page.getByRole('link', { name: '1 amber to settle: clashes of Gangs apart' }).click()
    await page.getByText('1 clash to settle').waitFor()
    const chosen = page.getByRole('combobox', { name: 'Clash rule' }).locator('option:checked')
    assert.equal(await chosen.textContent(), 'Gangs apart', 'the clashes of this rule, and not of one whose name contains it')
  })

  test('§1 on a site without anything to compare, the page says what there is none of', async () => {
    const empty = await stage.house.world()
    const rules = (await empty.as('hse').get(`/clash-rules/?site_id=${empty.site_id}`)).body
    const { id } = rules.find((one: { system_key: string }) => one.system_key === 'permit_proximity')
    const { page } = await stage.sit(empty.as('hse'), { width: 390 })
    await page.goto(`${stage.url}/sites/${empty.site_id}/settings/clash-rules/${id}`)
    await dataShown(page)
    const found = page.getByRole('region', { name: 'What this change would find' })
    await found.getByRole('button', { name: 'Show what it finds now' }).click()
    await found
      .getByText('It would find nothing, because there are no live or planned permits on the map in this period.', { exact: true })
      .waitFor()
  })

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 390, theme: 'outdoor' },
    { width: 1440, theme: 'dark' },
  ])
    test(`§4.2 9.26 what a rule for permits would find says which permits couldn’t be checked, and fits a screen of ${width} px in the ${theme} theme`, async () => {
      await w.at('requested', { place: null, title: 'Somewhere' })
      const rules = (await w.as('hse').get(`/clash-rules/?site_id=${w.site_id}`)).body
      const { id } = rules.find((one: { system_key: string }) => one.system_key === 'permit_proximity')
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(at(`/${id}`))
      await dataShown(page)
      const found = page.getByRole('region', { name: 'What this change would find' })
      await found.getByRole('button', { name: 'Show what it finds now' }).click()
      await found.getByText('It would find nothing in what could be checked.').waitFor()
      await found.getByText(/ so (it|they) couldn’t be checked\.$/).waitFor()
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await picture(page, `clash-preview-${theme}-${width}`)
    })
})
