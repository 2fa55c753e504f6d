// Text that people type has any length, no spaces and any direction, and a page must show it properly at any zoom.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { dataShown } from './hands.ts'
import { useStage } from './kit.ts'

const RTL = { arabic: 'لحام الدرابزين في الدرج رقم 3', hebrew: 'ריתוך מעקה במדרגות 3' }
const TITLES: Record<string, string> = {
  ...RTL,
  chinese: '三号楼梯扶手焊接作业及周边防火隔离'.repeat(5),
  unbroken: 'Xy'.repeat(100),
}

/** Text whose direction doesn't follow its content, neither by itself nor by the box that contains it. */
const UNDIRECTED = `text => [...document.querySelectorAll('main *')]
  .filter(one => one.checkVisibility() && [...one.childNodes].some(node => node.nodeType === 3 && node.data.includes(text)))
  .concat([...document.querySelectorAll('main input, main textarea')].filter(one => one.value === text))
  .filter(one => !/unseen/.test(one.className) && one.tagName !== 'OPTION')
  .filter(one => ![one, one.parentElement].some(box => getComputedStyle(box).direction === 'rtl' || getComputedStyle(box).unicodeBidi === 'plaintext'))
  .map(one => one.outerHTML.slice(0, 120))`

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
})
