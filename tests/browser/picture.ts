import type { Page } from 'playwright-core'

/** Keeps a picture for people who look at it, if a folder is given. */
export const picture = async (page: Page, name: string) => {
  if (process.env.SHOTS !== undefined) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}
