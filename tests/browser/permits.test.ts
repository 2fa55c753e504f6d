import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, holdFor } from './hands.ts'
import { useStage } from './kit.ts'

/** Presses the visible button for long enough to confirm an action that can't be undone. */
const hold = (page: Page, name: string) => holdFor(page, page.getByRole('button', { name: new RegExp(`^${name}`) }).last())

describe('the app: the life of a permit', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  const path = (id: string, query = '') => `${stage.url}/sites/${w.site_id}/permits/${id}${query}`
  const statusOf = async (id: string) => (await w.read({ id })).status

  test('a permit is requested on a phone, endorsed, approved by keyboard alone, issued, countersigned on a phone, and closed out', async () => {
    const writer = await stage.sit(w.as('member'), { width: 390 })
    await writer.page.goto(`${stage.url}/sites/${w.site_id}/request`)
    await writer.page.getByRole('checkbox', { name: /Hot work/ }).check()
    await writer.page.getByText('Two-stage review').waitFor()
    await fitsPhone(writer.page)
    await stage.axe(writer.page)
    await writer.page.getByLabel('Work to be done').fill('Weld handrails, stair 3')
    await writer.page.getByRole('button', { name: 'Fire', exact: true }).click()
    await writer.page.getByRole('button', { name: 'Choose other times' }).click()
    await writer.page.getByLabel('From').fill('2026-03-16T10:00')
    await writer.page.getByLabel('To', { exact: true }).fill('2026-03-16T18:00')
    await writer.page.getByLabel('Receiver', { exact: true }).selectOption({ label: 'Rex Receiver' })
    await writer.page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    // The request is saved automatically: when it is opened again, it is complete.
    await writer.page.getByRole('button', { name: 'Submit' }).click()
    await writer.page.getByText('Requested', { exact: true }).first().waitFor()
    const id = new URL(writer.page.url()).pathname.split('/').at(-1) ?? ''
    const kept = await w.read({ id })
    assert.deepEqual(
      [kept.status, kept.title, kept.hazards, kept.start_at],
      ['requested', 'Weld handrails, stair 3', ['Fire'], '2026-03-16T10:00:00.000Z'],
    )

    const first = await stage.sit(w.as('coordinator'))
    await first.page.goto(path(id))
    await first.page.getByRole('button', { name: 'Endorse' }).click()
    await stage.axe(first.page)
    await first.page
      .getByRole('dialog')
      .getByLabel(/Further controls/)
      .fill('Drench the falsework')
    await first.page.getByRole('dialog').getByRole('button', { name: 'Endorse' }).click()
    await first.page.getByText('Endorsed', { exact: true }).first().waitFor()

    // The review is done by keyboard: the note, then the decision.
    const second = await stage.sit(w.as('hse'))
    await second.page.goto(path(id, '?review=approve'))
    await second.page.getByRole('heading', { name: 'Your decision' }).waitFor()
    await second.page.getByLabel('Note').focus()
    await second.page.keyboard.type('As drawn')
    await second.page.keyboard.press('Tab')
    assert.equal(await second.page.evaluate('document.activeElement.textContent'), 'Approve')
    await second.page.keyboard.press('Enter')
    await second.page.getByText('Approved', { exact: true }).first().waitFor()

    const issuer = await stage.sit(w.issuer, { width: 390 })
    await issuer.page.goto(path(id))
    await issuer.page.getByRole('button', { name: 'Sign as issuer' }).click()
    await hold(issuer.page, 'Sign as issuer')
    await issuer.page.getByText('Awaiting countersignature').first().waitFor()

    const receiver = await stage.sit(w.receiver, { width: 390, theme: 'outdoor', gloves: true })
    await receiver.page.goto(path(id))
    await receiver.page.getByRole('button', { name: 'Countersign' }).click()
    await stage.axe(receiver.page)
    await hold(receiver.page, 'Countersign')
    await receiver.page.getByText('Not started', { exact: true }).nth(0).waitFor()
    assert.equal(await statusOf(id), 'issued')

    await first.page.goto(path(id))
    await first.page.getByRole('button', { name: 'Close out' }).click()
    for (const item of await first.page.getByRole('dialog').getByRole('checkbox').all()) await item.check()
    await hold(first.page, 'Close out')
    await first.page.getByText('Closed', { exact: true }).first().waitFor()
    assert.equal(await statusOf(id), 'closed')
  })

  test('corrections, rejection, withdrawal, hand-back, an extension and copying each have a button of their own, with the reason that it needs', async () => {
    const { page } = await stage.sit(w.as('hse'))
    const fixed = await w.at('requested', { title: 'Pour the slab' })
    await page.goto(path(fixed.id))
    await page.getByRole('button', { name: 'Return for corrections' }).click()
    const send = page.getByRole('dialog').getByRole('button', { name: 'Return for corrections' })
    assert.equal(await send.getAttribute('aria-disabled'), 'true')
    await page.getByRole('dialog').getByLabel('Note').fill('Name the fire watch')
    await send.click()
    await page.getByText('Corrections requested', { exact: true }).first().waitFor()
    const asked = await stage.sit(w.as('member'), { width: 390 })
    for (const where of [path(fixed.id), `${stage.url}/sites/${w.site_id}/request?draft=${fixed.id}`]) {
      await asked.page.goto(where)
      await asked.page.getByText(/returned this permit for corrections/).waitFor()
      await asked.page.getByText('Name the fire watch', { exact: true }).first().waitFor()
    }
    const bad = await w.at('requested', { title: 'Blast the rock' })
    await page.goto(path(bad.id))
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Not with the crane there')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rejected', { exact: true }).first().waitFor()

    const mine = await stage.sit(w.as('member'))
    const gone = await w.at('requested', { title: 'Paint the door' })
    await mine.page.goto(path(gone.id))
    await mine.page.getByRole('button', { name: 'Withdraw' }).click()
    await mine.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await mine.page.getByText('Withdrawn', { exact: true }).first().waitFor()
    const long = await w.at('issued', { title: 'Dig for the drain', categories: ['GEN'] })
    await mine.page.goto(path(long.id))
    await mine.page.getByRole('button', { name: 'Request extension' }).click()
    await mine.page.getByLabel('Until').fill('2026-03-16T20:00')
    await mine.page.getByRole('dialog').getByRole('button', { name: 'Request extension' }).click()
    await page.goto(path(long.id))
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('region', { name: 'Extension requests' }).getByText('Approved', { exact: true }).waitFor()
    assert.equal((await w.read(long)).end_at, '2026-03-16T20:00:00.000Z')
    await mine.page.goto(path(long.id))
    await mine.page.getByRole('button', { name: 'Copy to a new permit' }).click()
    await mine.page.getByRole('dialog').getByRole('button', { name: 'Copy to a new permit' }).click()
    await mine.page.getByRole('heading', { name: 'Request a permit' }).waitFor()
    assert.equal(await mine.page.getByLabel('Title', { exact: true }).inputValue(), 'Dig for the drain')
    const field = await stage.sit(w.receiver, { width: 390 })
    await field.page.goto(path(long.id))
    await field.page.getByRole('button', { name: 'Hand back' }).click()
    await field.page.getByRole('dialog').getByRole('radio', { name: 'Yes' }).check()
    await field.page.getByRole('dialog').getByRole('button', { name: 'Hand back' }).click()
    await field.page.getByText('Handed back', { exact: true }).first().waitFor()
  })

  test('WCAG 2.4.3 on a phone, what to do next comes before the content of a permit for the Tab key too; on a wide screen and while deciding, after it', async () => {
    const permit = await w.at('requested', { title: 'Weld brackets' })
    const order = async (width: number, query = '') => {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(path(permit.id, query))
      await page.getByRole('region', { name: /^(Next step|Your decision|Decide)$/ }).waitFor()
      const tops = `[document.querySelector('.next-step'), document.querySelector('.permit-columns > .stack')].map(one => one.getBoundingClientRect().top)`
      const [next = 0, content = 0] = await page.evaluate<number[]>(tops)
      const first = await page.evaluate<boolean>(
        `(document.querySelector('.next-step').compareDocumentPosition(document.querySelector('.permit-columns > .stack')) & 4) !== 0`,
      )
      return { seen: Math.sign(content - next), first }
    }
    assert.deepEqual(await order(390), { seen: 1, first: true })
    assert.deepEqual(await order(1440), { seen: 0, first: false })
    assert.deepEqual(await order(390, '?review=endorse'), { seen: -1, first: false })
  })

  test('an impossible step shows the rule’s reason; steps of other people are not shown', async () => {
    const permit = await w.at('approved', { title: 'Cut the channel' })
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(path(permit.id))
    await page.getByText('Not available at the moment').click()
    await page
      .getByText(/appointed to issue/)
      .first()
      .waitFor()
    const draft = await w.draft({ title: 'Nobody else sees this' })
    await page.goto(path(draft.id))
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByText('Nobody else sees this').count(), 0)
  })

  test('several permits are selected in the table and closed out together, each with its own result', async () => {
    const one = await w.at('issued', { title: 'First of two' })
    const two = await w.at('issued', { title: 'Second of two' })
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(`${stage.url}/sites/${w.site_id}/board?view=table&q=of%20two`)
    for (const permit of [one, two]) await page.getByRole('checkbox', { name: `Select ${permit.permit_number ?? ''}` }).check()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Close out' }).click()
    for (const permit of [one, two]) await page.getByRole('dialog').getByText(permit.permit_number).waitFor()
    for (const item of await page.getByRole('dialog').getByRole('checkbox').all()) await item.check()
    await hold(page, 'Close out')
    await page.getByText('2 permits closed out').waitFor()
    assert.deepEqual([await statusOf(one.id), await statusOf(two.id)], ['closed', 'closed'])
  })
})
