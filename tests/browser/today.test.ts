import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, press } from './hands.ts'
import { setLine, useStage } from './kit.ts'
import { waitKept } from './stored.ts'

describe('763 Today, everybody’s first page', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('issued', {
      title: 'Weld handrails',
      categories: ['GEN'],
      start_at: '2026-03-16T09:00:00.000Z',
      end_at: '2026-03-16T17:00:00.000Z',
    })
    await w.at('issued', {
      title: 'Starts later',
      categories: ['GEN'],
      start_at: '2026-03-16T12:00:00.000Z',
      end_at: '2026-03-16T20:00:00.000Z',
    })
    await w.at('requested', { title: 'Dig for the drain' })
    await w.at('endorsed', { title: 'Lift the steel' })
    await w.at('closed', { title: 'Paint the door' })
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}${path}`
  const now = (page: Page) => page.getByRole('region', { name: 'The site now' })
  const numberOn = async (page: Page, name: string) =>
    Number(await now(page).getByRole('link').filter({ hasText: name }).locator('.tile-n').textContent())

  test('each number leads to its list, which has exactly that many permits', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at(''))
    await page.waitForURL(/\/today$/)
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor()
    const expected = { Live: 1, 'Ending soon': 2, 'Awaiting countersignature': 0, 'In review': 2, 'Expired, not closed out': 0 }
    for (const [name, n] of Object.entries(expected)) {
      await now(page).getByRole('link').filter({ hasText: name }).waitFor()
      assert.equal(await numberOn(page, name), n, name)
      await now(page).getByRole('link').filter({ hasText: name }).click()
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
      await page.getByText(n === 1 ? '1 permit' : `${n} permits`, { exact: true }).waitFor()
      await page.goBack()
    }
    await stage.axe(page)
  })

  test('another person’s step changes the numbers without a reload', async () => {
    const own = await permitWorld(stage.house)
    const permit = await own.at('requested', { title: 'Weld handrails' })
    const { page } = await stage.sit(own.as('coordinator'))
    await page.goto(`${stage.url}/sites/${own.site_id}/today`)
    await now(page).getByRole('link').filter({ hasText: 'In review' }).getByText('1', { exact: true }).waitFor()
    await page.locator('.line-dot.live').waitFor()
    assert.equal((await own.as('hse').post(`/permits/applications/${permit.id}/reject`, { reason: 'No RAMS' })).status, 200)
    await now(page).getByRole('link').filter({ hasText: 'In review' }).getByText('0', { exact: true }).waitFor()
  })

  test('Today lists what changed since the last visit, even closed permits, but nothing on the first visit', async () => {
    const own = await permitWorld(stage.house)
    await own.at('closed', { title: 'Paint the door' })
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/today`)
    await now(page).getByRole('link').first().waitFor()
    assert.equal(await now(page).getByText('Changed since your last visit').count(), 0)
    await page.evaluate(
      `for (const key of Object.keys(localStorage)) if (key.startsWith('walkdown.visit')) localStorage.setItem(key, JSON.stringify({ seen: Date.parse('2026-03-15T17:00:00Z'), last: null }))`,
    )
    await page.reload()
    const tile = now(page).getByRole('link').filter({ hasText: 'Changed since your last visit' })
    await tile.getByText('1', { exact: true }).waitFor()
    await tile.click()
    await page.getByRole('button', { name: /^Changed since / }).waitFor()
    await page.getByText('Paint the door').waitFor()
    await page.getByText('1 permit', { exact: true }).waitFor()
  })

  test('in the field Today starts with the wallet, then the tasks, and opens without a connection', async () => {
    const { page, context } = await stage.sit(w.receiver, { width: 390, offline: true })
    await page.goto(at('/today'))
    await page.getByRole('region', { name: 'My permits on this site' }).or(page.locator('.wallet-top')).first().waitFor()
    await now(page).getByRole('link').first().waitFor()
    const tops = await page.locator('.today-parts > section').evaluateAll(all => all.map(one => one.className.includes('wallet-top')))
    assert.deepEqual(tops, [true, false, false])
    await fitsPhone(page)
    await stage.axe(page)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await waitKept(page, ['"wallet"', '"me"', '"tasks"', '"now"'])
    await setLine(context, false)
    await page.reload()
    await page.locator('.wallet-top').getByRole('link', { name: 'Weld handrails' }).waitFor()
    await page
      .getByText(/^This page couldn’t be refreshed\./)
      .first()
      .waitFor()
  })

  test('the screen of the site office has the same numbers, large, and nothing to press', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('/today?kiosk'))
    const live = now(page).locator('.tile').filter({ hasText: 'Live' })
    await live.getByText('1', { exact: true }).waitFor()
    assert.equal(await page.locator('a, button, input, select').count(), 0)
    await stage.axe(page)
  })

  test('Today requests what it shows once, and again only when something has changed', async () => {
    const { page } = await stage.sit(w.as('hse'))
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().includes('/api/permits')) asked.push(request.url())
    })
    for (const path of ['/today', '/today?kiosk']) {
      await page.goto(at(path))
      await page.locator('.tile').first().waitFor()
      await page.waitForLoadState('networkidle')
      const sent = asked.splice(0).map(url => new URL(url))
      const to = (path: string) => sent.filter(url => url.pathname === path && !url.searchParams.has('id')).length
      assert.equal(to('/api/permits/counts'), 1, sent.join(' '))
      // The screen of the site office shows two lists, too.
      assert.equal(to('/api/permits'), path === '/today' ? 0 : 2, sent.join(' '))
    }
  })

  test('761 a phone has Today, Map, New, Tasks and More; the pages behind More can be reached from it', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(at('/today'))
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('link', { name: 'Today' }).waitFor()
    assert.deepEqual(
      (
        await bar
          .locator('.way')
          .evaluateAll(all => all.filter(one => one.checkVisibility()).map(one => one.querySelector('span')?.textContent))
      ).map(name => name?.replace(/\d+$/, '')),
      ['Today', 'Map', 'New', 'Tasks', 'More'],
    )
    await bar.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Audit log' }).waitFor()
    await stage.axe(page)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Site: pages' }).getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
  })

  test('761 a tap next to an open menu only closes it: nothing behind it is pressed, and nothing there has the focus', async () => {
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at('/today'))
    const task = page.locator('.task-open').first()
    await task.waitFor()
    const tapTask = async () => {
      await task.evaluate(one => one.scrollIntoView({ block: 'center' }))
      const box = await page.locator('.task').first().boundingBox()
      await page.touchscreen.tap((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    }
    const more = page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'More' })
    const menu = page.locator('.menu:popover-open')
    await more.click()
    await menu.waitFor()
    assert.equal(await task.evaluate(one => one.closest('[inert]') !== null), true)
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab')
      assert.ok(await page.evaluate(() => document.activeElement?.closest('main') === null), 'the focus is behind the menu')
    }
    await tapTask()
    await menu.waitFor({ state: 'detached' })
    assert.equal(await page.locator('[inert]').count(), 0)
    assert.equal(new URL(page.url()).pathname.endsWith('/today'), true, 'the tap opened the task')
    await tapTask()
    await page.waitForURL(url => !url.pathname.endsWith('/today'))
    await page.goBack()
    await task.waitFor()
    await more.click()
    await menu.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
    assert.equal(await page.locator('[inert]').count(), 0)
  })

  test('761 on a phone the tab of the open page is in view, although the tabs are wider than the screen', async () => {
    const { page } = await stage.sit(w.as('admin'), { width: 390 })
    await page.goto(at('/import'))
    const tab = page.getByRole('navigation', { name: 'Permits: pages' }).getByRole('link', { name: 'Import' })
    await tab.waitFor()
    await page.getByRole('heading', { name: 'Import a register', level: 1 }).waitFor()
    const box = await tab.boundingBox()
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box))
  })

  test('761 on a desktop the navigation has the groups that the person can open, and their pages as tabs', async () => {
    const { page } = await stage.sit(w.as('viewer'))
    await page.goto(at('/tasks'))
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('link', { name: 'Today' }).waitFor()
    assert.deepEqual(await bar.getByRole('link').allInnerTexts(), ['Today', 'Permits', 'Map', 'Site'])
    assert.equal(await bar.getByRole('link', { name: 'Today' }).getAttribute('aria-current'), 'page')
    await page.getByRole('navigation', { name: 'Today: pages' }).getByRole('link', { name: 'Wallet' }).click()
    await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor()
    await bar.getByRole('link', { name: 'Permits' }).click()
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const pages = page.getByRole('navigation', { name: 'Permits: pages' }).getByRole('link')
    assert.deepEqual(await pages.allInnerTexts(), ['Board', 'Area stops', 'Clashes to settle'])
    await bar.getByRole('link', { name: 'Map' }).click()
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Map: pages' }).count(), 0, 'one page needs no tabs')
  })

  test('764 New, by its button or the key C, offers a request and the hand-back of each permit that the person works under', async () => {
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at('/today'))
    await page.getByRole('button', { name: 'New' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('link', { name: 'Request a permit' }).waitFor()
    await stage.axe(page)
    await window.getByRole('link', { name: /^Hand back .*Weld handrails/ }).click()
    await page.getByRole('dialog', { name: /Hand back/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Weld handrails', level: 1 }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('step'), null)
    const desk = (await stage.sit(w.receiver)).page
    await desk.goto(at('/board'))
    await desk.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    await desk.keyboard.press('c')
    await press(desk, desk.getByRole('dialog').getByRole('link', { name: 'Request a permit' }))
    await desk.waitForURL(/\/request$/)
    await desk.getByRole('checkbox', { name: /Hot work/ }).waitFor()
  })

  test('the keys are listed with the key ?', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('/tasks'))
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await stage.axe(page)
  })
})
