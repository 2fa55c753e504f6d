import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import QRCode from 'qrcode'
import { type Permit, type PermitWorld, permitWorld } from '../permits.ts'
import { fitsPhone, holdFor } from './hands.ts'
import { useStage } from './kit.ts'

/** Counts a person's actions: a tap is one action, and so is a long press. */
function hand(page: Page) {
  let taps = 0
  let letters = 0
  return {
    get taps() {
      return taps
    },
    async tap(what: Locator) {
      await what.click()
      taps++
    },
    async hold(what: Locator) {
      await holdFor(page, what)
      taps++
    },
    async write(what: Locator, text: string) {
      await what.click()
      await what.pressSequentially(text)
      taps++
      letters += text.length
    },
    /**
     * Returns how long this takes a person, in seconds, by the keystroke-level model: finding and tapping, and letters at 36 words a minute (phones, Palin et
     * al. 2019).
     */
    get seconds() {
      return taps * (1.35 + 1.1) + letters * 0.33
    },
  }
}

describe('in the field: walk-down by code, the close-out round, tasks', () => {
  const stage = useStage()
  let w: PermitWorld
  let permit: Permit
  before(async () => {
    w = await permitWorld(stage.house)
    permit = await w.at('signed', { title: 'Weld handrails, stair 3' })
    const done = await w.at('issued', { title: 'Dig for the drain' })
    const back = await w.step(done, 'hand-back', w.receiver, { work_complete: true, fire_watch_minutes: 0 })
    assert.equal(back.status, 200, back.text)
    await w.at('requested', { title: 'Set the hoist' })
  })

  const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`
  const codeOf = async (one: Permit) => {
    const { body } = await w.receiver.get(`/permits/applications/wallet?site_id=${w.site_id}`)
    return (body as { id: string; qr_payload: string }[]).find(carried => carried.id === one.id)?.qr_payload ?? assert.fail('no code')
  }

  test('web.md 8: each page has one column and targets of 64 px, or 120 px for gloves; nothing is cut off at 390 px', async () => {
    for (const [gloves, least] of [
      [false, 64],
      [true, 120],
    ] as const) {
      const { page } = await stage.sit(w.receiver, { width: 390, gloves })
      await page.goto(at('wallet'))
      const scan = page.getByRole('link', { name: 'Scan a permit' })
      await scan.waitFor()
      assert.ok(((await scan.boundingBox())?.height ?? 0) >= least, 'scan')
      await page.getByRole('link', { name: 'Weld handrails, stair 3' }).click()
      const sign = page.getByRole('button', { name: 'Countersign' })
      await sign.waitFor()
      assert.ok(((await sign.boundingBox())?.height ?? 0) >= least, 'countersign')
      assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'sideways')
    }
  })

  test('a photo of a code opens the permit, and so does a number; a code of another kind is refused with a message', async () => {
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at(`wallet?permit=${permit.id}`))
    await page.getByRole('button', { name: 'Show QR code' }).click()
    const buffer = await page.getByRole('img', { name: /QR code of this permit/ }).screenshot()
    await page.goto(at('scan'))
    await page.getByText('The camera can’t be used.').waitFor()
    await page.getByLabel('Photo of the code').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer })
    await page.getByRole('heading', { name: 'Weld handrails, stair 3', level: 1 }).waitFor()
    await page.goto(at('scan'))
    await page.getByLabel('Permit number').fill(String(Number(permit.permit_number.split('-').at(-1))))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Weld handrails, stair 3', level: 1 }).waitFor()
    await page.goto(at('scan'))
    await page.getByLabel('Permit number').fill('999999')
    await page.keyboard.press('Enter')
    await page.getByText('Permit 999999 doesn’t exist, or you don’t have access to it. Check the number.').waitFor()
  })

  test('an altered document is not genuine, and opens nothing', async () => {
    const { page } = await stage.sit(w.receiver, { width: 390 })
    await page.goto(at('scan'))
    await page.getByText('The camera can’t be used.').waitFor()
    const real = await codeOf(permit)
    const forged = real.replace(/(\.[^.]*)$/, end => `${end.slice(0, 5)}${end[5] === 'A' ? 'B' : 'A'}${end.slice(6)}`)
    const svg = await QRCode.toString(forged, { type: 'svg', errorCorrectionLevel: 'M' })
    const drawing = await page.context().newPage()
    await drawing.setContent(`<div style="width:600px">${svg}</div>`)
    const buffer = await drawing.locator('svg').screenshot()
    await page.getByLabel('Photo of the code').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer })
    await page.getByText('This paper can’t be trusted').waitFor()
    assert.match(page.url(), /\/scan$/)
  })

  test('U5 a receiver countersigns from the permit’s code in three taps: a scan and a long press', async () => {
    const svg = await QRCode.toString(await codeOf(permit), { type: 'svg', errorCorrectionLevel: 'M' })
    const { page, context } = await stage.sit(w.receiver, { width: 390 })
    // The picture of the camera: the document, drawn into it.
    await context.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 })
      const paper = new Image()
      paper.src = 'data:image/svg+xml,' + encodeURIComponent(${JSON.stringify(svg)})
      await paper.decode()
      const ground = canvas.getContext('2d')
      const draw = () => {
        ground.fillRect(0, 0, 640, 480)
        ground.drawImage(paper, 120, 40, 400, 400)
      }
      draw()
      setInterval(draw, 100)
      return canvas.captureStream(10)
    }`)
    await page.goto(at('wallet'))
    const thumb = hand(page)
    await thumb.tap(page.getByRole('link', { name: 'Scan a permit' }))
    const sign = page.getByRole('button', { name: 'Countersign' })
    await sign.waitFor()
    await page.getByRole('heading', { name: 'Weld handrails, stair 3', level: 1 }).waitFor()
    await thumb.hold(sign)
    await page.getByText('Signed, but the window hasn’t started').waitFor()
    assert.ok(thumb.taps <= 3, `${thumb.taps} taps`)
    assert.equal((await w.read(permit)).status, 'issued')
  })

  test('U5 a permit is closed out in five taps on the round: three confirmations and a long press', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at('wallet'))
    const thumb = hand(page)
    await thumb.tap(page.getByRole('link', { name: 'Close-out round: 1 permit' }))
    await page.getByRole('heading', { name: 'Close-out round' }).waitFor()
    const ticks = page.getByRole('checkbox')
    await ticks.nth(2).waitFor()
    await stage.axe(page)
    const sign = page.getByRole('button', { name: 'Close out' })
    assert.equal(await sign.getAttribute('aria-disabled'), 'true', 'not before all three')
    for (let i = 0; i < 3; i++) await thumb.tap(ticks.nth(i))
    await sign.scrollIntoViewIfNeeded()
    await thumb.hold(sign)
    await page.getByText('There are no permits left to close out.').waitFor()
    assert.ok(thumb.taps <= 5, `${thumb.taps} taps`)
    await stage.axe(page)
  })

  test('tasks are counted in the navigation bar, the next button leads to the decision, and the assigned person is shown', async () => {
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at('tasks'))
    const task = page.getByRole('article').filter({ hasText: 'Set the hoist' })
    await task.waitFor()
    const { waiting } = (await w.as('coordinator').get('/tasks/unread-count')).body
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Tasks/ })
      .getByText(String(waiting), { exact: true })
      .waitFor()
    await page.getByText(`${waiting} waiting for you`).waitFor()
    await stage.axe(page)
    await task.getByRole('button', { name: 'Assign to me' }).click()
    await task.getByText('Assigned to you').waitFor()
    await task.getByRole('link', { name: 'Review and endorse' }).click()
    await page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Endorse' }).click()
    await page.getByText('Endorsed').first().waitFor()
    await page.goto(at('tasks'))
    await page.getByRole('heading', { name: 'Tasks' }).waitFor()
    await task.waitFor({ state: 'detached' })
  })

  test('9.22 J and K move through dense rows, Enter opens, and a decision opens the next task', async () => {
    const first = await w.at('requested', { title: 'Lift the first panel', end_at: '2026-03-16T12:00:00.000Z' })
    const second = await w.at('requested', { title: 'Lift the second panel', end_at: '2026-03-16T13:00:00.000Z' })
    const { page } = await stage.sit(w.as('coordinator'))
    await page.goto(at('tasks'))
    const rows = page.getByRole('article')
    await rows.filter({ hasText: first.title }).waitFor()
    const heights = await rows.evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
    assert.ok(Math.max(...heights) <= 64, `rows of ${heights} px`)
    const order = await rows.locator('.task-title').allTextContents()
    for (let i = 0; i <= order.indexOf(first.title); i++) await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    assert.equal(await page.evaluate(`document.activeElement.closest('article').querySelector('.task-title').textContent`), first.title)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: first.title, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Endorse' }).click()
    const next = order[order.indexOf(first.title) + 1] ?? ''
    assert.ok(next === second.title || order.includes(second.title))
    await page.getByRole('heading', { name: next, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Your decision' }).waitFor()
    assert.equal((await w.read(first)).status, 'endorsed')
  })

  test('9.22 a task shows the whole title of its permit at 1440 px', async () => {
    const title = 'Break out the old culvert, shore the sides and lay the new foul drain from manhole three to manhole seven'
    await w.at('requested', { title })
    const { page } = await stage.sit(w.as('hse'), { width: 1440 })
    await page.goto(`${stage.url}/sites/${w.site_id}/tasks`)
    const shown = page.getByRole('article').getByText(title, { exact: true })
    await shown.first().waitFor()
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.task-title')].filter(one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)`,
    )
    assert.deepEqual(cut, [])
    if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/tasks-1440.png` })
  })

  test('9.22 a receiver sees the countersignature task, a requestor the corrections with a link, an H&S manager the people who can issue', async () => {
    const signed = await w.at('signed', { title: 'Fix the cleats' })
    const back = await w.at('corrections_requested', { title: 'Coat the steel' })
    const { page: field } = await stage.sit(w.receiver, { width: 390 })
    await field.goto(at('tasks'))
    const row = field.getByRole('article').filter({ hasText: 'Fix the cleats' })
    await row.getByRole('link', { name: 'Read and countersign' }).click()
    await field.getByRole('heading', { name: 'Fix the cleats', level: 1 }).waitFor()
    await holdFor(field, field.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Countersign' }))
    await field.getByText('Countersigned').first().waitFor()
    assert.equal((await w.read(signed)).status, 'issued')
    const { page: writer } = await stage.sit(w.as('member'), { width: 390 })
    await writer.goto(at('tasks'))
    await writer.getByRole('article').filter({ hasText: back.title }).getByRole('link', { name: 'Correct and resubmit' }).click()
    await writer.waitForURL(new RegExp(`draft=${back.id}`))
    await w.at('approved', { title: 'Raise the mast' })
    const { page: hse } = await stage.sit(w.as('hse'))
    await hse.goto(at('tasks'))
    await hse.getByRole('article').filter({ hasText: 'Raise the mast' }).getByText('Can be done by Ivy Issuer').waitFor()
    await stage.axe(hse)
  })

  test('9.21 U5 a permit for hot work is requested on a phone in 15 taps and 60 s, on a page of 2,000 px', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at('board'))
    const thumb = hand(page)
    await thumb.tap(page.getByRole('link', { name: 'Request a permit' }))
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    assert.equal(await page.getByRole('textbox').count(), 0, 'the types first, and nothing else')
    await thumb.tap(page.getByRole('checkbox', { name: /Hot work/ }))
    await thumb.write(page.getByLabel('Work to be done'), 'Weld the handrails of stair 3, both sides')
    await thumb.tap(page.getByRole('button', { name: 'Fire', exact: true }))
    await thumb.tap(
      page
        .getByRole('group', { name: 'Usual windows' })
        .getByRole('button', { name: /^Tomorrow/ })
        .first(),
    )
    await thumb.write(page.getByLabel('Location'), 'Block A, stair 3, level 2')
    await thumb.tap(page.getByRole('group', { name: 'Receivers on your last permits' }).getByRole('button', { name: 'Rex Receiver' }))
    const checks = page.getByRole('region', { name: 'Pre-checks' }).getByRole('radio', { name: 'Yes' })
    assert.equal(await checks.count(), 7)
    for (const check of await checks.all()) await thumb.tap(check)
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    assert.equal(await page.getByLabel('Contractor').locator('option:checked').textContent(), 'Acme Scaffolding Ltd', 'their own')
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
    await thumb.tap(page.getByRole('button', { name: 'Submit' }))
    await page.getByText('Requested', { exact: true }).first().waitFor()
    const made = await w.read({ id: new URL(page.url()).pathname.split('/').at(-1) ?? '' })
    assert.deepEqual(
      [made.status, made.receiver_id, made.title],
      ['requested', w.receiver.user_id, 'Weld the handrails of stair 3, both sides'],
    )
    assert.ok(
      made.start_at !== null && made.end_at !== null && made.pre_checks.every((one: { answer: string | null }) => one.answer === 'yes'),
    )
    assert.ok(thumb.taps <= 15, `${thumb.taps} taps`)
    assert.ok(thumb.seconds <= 60, `${thumb.seconds} s`)
    assert.ok(height <= 2000, `${height} px`)
  })

  test('9.26 at 390 px each permit type of the form can be read: no name is wider than its tile', async () => {
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at('request'))
    await page.getByRole('checkbox', { name: /Hot work/ }).waitFor()
    await fitsPhone(page)
  })

  test('9.21 an earlier permit is copied in the form: everything except its times and its answers', async () => {
    const past = await w.at('issued', { title: 'Grind the ledge', location: 'Block B, roof', hazards: ['Fire'] })
    const { page } = await stage.sit(w.as('member'), { width: 390 })
    await page.goto(at('request'))
    await page.getByRole('button', { name: 'Copy an earlier permit' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Grind the ledge/ })
      .click()
    await page.getByText(`Copied from ${past.permit_number}`, { exact: false }).waitFor()
    assert.equal(await page.getByLabel('Location').inputValue(), 'Block B, roof')
    assert.equal(await page.getByRole('button', { name: 'Fire', exact: true }).getAttribute('aria-pressed'), 'true')
    assert.equal(await page.getByRole('region', { name: 'Pre-checks' }).locator('input:checked').count(), 0)
    await page.getByText(/^Saved \d\d:\d\d$/).waitFor()
    await fitsPhone(page)
    await stage.axe(page)
    await page.waitForURL(/draft=(?!new-)/)
    const made = await w.read({ id: new URL(page.url()).searchParams.get('draft') ?? '' }, w.as('member'))
    assert.deepEqual([made.title, made.start_at, made.receiver_id], ['Grind the ledge', null, w.receiver.user_id])
  })

  test('U5 a permit is reviewed in four interactions: tasks, the task, its review, and the decision', async () => {
    const made = await w.at('requested', { title: 'Pour the slab' })
    const { page } = await stage.sit(w.as('coordinator'), { width: 390 })
    await page.goto(at('board'))
    const thumb = hand(page)
    await thumb.tap(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Tasks/ }))
    const task = page.getByRole('article').filter({ hasText: 'Pour the slab' })
    await thumb.tap(task.getByRole('link', { name: 'Review and endorse' }))
    await thumb.tap(page.getByRole('button', { name: 'Your decision' }))
    await thumb.tap(page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Endorse' }))
    await page.getByText('Endorsed').first().waitFor()
    assert.ok(thumb.taps <= 4, `${thumb.taps} taps`)
    assert.equal((await w.read(made)).status, 'endorsed')
  })

  for (const theme of ['light', 'dark', 'outdoor'])
    test(`axe finds nothing on the field screens in the ${theme} theme`, async () => {
      const { page } = await stage.sit(w.receiver, { theme, width: 390 })
      for (const [path, word] of [
        ['wallet', 'Weld handrails, stair 3'],
        [`wallet?permit=${permit.id}`, 'Where, when, who'],
        ['scan', 'The camera can’t be used.'],
        ['outbox', 'Nothing is waiting to be sent.'],
        ['tasks', 'Tasks'],
        ['close-out', 'Close-out round'],
      ] as const) {
        await page.goto(at(path))
        await page.getByText(word, { exact: false }).first().waitFor()
        await stage.axe(page)
      }
    })
})
