import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permit, PermitWorld } from '../permits.ts'
import type { Caller } from '../world.ts'
import { drawnWorld, idle } from './ground.ts'
import { fitsPhone, press } from './hands.ts'
import { useStage } from './kit.ts'

const NORTH = 51.5061
const WEST = -0.0186
/** Six metres further east. */
const EAST = WEST + 6 / 69_200
const VIEW = `view=${NORTH},${(WEST + EAST) / 2},20.5`
const AT = '2026-03-16T14:00:00.000Z'

const work = (code: string, lon: number) => ({
  categories: [code],
  place: { point: { lon, lat: NORTH } },
  start_at: '2026-03-16T13:00:00.000Z',
  end_at: '2026-03-16T15:00:00.000Z',
})

describe('the app: clashes on the map', () => {
  const stage = useStage()
  let w: PermitWorld
  let yonder: Caller
  let hot: Permit
  let pit: Permit
  before(async () => {
    ;({ w } = await drawnWorld(stage.house))
    yonder = await w.join('member', await w.contractor('Yonder'), 'Yan Yonder')
    hot = await w.at('requested', { ...work('HW', WEST), title: 'Weld the frame' })
    pit = await w.draft({ ...work('CSE', EAST), title: 'Enter the pit' }, yonder)
    await w.step(pit, 'submit', yonder)
    pit = await w.read(pit)
  })
  const site = (query = '') => `${stage.url}/sites/${w.site_id}/map${query}`
  const lines = async (page: Page, n: number) => {
    await idle(page)
    const drawn = page.locator(`[data-map=idle][data-clashes="${n}"]`)
    await drawn.waitFor()
  }
  const says = () =>
    new RegExp(
      `^${hot.permit_number} \\(Weld the frame\\) and ${pit.permit_number} \\(Enter the pit\\) are 6 m apart, Mon 16 Mar 13:00–15:00 \\(2 hours\\): HW and CSE need 10 m between them, and .+\\.$`,
    )

  test('§4.7 the time slider draws the line of a clash while it is there, with one request where it stops; a click on the line opens the card', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site(`?at=2026-03-16T12:45:00.000Z&${VIEW}`))
    await page.getByText('There are no clashes at this time.').waitFor()
    await lines(page, 0)
    const slider = page.getByRole('slider', { name: 'Time of day' })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/at=2026-03-16T13/)
    await page.getByText('1 clash at this time').waitFor()
    await lines(page, 1)
    await page.locator('[data-map]').click()
    const note = page.locator('.map-floating')
    await note.getByText(says()).waitFor()
    await note.getByText('Red', { exact: true }).waitFor()
    // Nothing else is half behind the bar at the top of the page then.
    await note.evaluate(card => card.scrollIntoView({ block: 'center' }))
    await stage.axe(page)

    let asked = 0
    page.on('request', request => {
      if (request.url().includes('/clashes/at-time')) asked++
    })
    await slider.focus()
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight')
    await page.waitForURL(/at=2026-03-16T16/)
    await page.getByText('There are no clashes at this time.').waitFor()
    await lines(page, 0)
    assert.ok(asked <= 2, `${asked} requests for clashes while the slider moved`)
    assert.equal(await note.count(), 0)
  })

  test('§4.7 the list has the same clash for the keyboard, and its card leads to the clash that is to be settled', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site(`?at=${AT}`))
    await idle(page)
    await press(
      page,
      page.getByRole('button', {
        name: `Red ${hot.permit_number} (Weld the frame) and ${pit.permit_number} (Enter the pit)`,
        exact: false,
      }),
    )
    const note = page.locator('.map-floating')
    await note.getByText(says()).waitFor()
    await page.waitForURL(/chosen=/)
    await press(page, note.getByRole('link', { name: 'Settle this clash' }))
    await page.waitForURL(/\/clashes\?episode=/)
    await page.locator('[data-row]').first().getByRole('link', { name: 'Show on the map' }).click()
    await note.getByText(says()).waitFor()
    await note.getByText(`and ${pit.permit_number} gives way, because it was planned later.`, { exact: false }).waitFor()
    const hse = w.as('hse')
    const [episode] = (await hse.get(`/clashes/episodes?site_id=${w.site_id}`)).body
    const resolving = { kind: 'resolving', owner_user_id: w.receiver.user_id, due_at: '2026-03-16T12:00:00.000Z' }
    assert.equal((await hse.post('/clashes/stance', { site_id: w.site_id, episode_id: episode.id, ...resolving })).status, 201)
    await note.getByText('Rex Receiver resolves it').waitFor()
    await note.getByText('In hand until Mon 16 Mar 12:00').waitFor()
    // The list says so too, and when it is overdue, in words and with a sign.
    await page.locator('.frame-row').getByText('In hand until Mon 16 Mar 12:00').waitFor()
    await page.clock.setFixedTime(new Date('2026-03-16T12:30:00.000Z'))
    await page.reload()
    await page.locator('.frame-row').getByText('Overdue since Mon 16 Mar 12:00').waitFor()
    assert.equal((await hse.del(`/clashes/stance?site_id=${w.site_id}&episode_id=${episode.id}`)).status, 204)
  })

  test('§4.5 a settled clash is drawn dotted with a sign of its own, and the legend, the list and its card say that it is settled', async () => {
    const hse = w.as('hse')
    const { page } = await stage.sit(hse)
    await page.goto(site(`?at=${AT}&${VIEW}`))
    await lines(page, 1)
    const [episode] = (await hse.get(`/clashes/episodes?site_id=${w.site_id}`)).body
    const body = { site_id: w.site_id, episode_id: episode.id, kind: 'accepted', reason: 'Agreed', controls: 'Fire watch' }
    assert.equal((await hse.post('/clashes/stance', body)).status, 201)
    const row = page.getByRole('button', { name: `Red ${hot.permit_number}`, exact: false })
    await row.getByText('Settled: accepted').waitFor()
    await lines(page, 1)
    await page.getByText('Legend', { exact: true }).click()
    await page.getByText('Red clash that is settled').waitFor()
    await press(page, row)
    const note = page.locator('.map-floating')
    await note.getByText('Settled: accepted').waitFor()
    await note.evaluate(card => card.scrollIntoView({ block: 'center' }))
    await stage.axe(page)
    const withdrawn = await hse.del(`/clashes/stance?site_id=${w.site_id}&episode_id=${episode.id}`)
    assert.equal(withdrawn.status, 204, withdrawn.text)
  })

  test('§4 clashes are switched off in the layer panel, on this device, and then nothing is asked for', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(site(`?at=${AT}&${VIEW}`))
    await lines(page, 1)
    const asked: string[] = []
    await page
      .getByRole('region', { name: 'Layers', exact: true })
      .getByRole('checkbox', { name: /^Clashes/ })
      .uncheck()
    await page.getByText('Clashes are switched off under “Layers”.').waitFor()
    await lines(page, 0)
    page.on('request', request => {
      if (request.url().includes('/clashes/at-time')) asked.push(request.url())
    })
    await page.reload()
    await page.getByText('Clashes are switched off under “Layers”.').waitFor()
    await lines(page, 0)
    assert.deepEqual(asked, [])
    await page.getByRole('checkbox', { name: /^Clashes/ }).check()
    await lines(page, 1)
  })

  test('CL-8 a member sees a clash with a permit that is hidden from them without a line, and on a phone its card opens in the list', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(site(`?at=${AT}&${VIEW}`))
    await lines(page, 0)
    await page
      .getByRole('button', { name: `${hot.permit_number} (Weld the frame) and a permit that you can’t see (CSE)`, exact: false })
      .click()
    await page.getByText(/and a permit that you can’t see \(CSE\) are at most 10 m apart/).waitFor()
    await page.getByText('The map can’t show where the other permit is.').waitFor()
    for (const secret of [pit.permit_number, 'Enter the pit']) assert.equal((await page.content()).includes(secret), false, secret)
    await fitsPhone(page)
    await stage.axe(page)
  })

  test('§4 further ahead than clashes are known the map says so; what can’t be read is said with a way to try again', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('?at=2026-08-03T12:00:00.000Z'))
    await page.getByText('Clashes are known for the next 90 days only.').waitFor()
    await idle(page)
    assert.equal(await page.locator('.note.stop').count(), 0)
    await page.route(/clashes\/at-time/, route => route.abort('internetdisconnected'))
    await page.goto(site(`?at=${AT}`))
    const retry = page.getByRole('button', { name: 'Try again' })
    await retry.first().waitFor()
    assert.equal(await page.getByText('There are no clashes at this time.').count(), 0)
    await page.unroute(/clashes\/at-time/)
    // The app also reads again by itself, and then there is nothing left to try.
    await retry
      .first()
      .click({ timeout: 3000 })
      .catch(async () => assert.equal(await retry.count(), 0))
    await page.getByText('1 clash at this time').waitFor()
  })

  test('§4 the line goes from the map of another person as soon as the clash does', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site(`?at=${AT}&${VIEW}`))
    await lines(page, 1)
    assert.equal((await w.step(pit, 'withdraw', yonder)).status, 200)
    await page.getByText('There are no clashes at this time.').waitFor()
    await lines(page, 0)
  })
})
