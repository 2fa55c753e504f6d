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

  type Attached = { id: string; filename: string; sha256: string; url: string }
  const attached = async (): Promise<Attached[]> => (await w.issuer.get(`/permits/applications/${permit.id}`)).body.attachments
  /** Returns how red a picture of the service is at some of its pixels: red less green. */
  const redness = async ({ url }: Attached, spots: readonly [number, number][]) => {
    const answer = await fetch(`${stage.url}${url}`, { headers: { authorization: `Bearer ${w.issuer.token}` } })
    const { data, info } = await sharp(await answer.arrayBuffer())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return spots.map(([x, y]) => (data[(y * info.width + x) * 3] ?? 0) - (data[(y * info.width + x) * 3 + 1] ?? 0))
  }

  test('§4 a person marks a copy of a photo with the mouse and with the keyboard: the copy is added, the photo stays as it was', async () => {
    const { page } = await stage.sit(w.issuer, { width: 1440 })
    await page.goto(at())
    const before = await attached()
    const south = before.find(one => one.filename === 'south.jpg')
    await page.getByRole('list', { name: 'Photos' }).getByRole('button', { name: 'south.jpg' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Mark a copy' }).click()
    const picture = window.getByRole('application', { name: 'Photo to draw on' })
    await picture.waitFor()
    await stage.axe(page)
    assert.ok(await window.getByRole('button', { name: 'Save the copy' }).isDisabled(), 'without a mark there is no copy')

    // An arrow by the mouse along the middle, from a quarter of the width to a half.
    await window.getByRole('radio', { name: 'Arrow' }).check()
    const box = (await picture.boundingBox()) ?? assert.fail('The photo isn’t on screen.')
    const scale = Math.min(box.width / 640, box.height / 480)
    const screen = (x: number, y: number) =>
      [box.x + box.width / 2 + (x - 320) * scale, box.y + box.height / 2 + (y - 240) * scale] as const
    await page.mouse.move(...screen(160, 240))
    await page.mouse.down()
    await page.mouse.move(...screen(250, 240), { steps: 4 })
    await page.mouse.move(...screen(320, 240))
    await page.mouse.up()
    await window.getByText('1 mark', { exact: true }).waitFor()
    await page.mouse.click(...screen(100, 100))
    await window.getByText('1 mark', { exact: true }).waitFor() // a tap is no mark

    // A ring by the keyboard, from the middle to the right and down.
    await window.getByRole('radio', { name: 'Ring' }).check()
    await picture.focus()
    await page.keyboard.press('Enter')
    for (const key of ['ArrowRight', 'ArrowDown']) for (let n = 0; n < 5; n++) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await window.getByText('2 marks').waitFor()
    // One that Escape drops: the window stays.
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    await window.getByText('2 marks').waitFor()

    // Closing asks first.
    await page.keyboard.press('Escape')
    await window.getByText('The marked copy isn’t saved yet.').waitFor()
    await stage.axe(page)
    await window.getByRole('button', { name: 'Keep marking' }).click()
    await window.getByRole('button', { name: 'Save the copy' }).click()
    await page.getByText('The marked copy has been added.').waitFor()
    await window.getByRole('heading', { name: 'south.jpg' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('list', { name: 'Photos' }).getByRole('button', { name: 'south (marked).jpg' }).waitFor()

    const after = await attached()
    assert.deepEqual(
      after.find(one => one.id === south?.id),
      south,
    )
    const copy = after.find(one => one.filename === 'south (marked).jpg') ?? assert.fail('The copy is missing.')
    // On the arrow and on the ring (its leftmost point is half its height below the middle) it is red; elsewhere it is as it was.
    const [shaft = 0, rim = 0, elsewhere = 0] = await redness(copy, [
      [220, 240],
      [320, 288],
      [500, 60],
    ])
    assert.ok(shaft > 120 && rim > 120 && elsewhere < 0, `${shaft}, ${rim}, ${elsewhere}`)
  })

  test('§4 a finger draws on a phone without a connection, an undone mark isn’t saved, and the copy waits on the phone until it is sent', async () => {
    const { page } = await stage.sit(w.issuer, { width: 390, offline: true })
    await page.goto(at())
    const strip = page.getByRole('list', { name: 'Photos' })
    await strip.getByRole('button', { name: 'north.jpg' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('img', { name: 'north.jpg' }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    await page.context().setOffline(true)
    await window.getByRole('button', { name: 'Mark a copy' }).click()
    const picture = window.getByRole('application', { name: 'Photo to draw on' })
    const box = (await picture.boundingBox()) ?? assert.fail('The photo isn’t on screen.')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + box.width * x, y: box.y + box.height * y }],
      })
    const drawn = async (from: number, to: number) => {
      await touch('touchStart', from, 0.4)
      for (let n = 1; n <= 5; n++) await touch('touchMove', from + ((to - from) * n) / 5, 0.4 + n * 0.05)
      await touch('touchEnd')
    }
    await drawn(0.2, 0.5)
    await window.getByText('1 mark', { exact: true }).waitFor()
    await drawn(0.6, 0.9)
    await window.getByText('2 marks').waitFor()
    await window.getByRole('button', { name: 'Undo the last mark' }).click()
    await window.getByText('1 mark', { exact: true }).waitFor()
    await window.getByRole('button', { name: 'Save the copy' }).click()
    await page.getByText('Saved on this device.').waitFor()
    await page.keyboard.press('Escape')
    await strip.getByRole('button', { name: 'north (marked).jpg' }).getByText('Not sent').waitFor()
    await page.context().setOffline(false)
    await strip.getByText('Not sent').waitFor({ state: 'detached', timeout: 30_000 })
    assert.equal((await attached()).filter(one => one.filename === 'north (marked).jpg').length, 1)
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
    assert.equal((await attached()).filter(one => one.filename === 'east.jpg').length, 1)
  })
})
