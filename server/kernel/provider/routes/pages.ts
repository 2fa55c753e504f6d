// The sign-in pages: plain HTML made on the server, without scripts, except for the one that opens an emailed link. They look like the permit card: a status edge, few lines, and large targets for
// gloves and rain.
import { MARK, pageOf, safe } from '../../../base/docs.ts'
import { LINK_FIELD, linkForm } from '../../../base/link-page.ts'

const STYLE = `
main { min-height: 100dvh; max-width: none; padding: 16px; display: flex; flex-direction: column; align-items: center; justify-content: center }
.gate { width: 100%; max-width: 440px } .brand { display: flex; align-items: center; gap: 12px; margin: 0 0 16px; font-weight: 600; font-size: 20px; letter-spacing: -.01em }
.brand svg { width: 36px; height: 36px }
.gate .card { margin: 0; padding: 24px 24px 28px; border-left: 6px solid var(--blue) } .gate h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; letter-spacing: -.015em }
.gate .card.good { border-left-color: var(--good) } .gate .card.stop { border-left-color: var(--stop) }
.gate p { font-size: 18px; margin: 0 0 16px } .gate .lead { color: var(--soft) }
.field { margin: 20px 0 0 } .field label { display: block; font-size: 16px; font-weight: 600; margin: 0 0 6px }
.field input { width: 100%; height: 64px; padding: 0 16px; font: 400 18px/1 "IBM Plex Sans", system-ui, sans-serif; color: var(--ink); background: var(--ground); border: 2px solid var(--edge); border-radius: 6px }
.field input:focus-visible, .act:focus-visible, .gate a:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px }
.field input[aria-invalid] { border-color: var(--stop) } .gate .hint { font-size: 16px; color: var(--soft); margin: 6px 0 0 }
.gate .fault { font-size: 16px; line-height: 1.4; font-weight: 600; color: var(--stop); margin: 8px 0 0 }
.alert { display: flex; gap: 12px; padding: 12px 14px; margin: 16px 0 8px; border: 2px solid var(--stop); border-radius: 6px; background: var(--stop-ground) } .gate .alert p { margin: 0; font-size: 16px } .alert svg { flex: none; width: 24px; height: 24px; color: var(--stop) }
.act { display: flex; align-items: center; justify-content: center; width: 100%; min-height: 64px; margin: 24px 0 0; padding: 8px 16px; font: 600 18px/1.2 "IBM Plex Sans", system-ui, sans-serif; text-decoration: none; text-align: center; cursor: pointer; border-radius: 6px; border: 2px solid var(--press); background: var(--press); color: var(--pressed-ink) }
.act.quiet { background: transparent; border-color: var(--edge); color: var(--ink); margin-top: 12px }
.act:hover { filter: brightness(1.08) } .act:active { filter: brightness(.92) }
.gate .beside { margin: 12px 0 0; text-align: center } .beside a { display: inline-block; padding: 12px 16px } .who { overflow-wrap: anywhere }
.devices { list-style: none; margin: 0 0 20px; padding: 0 } .devices li { padding: 16px 0 20px; border-bottom: 2px solid var(--edge) } .gate .after { margin-top: 20px } .devices p { margin: 0; font-size: 16px }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
:root { --press: #1f4e8c; --pressed-ink: #fff; --edge: #7b7f85; --focus: #1f4e8c; --stop: #b3261e; --stop-ground: #fdf1ef; --good: #1c7c3c }
@media (prefers-color-scheme: dark) { :root { --press: #8db6ee; --pressed-ink: #10161d; --edge: #7f858b; --focus: #8db6ee; --stop: #ff9d92; --stop-ground: #33201e; --good: #6fcf8d } }
@media (max-width: 480px) { main { justify-content: flex-start; padding-top: 24px } .gate .card { padding: 20px 18px 24px } }`

const SIGN = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M8 2h8l6 6v8l-6 6H8l-6-6V8z"/><path d="M12 7v6M12 16.5v.5"/></svg>`

type Edge = 'plain' | 'good' | 'stop'

