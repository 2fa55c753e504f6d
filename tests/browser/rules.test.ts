import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, hold, reach } from './hands.ts'
import { useStage } from './kit.ts'

describe('the app: rules', () => {
  const stage = useStage()
  let w: PermitWorld
  const at = (part = '') => `${stage.url}/sites/${w.site_id}/settings/rules${part}`
  const own = async () => (await w.as('hse').get(`/notification-rules/?site_id=${w.site_id}&source=site`)).body
  const shipped = async (kind: string) => (await w.as('hse').get(`/notification-rules/?site_id=${w.site_id}&kind=${kind}`)).body[0]
  before(async () => {
    w = await permitWorld(stage.house)
    const permit = await w.draft({ categories: ['HW'], start_at: '2026-03-17T10:00:00.000Z', end_at: '2026-03-17T16:00:00.000Z' })
    await w.step(permit, 'submit', w.as('member'))
  })

  const line = (page: Page, n: number) => page.getByRole('group', { name: `Condition ${n}`, exact: true })
  const tell = async (page: Page, who: string) => {
    await page.getByRole('combobox', { name: 'Add to: Recipients' }).selectOption({ label: who })
    await page.getByRole('button', { name: 'Add to: Recipients' }).click()
  }

  test('a rule is written mostly by choosing from lists, previewed before it is saved, switched on, changed, copied and deleted', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at())
    await page.getByText('This site has no rules of its own.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'New rule' }).first().click()
    await page.getByText('Choose an event, recipients, a channel and a title', { exact: false }).waitFor()
    await page.getByLabel('Rule name').fill('Hot work')
    await page.getByLabel('Event', { exact: true }).selectOption({ label: 'A permit was submitted' })
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page, 1).getByLabel('Field', { exact: true }).selectOption('categories')
    await line(page, 1).getByLabel('HW Hot work').check()
    await tell(page, 'Everyone with the role H&S')
    await page.getByLabel('Insert a field').selectOption({ label: 'Title' })
    await page.getByRole('textbox', { name: 'Text (optional)' }).click()
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    const trial = page.getByRole('complementary', { name: 'Preview' })
    await trial.getByText('1 recipient').waitFor()
    await trial.getByText('Hal Safety').waitFor()
    await trial.getByText(/The event has happened 1 time\. The rule would have been triggered 1 time, sending 1 notification\./).waitFor()
    await stage.axe(page)
    assert.deepEqual(await own(), [], 'trying saves nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 1', { exact: true }).waitFor()
    const [made] = await own()
    assert.deepEqual(
      [made.enabled, made.when, made.audience, made.title, made.body],
      [
        false,
        { all: [{ field: 'categories', op: 'overlaps', value: ['HW'] }] },
        [{ role: 'hse' }],
        'A permit was submitted: {{subject_label}}',
        '{{title}}',
      ],
    )

    await page.getByRole('button', { name: 'Switch on Hot work' }).click()
    await page.getByText('“Hot work” is on.').waitFor()
    const minHeight = (of: string) => page.evaluate(`getComputedStyle(document.querySelector('${of}')).minHeight`)
    assert.equal(await minHeight('.rules-page .lines .strong'), '44px', 'the name of a rule can be hit with a finger')
    await page.getByText('switched on', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add group' }).click()
    const group = page.getByRole('group', { name: 'Group 2' })
    await line(page, 1).last().getByLabel('Field', { exact: true }).selectOption('weekday')
    await group.getByLabel('Sat').check()
    await group.getByLabel('Sun').check()
    await group.getByRole('button', { name: 'Add condition' }).click()
    await group.getByRole('group', { name: 'Condition 2' }).getByLabel('Field', { exact: true }).selectOption('local_time')
    await group.getByLabel('From').fill('16:00')
    await group.getByLabel('To', { exact: true }).fill('06:00')
    await trial.getByText(/The rule would have been triggered 0 times/).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('condition changed').waitFor()
    assert.deepEqual((await own())[0].when.all[1], {
      any: [
        { field: 'weekday', op: 'in', value: [6, 7] },
        { field: 'local_time', op: 'between', value: ['16:00', '06:00'] },
      ],
    })

    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText(/The copy .* has been created\. It is off until you switch it on\./).waitFor()
    assert.equal((await own()).length, 2)
    await hold(
      page,
      page.getByRole('button', { name: /^Delete / }),
      page.getByText(/has been deleted\. Notifications already sent are kept\./),
    )
    await page.getByRole('heading', { name: 'This site’s rules' }).waitFor()
    assert.deepEqual(
      (await own()).map((rule: { name: string; version: number }) => [rule.name, rule.version]),
      [['Hot work', 3]],
    )
    await page.getByRole('searchbox', { name: 'Search rules' }).fill('handed back')
    await page.locator('[data-row]').nth(1).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Permits that were handed back' }).waitFor()
    assert.equal(await page.locator('[data-row]').count(), 1)
  })

  test('a fault found by the service is shown at its field, and a name in use at the name', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('/new'))
    await page.getByLabel('Rule name').fill('Broken')
    await page.getByLabel('Event', { exact: true }).selectOption({ label: 'A permit was submitted' })
    await tell(page, 'The receiver')
    await page.getByLabel('Title', { exact: true }).fill('{{nonsense}} {{subject_label}}')
    const title = page.getByLabel('Title', { exact: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.entry', { has: title }).locator('.fault').waitFor()
    assert.equal(await title.getAttribute('aria-invalid'), 'true')
    await title.fill('Look at {{subject_label}}')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await line(page, 1).getByLabel('Field', { exact: true }).selectOption('local_time')
    await page.getByRole('button', { name: 'Save' }).click()
    await line(page, 1).locator('.fault').waitFor()
    await page.getByRole('alert').getByText('The rule wasn’t saved.', { exact: false }).waitFor()
    await stage.axe(page)
    await line(page, 1).getByRole('button', { name: 'Remove condition 1' }).click()
    await w.as('hse').post('/notification-rules/', {
      site_id: w.site_id,
      name: 'Taken',
      event_kind: 'permit.issued',
      audience: [{ role: 'hse' }],
      title: 'Live',
    })
    await page.getByLabel('Rule name').fill('taken')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.entry .fault').getByText('There is already a rule called “Taken”. Choose another name.').waitFor()
  })

  test('only the channels and the switch of a standard rule can be changed; a fixed rule can only be copied', async () => {
    const { page } = await stage.sit(w.as('hse'))
    const live = await shipped('permit_live')
    await page.goto(at(`/${live.id}`))
    await page
      .getByRole('complementary')
      .getByRole('heading', { name: /^\d+ recipients?$/ })
      .waitFor()
    const title = page.getByLabel('Title', { exact: true })
    assert.equal(await title.isDisabled(), true)
    const border = await title.evaluate(one => getComputedStyle(one).borderStyle)
    assert.equal(border, 'dashed', 'a field that can’t be changed doesn’t look like one that can')
    await page.getByLabel('Email').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('is sent in the app and by email').waitFor()
    assert.deepEqual((await shipped('permit_live')).channels, ['in_app', 'email'])
    const fixed = await shipped('permit_awaiting_endorsement')
    await page.goto(at(`/${fixed.id}`))
    await page.getByText('no one can change it or switch it off', { exact: false }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^Switch off/ }).getAttribute('aria-disabled'), 'true')
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0)
    // Its condition is shown as the service stores it: a single comparison.
    assert.equal(await line(page, 1).getByLabel('Field', { exact: true }).inputValue(), 'next_gate')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText(/The copy .* has been created/).waitFor()
    assert.equal(await line(page, 1).getByLabel('Field', { exact: true }).isDisabled(), false)
  })

  test('by keyboard alone a person gets from the preferences to a rule, writes it, saves it and switches it on', async () => {
    const { page } = await stage.sit(w.as('hse'), { theme: 'dark' })
    const key = (name: string) => page.keyboard.press(name)
    const to = (wanted: Locator) => reach(page, wanted)
    await page.goto(`${stage.url}/sites/${w.site_id}/notifications/preferences`)
    await to(page.getByRole('link', { name: 'Notification rules' }))
    await key('Enter')
    await to(page.getByRole('link', { name: 'New rule' }).first())
    await key('Enter')
    await to(page.getByLabel('Rule name'))
    await page.keyboard.type('By keys')
    await to(page.getByLabel('Event', { exact: true }))
    await page.keyboard.type('A permit was endorsed')
    await to(page.getByRole('button', { name: 'Add condition' }))
    await key('Enter')
    // The field of a new line has the focus immediately.
    await page.keyboard.type('The weekday')
    await to(page.getByLabel('Sun'))
    await key('Space')
    await to(page.getByRole('combobox', { name: 'Add to: Recipients' }))
    await page.keyboard.type('The receiver')
    await to(page.getByRole('button', { name: 'Add to: Recipients' }))
    await key('Enter')
    await page.getByRole('button', { name: 'Remove The receiver' }).waitFor()
    await to(page.getByLabel('Switch on now'))
    await key('Space')
    await to(page.getByRole('button', { name: 'Save' }))
    await key('Enter')
    await page.getByText('Version 1', { exact: true }).waitFor()
    const made = (await own()).find((rule: { name: string }) => rule.name === 'By keys')
    assert.deepEqual([made.enabled, made.event_kind, made.audience], [true, 'permit.endorsed', [{ named: 'receiver' }]])
    assert.deepEqual(made.when, { all: [{ field: 'weekday', op: 'in', value: [7] }] })
    await stage.axe(page)
  })

  test('a person who can look but not change sees the rules and the reason; a person who can’t look has no link to them', async () => {
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at())
    await page.getByRole('heading', { name: 'Standard rules' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'New rule' }).count(), 0)
    assert.equal(
      await page
        .getByRole('button', { name: /^Switch off/ })
        .first()
        .getAttribute('aria-disabled'),
      'true',
    )
    const { page: other } = await stage.sit(w.as('member'))
    await other.goto(`${stage.url}/sites/${w.site_id}/notifications/preferences`)
    await other.getByRole('heading', { name: 'Notification settings' }).waitFor()
    assert.equal(await other.getByRole('link', { name: 'Notification rules' }).count(), 0)
    await other.goto(at())
    await other.getByRole('heading', { name: 'You can’t open this page' }).waitFor()
  })

  for (const theme of ['light', 'dark', 'outdoor'])
    test(`on a phone in the ${theme} theme nothing is wider than the screen, and axe finds nothing`, async () => {
      const { page } = await stage.sit(w.as('hse'), { theme, width: 390 })
      await page.goto(at())
      await page.locator('[data-row]').first().waitFor()
      await fitsPhone(page)
      await stage.axe(page)
      await page.setViewportSize({ width: 390, height: 844 })
      const [rule] = await own()
      await page.goto(at(`/${rule.id}`))
      await page
        .getByRole('complementary')
        .getByRole('heading', { name: /^\d+ recipients?$/ })
        .waitFor()
      await page.getByText('Version 1', { exact: true }).waitFor()
      await fitsPhone(page)
      await stage.axe(page)
    })
})
