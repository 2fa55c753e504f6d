import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { ring, spot } from '../sides.ts'
import { fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'
import { picture } from './picture.ts'

const work = (code: string, east: number) => {
  const [lon, lat] = spot(east, 0)
  return {
    categories: [code],
    place: { point: { lon, lat } },
    start_at: '2026-03-17T08:00:00.000Z',
    end_at: '2026-03-17T12:00:00.000Z',
  }
}

describe('the app: clashes to settle', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('§4 the list is empty on a site without clashes, a red clash is accepted by keyboard with controls, and the list is empty again', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/clashes`)
    await page.getByText('There is nothing to settle: no clash is there now or within 14 days.').waitFor()
    const hot = await w.at('requested', { ...work('HW', 0), title: 'Weld the frame' })
    await w.at('requested', { ...work('CSE', 6), title: 'Enter the pit' })
    const row = page.locator('[data-row]').filter({ hasText: hot.permit_number })
    await row.getByText('Red', { exact: true }).waitFor()
    await stage.axe(page)
    await row.getByRole('link').first().focus()
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog', { name: 'Accept this clash' })
    await dialog.getByLabel('Why the work can go on like this').fill('The pit is opened after the welding')
    await dialog.getByLabel('Controls that keep people safe').fill('Gas test before entry')
    await dialog.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('There is nothing to settle').waitFor()
    const [episode] = (await w.as('hse').get(`/clashes/episodes?site_id=${w.site_id}`)).body
    assert.deepEqual([episode.stance.kind, episode.stance.controls], ['accepted', 'Gas test before entry'])
  })

  test('§4.5 on a phone someone says who resolves a clash and until when; it stays in the list as in hand, and only an H&S person can settle a red one', async () => {
    await w.at('requested', { ...work('HW', 300), title: 'Cut the beam' })
    await w.at('requested', { ...work('CSE', 305), title: 'Enter the duct' })
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/clashes`)
    await page.getByRole('button', { name: 'Say who resolves it' }).click()
    await fitsPhone(page)
    const dialog = page.getByRole('dialog', { name: 'Who resolves this clash' })
    await dialog.getByLabel('Until when').fill('2026-03-16T16:00')
    await dialog.getByRole('button', { name: 'Say who resolves it' }).click()
    await page.getByText(/^In hand until /).waitFor()
    await stage.axe(page)
    assert.equal(await page.getByRole('button', { name: 'Not a clash' }).getAttribute('aria-disabled'), 'true')
  })

  test('§4.7 a clash says where it is: the building and the level', async () => {
    const outline = {
      type: 'Polygon',
      coordinates: [
        ring([
          [1190, -10],
          [1220, -10],
          [1220, 10],
          [1190, 10],
        ]),
      ],
    }
    const body = {
      site_id: w.site_id,
      name: 'Boiler house',
      kind: 'building',
      outline,
      levels: [{ index: 0 }, { index: 1, name: 'Gallery' }],
    }
    const made = await w.as('hse').post('/reference-features/zones', body)
    assert.equal(made.status, 201, made.text)
    for (const [code, east] of [
      ['HW', 1200],
      ['CSE', 1205],
    ] as const) {
      const { place, ...more } = work(code, east)
      await w.at('requested', { ...more, place: { ...place, building_id: made.body.id, level_index: 1 }, title: `Boiler ${code}` })
    }
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(`${stage.url}/sites/${w.site_id}/clashes`)
    await page.getByText(/^Boiler house, Gallery · from /).waitFor()
    await fitsPhone(page)
  })

  test('§4.7 work of a clash that has begun has stopped: a foreman says so by keyboard, the clash shows it, and on a phone the other contractor says that it goes on again', async () => {
    const yonder = await w.contractor('Yonder')
    const yan = await w.join('member', yonder, 'Yan Yonder')
    const gangs = { kinds: ['worker'] }
    const rule = { name: 'Gangs too close', a: gangs, b: gangs, when: { within_m: 10 }, outcome: { severity: 'amber' } }
    assert.equal((await w.as('hse').post('/clash-rules', { site_id: w.site_id, ...rule })).status, 201)
    const gang = async (name: string, east: number, contractor_id: string) => {
      const [lon, lat] = spot(east, 0)
      const times = { start_at: '2026-03-16T06:00:00.000Z', end_at: '2026-03-16T18:00:00.000Z' }
      const body = { site_id: w.site_id, name, trade: 'Joiner', radius_m: 1, place: { point: { lon, lat } }, contractor_id, ...times }
      assert.equal((await w.as('coordinator').post('/workers/', body)).status, 201)
    }
    await gang('Joiners', 600, w.acme)
    await gang('Riggers', 605, yonder)
    const { page } = await stage.sit(w.as('member'))
    await page.goto(`${stage.url}/sites/${w.site_id}/clashes`)
    const row = page.locator('[data-row]').filter({ hasText: 'Riggers' })
    await row.getByRole('button', { name: 'Work has stopped' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Work has stopped' })
    await dialog.getByRole('radio', { name: 'Joiners' }).waitFor()
    assert.equal(await dialog.getByRole('radio').count(), 1, 'a member says it only for their own contractor')
    await dialog.getByLabel('What stops the work').fill('They lift over our heads')
    await stage.axe(page)
    await dialog.getByRole('button', { name: 'Work has stopped' }).focus()
    await page.keyboard.press('Enter')
    await row.getByText(/^BLK-000001: work of Acme.* has stopped, since .*: They lift over our heads$/).waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await row.getByRole('button', { name: 'Work has stopped' }).count(), 0)
    const [{ id: blocker_id }] = (await w.as('hse').get(`/clashes/episodes?site_id=${w.site_id}&has_blocker=true`)).body[0].blockers
    const { page: phone } = await stage.sit(yan, { width: 390 })
    await phone.goto(`${stage.url}/sites/${w.site_id}/clashes?blocker=${blocker_id}`)
    const theirs = phone.locator(`[data-blocker="${blocker_id}"]`)
    await theirs.getByText(/^BLK-000001: work of Acme/).waitFor()
    await fitsPhone(phone)
    await theirs.getByRole('button', { name: 'Work goes on again' }).click()
    const end = phone.getByRole('dialog', { name: 'Work goes on again' })
    await end.getByLabel('How it was cleared').fill('The lift is finished')
    await fitsPhone(phone)
    await stage.axe(phone)
    await end.getByRole('button', { name: 'Work goes on again' }).click()
    await theirs.getByText(/goes on again, since/).waitFor()
    assert.equal(await theirs.getByRole('button').count(), 0)
    await stage.axe(phone)
  })
})

