// What a person does on a screen with touch or keyboard, and checks that the screen suits them.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Presses a button until `done` is visible. */
export async function hold(page: Page, button: Locator, done: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await button.hover()
  await page.mouse.down()
  await done.waitFor()
  await page.mouse.up()
}

/** Longer than a signature needs. */
const HELD_MS = 1100

/** Presses a button for as long as a signature needs, wherever its result appears. */
export async function holdFor(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await button.hover()
  await page.mouse.down()
  await page.waitForTimeout(HELD_MS)
  await page.mouse.up()
}

/** Waits until the page has been painted in its current state. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))')

/** Waits until each map on the page has drawn its data; returns immediately if there is none. */
export const mapsDrawn = (page: Page): Promise<void> =>
  page.locator('[data-map]:not([data-map=idle])').first().waitFor({ state: 'detached' })

/** Waits until nothing on the page is loading. */
export const dataShown = (page: Page): Promise<void> => page.locator('.bone').first().waitFor({ state: 'detached' })

const LOW = `[...document.querySelectorAll('main button, main select, main .tabs a, main .btn')]
  .filter(one => one.checkVisibility() && one.closest('.canvas') === null && one.getBoundingClientRect().height < 43.5)
  .map(one => one.outerHTML.slice(0, 160))`

const SMALL = `[...document.querySelectorAll('main .tick input')]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 23.5)
  .map(one => one.outerHTML.slice(0, 160))`

const WIDE = `[...document.querySelectorAll('body *')]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map(one => one.outerHTML.slice(0, 120)).join(' | ')`

const OUTSIDE = `[...document.querySelectorAll('main .type-tile, main .btn, main .badge, main .way')]
  .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 2)
  .map(one => one.textContent.slice(0, 60) + ': ' + one.scrollWidth + ' in ' + one.clientWidth)`

/**
 * Checks that a phone can show the page: nothing is wider than the screen, and controls are 44 px high (24 in a drawing, which has a table next to it). Leaves
 * the whole page visible for axe.
 */
export async function fitsPhone(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 390
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'))
  assert.ok(wide <= width, `wider than the screen: ${wide}, by ${await page.evaluate(WIDE)}`)
  assert.deepEqual(await page.evaluate(LOW), [], 'too low for a thumb')
  assert.deepEqual(await page.evaluate(SMALL), [], 'too small to be hit next to something else')
  assert.deepEqual(await page.evaluate(OUTSIDE), [], 'text outside of its box')
  // Some parts grow with the screen, so this repeats until all of the page is visible.
  for (let round = 0, tall = 0; round < 8; round++) {
    const needed = Number(await page.evaluate('document.documentElement.scrollHeight'))
    if (needed <= tall) break
    tall = needed + 200
    await page.setViewportSize({ width, height: tall })
    await painted(page)
  }
}

const CUT_HINTS = `[...document.querySelectorAll('input[placeholder]')].filter(one => one.checkVisibility() && one.value === '').flatMap(one => {
  const style = getComputedStyle(one)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = style.font
  const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  const needed = pen.measureText(one.placeholder).width
  return needed > room ? [one.placeholder + ': ' + Math.ceil(needed) + ' px in ' + Math.floor(room)] : []
})`

/** Checks that the text in each empty field can be read in full. */
export async function hintsFit(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(CUT_HINTS), [], 'cut off in its field')
}

/** Chrome makes these fields wider by this than what is in them, in pixels. */
const SPARE = 24

const CUT_DATES = `[...document.querySelectorAll('input[type=date], input[type=datetime-local]')].filter(one => one.checkVisibility()).flatMap(one => {
  const whole = one.cloneNode()
  whole.style.cssText = 'position: absolute; flex: none; width: max-content'
  one.after(whole)
  const [needed, room] = [whole.offsetWidth - ${SPARE}, one.offsetWidth]
  whole.remove()
  return needed > room ? [one.value + ': ' + needed + ' px in ' + room] : []
})`

/** Checks that each date and time in a field can be read in full. */
export async function datesFit(page: Page): Promise<void> {
  assert.deepEqual(await page.evaluate(CUT_DATES), [], 'a date is cut off in its field')
}

const MOST_TABS = 120

/** Reaches a control with the Tab key alone. */
export async function reach(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let i = 0; i < MOST_TABS; i++) {
    if (await wanted.evaluate(one => one === one.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`There is no way to ${wanted} by Tab.`)
}

/** Moves to a control with the Tab key and presses it by keyboard. */
export async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await reach(page, wanted)
  await page.keyboard.press(key)
}

/** Reaches a button with the Tab key and presses it by keyboard until `done` is visible. */
export async function holdByKey(page: Page, button: Locator, done: Locator): Promise<void> {
  await reach(page, button)
  await page.keyboard.down('Space')
  await done.waitFor()
  await page.keyboard.up('Space')
}

/** Evaluates until the result is true. The page may return a promise, which `waitForFunction` would take for true. */
export const until = async (page: Page, asked: string) => {
  while ((await page.evaluate(asked)) !== true) await page.waitForTimeout(30)
}

/** Returns the middle of a part of the page, in pixels of the screen. */
export async function middleOf(part: Locator): Promise<{ x: number; y: number }> {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It isn’t on the screen.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
