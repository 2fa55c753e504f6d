// The pages of the second factor, in the look of the sign-in pages and as they are: without scripts.
import QRCode from 'qrcode'
import { counted } from '../../../../shared/text.ts'
import { safe } from '../../../base/docs.ts'
import { appUrl, groups } from '../../accounts/door.ts'
import { act, alert, field, go, hidden, page } from './pages.ts'

const STYLE = `
.qr { display: block; width: 232px; max-width: 100%; margin: 16px auto; padding: 8px; background: #fff; border: 1px solid var(--line); border-radius: 6px } .qr svg { display: block; width: 100%; height: auto }
.gate h2 { font-size: 18px; margin: 24px 0 4px } .secret, .codes { font: 500 18px/1.6 "IBM Plex Mono", ui-monospace, monospace; overflow-wrap: anywhere }
.codes { margin: 16px 0; padding: 12px 8px 12px 36px; background: var(--ground); border: 1px solid var(--edge); border-radius: 6px; font-size: 14px; line-height: 2 }
.act.stop { background: transparent; border-color: var(--stop); color: var(--stop); margin-top: 12px } form + form .act { margin-top: 12px }`

const WHERE = '/oidc/second-factor'

/** Asks for a code of the app, or for a recovery code, after the right password. */
export const codePage = (said: { email: string; recovery: boolean; path: string; fault: string | null }): string =>
  page(
    said.recovery ? 'Enter a recovery code' : 'Enter your code',
    `<p class="who lead">${safe(said.email)}</p>${alert(said.fault)}<form method="post" action="${safe(said.path)}">${
      said.recovery
        ? `${hidden('with', 'recovery-code')}${field({ name: 'code', label: 'Recovery code', type: 'text', autocomplete: 'off', hint: 'One of the ten codes that you stored when you set up the second factor. Each of them works once.', focus: true })}`
        : field({
            name: 'code',
            label: 'Code',
            type: 'text',
            inputmode: 'numeric',
            autocomplete: 'one-time-code',
            hint: 'The six digits that your authenticator app shows for Walkdown.',
            focus: true,
          })
    }${act('Sign in')}</form><p class="beside"><a href="${safe(said.path)}${said.recovery ? '">Use a code from the app' : '?with=recovery-code">I don’t have my phone'}</a></p>${
      said.recovery ? '<p class="lead">No recovery codes either? Ask the people who run this service to remove your second factor.</p>' : ''
    }`,
    said.fault === null ? 'plain' : 'stop',
    STYLE,
  )

/** Shows the secret for the app, as a QR code and as text, and asks for the first code. `ticket`: null in a sign-in. */
export async function setUpPage(said: {
  email: string
  secret: string
  path: string
  ticket: string | null
  required: boolean
  fault: string | null
}): Promise<string> {
  const url = appUrl(said.secret, said.email)
  const qr = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'M', margin: 1, color: { dark: '#000000', light: '#ffffff' } })
  return page(
    'Set up a second factor',
    `${alert(said.fault)}<p>${said.required ? 'This service requires a second factor. ' : ''}You will sign in with your password and a code from an app on your phone. Any authenticator app works, also without a connection.</p>
<h2>1. Add Walkdown to the app</h2><p>Scan this QR code with the app:</p><div class="qr" role="img" aria-label="QR code for the authenticator app">${qr}</div><p><a href="${safe(url)}">The app is on this device: open it</a></p><p>Or enter this key in the app:</p><p class="secret">${safe(groups(said.secret))}</p>
<h2>2. Enter the code that it shows</h2><form method="post" action="${safe(said.path)}">${said.ticket === null ? '' : hidden('ticket', said.ticket)}${field({ name: 'code', label: 'Code', type: 'text', inputmode: 'numeric', autocomplete: 'one-time-code', hint: 'Six digits. A new code appears every 30 seconds.' })}${act('Set up')}</form>`,
    said.fault === null ? 'plain' : 'stop',
    STYLE,
  )
}

/** Shows recovery codes, once. */
export const codesPage = (said: { codes: readonly string[]; fresh: boolean; url: string; words: string }): string =>
  page(
    'Store your recovery codes',
    `<p>${said.fresh ? 'Your second factor is set up. Your other devices have been signed out.' : 'The earlier recovery codes no longer work.'}</p><p>If you lose your phone, you can sign in with one of these codes instead. Each of them works once. Print them or store them in a password manager: <strong>they are never shown again</strong>.</p><ol class="codes">${said.codes.map(code => `<li>${safe(code)}</li>`).join('')}</ol>${go(said.url, said.words)}`,
    'good',
    STYLE,
  )

const press = (path: string, ticket: string, words: string, look: '' | ' quiet' | ' stop' = ''): string =>
  `<form method="post" action="${WHERE}/${path}">${hidden('ticket', ticket)}<button class="act${look}" type="submit">${safe(words)}</button></form>`

/** Shows the second factor of a person, with what they can do about it. `since`: null if there is none. */
export const factorPage = (said: {
  email: string
  since: string | null
  left: number
  required: boolean
  ticket: string
  home: string
}): string =>
  page(
    'Second factor',
    `<p class="who lead">${safe(said.email)}</p>${
      said.since === null
        ? `<p>You sign in with your password alone. With a second factor, a person who knows your password can’t sign in without your phone.</p>${press('set-up', said.ticket, 'Set up a second factor')}`
        : `<p>You sign in with your password and a code from your authenticator app, since ${safe(said.since)}. You have ${counted(said.left, 'recovery code')} left.</p>${press('codes', said.ticket, 'Make new recovery codes')}${press('set-up', said.ticket, 'Use another phone or app', ' quiet')}${
            said.required
              ? '<p class="lead">This service requires a second factor, so you can’t remove it.</p>'
              : press('remove', said.ticket, 'Remove the second factor', ' stop')
          }<p class="hint">A changed or removed second factor signs you out on your other devices.</p>`
    }<p class="beside"><a href="${safe(said.home)}">Back to Walkdown</a></p>`,
    'plain',
    STYLE,
  )
