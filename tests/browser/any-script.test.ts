// Text that people type has any length, no spaces and any direction, and a page must show it properly at any zoom.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { relayEvents } from '../../server/kernel/events/door.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { drawnWorld, ground, idle } from './ground.ts'
import { dataShown } from './hands.ts'
import { useStage } from './kit.ts'

const RTL = { arabic: 'لحام الدرابزين في الدرج رقم 3', hebrew: 'ריתוך מעקה במדרגות 3' }
const TITLES: Record<string, string> = {
  ...RTL,
  chinese: '三号楼梯扶手焊接作业及周边防火隔离'.repeat(5),
  unbroken: 'Xy'.repeat(100),
}

/** Text whose direction doesn't follow its content, neither by itself nor by the box that contains it, and that isn't isolated in a sentence. */
const UNDIRECTED = `text => [...document.querySelectorAll('main *')]
  .filter(one => one.checkVisibility() && [...one.childNodes].some(node => node.nodeType === 3 && node.data.includes(text) && !node.data.includes('\\u2068' + text)))
  .concat([...document.querySelectorAll('main input, main textarea')].filter(one => one.value === text))
  .filter(one => !/unseen/.test(one.className) && one.tagName !== 'OPTION')
  .filter(one => ![one, one.parentElement].some(box => getComputedStyle(box).direction === 'rtl' || getComputedStyle(box).unicodeBidi === 'plaintext'))
  .map(one => one.outerHTML.slice(0, 120))`

/** Text that is cut off by a box around it, and that no link or button, and no card or row with a link, leads to. A box that scrolls cuts nothing off. */
const CLIPPED = `text => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const from = node.parentElement
    if (!node.data.includes(text) || from.closest('.unseen, option, a, button, script, .permit-card, tr:has(a)') !== null || !from.checkVisibility()) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (let box = from; box !== null; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box)
      const edge = box.getBoundingClientRect()
      const out = [...range.getClientRects()].some(rect =>
        (/hidden|clip/.test(overflowX) && (rect.right > edge.right + 1 || rect.left < edge.left - 1)) ||
        (/hidden|clip/.test(overflowY) && (rect.bottom > edge.bottom + 1 || rect.top < edge.top - 1)))
      if (out) { found.push(box.className + ': ' + from.outerHTML.slice(0, 120)); break }
      // What is fixed to the screen is not cut by the boxes around it.
      if (position === 'fixed') break
    }
  }
  return found
}`

/** How many elements on the page contain this text. */
const SHOWN = `text => [...document.querySelectorAll('main *')].filter(one => one.checkVisibility() && String(one.value || one.textContent).includes(text)).length`

const WIDE = `[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 4).map(one => one.outerHTML.slice(0, 140))`