describe('the app: decisions about several clashes', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = () => `${stage.url}/sites/${w.site_id}/clashes`
  const pair = async (other: string, east: number, more: object = {}) => {
    const first = await w.at('requested', { ...work('HW', east), ...more, title: 'Weld the frame' })
    await w.at('requested', { ...work(other, east + 6), ...more, title: 'Work next to it' })
    return first.permit_number
  }
  const episodes = async () =>
    (await w.as('hse').get(`/clashes/episodes?site_id=${w.site_id}&status=open`)).body.toSorted(
      (a: { a: { label: string } }, b: { a: { label: string } }) => a.a.label.localeCompare(b.a.label),
    )
  const kinds = async () => (await episodes()).map((one: { stance: { kind: string } | null }) => one.stance?.kind ?? null)
  before(async () => {
    w = await permitWorld(stage.house)
  })

  test('§4.7 several are selected by keyboard and given to a contractor at once; a fault is shown at its clash and nothing is stored or lost; a decision is withdrawn and made again', async () => {
    await pair('CSE', 0)
    const soon = await pair('CSE', 100, { start_at: '2026-03-16T12:00:00.000Z', end_at: '2026-03-16T15:00:00.000Z' })
    await pair('WAH', 200)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByText('3 clashes to settle').waitFor()
    const rows = page.locator('[data-row]')
    await rows.first().getByRole('link').first().focus()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 selected').waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+A')
    await page.getByText('3 selected').waitFor()
    await stage.axe(page)
    await picture(page, 'clashes-selected-1440')
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog', { name: 'Who resolves 3 clashes' })
    await dialog.getByText('At the latest: Mon 16 Mar 12:00.', { exact: false }).waitFor()
    await dialog.getByLabel('Who resolves it').selectOption({ value: `contractor:${w.acme}` })
    await dialog.getByLabel('Until when').fill('2026-03-16T16:00')
    await dialog.getByLabel('What will be done').fill('Start after the welding')
    await dialog.getByRole('button', { name: 'Say who resolves it' }).click()
    const item = dialog.getByRole('listitem').filter({ hasText: soon })
    await item.getByText('“Until when” is later than the start of the clash.').waitFor()
    assert.equal(await dialog.locator('.lines .fault').count(), 1, 'at this one alone')
    await stage.axe(page)
    await picture(page, 'clashes-fault-1440')
    assert.deepEqual(await kinds(), [null, null, null])
    await item.getByRole('button', { name: /^Leave out/ }).click()
    assert.equal(await page.getByLabel('What will be done').inputValue(), 'Start after the welding')
    await page.getByRole('dialog').getByRole('button', { name: 'Say who resolves it' }).click()
    await page.getByText('Saved: the 2 clashes stay in the list until they are over').waitFor()
    assert.equal(await page.getByText(/^In hand until /).count(), 2)
    await page
      .getByText(/^Acme.* resolves it$/)
      .first()
      .waitFor()
    const stances = (await episodes()).flatMap((one: { stance: { owner_contractor_id: string } | null }) => one.stance ?? [])
    assert.deepEqual(
      stances.map((one: { owner_contractor_id: string }) => one.owner_contractor_id),
      [w.acme, w.acme],
    )
    await page.getByRole('button', { name: 'Withdraw decision' }).first().click()
    await page.getByText('The decision has been withdrawn. The clash is to settle again.').waitFor()
    assert.equal((await kinds()).filter((kind: string | null) => kind === null).length, 2)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('The decision is active again.').waitFor()
    assert.equal((await kinds()).filter((kind: string | null) => kind === null).length, 1)
  })

  test('§4.5 a coordinator sees which of the selected clashes they can’t settle, and leaves them out; an H&S person settles the rest, finds them under “Settled”, and a coordinator withdraws one', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at())
    await page.getByText('3 clashes to settle').waitFor()
    for (const box of await page.getByRole('checkbox', { name: /^Select / }).all()) await box.check()
    await page.getByText('3 selected').waitFor()
    await fitsPhone(page)
    await picture(page, 'clashes-selected-390')
    const bar = page.locator('.clash-bar')
    await bar.getByRole('button', { name: 'Not a clash' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You can’t decide this for 2 of these clashes').waitFor()
    await fitsPhone(page)
    await stage.axe(page)
    await picture(page, 'clashes-barred-390')
    await dialog.getByRole('button', { name: 'Leave these out' }).click()
    await dialog.getByLabel('Why the rule is wrong here').fill('A wall stands between')
    await dialog.getByRole('button', { name: 'Not a clash' }).click()
    await page.getByText('Settled', { exact: true }).last().waitFor()
    await page.getByText('2 clashes to settle').waitFor()

    const hse = await stage.sit(w.as('hse'))
    await hse.page.goto(at())
    await hse.page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check()
    await hse.page.getByRole('button', { name: 'Select all shown (2)' }).click()
    await hse.page.keyboard.press('a')
    const accepts = hse.page.getByRole('dialog', { name: 'Accept 2 clashes' })
    await accepts.getByLabel('Why the work can go on like this').fill('One after the other')
    await accepts.getByLabel('Controls that keep people safe').fill('Gas test before entry')
    await accepts.getByRole('button', { name: 'Accept' }).click()
    await hse.page.getByText('2 clashes settled').waitFor()
    await hse.page.getByText('There is nothing to settle').waitFor()
    await hse.page.getByRole('radio', { name: 'Settled', exact: true }).check()
    await hse.page.getByText('3 settled clashes').waitFor()
    await hse.page.getByText('Controls: Gas test before entry').first().waitFor()
    await stage.axe(hse.page)
    await picture(hse.page, 'clashes-settled-1440')
    await page.getByRole('radio', { name: 'Settled', exact: true }).check()
    await page.getByText('3 settled clashes').waitFor()
    const one = page
      .locator('[data-row]')
      .filter({ hasText: 'Gas test' })
      .first()
      .getByRole('button', { name: /Withdraw decision/ })
    await hold(page, one, page.getByText('The decision has been withdrawn.', { exact: false }))
    assert.equal((await kinds()).filter((kind: string | null) => kind === null).length, 1)
  })

  test('§4.7 a clash that someone else settles while a decision about several is written is named, and nothing that was typed is lost', async () => {
    await pair('CSE', 300)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByText('2 clashes to settle').waitFor()
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .focus()
    await page.keyboard.press('Shift+A')
    await page.keyboard.press('a')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Why the work can go on like this').fill('One after the other')
    await dialog.getByLabel('Controls that keep people safe').fill('A watch')
    const open = (await w.as('hse').get(`/clashes/unresolved?site_id=${w.site_id}`)).body
    const other = { site_id: w.site_id, episode_id: open[0].id, kind: 'not_a_clash', reason: 'A wall' }
    assert.equal((await w.as('admin').post('/clashes/stance', other)).status, 201)
    await dialog.getByText('1 of these clashes has changed', { exact: false }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Accept' }).getAttribute('aria-disabled'), 'true')
    await picture(page, 'clashes-moved-1440')
    await dialog.getByRole('button', { name: 'Continue with the clashes as they are now' }).click()
    assert.equal(await page.getByLabel('Why the work can go on like this').inputValue(), 'One after the other')
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
    await page.getByText('There is nothing to settle').waitFor()
  })

  for (const { width, theme } of [
    { width: 390, theme: 'dark' },
    { width: 390, theme: 'outdoor' },
    { width: 320, theme: 'light' },
    { width: 1440, theme: 'dark' },
    { width: 1440, theme: 'outdoor' },
  ])
    test(`9.26 selected clashes and their decision fit a screen of ${width} px in the ${theme} theme`, async () => {
      await pair('CSE', 400 + width)
      const { page } = await stage.sit(w.as('hse'), { width, theme })
      await page.goto(at())
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .check()
      await page.locator('.clash-bar').waitFor()
      if (width < 600) await fitsPhone(page)
      await stage.axe(page)
      await picture(page, `clashes-${theme}-${width}`)
    })
})
