import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bookOf } from '../books.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

describe('the app, live', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('U4 another person’s step appears on my board without a reload, and without moving what I am reading', async () => {
    const permit = await w.at('requested', { title: 'Weld handrails, stair 3' })
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('region', { name: 'Requested' }).getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    await page.locator('.line-dot.live').waitFor()
    const { status } = await w.as('coordinator').post(`/permits/applications/${permit.id}/endorse`, {})
    assert.equal(status, 200)
    await page.getByRole('region', { name: 'Endorsed' }).getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Requested' }).count(), 0)
  })

  test('on a board of many pages, another person’s step refetches only its permit, which appears in its place', async () => {
    const own = await permitWorld(stage.house)
    const permits = []
    for (let i = 1; i <= 5; i++) permits.push(await own.at('requested', { title: `Core hole ${i}` }))
    const { page, url } = await stage.sit(own.as('hse'))
    const asked: URLSearchParams[] = []
    await page.route('**/api/permits?*', async route => {
      const address = new URL(route.request().url())
      asked.push(new URLSearchParams(address.search))
      if (!address.searchParams.has('id')) address.searchParams.set('limit', '2')
      await route.continue({ url: address.href })
    })
    await page.goto(`${url}/sites/${own.site_id}/board`)
    await page.getByText('5 permits').waitFor()
    await page.locator('.line-dot.live').waitFor()
    const before_ = asked.length
    assert.equal(asked.filter(one => one.has('cursor')).length, 2)
    const [first, , third] = permits
    assert.equal((await own.as('coordinator').post(`/permits/applications/${third?.id}/endorse`, {})).status, 200)
    await page.getByRole('region', { name: 'Endorsed' }).getByRole('link', { name: 'Core hole 3' }).waitFor()
    assert.equal((await own.as('coordinator').post(`/permits/applications/${first?.id}/reject`, { reason: 'No RAMS' })).status, 200)
    await page.getByRole('link', { name: 'Core hole 1' }).waitFor({ state: 'detached' })
    await page.getByText('4 permits').waitFor()
    assert.deepEqual(
      asked.slice(before_).map(one => one.getAll('id')),
      [[third?.id], [first?.id]],
    )
  })

  test('a step between reading the board and the socket’s first message is not missed', async () => {
    const permit = await w.at('requested', { title: 'Lift the plant room steel' })
    const { page, url } = await stage.sit(w.as('hse'))
    let open = () => {}
    const held = new Promise<void>(done => {
      open = done
    })
    await page.routeWebSocket(/\/api\/ws/, async socket => {
      const early: (string | Buffer)[] = []
      socket.onMessage(said => early.push(said))
      await held
      const service = socket.connectToServer()
      for (const said of early) service.send(said)
      socket.onMessage(said => service.send(said))
    })
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('region', { name: 'Requested' }).getByRole('link', { name: 'Lift the plant room steel' }).waitFor()
    assert.equal((await w.as('coordinator').post(`/permits/applications/${permit.id}/endorse`, {})).status, 200)
    open()
    await page.getByRole('region', { name: 'Endorsed' }).getByRole('link', { name: 'Lift the plant room steel' }).waitFor()
  })

  test('another person’s settings appear too: a permit type, a shift', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(`${url}/sites/${w.site_id}/settings`)
    await page.getByText('Hot work').first().waitFor()
    await page.locator('.line-dot.live').waitFor()
    const made = await w.as('admin').post('/permits/types', { site_id: w.site_id, code: 'BLAST', name: 'Shot blasting' })
    assert.equal(made.status, 201, made.text)
    await page.getByText('Shot blasting').first().waitFor()
    await page.goto(`${url}/sites/${w.site_id}/request`)
    await page.getByRole('checkbox', { name: /Hot work/ }).check()
    const usual = page.getByRole('group', { name: 'Usual windows' })
    await usual.waitFor()
    await page.locator('.line-dot.live').waitFor()
    const night = await w.as('admin').post('/shifts/', { site_id: w.site_id, name: 'Night', start_time: '21:00', end_time: '04:00' })
    assert.equal(night.status, 201, night.text)
    await usual.getByRole('button', { name: 'Today 21:00–04:00' }).waitFor()
  })

  test('the open permit updates, and my typed text stays', async () => {
    const permit = await w.at('issued', { title: 'Dig for the drain', categories: ['GEN'] })
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(`${url}/sites/${w.site_id}/permits/${permit.id}`)
    await page.locator('.line-dot.live').waitFor()
    await page.getByRole('button', { name: 'Close out' }).click()
    const note = page.getByRole('dialog').getByLabel('Note', { exact: false })
    await note.fill('Looked at the drawings')
    const extension = await w
      .as('member')
      .post(`/permits/applications/${permit.id}/extensions`, { requested_end_at: '2026-03-16T20:00:00.000Z', reason: 'Rain' })
    assert.equal(extension.status, 201, extension.text)
    await page.getByText('Rain', { exact: true }).waitFor()
    assert.equal(await note.inputValue(), 'Looked at the drawings')
  })

  test('§12 a permit that another person deletes disappears from the board, and its open page says so', async () => {
    const acme = (await w.as('admin').get(`/contractors/?site_id=${w.site_id}&q=acme`)).body[0].name
    const value = bookOf([
      ['Permit No', 'Type(s)', 'Description', 'Start', 'Finish', 'Contractor'],
      ['OLD-7', 'HW', 'Braze the chiller pipes', '01/04/2026', '02/04/2026', acme],
    ])
    const parts = [
      { name: 'site_id', value: w.site_id },
      { name: 'file', value, filename: 'register.xlsx' },
    ]
    const { set_id } = (await w.as('admin').send('POST', '/permits/upload', parts)).body
    const [permit] = (await w.as('member').get(`/permits?site_id=${w.site_id}&q=OLD-7`)).body
    const member = w.as('member')
    const [board, open] = [await stage.sit(member), await stage.sit(member)]
    await board.page.goto(`${board.url}/sites/${w.site_id}/board?imported=only`)
    await open.page.goto(`${open.url}/sites/${w.site_id}/permits/${permit.id}`)
    const card = board.page.getByRole('link', { name: 'Braze the chiller pipes' })
    await card.waitFor()
    await open.page.getByRole('heading', { name: 'Braze the chiller pipes' }).waitFor()
    for (const { page } of [board, open]) await page.locator('.line-dot.live').waitFor()
    assert.equal((await w.as('admin').del(`/permits/sets/${set_id}`)).status, 204)
    await card.waitFor({ state: 'detached' })
    await open.page.getByText('This has been deleted, or you no longer have access to it.').waitFor()
    assert.equal(await open.page.getByRole('heading', { name: 'Next' }).count(), 0)
  })
})
