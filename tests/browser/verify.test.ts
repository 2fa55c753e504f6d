// The public page that checks printed permits and exported files, with files as they leave the service.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { rotateKeys } from '../../server/kernel/statements/door.ts'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { openTestHouse } from '../world.ts'
import { useStage } from './kit.ts'

describe('the app: checking an exported file', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
  })
  /** A permit's signed chain, as it is downloaded. */
  const chainOf = async (world: PermitWorld): Promise<string> => {
    const permit = await world.at('issued')
    const reply = await world.as('hse').get(`/permits/applications/${permit.id}/chain`)
    assert.equal(reply.status, 200, reply.text)
    return reply.text
  }
  const judge = async (page: Page, text: string): Promise<string> => {
    await page.setInputFiles('#file', { name: 'chain.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await page.locator('#verdict').waitFor()
    return (await page.locator('#verdict').textContent()) ?? ''
  }
  const opened = async (width: number): Promise<Page> => {
    const { page } = await stage.sit(w.as('hse'), { width })
    await page.goto(`${stage.url}/verify`)
    return page
  }

  test('9.26 a file that the site signed is unchanged; one that another installation signed gets no tick: 390 px', async () => {
    const page = await opened(390)
    assert.match(await judge(page, await chainOf(w)), /UNCHANGED/)
    const other = await openTestHouse()
    try {
      const foreign = await chainOf(await permitWorld(other))
      await page.reload()
      const said = await judge(page, foreign)
      assert.match(said, /UNKNOWN SITE/)
      assert.match(said, /isn’t one of the site’s keys in this installation/)
    } finally {
      await other.close()
    }
  })

  test('9.26 without a connection, a file signed with a newer key than this device knows is neither confirmed nor denied: 1440 px', async () => {
    const page = await opened(1440)
    assert.match(await judge(page, await chainOf(w)), /UNCHANGED/)
    await rotateKeys(stage.house.house, w.site_id, null)
    const newer = await chainOf(w)
    await page.context().setOffline(true)
    await page.locator('#verdict').evaluate(verdict => (verdict as HTMLElement).replaceChildren()) // our own element
    await page.setInputFiles('#file', { name: 'chain.json', mimeType: 'application/json', buffer: Buffer.from(newer) })
    await page.getByText('PARTS MATCH, SITE UNKNOWN').waitFor()
    await page.context().setOffline(false)
    await page.setInputFiles('#file', { name: 'again.json', mimeType: 'application/json', buffer: Buffer.from(newer) })
    await page.getByText('UNCHANGED').waitFor()
  })

  test('9.26 the page has the theme that the person chose in the app, or else that of the device', async () => {
    const groundIn = async (theme: string | undefined, colorScheme: 'light' | 'dark') => {
      const { page } = await stage.sit(w.as('hse'), { width: 390, ...(theme === undefined ? {} : { theme }) })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${stage.url}/verify`)
      await stage.axe(page)
      return page.evaluate('getComputedStyle(document.body).backgroundColor')
    }
    const [light, dark] = [await groundIn(undefined, 'light'), await groundIn(undefined, 'dark')]
    assert.notEqual(light, dark)
    assert.deepEqual([await groundIn('light', 'dark'), await groundIn('dark', 'light')], [light, dark])
    assert.equal(await groundIn('outdoor', 'dark'), 'rgb(255, 255, 255)')
  })
})
