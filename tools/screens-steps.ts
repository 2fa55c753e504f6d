// What is done on the pages of the demo site before a screenshot is taken (screens.ts).
import type { Page } from 'playwright-core'
import { dataShown } from '../tests/browser/hands.ts'

/** Presses that the alerts have been read: on a phone they take half of every page. Pressed without the pointer, which would then be above something else. */
export const readAlerts = async (page: Page) => {
  const read = page.getByRole('button', { name: 'I have read this' })
  while ((await read.count()) > 0) await read.first().dispatchEvent('click')
}

/** Opens what a button or a link opens. */
export const open = (role: 'button' | 'link', name: string) => async (page: Page) => {
  await page.getByRole(role, { name }).first().click()
  await page.waitForTimeout(600)
}

/** Opens the first permit of a list. */
export const openFirst = async (page: Page) => {
  await page.locator('article h3 a').first().click()
  await page.waitForTimeout(600)
}

/** Chooses a permit type, and the last of the usual windows: which there are depends on the day and the time. */
export const askForHotWork = async (page: Page) => {
  await page.getByRole('checkbox', { name: /Hot work/ }).check()
  const windows = page.getByRole('group', { name: 'Usual windows' })
  await dataShown(page)
  await windows
    .getByRole('button', { name: /^(Now|Today|Tomorrow)/ })
    .last()
    .click()
  await page.getByText(/^Saved /).waitFor()
  await windows.evaluate(one => one.scrollIntoView({ block: 'center' }))
}

/** Signs in again, as the pages of the account ask for it. */
export const signInAgain = async (page: Page, passphrase: string) => {
  if ((await page.locator('input[type=password]').count()) === 0) return
  await page.locator('input[type=email]').fill('max@quayside.example')
  await page.locator('input[type=password]').fill(passphrase)
  await page.keyboard.press('Enter')
  await page.locator('input[type=password]').waitFor({ state: 'detached' })
}

/** Pins a smart group, unless that was done for an earlier screenshot. */
export const pinGroup = async (page: Page) => {
  const star = page.getByRole('button', { name: 'Pin Lifting plant' })
  await star.waitFor()
  if ((await star.getAttribute('aria-pressed')) === 'false') await star.click()
  await page.evaluate('scrollTo(0, 0)')
}

/** Scrolls a heading to the top of the screen. */
export const scrollTo = (name: string) => async (page: Page) => {
  const heading = page.getByRole('heading', { name, exact: true })
  await heading.waitFor()
  await dataShown(page)
  await heading.evaluate(one => one.scrollIntoView({ block: 'start' }))
  await page.evaluate('scrollBy(0, -80)')
}

/** Scrolls to the map, which is below the time bar on a phone. */
export const showMap = async (page: Page) => {
  await page
    .locator('.map-place')
    .first()
    .evaluate(one => one.scrollIntoView({ block: 'center' }))
}

/** Opens a delivery of the day, from the list next to the map. */
export const openDelivery = async (page: Page) => {
  await page.getByRole('button', { name: /Readymix/ }).click()
  await page.getByRole('dialog').getByRole('heading').first().waitFor()
}

/** Opens the page where a floor plan is put on the ground. */
export const openPlan = async (page: Page) => {
  await page
    .getByRole('button', { name: /^More about Level/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Place again' }).click()
  await page.getByRole('heading', { name: /^Place Level/ }).waitFor()
}

/** Chooses a machine in the list next to the map, and shows what the page says about it. */
export const chooseCrane = async (page: Page) => {
  await page
    .getByRole('button', { name: /Tower crane 1/ })
    .first()
    .click()
  await showMap(page)
}

/** Opens a form from the menu of what can be put on the map. */
export const add = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Add to the map', exact: true }).click()
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('dialog').getByRole('heading').first().waitFor()
}

/** Shows only the members of a smart group on the map. */
export const chooseGroup = async (page: Page) => {
  await page.getByLabel('Show only a smart group').selectOption({ label: 'Lifting plant' })
  await page.getByText('Only members of', { exact: false }).evaluate(one => one.scrollIntoView({ block: 'center' }))
}
