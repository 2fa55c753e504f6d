// What is shown before a step, what the step asks for, and what it leaves to the person.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { holdFor } from './hands.ts'
import { useStage } from './kit.ts'
import { type Advice, saysFirst } from './says-first.ts'

describe('before a step', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`

  test('9.9 review, issue, countersignature and close-out show their warnings and the declaration next to the button, and no toast afterwards', async () => {
    const asked = await w.at('requested', { title: 'Cut the slab' })
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at(`permits/${asked.id}?review=endorse`))
    const decide = page.getByRole('region', { name: 'Your decision' })
    const advice = (await w.read(asked, w.as('coordinator'))).advice.endorse
    assert.ok(advice.warnings.length > 0)
    for (const { detail } of advice.warnings) await decide.getByText(detail, { exact: true }).waitFor()
    await decide.getByText(advice.statement).waitFor()
    await stage.axe(page)
    await decide.getByRole('button', { name: 'Endorse' }).click()
    await page.getByText('Endorsed').first().waitFor()
    assert.equal(await page.locator('.toasts > *').count(), 1, 'the step alone')

    const signed = await w.at('signed', { title: 'Set the beam' })
    const { page: field } = await stage.sit(w.receiver, { width: 390 })
    const said = (await w.read(signed, w.receiver)).advice.countersign
    await field.goto(at(`wallet?permit=${signed.id}`))
    for (const { detail } of said.warnings) await field.getByText(detail, { exact: true }).waitFor()
    await field.getByText(said.statement).waitFor()
    await stage.axe(field)

    const approved = await w.at('approved', { title: 'Lift the tank' })
    const { page: desk } = await stage.sit(w.issuer)
    await desk.goto(at(`permits/${approved.id}?review=issue`))
    const beside = desk.getByRole('region', { name: 'Your decision' })
    const issuing = (await w.read(approved, w.issuer)).advice.issue
    await saysFirst(beside, issuing, 'Sign as issuer')
    await stage.axe(desk)

    const live = await w.at('issued', { title: 'Strip the formwork' })
    const back = await w.step(live, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 45 })
    assert.equal(back.status, 200, back.text)
    const { page: round } = await stage.sit(w.as('hse'), { width: 390 })
    await round.goto(at(`permits/${live.id}`))
    await round.getByRole('button', { name: 'Close out' }).click()
    await saysFirst(round.getByRole('dialog'), (await w.read(live, w.as('hse'))).advice.close_out, 'Close out')
    await stage.axe(round)
  })

  test('9.9 closing out several permits shows the warnings and the fire watch of each under its number (9.25), and the declaration once above the button', async () => {
    const watched = await w.at('issued', { title: 'Braze the pipe, one of two' })
    const back = await w.step(watched, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 45 })
    assert.equal(back.status, 200, back.text)
    const plain = await w.at('issued', { title: 'Sweep the floor, one of two', categories: ['GEN'] })
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('board?view=table&q=one+of+two'))
    for (const one of [watched, plain]) await page.getByRole('checkbox', { name: `Select ${one.permit_number}` }).check()
    await page.getByRole('button', { name: 'Close out' }).click()
    const dialog = page.getByRole('dialog')
    const row = (one: { permit_number: string }) => dialog.getByRole('listitem').filter({ hasText: one.permit_number })
    await row(watched).getByText('Fire watch until 09:45: 45 minutes left').waitFor()
    const advice = (await w.read(watched, w.as('hse'))).advice.close_out as Advice
    for (const { detail } of advice.warnings) await row(watched).getByText(detail, { exact: true }).waitFor()
    await row(plain).waitFor()
    assert.equal(await row(plain).locator('.note').count(), 0, 'nothing to warn of')
    await saysFirst(dialog, advice, 'Close out')
    assert.equal(await dialog.getByText(advice.statement).count(), 1, 'once for all permits')
    await stage.axe(page)
    // A file arrives for one of them, and this screen doesn’t get it: it is refused, and the other is closed out.
    await page.route('**/api/permits/applications?*', () => undefined)
    const file = { name: 'file', value: Buffer.from('soil: soft'), filename: 'soil.txt' }
    assert.equal((await w.issuer.send('POST', `/permits/applications/${plain.id}/attachments`, [file])).status, 201)
    for (const box of await dialog.getByRole('checkbox').all()) await box.check()
    await holdFor(page, dialog.getByRole('button', { name: 'Close out' }))
    await dialog.getByText(/This permit has changed since you opened it/).waitFor()
    assert.deepEqual([(await w.read(watched)).status, (await w.read(plain)).status], ['closed', 'issued'])
  })

  test('9.9 the request form shows the warnings of submitting above the button; those of a change in the last second are shown afterwards', async () => {
    const draft = await w.draft({ title: 'Fix the gate', receiver_id: null })
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at(`request?draft=${draft.id}`))
    const { warnings } = (await w.read(draft, w.as('member'))).advice.submit as Advice
    assert.ok(warnings.length > 1, 'there is something to warn of')
    // The conflict panel can have a text that begins alike.
    const line = page.locator('.advice-line')
    for (const { detail } of warnings) await line.filter({ hasText: detail }).waitFor()
    // What is still loading can push it further down, so this is looked at until it is so.
    const submit = page.getByRole('button', { name: 'Submit' })
    const above = async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const [text, button] = [await line.boundingBox(), await submit.boundingBox()]
      return text !== null && button !== null && text.y + text.height <= button.y
    }
    for (let tries = 0; !(await above()); tries++) {
      assert.ok(tries < 50, 'above the button')
      await page.waitForTimeout(100)
    }
    await stage.axe(page)
    await page.getByLabel('Work to be done').fill('')
    await submit.click()
    await page.getByText('The work isn’t described.').first().waitFor()
    await page.getByText('Requested', { exact: true }).first().waitFor()
  })

  test('9.2 a person who hands back for an absent receiver must give a reason, and the signature says so', async () => {
    const live = await w.at('issued', { title: 'Burn the bolts' })
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at(`permits/${live.id}`))
    await page.getByRole('button', { name: 'Hand back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You are handing this permit back for Rex Receiver.', { exact: false }).waitFor()
    const send = dialog.getByRole('button', { name: 'Hand back' })
    assert.equal(await dialog.locator('input:checked').count(), 0, 'nothing is answered for the person')
    await dialog.getByRole('radio', { name: 'Yes' }).check()
    assert.equal(await send.getAttribute('aria-disabled'), 'true', 'not without a reason')
    await dialog.getByLabel('Why is the receiver absent?').fill('Taken ill, sent home')
    await stage.axe(page)
    await send.click()
    await page.getByText('Handed back', { exact: true }).first().waitFor()
    const { signatures } = await w.read(live)
    const last = signatures.at(-1)
    assert.deepEqual([last.kind, last.on_behalf_of?.name, last.note], ['hand_back', 'Rex Receiver', 'Taken ill, sent home'])
    await page.getByRole('region', { name: 'Activity' }).getByText('Hal Safety handed it back for Rex Receiver, who was absent').waitFor()
    await page.locator('.note').filter({ hasText: 'Hal Safety handed this permit back for Rex Receiver, who was absent' }).waitFor()
  })

  test('9.25 on a close-out nothing is ticked in advance, the fire watch shows its minutes and its end, and nobody hands back twice', async () => {
    const live = await w.at('issued', { title: 'Weld the lug' })
    const back = await w.step(live, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 45 })
    assert.equal(back.status, 200, back.text)
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at(`permits/${live.id}`))
    await page.getByRole('button', { name: 'Close out' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Fire watch until 09:45: 45 minutes left').waitFor()
    await dialog.getByText('45 minutes from 09:00').waitFor()
    assert.equal(await dialog.locator('input:checked').count(), 0)
    await stage.axe(page)
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('button', { name: 'Hand back' }).count(), 0)
    const { page: field } = await stage.sit(w.receiver, { width: 390 })
    await field.goto(at(`wallet?permit=${live.id}`))
    await field.getByRole('heading', { name: 'Weld the lug', level: 1 }).waitFor()
    assert.equal(await field.getByRole('button', { name: 'Hand back' }).count(), 0)
  })

  test('9.25 orange is only for what is waiting for the person who looks', async () => {
    const signed = await w.at('signed', { title: 'Hang the door' })
    const mine = async (who: Parameters<typeof stage.sit>[0]) => {
      const { page } = await stage.sit(who)
      await page.goto(at(`permits/${signed.id}`))
      await page.getByRole('heading', { name: 'Hang the door', level: 1 }).waitFor()
      return page.locator('.mine-panel').count()
    }
    assert.deepEqual([await mine(w.receiver), await mine(w.as('member'))], [1, 0])
  })

  test('9.13 a returned permit says why on its page and in the requestor’s tasks', async () => {
    const permit = await w.at('corrections_requested', { title: 'Prime the beam' })
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at('tasks'))
    const row = page.getByRole('article').filter({ hasText: 'Prime the beam' })
    await row.getByText('Name the fire watch').waitFor()
    await page.goto(at(`permits/${permit.id}`))
    const why = (words: string) => page.locator('.note').filter({ hasText: words })
    await why('returned this permit for corrections').getByText('Name the fire watch').waitFor()
    const rejected = await w.at('rejected', { title: 'Blast it' })
    await page.goto(at(`permits/${rejected.id}`))
    await why('rejected this permit').getByText('Unsafe').waitFor()
  })

  test('web.md Review: a permit that was returned and submitted again shows first what changed since, with what was asked for', async () => {
    const permit = await w.at('corrections_requested', { title: 'Weld the brackets', controls: 'One extinguisher' })
    const member = w.as('member')
    const kept = await member.patch(`/permits/applications/${permit.id}`, { controls: 'Two extinguishers and a fire watch' })
    assert.equal(kept.status, 200, kept.text)
    assert.equal((await w.step(permit, 'submit', member)).status, 200)
    for (const width of [390, 1440]) {
      const { page } = await stage.sit(w.as('coordinator'), { width })
      await page.goto(at(`permits/${permit.id}?review=endorse`))
      const note = page.locator('.note').filter({ hasText: 'Changed since this permit was returned for corrections' })
      await note.getByText('Name the fire watch').waitFor()
      await note.getByText('Controls: One extinguisher → Two extinguishers and a fire watch').waitFor()
      await stage.axe(page)
    }
    const { page } = await stage.sit(w.as('coordinator'))
    const first = await w.at('requested', { title: 'Weld the plates' })
    await page.goto(at(`permits/${first.id}?review=endorse`))
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    assert.equal(await page.getByText('Changed since').count(), 0)
  })

  test('9.13 people who close out see why live work was handed back, in their tasks and on the close-out round', async () => {
    const live = await w.at('issued', { title: 'Drain the riser' })
    assert.equal((await w.step(live, 'hand-back', w.receiver, { note: 'The sprinkler main leaks' })).status, 200)
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at('tasks'))
    await page.getByRole('article').filter({ hasText: 'Drain the riser' }).getByText('The sprinkler main leaks').waitFor()
    await page.goto(at('close-out'))
    await page.getByRole('heading', { name: 'Close-out round' }).waitFor()
    const card = page.getByRole('article').filter({ hasText: 'Drain the riser' })
    await card.getByText('Rex Receiver handed this permit back').waitFor()
    await card.getByText('The sprinkler main leaks').waitFor()
    // High enough for the whole round, so that no tick is half below the navigation bar.
    await page.setViewportSize({ width: 390, height: 4000 })
    await stage.axe(page)
  })

  test('9.13 the history shows what changed, field by field', async () => {
    const draft = await w.draft({ title: 'Old title', location: 'Block A' })
    await w
      .as('member')
      .patch(`/permits/applications/${draft.id}`, { title: 'New title', location: null, end_at: '2026-03-16T19:00:00.000Z' })
    const { page } = await stage.sit(w.as('member'))
    await page.goto(at(`permits/${draft.id}`))
    const history = page.getByRole('region', { name: 'Activity' })
    await history.getByText('Title: Old title → New title').waitFor()
    await history.getByText('Location: Block A → none').waitFor()
    await history.getByText('End: Mon 16 Mar 18:00 → Mon 16 Mar 19:00').waitFor()
    assert.equal(await page.getByText('changed it', { exact: true }).count(), 0)
    await stage.axe(page)
  })

  test('U5 a receiver countersigns from the task in three taps and sees the warnings on the way', async () => {
    await w.at('signed', { title: 'Bolt the frame' })
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at('tasks'))
    await page.getByRole('article').filter({ hasText: 'Bolt the frame' }).getByRole('link', { name: 'Read and countersign' }).click()
    await page.getByRole('button', { name: 'Your decision' }).click()
    await holdFor(page, page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Countersign' }))
    await page.getByText('Countersigned').first().waitFor()
  })

  test('9.26 a dialog about a title of 200 letters without a space shows everything at 320 px, and can be closed', async () => {
    const permit = await w.at('issued', { title: 'Ж'.repeat(120) + 'x'.repeat(80) })
    const { page } = await stage.sit(w.as('hse'), { width: 320 })
    await page.goto(at(`permits/${permit.id}`))
    await page.getByRole('button', { name: 'Close out' }).click()
    const close = page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true })
    const box = (await close.boundingBox()) ?? assert.fail('no button')
    assert.ok(box.x >= 0 && box.x + box.width <= 320, 'the button that closes is in sight')
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320)
  })

  test('9.9 a site activates the strict workflow after the app has said once what changes', async () => {
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at('settings/workflow'))
    await page.getByRole('button', { name: 'Use the strict workflow' }).press('Enter')
    const asked = page.getByRole('dialog', { name: 'Publish this workflow?' })
    await asked.getByText(/^New permits on this site will follow it/).waitFor()
    await asked.getByRole('heading', { name: 'What changes compared with the standard workflow' }).waitFor()
    assert.ok((await asked.getByRole('listitem').count()) > 3)
    await stage.axe(page)
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    const ask = page.getByRole('button', { name: 'Use the strict workflow' })
    assert.ok(await ask.evaluate(button => button === document.activeElement), 'nothing was published, and the focus is where it was')
    await ask.press('Enter')
    await asked.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('button', { name: 'Use the strict workflow' }).waitFor({ state: 'detached' })
    const draft = await w.draft({ title: 'Under the strict one', receiver_id: null })
    const refused = await w.step(draft, 'submit', w.as('member'))
    assert.equal(refused.status, 409, refused.text)
  })
})
