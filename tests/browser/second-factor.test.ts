import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grantSuperadmin } from '../../server/commands/superadmin.ts'
import { codeAt } from '../factor.ts'
import { PASSPHRASE, personWithAccount } from '../provider.ts'
import { useStage } from './kit.ts'

describe('the app: a second factor', () => {
  const stage = useStage({ CLOCK: 'system' })

  test('10.4 a person sets up a second factor from the app and signs in with a recovery code, at 390 px', async () => {
    const email = 'ana.ruiz@example.com'
    const ana = await personWithAccount(stage.house, 'Ana Ruiz', email)
    const world = await stage.house.world()
    await grantSuperadmin(stage.house.house, email, null)
    const { page, url } = await stage.sit(null, { width: 390 })
    const signIn = async () => {
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    const looks = async () => {
      await stage.axe(page)
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'nothing is wider than the screen')
    }
    await page.goto(`${url}/sites/${world.site_id}/board`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn()
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Account and device' }).click()
    await page.getByRole('link', { name: 'Second factor' }).click()
    await signIn()
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await looks()
    await page.getByRole('button', { name: 'Set up a second factor' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await looks()
    const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(secret, Date.now()))
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Store your recovery codes' }).waitFor()
    await looks()
    const codes = await page.locator('.codes li').allTextContents()
    assert.equal(codes.length, 10)
    await page.getByRole('link', { name: 'I have stored them' }).click()
    await page.waitForURL(`${url}/`)
    await page.goto(`${url}/sites/${world.site_id}/board`)
    await page.getByRole('button', { name: 'Account and device' }).click() // this device is still signed in
    await page.getByRole('link', { name: 'Second factor' }).click()
    await signIn()
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
    await looks()
    await page.getByRole('link', { name: 'I don’t have my phone' }).click()
    await page.getByLabel('Recovery code').fill('not a code')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await looks()
    await page.getByLabel('Recovery code').fill(codes[4] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('You have 9 recovery codes left').waitFor()
    await looks()
    await page.getByRole('button', { name: 'Remove the second factor' }).click()
    await page.getByRole('heading', { name: 'Second factor removed' }).waitFor()
    const [row] = await stage.house.rows('select factor_secret from account where id = $1', [ana.account_id])
    assert.equal(row.factor_secret, null)
  })
})
