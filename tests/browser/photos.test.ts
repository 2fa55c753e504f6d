// The photos of a permit: small pictures, one large with its neighbours, and those that are still on the phone.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

const photo = (hue: number) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: { r: hue, g: 120, b: 90 } } })
    .jpeg()
    .toBuffer()

describe('photos', () => {
  const stage = useStage()
  let w: PermitWorld
  let permit: Permit
  before(async () => {
    w = await permitWorld(stage.house)
    permit = await w.at('approved', { title: 'Cut the channel' })
    for (const [name, hue] of [
      ['north.jpg', 200],
      ['south.jpg', 60],
    ] as const)
      await w.issuer.send('POST', `/permits/applications/${permit.id}/attachments`, [
        { name: 'file', filename: name, value: await photo(hue) },
      ])
    const text = [{ name: 'file', filename: 'method.txt', value: Buffer.from('Cut it.') }]
    await w.issuer.send('POST', `/permits/applications/${permit.id}/attachments`, text)
  })
  const at = () => `${stage.url}/sites/${w.site_id}/permits/${permit.id}`

  for (const width of [390, 1440])
    test(`photos are shown as pictures, other files as lines; a tap shows one large, with the next and the previous one (${width} px)`, async () => {
      const { page } = await stage.sit(w.issuer, { width })
      await page.goto(at())
      const strip = page.getByRole('list', { name: 'Photos' })
      await strip.getByRole('button', { name: 'north.jpg' }).waitFor()
      assert.equal(await strip.getByRole('button').count(), 2)
      await page.getByRole('button', { name: 'method.txt' }).waitFor()
      await page.locator('.photo-small img').nth(1).waitFor()
      await stage.axe(page)
      await strip.getByRole('button', { name: 'north.jpg' }).click()
      const large = page.getByRole('dialog')
      await large.getByRole('img', { name: 'north.jpg' }).waitFor()
      await large.getByText('1 of 2').waitFor()
      await stage.axe(page)
      await large.getByRole('button', { name: 'Next photo' }).click()
      await large.getByRole('img', { name: 'south.jpg' }).waitFor()
      assert.ok(await large.getByRole('button', { name: 'Next photo' }).isDisabled())
      await page.keyboard.press('ArrowLeft')
      await large.getByRole('heading', { name: 'north.jpg' }).waitFor()
      await large.getByRole('button', { name: 'Open the original file' }).waitFor()
      await page.keyboard.press('Escape')
      await large.waitFor({ state: 'detached' })
    })

  test('a photo that isn’t sent yet is shown with that mark, until it is', async () => {
    const { page } = await stage.sit(w.issuer, { width: 390, offline: true })
    await page.goto(at())
    await page.getByRole('button', { name: 'north.jpg' }).waitFor()
    await page.context().setOffline(true)
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'east.jpg', mimeType: 'image/jpeg', buffer: await photo(30) })
    const strip = page.getByRole('list', { name: 'Photos' })
    await strip.getByRole('button', { name: 'east.jpg' }).getByText('Not sent').waitFor()
    await strip.getByRole('button', { name: 'east.jpg' }).click()
    await page.getByRole('dialog').getByText('This photo is saved on this device and hasn’t been sent yet.').waitFor()
    await page.getByRole('dialog').getByRole('img', { name: 'east.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await page.context().setOffline(false)
    await strip.getByText('Not sent').waitFor({ state: 'detached', timeout: 30_000 })
    await strip.getByRole('button', { name: 'east.jpg' }).waitFor()
    assert.equal(await strip.getByRole('button').count(), 3)
  })
})
