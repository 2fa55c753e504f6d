import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signOutEverywhere } from '../../server/commands/sign-out.ts'
import { grantSuperadmin } from '../../server/commands/superadmin.ts'
import { PASSPHRASE, personWithAccount } from '../provider.ts'
import { useStage } from './kit.ts'

describe('the app: where a person is signed in', () => {
  const stage = useStage({ CLOCK: 'system' })

  for (const width of [390, 1440])
    test(`10.4 a person sees their devices and signs them out, at ${width} px`, async () => {
      const email = `gus-${width}@example.com`
      const gus = await personWithAccount(stage.house, 'Gus', email)
      const world = await stage.house.world()
      await grantSuperadmin(stage.house.house, email, null)
      const { page, url } = await stage.sit(null, { width })
      await page.goto(`${url}/sites/${world.site_id}/board`)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
      await page.getByRole('button', { name: 'Account and device' }).click()
      await page.getByRole('link', { name: 'Where you’re signed in' }).click()
      await stage.axe(page)
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
      await page.getByRole('button', { name: 'Show my devices' }).click()
      await page.getByText('Chrome, Linux', { exact: true }).waitFor()
      await stage.axe(page)
      await page.getByRole('button', { name: 'Sign out on Chrome, Linux' }).click()
      await page.getByText('You aren’t signed in on any device.').waitFor()
      await page.getByRole('link', { name: 'Go to Walkdown' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      assert.equal((await stage.house.rows('select 1 from oidc_item where account_id = $1', [gus.account_id])).length, 0)
    })

  test('10.4 §12 a page that is open when its session ends says so at once, and leads back after the sign-in', async () => {
    const email = 'hal@example.com'
    const hal = await personWithAccount(stage.house, 'Hal', email)
    const world = await stage.house.world()
    await grantSuperadmin(stage.house.house, email, null)
    const { page, url } = await stage.sit(null, { width: 390 })
    const signIn = async () => {
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto(`${url}/sites/${world.site_id}/board`)
    await signIn()
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    await signOutEverywhere(stage.house.house, email, 'a lost phone')
    assert.equal((await stage.house.rows('select 1 from oidc_item where account_id = $1', [hal.account_id])).length, 0)
    // The live connection ends at once, so the app says so without waiting for the person to do anything.
    await page.getByRole('heading', { name: 'You’re signed out on this device' }).waitFor()
    const { pathname } = new URL(page.url())
    await stage.axe(page)
    await signIn()
    await page.waitForURL(at => at.pathname === pathname)
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
  })
})
