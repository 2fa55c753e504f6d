import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runJob } from '../../server/kernel/jobs/door.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, hold } from './hands.ts'
import { useStage } from './kit.ts'
import { withKey } from './stored.ts'

describe('the app: the workflow editor', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (view: string, type?: string) =>
    `${stage.url}/sites/${w.site_id}/settings/workflow?view=${view}${type === undefined ? '' : `&type=${type}`}`
  const inForce = async (code?: string) =>
    (await w.as('hse').get(`/permits/workflow?site_id=${w.site_id}${code === undefined ? '' : `&permit_type_code=${code}`}`)).body
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const publish = async (page: Page) => {
    await button(page, 'Publish').click()
    await button(page, 'Publish now').click()
  }
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('closed')
    await w.at('requested')
  })

  test('by mouse a workflow is copied, a step removed, the fault highlighted, explained and fixed, and the graph tested with past permits, published, and reverted', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('graph'))
    await button(page, 'Make a copy').click()
    await page.getByText('Draft: not used until').waitFor()
    // A dead end: the path to it is highlighted in the drawing and explained.
    await button(page, 'Expired — Close out → Closed').click()
    await button(page, 'Remove step').click()
    const fault = page.getByRole('alert')
    await fault.getByText('No step leads out of Expired.').waitFor()
    await fault.getByText(/Draft — Submit → Requested .* → Issued — Expire → Expired/).waitFor()
    assert.match((await page.locator('.state-box.bad').textContent()) ?? '', /Expired/)
    assert.ok((await page.locator('.canvas path.bad').count()) >= 3)
    assert.equal(await button(page, 'Publish').getAttribute('aria-disabled'), 'true')
    await stage.axe(page)
    await button(page, 'Discard changes').click()
    await page.getByText('Valid: every state can be reached').waitFor()
    // The coordinator can't approve their own request.
    await button(page, 'Endorsed — Approve → Approved').click()
    await page.getByLabel(/Approver and requestor are different people/).check()
    await page.getByText('Endorsed — Approve → Approved changed').waitFor()
    await page
      .getByText('Conditions: Red conflicts acknowledged, Approver and requestor are different people, was Red conflicts acknowledged')
      .waitFor()
    await button(page, 'Test with past permits').click()
    await page.locator('progress').waitFor()
    const [{ id: job_id }] = await stage.house.rows(`select id from job_run where kind = 'workflow_backtest' and state = 'queued'`)
    await runJob(stage.house.house, job_id)
    await page.getByText('All 2 past permits would have taken the same path.').waitFor()
    await publish(page)
    await page.getByText('Active, version 1').waitFor()
    const now = await inForce()
    assert.equal(now.version, 1)
    assert.ok(
      now.transitions.some(
        (step: { key: string; guards: string[] }) => step.key === 'endorsed.approve' && step.guards.includes('approver_is_not_requestor'),
      ),
    )
    // Published again after the last publication: the version on screen is the newest.
    await button(page, 'Issued — Reissue → Issued').click()
    await button(page, 'Remove step').click()
    await publish(page)
    await page.getByText('Active, version 2').waitFor()
    await hold(page, button(page, /Remove this workflow/), page.getByText('This site uses the standard workflow'))
    assert.equal((await inForce()).seeded, true)
  })

  test('1078 a drawing stays when another person publishes: that is said, can’t be published by accident, and can replace the new version', async () => {
    const own = await permitWorld(stage.house)
    const address = `${stage.url}/sites/${own.site_id}/settings/workflow?view=graph`
    const [{ page: mine }, { page: theirs }] = [await stage.sit(own.as('hse')), await stage.sit(own.as('admin'))]
    await mine.goto(address)
    await button(mine, 'Make a copy').click()
    await mine.getByText('Draft: not used until').waitFor()
    await mine.locator('.line-dot.live').waitFor()
    await theirs.goto(address)
    const remove = async (page: Page, step: string) => {
      await button(page, step).click()
      await button(page, 'Remove step').click()
      await page.getByText(`${step} removed`).waitFor()
    }
    await remove(mine, 'Issued — Reissue → Issued')
    await remove(theirs, 'Expired — Reissue → Expired')
    await publish(theirs)
    await theirs.getByText('Active, version 1').waitFor()
    await mine.getByText('Someone else has changed this workflow in the meantime.').first().waitFor()
    await mine.getByText('Issued — Reissue → Issued removed').waitFor()
    assert.equal(await mine.getByText('Expired — Reissue → Expired removed').count(), 0, 'the drawing of the other person')
    assert.equal(await button(mine, 'Publish').getAttribute('aria-disabled'), 'true')
    await stage.axe(mine)
    await button(mine, 'Continue with mine').click()
    await publish(mine)
    await mine.getByText('Active, version 2').waitFor()
    // A drawing without changes follows what is published.
    await theirs.getByText('Active, version 2').waitFor()
    await theirs.getByText('Issued — Reissue → Issued removed').waitFor()
    // Removed in the meantime: the drawing is still there, and goes on in another copy.
    await remove(mine, 'Closed — Reissue → Closed')
    await hold(theirs, button(theirs, /Remove this workflow/), theirs.getByText('This site uses the standard workflow'))
    await mine.getByText('It was removed.', { exact: false }).waitFor()
    await mine.getByText('Closed — Reissue → Closed').first().waitFor({ state: 'detached' })
    await button(mine, 'Make a copy').click()
    await button(mine, 'Continue with mine').click()
    await publish(mine)
    await mine.getByText('Active, version 1').waitFor()
    const now = (await own.as('hse').get(`/permits/workflow?site_id=${own.site_id}`)).body
    assert.equal(
      now.transitions.some((step: { from: string; action: string }) => step.action === 'reissue' && step.from !== 'expired'),
      false,
    )
  })

  test('1069 a drawing is still there after the page was left, another scope was chosen or the page was reloaded, until it is discarded', async () => {
    const own = await permitWorld(stage.house)
    const address = `${stage.url}/sites/${own.site_id}/settings/workflow?view=table`
    const [{ page }, { page: theirs }] = [await stage.sit(own.as('hse')), await stage.sit(own.as('admin'))]
    await page.goto(address)
    await button(page, 'Make a copy').click()
    await button(page, 'Remove Rejected').click()
    const removed = page.getByText('State Rejected removed')
    const restored = page.getByText('You made these changes just now on this device. They haven’t been published.')
    await removed.waitFor()
    const scope = page.getByLabel('Workflow of')
    const other = await scope.locator('option').nth(1).textContent()
    await scope.selectOption({ index: 1 })
    await removed.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Unpublished changes').count(), 0, `nothing was drawn for ${other}`)
    await scope.selectOption({ index: 0 })
    await removed.waitFor()
    await restored.waitFor()
    await page.getByRole('link', { name: 'Today' }).first().click()
    await page.goBack()
    await removed.waitFor()
    await page.reload()
    await removed.waitFor()
    await restored.waitFor()
    await stage.axe(page)
    // Published by another person while the page was closed: it isn’t replaced by accident.
    await page.goto(`${stage.url}/sites/${own.site_id}/today`)
    await theirs.goto(address)
    await button(theirs, 'Remove Withdrawn').click()
    await publish(theirs)
    await theirs.getByText('Active, version 1').waitFor()
    await page.goto(address)
    await page.getByText('Your changes are still here.', { exact: false }).waitFor()
    assert.equal(await button(page, 'Publish').getAttribute('aria-disabled'), 'true')
    await button(page, 'Continue with mine').click()
    // Until the device has stored what the drawing now differs from.
    const was = async () => (await withKey(page)).forms?.map(one => JSON.stringify(JSON.parse(one)[1].was)).join() ?? ''
    while ((await was()).includes('withdrawn')) await page.waitForTimeout(30)
    await page.reload()
    await removed.waitFor()
    assert.equal(await button(page, 'Publish').getAttribute('aria-disabled'), null)
    await button(page, 'Discard changes').click()
    await page.getByText('State Withdrawn removed').waitFor()
    while ((await was()) !== '') await page.waitForTimeout(30)
    await page.reload()
    await page.getByText('State Withdrawn removed').waitFor()
    assert.equal(await removed.count(), 0)
  })

  test('1069 publishing asks once: which permits it is for, what changes in the active version; a failure is shown there, and can be repeated', async () => {
    const own = await permitWorld(stage.house)
    const { page } = await stage.sit(own.as('hse'), { width: 390, busy: true })
    await page.goto(`${stage.url}/sites/${own.site_id}/settings/workflow?view=table`)
    await button(page, 'Make a copy').click()
    await button(page, 'Publish').click()
    const window = page.getByRole('dialog', { name: 'Publish this workflow?' })
    await window.getByText('New permits on this site will follow it, except those of a type with its own workflow.').waitFor()
    await window.getByText('Submitted permits finish with the workflow that they were submitted with.').waitFor()
    await button(page, 'Cancel').click()
    await page.getByText('Draft: not used until').waitFor()
    await publish(page)
    await page.getByText('Active, version 1').waitFor()
    await window.waitFor({ state: 'detached' })
    await button(page, 'Remove Rejected').click()
    await page.route('**/api/permits/workflow/*', route => route.fulfill({ status: 503, body: 'Down' }))
    await publish(page)
    await window.getByText('What changes compared with version 1').waitFor()
    await window.getByText('State Rejected removed').waitFor()
    await window.getByRole('alert').waitFor()
    await stage.axe(page)
    await page.unroute('**/api/permits/workflow/*')
    await button(page, 'Publish now').click()
    await page.getByText('Active, version 2').waitFor()
    await button(page, 'Publish').waitFor()
    assert.equal(await page.getByText('Unpublished changes').count(), 0)
  })

  test('1078 what a workflow prevents is said before it is published', async () => {
    const own = await permitWorld(stage.house)
    const { page } = await stage.sit(own.as('hse'))
    await page.goto(`${stage.url}/sites/${own.site_id}/settings/workflow?view=graph`)
    await button(page, 'Make a copy').click()
    await button(page, 'Remove Endorsed').click()
    await page.getByText('Valid: every state can be reached').waitFor()
    await page.getByText('A permit with two reviews can’t go live on this workflow.').waitFor()
    assert.equal(await button(page, 'Publish').getAttribute('aria-disabled'), null)
    await button(page, 'Discard changes').click()
    await page.getByText('A permit with two reviews can’t go live on this workflow.').waitFor({ state: 'detached' })
  })

  test('a step is drawn from one state to another, and gets the settings of the standard step between them', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('graph', 'HW'))
    await button(page, 'Make a copy').click()
    await button(page, 'Approved — Countersign → Issued').click()
    await button(page, 'Remove step').click()
    await button(page, 'Approved — Issue → Issued').waitFor()
    const box = (key: string, side: string) => page.locator(`.react-flow__node[data-id=${key}] .react-flow__handle.${side}`)
    const [from, to] = [await box('approved', 'from-right').boundingBox(), await box('issued', 'from-left').boundingBox()]
    assert.ok(from && to)
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 })
    await page.mouse.up()
    await button(page, 'Approved — Countersign → Issued').waitFor()
    await page.getByText('No differences from the standard workflow.').waitFor()
  })

  test('by keyboard alone, in the table, a review is removed for one type, its permits go straight to the next gate, and the workflow is published', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('table', 'EXC'))
    await page.getByRole('heading', { name: 'Draft' }).waitFor()
    const press = async (name: string | RegExp) => {
      await button(page, name).focus()
      await page.keyboard.press('Enter')
    }
    await press('Make a copy')
    await page.getByRole('form', { name: 'Add step' }).waitFor()
    // Tab reaches the buttons: those of one step follow each other.
    await button(page, 'Edit Requested — Endorse → Endorsed').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Endorsed can’t be reached from the initial state.').waitFor()
    await press('Remove Endorsed')
    await page.getByText('Valid: every state can be reached').waitFor()
    await press('Edit Requested — Approve → Approved')
    const window = page.getByRole('dialog')
    await window.getByLabel(/Single review/).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await page.getByText('Valid: every state can be reached').waitFor()
    await press('Publish')
    await press('Publish now')
    await page.getByText('Active, version 1').waitFor()
    const now = await inForce('EXC')
    assert.deepEqual([now.permit_type_code, now.states.some((state: { key: string }) => state.key === 'endorsed')], ['EXC', false])
    assert.equal((await inForce('GEN')).seeded, true)
  })

  test('a step with its own action is added in the table between two states', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('table', 'WAH'))
    await button(page, 'Make a copy').click()
    const add = page.getByRole('form', { name: 'Add step' })
    await add.getByLabel('From').selectOption({ label: 'Approved' })
    await add.getByLabel('To').selectOption({ label: 'Rejected' })
    await add.getByRole('button', { name: 'Add step' }).click()
    const window = page.getByRole('dialog')
    await window.getByLabel('Action').selectOption({ label: 'Reject' })
    await window.getByLabel('Who', { exact: true }).selectOption({ label: 'Approver (stage 2)' })
    await stage.axe(page)
    await window.getByRole('button', { name: 'Close' }).first().click()
    await page.getByText('Approved — Reject → Rejected added').waitFor()
    await page.getByText('Valid: every state can be reached').waitFor()
  })

  test('a person who can’t edit the workflow sees it, and can change nothing', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at('table'))
    await button(page, 'Details of Requested — Endorse → Endorsed').click()
    await page.getByRole('dialog').getByLabel('Action').waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Action').isDisabled(), true)
    assert.equal(await button(page, 'Make a copy').count(), 0)
    assert.equal(await button(page, 'Publish').count(), 0)
  })

  for (const [view, theme] of [
    ['table', 'dark'],
    ['graph', 'outdoor'],
  ] as const)
    test(`in the ${view} on a phone in the ${theme} theme nothing is wider than the screen, and axe finds nothing`, async () => {
      const { page } = await stage.sit(w.as('hse'), { theme, width: 390 })
      await page.goto(at(view))
      await (view === 'table' ? page.getByRole('heading', { name: 'Withdrawn' }) : button(page, 'Draft — Submit → Requested')).waitFor()
      await fitsPhone(page)
      await stage.axe(page)
    })
})