/** Makes a page with a card. The edge of the card says whether something succeeded or stopped; `style` is added to the common style. */
export const page = (title: string, body: string, edge: Edge = 'plain', style = ''): string =>
  pageOf(
    `${title} · Walkdown`,
    `<div class="gate"><p class="brand">${MARK}<span>Walkdown</span></p><div class="card${edge === 'plain' ? '' : ` ${edge}`}"><h1>${safe(title)}</h1>${body}</div></div>`,
    'en',
    STYLE + style,
  )

/** Makes the box that says what is wrong; nothing without a fault. */
export const alert = (fault: string | null): string =>
  fault === null ? '' : `<div class="alert" role="alert">${SIGN}<p>${safe(fault)}</p></div>`

type Field = {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  inputmode?: 'email' | 'numeric'
  autocomplete: string
  value?: string
  hint?: string
  fault?: string | null
  focus?: boolean
}

/** Makes a field with its label; screen readers also read out its hint and fault. */
export function field({ name, label, type, inputmode, autocomplete, value, hint, fault, focus }: Field): string {
  // The fault also says what is correct, so it replaces the hint.
  const told = fault != null ? `${name}-fault` : hint !== undefined ? `${name}-hint` : ''
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="320" autocapitalize="none" spellcheck="false"`,
    inputmode === undefined ? '' : `inputmode="${inputmode}"`,
    value === undefined ? '' : `value="${safe(value)}"`,
    told === '' ? '' : `aria-describedby="${told}"`,
    fault == null ? '' : 'aria-invalid="true"',
    focus ? 'autofocus' : '',
  ]
  return `<div class="field"><label for="${name}">${safe(label)}</label><input ${attributes.filter(a => a !== '').join(' ')}>${told !== `${name}-hint` ? '' : `<p class="hint" id="${name}-hint">${safe(hint ?? '')}</p>`}${fault == null ? '' : `<p class="fault" id="${name}-fault">${safe(fault)}</p>`}</div>`
}

/** Makes a hidden field. */
export const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${safe(value)}">`
/** Makes the main button of a form. */
export const act = (words: string) => `<button class="act" type="submit">${safe(words)}</button>`
/** Makes a link that looks like the main button. */
export const go = (url: string, words: string) => `<a class="act" href="${safe(url)}">${safe(words)}</a>`

/** Asks for the address and the password. `for_factor`: they may be signed in, but the page of the second factor asks for the password each time. */
export const signInPage = (said: { email?: string; fault: string | null; for_factor: boolean }): string =>
  page(
    'Sign in',
    `${said.for_factor ? '<p class="lead">Enter your password to see or change your second factor.</p>' : ''}${alert(said.fault)}<form method="post">${field({ name: 'email', label: 'Email address', type: 'email', inputmode: 'email', autocomplete: 'username', value: said.email ?? '', focus: !said.email })}${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', focus: Boolean(said.email) })}${act('Sign in')}</form><p class="beside"><a href="/oidc/forgot">Forgot your password?</a></p>`,
    said.fault === null ? 'plain' : 'stop',
  )

/** What to do if this installation can't send email: who can help, and with which command. */
const withoutMail = (email: string): string =>
  `<p>No mail server is set up, so no link can be emailed to you. Ask the person who runs this service for a link. They get it with this command:</p><p class="who"><code>npx walkdown password-link ${safe(email)}</code></p>`

/** Shown if the password is right but the address isn't confirmed yet. */
export const confirmFirstPage = (email: string, mailed: boolean): string =>
  page(
    'Confirm your email address',
    `<p>Your password is correct. Before you sign in for the first time, confirm that this email address is yours:</p><p class="who"><strong>${safe(email)}</strong></p>${mailed ? '<p>We’ve sent you an email. Open it, select “Confirm my email address”, then sign in again.</p><p class="lead">No email? Check your spam folder, or sign in again to get another (at most three an hour).</p>' : `${withoutMail(email)}<p>The link lets you choose a new password and confirms your address.</p>`}`,
  )

/** What an emailed link opens first: its script, or the person, sends the token in a form. */
export const linkPage = (title: string, action: string): string =>
  page(
    title,
    linkForm(action, { field: field({ name: 'link', type: 'text', autocomplete: 'off', ...LINK_FIELD }), press: act('Continue') }),
  )

/** Confirms an address, after the link in the email. */
export const confirmPage = (said: { token: string; email: string; fault: string | null }): string =>
  page(
    'Confirm your email address',
    `<p class="who">${safe(said.email)}</p><form method="post" action="/oidc/confirm">${hidden('token', said.token)}${field({ name: 'password', label: 'The password you chose', type: 'password', autocomplete: 'current-password', hint: 'The password confirms that you created the account.', fault: said.fault, focus: true })}${act('Confirm my email address')}</form><p class="beside"><a href="/oidc/forgot">I don’t know this password</a></p>`,
    said.fault === null ? 'plain' : 'stop',
  )

/** Asks for the address that needs a new password. */
export const forgotPage = (said: { email?: string; fault: string | null }): string =>
  page(
    'New password',
    `<p class="lead">Enter your email address. We’ll send you a link to choose a new password.</p>${alert(said.fault)}<form method="post" action="/oidc/forgot">${field({ name: 'email', label: 'Email address', type: 'email', inputmode: 'email', autocomplete: 'username', value: said.email ?? '', focus: true })}${act('Send me the link')}</form>`,
  )

/** Shown for every address, known or not. */
export const forgotSentPage = (email: string, mailed: boolean): string =>
  !mailed
    ? page('Ask for a link', withoutMail(email), 'plain')
    : page(
        'Check your email',
        `<p>If this email address has an account, we’ve sent a link to:</p><p class="who"><strong>${safe(email)}</strong></p><p>The link is valid for one hour. You can close this page.</p>`,
        'good',
      )

/** Asks for a new password, after the link in the email. */
export const resetPage = (said: { token: string; email: string; shortest: number; fault: string | null }): string =>
  page(
    'Choose a new password',
    `<p class="who lead">${safe(said.email)}</p><form method="post" action="/oidc/reset">${hidden('token', said.token)}<input type="text" name="username" autocomplete="username" value="${safe(said.email)}" hidden>${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${said.shortest} characters. Three or four unrelated words work well.`, fault: said.fault, focus: true })}${field({ name: 'again', label: 'Repeat the password', type: 'password', autocomplete: 'new-password' })}${act('Change password')}</form>`,
    said.fault === null ? 'plain' : 'stop',
  )

/** Shown after a sign-in without an app. */
export const signedInPage = (who: { name: string; email: string }, app_url: string): string =>
  page(
    'Signed in',
    `<p class="who"><strong>${safe(who.name)}</strong><br>${safe(who.email)}</p><p>You stay signed in on this device.</p>${go(app_url, 'Go to Walkdown')}<a class="act quiet" href="/oidc/session/end">Sign out</a><p class="beside"><a href="/oidc/second-factor">Second factor</a><a href="/oidc/devices">Where you’re signed in</a></p>`,
    'good',
  )

/** Says that something was done, and leads to the app. */
export const donePage = (title: string, words: string, app_url: string): string =>
  page(title, `<p>${safe(words)}</p>${go(app_url, 'Sign in')}`, 'good')

/** Says why something can't be done, and what to do instead. */
export const stopPage = (title: string, words: string, next: { url: string; words: string }): string =>
  page(title, `<p>${safe(words)}</p>${go(next.url, next.words)}`, 'stop')

/** Asks whether to sign out; the form comes from the provider. */
export const leavingPage = (form: string, app_url: string): string =>
  page(
    'Sign out?',
    `<p>You will be signed out of Walkdown on this device.</p>${form}<button class="act" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button><a class="act quiet" href="${safe(app_url)}">Stay signed in</a>`,
  )

/** Signed out. */
export const leftPage = (app_url: string): string =>
  page('Signed out', `<p>You have been signed out on this device.</p>${go(app_url, 'Sign in again')}`, 'good')
