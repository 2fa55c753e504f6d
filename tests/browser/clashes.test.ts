import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { spot } from '../sides.ts'
import { fitsPhone } from './hands.ts'
import { useStage } from './kit.ts'

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
    await page.getByRole('button', { name: 'Someone resolves it' }).click()
    await fitsPhone(page)
    const dialog = page.getByRole('dialog', { name: 'Who resolves this clash' })
    await dialog.getByLabel('Until when').fill('2026-03-16T16:00')
    await dialog.getByRole('button', { name: 'Someone resolves it' }).click()
    await page.getByText(/^In hand until /).waitFor()
    await stage.axe(page)
    assert.equal(await page.getByRole('button', { name: 'Not a clash' }).getAttribute('aria-disabled'), 'true')
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
