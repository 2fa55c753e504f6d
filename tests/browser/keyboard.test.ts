import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import type { Caller } from '../world.ts'
import { holdByKey, press, reach } from './hands.ts'
import { useStage } from './kit.ts'

const ORDERS = [
  ['month', 'day', 'year', 'twelve', 'minute', 'half'],
  ['day', 'month', 'year', 'hour', 'minute'],
] as const

/** Types an instant into the browser's own field, in the order that this browser asks for. */
async function typeMoment(page: Page, wanted: Locator, moment: string): Promise<void> {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = /(\d+)-(\d+)-(\d+)T(\d+):(\d+)/.exec(moment) ?? []
  const twelve = String(Number(hour) % 12 || 12).padStart(2, '0')
  const parts = { year, month, day, hour, minute, twelve, half: Number(hour) < 12 ? 'AM' : 'PM' }
  // The browser ends a part of the field when the next digit is late, as on a busy machine: a person would type it again.
  for (const order of Array.from({ length: 8 }, () => ORDERS).flat()) {
    await reach(page, wanted)
    for (let i = 0; i < 7; i++) await page.keyboard.press('ArrowLeft')
    for (const part of order) {
      await page.keyboard.type(parts[part])
      // A year may have more than four digits, so the field waits for them.
      if (part === 'year') await page.keyboard.press('ArrowRight')
    }
    if ((await wanted.inputValue()) === moment) return
  }
  assert.fail(`${moment} cannot be typed: ${await wanted.inputValue()}`)
}

describe('the app: a permit by keyboard alone', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Paint the door' })
  })

  const TITLE = 'Weld handrails, stair 3'
  const at = (part: string) => `${stage.url}/sites/${w.site_id}/${part}`
  const statusOf = async (id: string) => (await w.read({ id })).status
  const seat = async (who: Caller, part: string) => {
    const { page } = await stage.sit(who)
    await page.goto(at(part))
    return page
  }
  const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${name}`) })
  const isThere = (page: Page, word: string) => page.getByText(word, { exact: true }).first().waitFor()
  /** From the tasks to the permits that are waiting there. */
  const takeUp = async (page: Page, next: string) => {
    const task = page.getByRole('article').filter({ hasText: TITLE })
    await press(page, task.getByRole('link', { name: next }))
    await page.getByRole('heading', { name: TITLE, level: 1 }).waitFor()
  }

  test('web.md 9: a permit is requested, endorsed, approved, issued, countersigned and closed out without a mouse, each step by a person who can take it', async () => {
    const writer = await seat(w.as('member'), 'board')
    await press(writer, writer.getByRole('link', { name: /Request a permit/ }).first())
    await press(writer, writer.getByRole('checkbox', { name: /Hot work/ }), 'Space')
    await reach(writer, writer.getByLabel('Work to be done'))
    await writer.keyboard.type(TITLE)
    await press(writer, writer.getByRole('button', { name: 'Fire', exact: true }))
    await press(writer, writer.getByRole('button', { name: 'Choose other times' }))
    await typeMoment(writer, writer.getByLabel('From'), '2026-03-16T10:00')
    await typeMoment(writer, writer.getByLabel('To', { exact: true }), '2026-03-16T18:00')
    await reach(writer, writer.getByLabel('Receiver', { exact: true }))
    await writer.keyboard.type('Rex Receiver')
    await writer.getByText(/^Saved \d\d:\d\d$/).waitFor()
    await press(writer, writer.getByRole('button', { name: 'Submit' }))
    await isThere(writer, 'Requested')
    const id = new URL(writer.url()).pathname.split('/').at(-1) ?? ''
    const kept = await w.read({ id })
    assert.deepEqual(
      [kept.status, kept.title, kept.hazards, kept.start_at, kept.end_at, kept.receiver_id],
      ['requested', TITLE, ['Fire'], '2026-03-16T10:00:00.000Z', '2026-03-16T18:00:00.000Z', w.receiver.user_id],
    )

    const first = await seat(w.as('coordinator'), 'tasks')
    await takeUp(first, 'Review and endorse')
    await reach(first, first.getByLabel(/Further controls/))
    await first.keyboard.type('Drench the falsework')
    await press(first, first.getByRole('button', { name: 'Endorse' }))
    await isThere(first, 'Endorsed')

    const second = await seat(w.as('hse'), 'tasks')
    await takeUp(second, 'Review and approve')
    await press(second, second.getByRole('button', { name: 'Approve' }))
    await isThere(second, 'Approved')

    const issuer = await seat(w.issuer, 'tasks')
    await takeUp(issuer, 'Read and sign')
    await issuer.getByRole('heading', { name: 'Your decision' }).waitFor()
    await holdByKey(issuer, issuer.getByRole('button', { name: /^Sign as issuer/ }), issuer.getByText('Signed as issuer').first())

    const receiver = await seat(w.receiver, 'wallet')
    await press(receiver, receiver.getByRole('link', { name: TITLE }))
    await receiver.getByRole('heading', { name: TITLE, level: 1 }).waitFor()
    await holdByKey(
      receiver,
      receiver.getByRole('button', { name: 'Countersign' }),
      receiver.getByText('Signed, but the window hasn’t started'),
    )
    assert.equal(await statusOf(id), 'issued')

    // On the board, arrow keys move from card to card and from column to column.
    const closer = await seat(w.as('coordinator'), 'board')
    const card = closer.getByRole('article').filter({ hasText: TITLE }).getByRole('link', { name: TITLE })
    await card.waitFor()
    await reach(closer, closer.getByRole('link', { name: 'Paint the door' }))
    // The live column is the first, and its top card is the one that ends soonest.
    const there = () => card.evaluate(one => one === document.activeElement)
    for (const [key, times] of [
      ['ArrowLeft', 8],
      ['ArrowUp', 8],
      ['ArrowDown', 8],
    ] as const)
      for (let i = 0; i < times && !(await there()); i++) await closer.keyboard.press(key)
    assert.ok(await there(), await closer.evaluate('document.activeElement.outerHTML.slice(0, 200)'))
    await closer.keyboard.press('Enter')
    await closer.getByRole('heading', { name: TITLE, level: 1 }).waitFor()
    await press(closer, closer.getByRole('button', { name: 'Close out' }))
    const window = closer.getByRole('dialog')
    for (const item of await window.getByRole('checkbox').all()) await press(closer, item, 'Space')
    await stage.axe(closer)
    await holdByKey(closer, dialogButton(closer, 'Close out'), closer.getByText('Closed', { exact: true }).first())
    assert.equal(await statusOf(id), 'closed')
  })

  test('a button that is released too soon does nothing; Escape closes a dialog, and the focus returns to where it was', async () => {
    const permit = await w.at('issued', { title: 'Dig for the drain', categories: ['GEN'] })
    const page = await seat(w.as('coordinator'), `permits/${permit.id}`)
    const open = page.getByRole('button', { name: 'Close out' })
    await press(page, open)
    for (const item of await page.getByRole('dialog').getByRole('checkbox').all()) await press(page, item, 'Space')
    await reach(page, dialogButton(page, 'Close out'))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await open.evaluate(one => one === document.activeElement), true)
    assert.equal(await statusOf(permit.id), 'issued')
  })
})
