import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { PermitWorld } from '../permits.ts'
import { drawnWorld, ground } from './ground.ts'
import { fitsPhone, painted } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

/** As many gangs as a preview names, and some more. */
const GANGS = 23

describe('the app: members of a smart group on a small map', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part = '/new') => `${stage.url}/sites/${w.site_id}/settings/smart-groups${part}`
  const members = (page: Page) => page.getByRole('complementary', { name: 'Members now' })
  const line = (page: Page) => page.getByRole('group', { name: 'Condition 1', exact: true })
  /** The map of the preview, once it has drawn this many signs. */
  const drawn = (page: Page, signs: number) => members(page).locator(`[data-signs="${signs}"]`).locator('[data-map=idle]')
  const condition = async (page: Page, field: string, value: string) => {
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page).getByLabel('Field').selectOption({ label: field })
    await line(page).getByLabel('Value').fill(value)
  }
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    const common = { site_id: w.site_id, start_at: '2026-03-16T07:00:00Z', end_at: '2026-03-16T17:00:00Z' }
    const put = async (path: string, body: object) => {
      const made = await w.as('coordinator').post(path, { ...common, ...body })
      assert.equal(made.status, 201, made.text)
    }
    await put('/active-areas/', { name: 'Bay', area_kind: 'laydown', place: { polygon: ground(100, 90, 40, 30) } })
    await put('/plant/', { name: 'Roller', category: 'roller', place: { point: { lon: -0.0178, lat: 51.5058 } } })
    for (let n = 0; n < GANGS; n++)
      await put('/workers/', {
        ...{ name: `Gang ${n}`, trade: n < 3 ? 'Steel fixer' : 'Joiner' },
        place: { point: { lon: -0.0195 + n * 0.0001, lat: 51.5055 } },
      })
  })

  for (const [width, theme] of [
    [390, 'outdoor'],
    [1440, 'dark'],
  ] as const)
    test(`§18 members are lit up on a small map while a condition is typed, and the page says what the map doesn’t show, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('admin'), { width, theme })
      const mapped: string[] = []
      page.on('request', request => mapped.push(...(/maplibre|inset/.test(request.url()) ? [request.url()] : [])))
      await page.goto(at(''))
      await page.getByRole('link', { name: 'New group' }).first().waitFor()
      assert.deepEqual(mapped, [], 'the map is loaded only with members')
      await page.goto(at())
      await members(page)
        .getByText(`${GANGS + 2} members`)
        .waitFor()
      await drawn(page, 20).waitFor()
      await members(page).getByText('The map shows only the first 20 members, as the list does.').waitFor()
      await members(page).getByRole('region', { name: 'Where members are' }).waitFor()
      assert.ok(mapped.length > 0)
      await page.getByLabel('Group name').fill('Fixers')
      await page.getByLabel('Has a colour').check()
      await condition(page, 'The trade', 'Steel fixer')
      await members(page).getByText('3 members', { exact: true }).waitFor()
      await drawn(page, 3).waitFor()
      assert.equal(await members(page).getByText('The map shows only', { exact: false }).count(), 0)
      await members(page).scrollIntoViewIfNeeded()
      await painted(page)
      await picture(page, `group-members-${width}`)
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await line(page).getByLabel('Value').fill('Nobody has this trade')
      await members(page).getByText('Nothing that you can see belongs to it at the moment.').waitFor()
      assert.equal(await members(page).locator('[data-map]').count(), 0)
    })

  test('§18 permits are where they are, in the middle of their building if they only name one; those without a place are counted', async () => {
    await w.at('requested', { title: 'Paint the doors' })
    const { page } = await stage.sit(w.as('admin'))
    await page.goto(at())
    await page.getByRole('radio', { name: 'Permits' }).check()
    await members(page).getByText('3 members', { exact: true }).waitFor()
    // Two of them are at one position.
    await drawn(page, 1).waitFor()
    await members(page).getByText('One member in the list has no place on the map.').waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page).getByLabel('Field').selectOption({ label: 'The building' })
    await line(page).getByLabel('Comparison').selectOption({ label: 'has no value' })
    await members(page).getByText('1 member', { exact: true }).waitFor()
    await members(page).locator('[data-signs="0"]').waitFor()
    assert.equal(await members(page).locator('[data-map]').count(), 0, 'there is no map without any place')
  })

  test('§18 if the map can’t be loaded, the page says so, and the list of members is there', async () => {
    const { page } = await stage.sit(w.as('admin'))
    await page.route(/members-inset/, route => route.abort('internetdisconnected'))
    await page.goto(at())
    await members(page)
      .getByText(`${GANGS + 2} members`)
      .waitFor()
    await members(page).getByRole('button', { name: 'Reload' }).waitFor()
    await members(page).getByRole('link', { name: 'Bay' }).waitFor()
    assert.equal(await members(page).locator('[data-map]').count(), 0)
    await stage.axe(page)
  })
})
