// The whole way on an empty installation, through the screens alone: no API calls, and emails are read where a person would find them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { grantSuperadmin } from '../../server/commands/superadmin.ts'
import { HOUR, wallOf } from '../../shared/time.ts'
import { linkIn, mailsTo, sendMails } from '../outbox.ts'
import { PASSPHRASE } from '../provider.ts'
import { holdFor } from './hands.ts'
import { type Seat, useStage } from './kit.ts'

/** A site of 120 m by 80 m, in a surveyor's coordinates. */
const METRES = '0, 0\n120, 0\n120, 80\n0, 80'

/** A pre-check that this site adds to a permit type. */
const CHECK = 'Yard gate is closed'

/** Returns an instant as a field of the app expects it, in the site's time zone. */
const london = (at: number): string => {
  const { date, time } = wallOf('Europe/London', new Date(at).toISOString())
  return `${date}T${time.slice(0, 5)}`
}

describe('the app: from nothing to a closed permit', () => {
  const stage = useStage({ CLOCK: 'system', TRUST_PROXY: '1' })
  let people = 0
  /** A new person on their own device. */
  const arrive = async (width: number): Promise<Seat> => {
    const seat = await stage.sit(null, { width })
    seat.page.setDefaultTimeout(10_000)
    await seat.page.setExtraHTTPHeaders({ 'x-forwarded-for': `10.2.0.${++people}` })
    return seat
  }
  const signIn = async (page: Page, email: string) => {
    await page.waitForURL(/\/oidc\/sign-in/)
    await page.getByLabel(/mail address/i).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  const hold = (page: Page, name: string) => holdFor(page, page.getByRole('button', { name: new RegExp(`^${name}`) }).last())

  for (const width of [390, 1440])
    test(`9.19 from one superadmin and an empty database, people set up a site, take a permit from request to closed, and put a company’s gang on the map through the screens alone, at ${width} px`, async () => {
      const at = (name: string) => `${name}.${width}@example.com`
      const started = performance.now()
      // Set LAPS=1 to print how long each part took.
      const lap = (what: string) => {
        if (process.env.LAPS !== undefined) console.log(`${Math.round(performance.now() - started)} ms ${what}`)
      }
      // The terminal output for the person who sets up the service.
      const { link } = await grantSuperadmin(stage.house.house, at('root'), 'Rosa Root')
      const root = await arrive(width)
      await root.page.goto(link ?? assert.fail('The terminal prints a link.'))
      await root.page.getByLabel('New password').fill(PASSPHRASE)
      await root.page.getByLabel(/^(Once more|Repeat)/).fill(PASSPHRASE)
      await root.page.getByRole('button', { name: 'Change password' }).click()
      await root.page.getByRole('link', { name: 'Sign in' }).click()
      await root.page.getByRole('button', { name: 'Sign in' }).click()
      await signIn(root.page, at('root'))
      lap('signed in')

      // The site and its boundary.
      await root.page.getByRole('link', { name: 'New site' }).click()
      await root.page.getByLabel('Site name').fill(`Riverside ${width}`)
      await root.page.getByLabel('Time zone').selectOption('Europe/London')
      await root.page.getByRole('button', { name: 'Create site' }).click()
      await root.page.getByRole('link', { name: /Draw the boundary/ }).click()
      const drawing = root.page.getByRole('form', { name: 'Site boundary' })
      await drawing.getByLabel('Coordinates', { exact: true }).fill('51.505, -0.02')
      await drawing.getByText('In metres from a point').click()
      await drawing.getByLabel('Corners in metres').fill(METRES)
      await drawing.getByRole('button', { name: 'Save' }).click()
      await drawing.waitFor({ state: 'detached' })
      const site = /\/sites\/([\w-]+)/.exec(root.page.url())?.[1] ?? ''
      const go = (page: Page, path: string) => page.goto(`${stage.url}/sites/${site}/${path}`)
      lap('site drawn')

      // People are invited by email (read where it is stored) and by a copied link.
      await go(root.page, 'members')
      const window = root.page.getByRole('dialog')
      const byMail = async (name: string, role: string): Promise<string> => {
        await root.page.getByRole('button', { name: 'Invite by email' }).click()
        await window.getByLabel('Email address').fill(at(name))
        await window.getByLabel('Role').selectOption(role)
        await window.getByRole('button', { name: 'Send' }).click()
        await window.getByText('No mail server: copy this link').waitFor()
        const copied = await window.getByLabel('Link', { exact: true }).inputValue()
        await window.getByRole('button', { name: 'Close' }).click()
        return copied
      }
      const links: Record<string, string> = {}
      for (const [name, role] of [
        ['cora', 'coordinator'],
        ['hal', 'hse'],
        ['ivy', 'member'],
        ['rex', 'member'],
      ] as const)
        links[name] = await byMail(name, role)
      await sendMails(stage.house)
      links.hal = linkIn(mailsTo(stage.house, at('hal')).at(-1), `${stage.url}/join`)
      await root.page.getByRole('button', { name: 'Create link or poster' }).click()
      await window.getByLabel(/People choose their contractor/).uncheck()
      await window.getByRole('button', { name: 'Create link or poster' }).click()
      await window.getByRole('img', { name: 'Invitation QR code' }).waitFor()
      links.mona = await window.getByLabel('Link', { exact: true }).inputValue()
      lap('invited')

      const join = async (name: string, called: string): Promise<Page> => {
        const { page } = await arrive(width)
        await page.goto(links[name] ?? '')
        await page.getByLabel('Your name').fill(called)
        const poster = page.getByLabel('Email address')
        if ((await poster.count()) > 0) await poster.fill(at(name))
        await page.getByLabel('Choose a password').fill(PASSPHRASE)
        await page.getByRole('button', { name: 'Create an account' }).click()
        if (name === 'mona') {
          // With a poster, an address is confirmed first: the email is in the outbox, and the operator passes on its link.
          await page.getByText('No mail server is set up').waitFor()
          await sendMails(stage.house)
          await page.goto(linkIn(mailsTo(stage.house, at(name)).at(-1), `${stage.url}/oidc/confirm`))
          await page.getByLabel('The password you chose').fill(PASSPHRASE)
          await page.getByRole('button', { name: 'Confirm my email address' }).click()
          await page.getByRole('link', { name: 'Sign in' }).click()
          await page.getByRole('button', { name: 'Sign in' }).click()
          await signIn(page, at(name))
          await page.getByRole('link', { name: new RegExp(`Riverside ${width}`) }).waitFor()
          return page
        }
        await page.getByRole('button', { name: 'Sign in and join' }).click()
        await signIn(page, at(name))
        await page.getByText(`You have joined Riverside ${width}`).waitFor()
        return page
      }
      // Everyone uses their own device, at the same time.
      const [cora, hal, ivy, rex, mona] = await Promise.all([
        join('cora', 'Cora Coordinator'),
        join('hal', 'Hal Safety'),
        join('ivy', 'Ivy Issuer'),
        join('rex', 'Rex Receiver'),
        join('mona', 'Mona Member'),
      ])
      lap('joined')

      // Permit types exist already. One of them is changed for this site: its name, its usual duration, and a pre-check of its own.
      await go(root.page, 'settings/types')
      await root.page.getByText('Hot work').first().waitFor()
      await root.page.getByRole('button', { name: 'Edit General permit' }).click()
      await window.getByLabel('Name', { exact: true }).fill('Yard work')
      await window.getByLabel(/Usual duration/).fill('9')
      await window.getByRole('button', { name: 'Add pre-check' }).click()
      await window
        .getByRole('textbox', { name: /^Pre-checks \d+$/ })
        .last()
        .fill(CHECK)
      await window.getByRole('group', { name: 'Pre-checks' }).getByLabel('Confirmation required').last().check()
      await window.getByRole('button', { name: 'Save' }).click()
      await window.waitFor({ state: 'detached' })
      await root.page.getByRole('button', { name: 'Edit Yard work' }).waitFor()
      lap('type changed')

      // An issuer is appointed.
      await go(root.page, 'settings/appointments')
      await root.page.getByRole('button', { name: 'Appoint' }).first().click()
      await window.getByLabel('Person').selectOption({ label: 'Ivy Issuer' })
      await window.getByRole('button', { name: 'Appoint' }).click()
      await window.waitFor({ state: 'detached' })
      lap('appointed')

      // The permit.
      await go(mona, 'request')
      await mona.getByRole('checkbox', { name: /Yard work/ }).check()
      await mona.getByText('9 hours by default').waitFor()
      await mona.getByRole('group', { name: CHECK }).getByRole('radio', { name: 'Yes' }).check()
      await mona.getByLabel('Work to be done').fill('Clear the yard')
      await mona.getByRole('button', { name: 'Choose other times' }).click()
      await mona.getByLabel('From').fill(london(Date.now()))
      await mona.getByLabel('To', { exact: true }).fill(london(Date.now() + 8 * HOUR))
      await mona.getByLabel('Receiver', { exact: true }).selectOption({ label: 'Rex Receiver' })
      await mona.getByRole('button', { name: 'Submit' }).click()
      await mona.getByText('Requested', { exact: true }).first().waitFor()
      const permit = new URL(mona.url()).pathname.split('/').at(-1) ?? ''
      // Only “Withdraw” is possible for her now, and it isn't the next step: the page says whose turn it is.
      await mona.getByRole('region', { name: 'Next step' }).getByText('A reviewer must endorse this permit next.').waitFor()
      lap('requested')
      await go(cora, `permits/${permit}`)
      // Of all pre-checks, the site's own is the one that was answered, and the reviewer reads who answered it.
      await cora
        .getByRole('listitem')
        .filter({ hasText: CHECK })
        .getByText(/^Yes · Mona Member/)
        .waitFor()
      await cora.getByRole('button', { name: 'Endorse' }).click()
      await cora.getByRole('dialog').getByRole('button', { name: 'Endorse' }).click()
      await cora.getByText('Endorsed', { exact: true }).first().waitFor()
      await go(hal, `permits/${permit}`)
      await hal.getByRole('button', { name: 'Approve' }).first().click()
      await hal.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
      await hal.getByText('Approved', { exact: true }).first().waitFor()
      lap('approved')
      await go(ivy, `permits/${permit}`)
      await ivy.getByRole('button', { name: 'Sign as issuer' }).click()
      await hold(ivy, 'Sign as issuer')
      await ivy.getByText('Awaiting countersignature').first().waitFor()
      await go(rex, `permits/${permit}`)
      await rex.getByRole('button', { name: 'Countersign' }).click()
      await hold(rex, 'Countersign')
      await rex.getByText('Live', { exact: true }).first().waitFor()
      lap('live')
      await go(cora, `permits/${permit}`)
      await cora.getByRole('button', { name: 'Close out' }).click()
      for (const item of await cora.getByRole('dialog').getByRole('checkbox').all()) await item.check()
      await hold(cora, 'Close out')
      await cora.getByText('Closed', { exact: true }).first().waitFor()
      // Its window may still run, but nothing happens when it ends.
      assert.equal(await cora.getByText(/ends in/).count(), 0)
      lap('closed')

      // A company, and its gang on the map, which someone else sees as well.
      await go(cora, 'contractors')
      await cora.getByRole('button', { name: 'New contractor' }).first().click()
      const company = cora.getByRole('dialog')
      await company.getByLabel('Contractor name').fill(`Harbour Rigging ${width}`)
      await company.getByRole('button', { name: 'Save' }).click()
      await cora.getByRole('button', { name: `Edit Harbour Rigging ${width}` }).waitFor()
      await cora.context().grantPermissions(['geolocation'])
      await cora.context().setGeolocation({ latitude: 51.5053, longitude: -0.0195, accuracy: 4 })
      await go(cora, 'map')
      await cora.getByRole('button', { name: 'Add to the map', exact: true }).click()
      await cora.getByRole('button', { name: 'Worker or gang', exact: true }).click()
      await cora.getByLabel('Name of the worker or gang').fill('Riggers')
      await cora.getByLabel('Trade').fill('Rigger')
      await cora.getByLabel('Number of people').fill('3')
      // Outside working hours the form offers the next shift.
      await cora.getByLabel('From', { exact: true }).fill(london(Date.now()))
      await cora.getByLabel('Until', { exact: true }).fill(london(Date.now() + 3_600_000))
      await cora.getByLabel('Contractor', { exact: true }).selectOption({ label: `Harbour Rigging ${width}` })
      await cora.getByRole('button', { name: 'Where I am' }).click()
      await cora.getByText('Marked on the map').waitFor()
      await cora.getByRole('button', { name: 'Save', exact: true }).click()
      await cora.getByRole('button', { name: /Riggers · 3 people/ }).waitFor()
      await go(root.page, 'map')
      await root.page.getByRole('button', { name: /Riggers · 3 people/ }).waitFor()
      lap('gang on the map')

      // And away.
      await root.page.goto(stage.url)
      await root.page.getByRole('button', { name: 'Sign out' }).click()
      await root.page.waitForURL(/\/oidc\/session\/end/)
      await root.page.getByRole('button', { name: 'Sign out' }).click()
      await root.page.getByRole('button', { name: 'Sign in' }).waitFor()
      lap('signed out')
    })
})
