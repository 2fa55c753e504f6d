// The page of the devices on which a person is signed in.
import type { Instant } from '../../../../shared/time.ts'
import { safe } from '../../../base/docs.ts'
import type { SessionRow } from '../../accounts/door.ts'
import { act, alert, field, go, hidden, page } from './pages.ts'

/** Asks whose devices to show. */
export const whoseDevicesPage = (said: { email?: string; fault: string | null }): string =>
  page(
    'Where you’re signed in',
    `<p class="lead">Enter your password to see the devices on which you’re signed in, and to sign them out.</p>${alert(said.fault)}<form method="post" action="/oidc/devices">${field({ name: 'email', label: 'Email address', type: 'email', autocomplete: 'username', value: said.email ?? '', focus: !said.email })}${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', focus: Boolean(said.email) })}${act('Show my devices')}</form><p class="beside"><a href="/oidc/forgot">Forgot your password?</a></p>`,
    said.fault === null ? 'plain' : 'stop',
  )

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
/** The service doesn’t know the person’s time zone on this page, so the time says its own. */
const moment = (at: Instant) => safe(`${MOMENT.format(new Date(at))} UTC`)

/** Lists the devices, each with a button that signs it out. */
export function devicesPage(said: {
  name: string
  token: string
  devices: readonly SessionRow[]
  said: string | null
  app_url: string
}): string {
  const form = (end: string, inside: string) =>
    `<form method="post" action="/oidc/devices">${hidden('token', said.token)}${hidden('end', end)}${inside}</form>`
  const rows = said.devices.map(
    ({ family, device, signed_in_at, used_at }) =>
      `<li><p><strong>${safe(device ?? 'Unnamed device')}</strong><br>Last used ${moment(used_at)}<br><span class="lead">Signed in ${moment(signed_in_at)}</span></p>${form(family, `<button class="act quiet" type="submit">Sign out<span class="unseen"> on ${safe(device ?? 'this device')}</span></button>`)}</li>`,
  )
  const all =
    said.devices.length > 1
      ? form('all', act(said.devices.length === 2 ? 'Sign out on both devices' : `Sign out on all ${said.devices.length} devices`))
      : ''
  return page(
    'Where you’re signed in',
    `<p class="who">${safe(said.name)}</p>${said.said === null ? '' : `<p role="status"><strong>${safe(said.said)}</strong></p>`}${
      rows.length === 0
        ? '<p>You aren’t signed in on any device.</p>'
        : `<ul class="devices">${rows.join('')}</ul>${all}<p class="lead after">What was not yet sent stays on the device. If you don’t recognise a device, sign it out and choose a new password.</p>`
    }${go(said.app_url, 'Go to Walkdown')}`,
  )
}
