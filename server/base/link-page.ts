// The page to which a link with a secret leads. The secret comes after the #, which browsers never send; a small script sends it in the body of a form, and
// without scripts the person pastes the link (decision 846).
import { createHash } from 'node:crypto'
import { PAGE_HEADERS } from './docs.ts'

/** Also runs when the person opens a second link in the same tab, because then only the part after the # changes. */
const SCRIPT = `
const form = document.getElementById('link-form')
const wait = document.getElementById('link-wait')
const show = waiting => { wait.hidden = !waiting; form.hidden = waiting }
const open = () => {
  const secret = location.hash.slice(1)
  if (secret === '') return
  history.replaceState(null, '', location.pathname)
  const field = form.elements.namedItem('link')
  field.value = secret
  form.submit()
  field.value = ''
  show(true)
}
addEventListener('hashchange', open)
addEventListener('pageshow', event => { if (event.persisted) show(false) })
open()
`

/** Headers of the page: as for every page, and this one script is allowed by its hash (CSP3 §4.2.3). */
export const LINK_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': `${PAGE_HEADERS['content-security-policy']}; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
}

/** Makes the content of the page. `field`: a text field with the name `link` and its label; `press`: the button of the form. */
export const linkForm = (action: string, { field, press }: { field: string; press: string }): string =>
  `<p id="link-wait" role="status" hidden>Opening the link…</p><form id="link-form" method="post" action="${action}">${field}${press}</form><script>${SCRIPT}</script>`

/** The label of the field, and what to enter there. */
export const LINK_FIELD = { label: 'Link', hint: 'Copy the whole link that you received, and paste it here.' }

/** Returns the secret of a link that was sent by the script or pasted by a person: the part after the #, in older emails the token in the query. */
export const secretIn = (link: string): string => {
  const text = link.trim()
  if (text.includes('#')) return text.slice(text.lastIndexOf('#') + 1)
  return /[?&]token=([^&]*)/.exec(text)?.[1] ?? text
}
