// Extension requests as people make and decide them.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'
import { saysFirst } from './says-first.ts'

describe('extension requests', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`

  test('9.4 the extension dialog shows the latest possible end, and a refusal uses the site’s time', async () => {
    const live = await w.at('issued', { title: 'Dig the pit', categories: ['GEN'] })
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at(`permits/${live.id}`))
    await page.getByRole('button', { name: 'Request extension' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Latest possible end: \w{3} \d+ \w{3} \d\d:\d\d/).waitFor()
    await dialog.getByLabel('Until').fill('2026-05-01T10:00')
    await dialog.getByRole('button', { name: 'Request extension' }).click()
    const text = (await dialog.locator('.fault, .note.stop').first().textContent()) ?? ''
    assert.doesNotMatch(text, /\d{4}-\d\d-\d\dT/)
    await stage.axe(page)
  })

  test('9.9 the approval of an extension shows its warnings and its declaration above the button, and signs only what was shown', async () => {
    const live = await w.at('issued', { title: 'Shore the trench', categories: ['GEN'] })
    const asked = await w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    assert.equal(asked.status, 201, asked.text)
    const { page } = await stage.sit(w.as('hse'))
    await page.goto(at(`permits/${live.id}?review=extension`))
    const part = page.getByRole('region', { name: 'Extension requests' })
    await saysFirst(part, (await w.read(live, w.as('hse'))).advice.approve_extension, 'Approve')
    await stage.axe(page)
    // A file arrives, and this screen doesn’t get it: what would be signed is not what was shown.
    const one = `**/api/permits/applications/${live.id}`
    await page.route(one, () => undefined)
    const file = { name: 'file', value: Buffer.from('soil: soft'), filename: 'soil.txt' }
    const added = await w.issuer.send('POST', `/permits/applications/${live.id}/attachments`, [file])
    assert.equal(added.status, 201, added.text)
    await part.getByRole('button', { name: 'Approve' }).click()
    await part.getByText(/This permit has changed since you opened it/).waitFor()
    assert.equal((await w.read(live)).extensions[0].status, 'requested')
    await page.unroute(one)
    await page.reload()
    await part.getByRole('button', { name: 'Approve' }).click()
    await part.getByText('Approved', { exact: true }).waitFor()
  })

  test('9.25 a page that was opened for an extension request is orange only for people who can approve it', async () => {
    const live = await w.at('issued', { title: 'Prop the slab', categories: ['GEN'] })
    const asked = await w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    assert.equal(asked.status, 201, asked.text)
    const mine = async (who: Parameters<typeof stage.sit>[0]) => {
      const { page } = await stage.sit(who)
      await page.goto(at(`permits/${live.id}?review=extension`))
      await page.getByRole('region', { name: 'Extension requests' }).waitFor()
      return page.locator('.mine-panel[aria-label="Extension requests"]').count()
    }
    assert.deepEqual([await mine(w.as('hse')), await mine(w.as('member'))], [1, 0])
  })

  test('9.9 where an extension can only be rejected, the page says why and offers “Reject”', async () => {
    const live = await w.at('issued', { title: 'Pump out the shaft', categories: ['GEN'] })
    const asked = await w.step(live, 'extensions', w.as('member'), { requested_end_at: '2026-03-16T20:00:00.000Z' })
    assert.equal(asked.status, 201, asked.text)
    assert.equal((await w.step(live, 'hand-back', w.receiver, { work_complete: true })).status, 200)
    const { approve_extension } = (await w.read(live, w.as('hse'))).permissions
    const { page } = await stage.sit(w.as('hse'), { width: 390 })
    await page.goto(at(`permits/${live.id}?review=extension`))
    const part = page.locator('.mine-panel[aria-label="Extension requests"]')
    await part.getByText(approve_extension.because[0].detail).waitFor()
    assert.equal(await part.getByRole('button', { name: 'Approve' }).count(), 0)
    await stage.axe(page)
    await part.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason for the rejection').fill('Handed back')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('region', { name: 'Extension requests' }).getByText('Rejected', { exact: true }).waitFor()
  })
})
