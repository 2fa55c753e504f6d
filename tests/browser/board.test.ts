import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type PermitWorld, permitWorld } from '../permits.ts'
import { useStage } from './kit.ts'

describe('the app: signing in, and the board', () => {
  const stage = useStage()
  let w: PermitWorld
  before(async () => {
    w = await permitWorld(stage.house)
    await w.at('requested', { title: 'Weld handrails, stair 3' })
    await w.at('issued', { title: 'Dig for the drain' })
  })

  test('the sites of a person, then the board with columns by status; what waits for him is marked', async () => {
    const { page, url } = await stage.sit(w.as('hse'))
    await page.goto(url)
    await page.getByRole('link', { name: /Riverside Quarter/ }).click()
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    const requested = page.getByRole('region', { name: 'Requested' })
    await requested.getByRole('link', { name: 'Weld handrails, stair 3' }).waitFor()
    assert.equal(await requested.getByText('Waits for you').count(), 1)
    assert.equal(await page.getByRole('region', { name: 'Live' }).getByText('Waits for you').count(), 0)
    await stage.axe(page)
  })

  for (const theme of ['dark', 'outdoor'])
    test(`axe finds nothing on the board in the ${theme} theme, on a phone`, async () => {
      const { page, url } = await stage.sit(w.as('hse'), { theme, width: 390 })
      await page.goto(`${url}/sites/${w.site_id}/board`)
      await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
      await stage.axe(page)
    })

  test('nobody is signed in: one button, which leads to the provider and back to where he wanted to go', async () => {
    const { page, url } = await stage.sit(null)
    await page.goto(url)
    await page.getByRole('button', { name: /sign in/i }).waitFor()
    await stage.axe(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/\/oidc\/sign-in\//)
  })

  test('every word comes from the catalogue: in the pseudo-locale no plain one is left', async () => {
    const { page, url } = await stage.sit(w.as('hse'), { locale: 'qps' })
    await page.goto(`${url}/sites/${w.site_id}/board`)
    await page.getByRole('link', { name: 'Dig for the drain' }).waitFor()
    const words = await page.getByRole('heading', { level: 1 }).textContent()
    assert.match(words ?? '', /^⟦.*⟧$/)
  })
})
