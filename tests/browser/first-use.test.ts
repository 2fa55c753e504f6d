import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { permitWorld } from '../permits.ts'
import type { World } from '../world.ts'
import { useStage } from './kit.ts'

describe('the app: guidance at first use', () => {
  const stage = useStage()
  let w: World
  before(async () => {
    w = await stage.house.world({ name: 'Mill Lane' })
  })
  const site = (page: string) => `${stage.url}/sites/${w.site_id}/${page}`
  const steps = (page: Page) => page.getByRole('region', { name: 'First steps on this site' })
  /** The items of the list: each step, and whether it is done. */
  const listed = async (page: Page) => {
    await steps(page).waitFor()
    const rows = await steps(page).getByRole('listitem').all()
    return Promise.all(
      rows.map(async row => [
        (await row.locator('.strong').textContent()) ?? '',
        (await row.getByText('Done', { exact: true }).count()) === 1,
      ]),
    )
  }

  test('an administrator sees on one phone screen what the site needs; what exists already is ticked; by keyboard, the next step opens', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(site('board'))
    assert.deepEqual(await listed(page), [
      ['Permit types', true],
      ['Appoint issuers', false],
      ['Invite people', true],
      ['Draw the site', false],
      ['Import a register', false],
      ['Request a permit', false],
    ])
    const { y, height } = (await steps(page).boundingBox()) ?? assert.fail('It is on the page.')
    const bar = (await page.getByRole('navigation', { name: 'Main' }).boundingBox()) ?? assert.fail('There is a bar.')
    assert.ok(y + height <= bar.y, `It ends at ${y + height}, the bar begins at ${bar.y}.`)
    const next = steps(page).getByRole('link', { name: /^2 Appoint issuers/ })
    assert.equal(await next.getAttribute('aria-current'), 'step')
    assert.equal(await page.getByRole('link', { name: 'Open the demo site' }).count(), 0, 'there is none')
    await stage.axe(page)
    await steps(page).getByRole('link').first().focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/settings\/appointments$/)
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    // A step done anywhere is ticked automatically.
    const admin = w.as('admin')
    const members = (await admin.get(`/sites/${w.site_id}/members`)).body as { user_id: string; role: string }[]
    const issuer = members.find(one => one.role === 'member')?.user_id
    assert.equal((await admin.post('/permits/appointments', { site_id: w.site_id, user_id: issuer })).status, 201)
    await page.goBack()
    await steps(page).getByText('One person can issue permits.').waitFor()
    assert.equal(
      await steps(page)
        .getByRole('link', { name: /Draw the site/ })
        .getAttribute('aria-current'),
      'step',
    )
  })

  test('9.9 the first-use page recommends the strict workflow, and its link opens the page where it is activated', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(site('board'))
    await steps(page).getByText('Before anyone requests the first permit, we recommend switching to the strict workflow:').waitFor()
    await steps(page).getByRole('link', { name: 'Use the strict workflow' }).press('Enter')
    await page.waitForURL(/\/settings\/workflow$/)
    await page.getByRole('button', { name: 'Use the strict workflow' }).waitFor()
  })

  for (const theme of ['dark', 'outdoor'])
    test(`axe finds nothing on the first-use page in the ${theme} theme`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width: 390, theme })
      await page.goto(site('board'))
      // Registers are only for administrators.
      assert.equal(
        (await listed(page)).some(([step]) => step === 'Import a register'),
        false,
      )
      await stage.axe(page)
    })

  test('a member is guided to a first permit, and a viewer sees what the page will show', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(site('board'))
    await page.getByText('You have no permits on this site yet: request your first one.').waitFor()
    await stage.axe(page)
    await page.locator('.empty').getByRole('link', { name: 'Request a permit' }).press('Enter')
    await page.waitForURL(/\/request/)
    const { page: quiet } = await stage.sit(w.as('viewer'), { width: 390 })
    await quiet.goto(site('board'))
    await quiet.getByText('There are no permits that you can see on this site yet').waitFor()
    assert.equal(await quiet.locator('.empty').getByRole('link').count(), 0)
  })

  test('every other empty page has one sentence and one action', async () => {
    const { page: quiet } = await stage.sit(w.as('client'), { width: 390 })
    const { page: outside } = await stage.sit(w.superadmin, { width: 390 })
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    for (const [who, path, says, does] of [
      [quiet, 'wallet', 'You have no permits on this site', 'Go to the board'],
      [quiet, 'tasks', 'Nothing is waiting for you', 'Go to the board'],
      [outside, 'notifications', 'No notifications yet', 'Choose your notifications'],
      [quiet, 'map', 'No buildings or zones have been drawn yet.', 'Go to the board'],
      [page, 'import', 'No registers have been imported yet.', 'Choose a register'],
      [page, 'map', 'No buildings or zones have been drawn yet.', 'Start with the boundary'],
    ] as const) {
      await who.goto(site(path))
      const empty = who.locator('.empty')
      await empty.getByText(says).waitFor()
      const deeds = empty.locator('a, button')
      assert.deepEqual(await deeds.allTextContents(), [does], path)
      const words = (await empty.locator('p').textContent()) ?? ''
      assert.equal(words.match(/[.!?](\s|$)/g)?.length, 1, words)
      await stage.axe(who)
    }
    await page.locator('.empty').getByRole('button').press('Enter')
    await page.getByRole('form', { name: 'Site boundary' }).waitFor()
    await page.goto(site('import'))
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose a register' }).press('Enter')
    assert.equal((await chosen).isMultiple(), false)
  })

  test('a member of the demo site gets a link to it; a site whose permits are all closed says so', async () => {
    const other = await permitWorld(stage.house)
    await other.superadmin.patch(`/sites/${other.site_id}`, { code: 'DEMO-1' })
    await other.at('closed', { title: 'Weld handrails' })
    const both = await other.join('hse', null, 'Bo Both')
    const invited = await w.as('admin').post(`/invite-links/sites/${w.site_id}`, { role: 'viewer', max_uses: 1, approval: 'none' })
    assert.equal(invited.status, 201, invited.text)
    const token = new URL(invited.body.url).hash.split(/[#/=]/).at(-1)
    const taken = await both.post(`/invite-links/accept/${token}`, {})
    assert.equal(taken.status < 300, true, taken.text)
    const { page } = await stage.sit(both, { width: 390 })
    await page.goto(site('board'))
    await page.getByRole('link', { name: 'Open the demo site' }).press('Enter')
    await page.waitForURL(`**/sites/${other.site_id}/board`)
    await page.getByText('Every permit that you can see on this site is closed out').waitFor()
    await page.getByRole('link', { name: 'Show closed permits' }).click()
    await page.getByRole('link', { name: 'Weld handrails' }).waitFor()
  })
})