async function look(page: Page, faults: string[], where: string, shown: readonly string[]) {
  await page.locator('main h1').first().waitFor()
  await dataShown(page)
  if (!(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')))
    faults.push(`${where}: too wide, ${JSON.stringify(await page.evaluate(WIDE))}`)
  for (const text of shown) {
    const call = (code: string) => page.evaluate(`(${code})(${JSON.stringify(text)})`)
    if (Number(await call(SHOWN)) === 0) faults.push(`${where}: does not show ${text.slice(0, 20)}`)
    const clipped = await call(CLIPPED)
    if (Array.isArray(clipped) && clipped.length > 0) faults.push(`${where}: cut off, ${clipped.join(' ')}`)
    const undirected = await call(UNDIRECTED)
    if (Array.isArray(undirected) && undirected.length > 0 && Object.values(RTL).includes(text))
      faults.push(`${where}: not by its own direction, ${undirected.join(' ')}`)
  }
}

describe('9.26 any script, any length, any size', () => {
  const stage = useStage()
  let w: PermitWorld
  const asked: Record<string, string> = {}
  const drafts: Record<string, string> = {}
  before(async () => {
    w = await permitWorld(stage.house)
    for (const [script, title] of Object.entries(TITLES)) {
      const said = { title, location: title.slice(0, 120), description: title, hazards: [title.slice(0, 60)] }
      asked[script] = (await w.at('requested', said)).id
      drafts[script] = (await w.draft(said)).id
    }
  })

  for (const { width, zoom, name } of [
    { width: 320, zoom: 1, name: '320 px' },
    { width: 720, zoom: 2, name: '1440 px at 200 % zoom' },
    { width: 195, zoom: 2, name: '390 px at 200 % zoom' },
  ])
    test(`9.26 with titles in Arabic, Hebrew, Chinese and one word of 200 letters, ${name}, nothing is wider than the screen, and each title has its own direction`, async () => {
      const faults: string[] = []
      const all = Object.values(TITLES)
      const { page } = await stage.sit(w.as('hse'), { width, zoom })
      const at = (path: string) => `${stage.url}/sites/${w.site_id}/${path}`
      for (const path of ['board', 'board?view=table', 'tasks']) {
        await page.goto(at(path))
        await page.locator('main').getByText(RTL.hebrew).first().waitFor()
        await look(page, faults, path, path === 'board' ? [RTL.hebrew] : all)
      }
      for (const [script, title] of Object.entries(TITLES)) {
        await page.goto(at(`permits/${asked[script]}`))
        await look(page, faults, `permit, ${script}`, [title])
        await page.getByRole('button', { name: 'Endorse' }).waitFor()
      }
      const { page: writer } = await stage.sit(w.as('member'), { width, zoom })
      for (const [script, title] of Object.entries(TITLES)) {
        await writer.goto(at(`request?draft=${drafts[script]}`))
        await writer.getByLabel('Work to be done').waitFor()
        await look(writer, faults, `request, ${script}`, [title])
      }
      assert.deepEqual(faults, [])
    })

  test('U7 a permit, from draft to close-out, is no wider than a phone at 200 % zoom, and with text that is twice as large', async () => {
    const faults: string[] = []
    const states = [
      'draft',
      'requested',
      'endorsed',
      'approved',
      'signed',
      'issued',
      'closed',
      'corrections_requested',
      'rejected',
    ] as const
    const permits: [string, string][] = []
    for (const state of states)
      permits.push([state, (await w.at(state, { title: 'Weld handrails in the stairs of the northern building' })).id])
    for (const { width, zoom, size } of [
      { width: 195, zoom: 2, size: 16 },
      { width: 390, zoom: 1, size: 32 },
    ])
      for (const role of ['hse', 'member'] as const) {
        const { page } = await stage.sit(w.as(role), { width, zoom })
        await page.addInitScript(`addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '${size}px' })`)
        for (const [state, id] of permits) {
          await page.goto(`${stage.url}/sites/${w.site_id}/permits/${id}`)
          await look(page, faults, `${state} at ${width} px, text of ${size} px, ${role}`, [])
        }
      }
    assert.deepEqual(faults, [])
  })

  for (const width of [195, 390])
    test(`U7 while the app is updating, or the service is busy, the words for it leave the buttons of the bar on the screen, at ${width} px`, async () => {
      const { page } = await stage.sit(w.as('hse'), { width, zoom: 2 })
      // The connection for live updates is opened, and nothing comes.
      await page.routeWebSocket(/./, () => undefined)
      await page.goto(`${stage.url}/sites/${w.site_id}/board`)
      const word = page.locator('.line-dot > .tiny')
      await word.waitFor({ state: 'attached' })
      for (const says of ['Updating', 'The service is busy. Trying again…']) {
        await word.evaluate((one, text) => one.replaceChildren(text), says)
        const box = (await page.getByRole('button', { name: 'Account and device' }).boundingBox()) ?? assert.fail('There is a button.')
        assert.ok(box.x + box.width <= width, `${says}: ${box.x + box.width}`)
      }
    })

  describe('on the pages of the field', () => {
    let field: PermitWorld
    const building: Record<string, string> = {}
    const live: Record<string, string> = {}
    before(async () => {
      ;({ w: field } = await drawnWorld(stage.house))
      for (const [i, [script, title]] of Object.entries(TITLES).entries()) {
        const drawn = await field.as('admin').post('/reference-features/zones', {
          ...{ site_id: field.site_id, kind: 'building', code: `B${i}`, name: title, outline: ground(20 + 30 * i, 90, 20, 20) },
          levels: [{ index: 0, name: title.slice(0, 60) }],
        })
        assert.equal(drawn.status, 201, drawn.text)
        building[script] = drawn.body.id
        const said = { title, location: title.slice(0, 120), description: title, place: { building_id: drawn.body.id, level_index: 0 } }
        live[script] = (await field.at('issued', said)).id
        await field.at('signed', { ...said, start_at: '2026-03-16T08:00:00.000Z', end_at: '2026-03-16T10:30:00.000Z' })
        await field.at('requested', said)
      }
      await relayEvents(stage.house.house)
    })

    for (const width of [320, 390, 1440])
      test(`9.26 in the wallet, on Today, on the map and in notifications the same texts fit and have their own direction, at ${width} px`, async () => {
        const faults: string[] = []
        const all = Object.values(TITLES)
        const at = (path: string) => `${stage.url}/sites/${field.site_id}/${path}`
        const shot = async (page: Page, name: string) => {
          if (process.env.SHOTS !== undefined)
            await page.screenshot({ path: `${process.env.SHOTS}/any-${name}-${width}.png`, fullPage: true })
        }
        const { page: receiver } = await stage.sit(field.receiver, { width })
        await receiver.goto(at('wallet'))
        await receiver.getByText(RTL.hebrew).first().waitFor()
        await look(receiver, faults, 'wallet', all)
        await shot(receiver, 'wallet')
        for (const [script, title] of Object.entries(TITLES)) {
          await receiver.goto(at(`wallet?permit=${live[script]}`))
          await receiver.getByRole('heading', { level: 1, name: title }).waitFor()
          await look(receiver, faults, `wallet, ${script}`, [title])
        }
        await shot(receiver, 'carried')

        const { page } = await stage.sit(field.as('hse'), { width })
        await page.goto(at('today'))
        await page.getByText(RTL.hebrew).first().waitFor()
        await look(page, faults, 'today', all)
        await shot(page, 'today')
        await page.goto(at('today?kiosk'))
        await page.getByText(RTL.hebrew).first().waitFor()
        await look(page, faults, 'kiosk', all)
        await shot(page, 'kiosk')

        await page.goto(at('notifications'))
        await page.getByText(RTL.hebrew).first().waitFor()
        await look(page, faults, 'notifications', all)
        await shot(page, 'notifications')
        await page.getByRole('button', { name: 'Why did I get this notification?' }).first().click()
        await page.getByRole('dialog').waitFor()
        await look(page, faults, 'why', [])
        await page.keyboard.press('Escape')

        await page.goto(at('map?at=2026-03-16T12:00:00.000Z'))
        await idle(page)
        await look(page, faults, 'map', all)
        await shot(page, 'map')
        // A number after a name stays after it, whatever the direction of the name.
        for (const name of Object.values(RTL)) {
          const head = page.locator('h3:has(> bdi)', { hasText: name })
          const after = await head.evaluate(one => {
            const [name, number] = [one.querySelector(':scope > bdi:last-of-type'), one.querySelector('.soft')]
            const [called, count] = [[...(name?.getClientRects() ?? [])].at(-1), number?.getClientRects()[0]]
            return called !== undefined && count !== undefined && (count.left >= called.right || count.top >= called.bottom - 4)
          })
          assert.equal(after, true, name)
        }
        for (const [script, title] of Object.entries(TITLES)) {
          await page.goto(at(`map?at=2026-03-16T12:00:00.000Z&chosen=${building[script]}&building=${building[script]}`))
          await page.locator('.floating').getByRole('heading', { name: title }).waitFor()
          await look(page, faults, `map, building, ${script}`, [title])
          if (script === 'unbroken') await shot(page, 'building')
          await page.goto(at(`map?at=2026-03-16T12:00:00.000Z&chosen=${live[script]}`))
          await page.locator('.floating').getByRole('link', { name: title }).first().waitFor()
          await look(page, faults, `map, marker, ${script}`, [title])
        }
        assert.deepEqual(faults, [])
      })
  })
})
