// The verify page: reads a code, a picture or a file, checks it on the device, and asks the service for what only the service can know. Of a site, it stores
// only the public keys, on the device, so that the next document can be checked offline.

import { checkAuditLog } from './proof/audit-log.ts'
import { checkChain, isChain } from './proof/chain.ts'
import { believe, logHeadIn, readStatement, statementIn, verdictOf } from './proof/statement.ts'

const $ = id => document.getElementById(id)
const [verdict, paste, camera, video] = ['verdict', 'paste', 'camera', 'video'].map($)

const SHAPES = {
  disc: '<circle cx="12" cy="12" r="10" fill="currentColor"/>',
  ring: '<circle cx="12" cy="12" r="9"/><path d="M12 6.5V12l4 2.5"/>',
  hourglass: '<path d="M5 3h14M5 21h14M7 3v4l5 5 5-5V3M7 21v-4l5-5 5 5v4"/>',
  back: '<path d="M9 4 4 9l5 5M4 9h11l4 2 1 3.5-1 3.5-4 2H9"/>',
  lock: '<rect x="4" y="10" width="16" height="12" rx="1.5" fill="currentColor"/><path d="M7.5 10V6.5C7.500 3 10 2.500 12 2.500s4.500.5 4.500 4V10"/>',
  bar: '<circle cx="12" cy="12" r="10"/><rect x="6" y="10" width="12" height="4" fill="currentColor" stroke="none"/>',
  pages: '<path d="M8 2.500h12v14H8zM4 7v14.500h12"/>',
  pen: '<path d="M4 20l1.500-5L16.500 4 20 7.500 9 18.500zM3 23h18"/>',
  warning: '<path d="M12 3l10 18H2zM12 10v5"/><circle cx="12" cy="18" r="1" fill="currentColor"/>',
  tick: '<path d="M4 13l5.500 5.500L20 6"/>',
}

const asked = 'Ask the person in charge for the current copy.'
const WORDS = {
  valid: ['VALID NOW', 'disc', 'live', 'This is the current copy of a live permit, within its window.'],
  alone: [
    'GENUINE, WITHIN ITS WINDOW',
    'tick',
    'act',
    'Checked on this device only: the permit was live when this was printed. Check again online to see whether it has been closed or replaced since.',
  ],
  not_yet: ['NOT YET', 'ring', 'act', 'The permit window hasn’t started. Don’t work before it does.'],
  over: ['WINDOW OVER', 'hourglass', 'stop', 'The permit window on this paper has ended. Stop work.'],
  not_live: ['NOT A LIVE PERMIT', 'pen', 'act', 'This was printed before the permit was issued. Don’t work under it.'],
  handed_back: ['HANDED BACK', 'back', 'act', 'The permit was handed back and work has stopped. Don’t work under it.'],
  expired: ['EXPIRED', 'hourglass', 'stop', 'The permit window has ended. Stop work.'],
  closed: ['CLOSED', 'lock', 'quiet', 'The permit is closed out. Don’t work under it.'],
  ended: ['REJECTED OR WITHDRAWN', 'bar', 'stop', 'The permit never went live. Don’t work under it.'],
  alert: ['STOPPED', 'bar', 'stop', 'An alert on site stops work at this place. Don’t work under this permit until the alert is over.'],
  stopped: ['STOPPED', 'bar', 'stop', 'Work was stopped in an area on site. Don’t work under this permit until it has been revalidated.'],
  superseded: ['SUPERSEDED', 'pages', 'warn', `The permit has changed since this was printed. ${asked}`],
  wrong_signature: [
    'NOT GENUINE',
    'warning',
    'stop',
    'This was altered, or doesn’t come from the site that it names. Don’t work under it.',
  ],
  unknown_key: [
    'UNKNOWN SITE',
    'warning',
    'stop',
    'The key that this was signed with isn’t one of the site’s keys in this installation. Don’t work under it.',
  ],
  site_erased: [
    'SITE NO LONGER HELD',
    'lock',
    'warn',
    'The records of this site were erased from this installation, so this paper can no longer be checked. Don’t work under it.',
  ],
  revoked_key: ['NOT TRUSTED', 'warning', 'stop', `The key that this was signed with has been revoked. ${asked}`],
  no_keys: [
    'CAN’T CHECK',
    'warning',
    'warn',
    'The service can’t be reached, and this device doesn’t have the key that this was signed with. Check again while online.',
  ],
  unable: ['CAN’T CHECK', 'warning', 'warn', 'This browser can’t check signatures offline. Try again while online.'],
  no_statement: [
    'NOT A PERMIT CODE',
    'warning',
    'quiet',
    'This isn’t the code of a permit. Scan the QR code at the top of the first page.',
  ],
  no_scanner: [
    'CAN’T READ PICTURES',
    'warning',
    'quiet',
    'This browser can’t find codes in pictures. Point a phone’s camera at the code, or paste its text.',
  ],
  file_good: ['UNCHANGED', 'tick', 'live', 'No part of the file has changed since the site signed it.'],
  file_foreign: [
    'UNKNOWN SITE',
    'warning',
    'stop',
    'The parts of the file match each other, but the key that it was signed with isn’t one of the site’s keys in this installation.',
  ],
  file_unsure: [
    'PARTS MATCH, SITE UNKNOWN',
    'warning',
    'warn',
    'The parts of the file match each other. Who signed it can’t be confirmed, because this device doesn’t have the key that it was signed with.',
  ],
  file_bad: ['ALTERED', 'warning', 'stop', 'The file differs from what the site signed:'],
}

const STATES = {
  requested: 'requested',
  endorsed: 'endorsed',
  approved: 'approved, not issued',
  awaiting_countersign: 'awaiting countersignature',
  issued: 'live',
  handed_back: 'handed back',
  expired: 'expired',
  closed: 'closed',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  corrections_requested: 'returned for corrections',
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const when = at =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    dateStyle: undefined,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))

function show(name, facts = [], flaws = []) {
  const [word, shape, tone, says] = WORDS[name] ?? WORDS.no_statement
  const band = document.createElement('div')
  band.className = `band ${tone}`
  band.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">${SHAPES[shape]}</svg>`
  const text = document.createElement('div')
  const strong = document.createElement('strong')
  strong.className = 'word'
  strong.textContent = word
  text.append(strong, says)
  band.append(text)
  const parts = [band]
  if (flaws.length > 0) {
    const list = document.createElement('ul')
    list.className = 'flaws'
    for (const flaw of flaws.slice(0, 50)) list.append(Object.assign(document.createElement('li'), { textContent: flaw.detail }))
    if (flaws.length > 50) list.append(Object.assign(document.createElement('li'), { textContent: `… and ${flaws.length - 50} more.` }))
    parts.push(list)
  }
  if (facts.length > 0) {
    const list = document.createElement('dl')
    for (const [label, value, mono] of facts) {
      list.append(Object.assign(document.createElement('dt'), { textContent: label }))
      list.append(Object.assign(document.createElement('dd'), { textContent: value, className: mono ? 'mono' : '' }))
    }
    parts.push(list)
  }
  verdict.replaceChildren(...parts)
  verdict.hidden = false
  verdict.focus()
  verdict.scrollIntoView({ block: 'nearest' })
}

/** A site's keys, and whether they are all of them: from the service when online, otherwise those stored on this device; null if there are none. */
async function keysOf(site) {
  const at = `walkdown keys ${site}`
  try {
    const answer = await fetch(`/api/permits/verification-keys?site_id=${encodeURIComponent(site)}`)
    if (!answer.ok) throw new Error(String(answer.status))
    const keys = await answer.json()
    if (keys.length > 0) localStorage.setItem(at, JSON.stringify(keys))
    return { keys, all: true }
  } catch {
    const kept = localStorage.getItem(at)
    return { keys: kept === null ? null : JSON.parse(kept), all: false }
  }
}

/** The service’s result for a statement and for the head of the audit log printed next to it; null if there is none, for example offline. */
async function worthOf(statement, head) {
  try {
    const answer = await fetch('/api/permits/verification', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ statement: head === null ? statement : `${statement}&log=${head.seq};${head.hash}` }),
    })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}

const LOG = {
  holds: 'Contains the entry that was printed',
  differs:
    'DIFFERS from what was printed: it was rewritten or cut off since. Contact the person who runs the installation, and keep this paper.',
}

const facts = (s, how, log) => [
  ['Permit', s.number, true],
  ['Site', s.site_code, true],
  ['Printed as', STATES[s.state]],
  ...(s.start_at === null || s.end_at === null ? [] : [['Window', `${when(s.start_at)} – ${when(s.end_at)} (${zone})`]]),
  ['As at', `${when(s.as_at)} (${zone})`],
  ['Signatures', String(s.signatures)],
  ...(log === undefined ? [] : [['Audit log', LOG[log]]]),
  ['Checked', how],
]

async function judgeStatement(text, head) {
  const read = readStatement(text)
  if (read === null) return show('no_statement')
  const [{ keys, all }, worth] = await Promise.all([keysOf(read.statement.site_id), worthOf(text, head)])
  // The keys went with the site; a device may still have them.
  if (worth?.doubt === 'site_erased') return show('site_erased')
  let said
  try {
    said = await believe(text, keys ?? [])
  } catch {
    // A browser without Ed25519: only the service can check.
    if (worth === null) return show('unable')
    return show(
      worth.genuine ? worth.verdict : worth.doubt,
      worth.genuine ? facts(read.statement, `by the service, ${when(worth.at)}`, worth.log) : [],
    )
  }
  if (said.doubt !== null) return show(said.doubt === 'unknown_key' && !all ? 'no_keys' : said.doubt)
  if (worth?.genuine) return show(worth.verdict, facts(said.statement, `on this device and by the service, ${when(worth.at)}`, worth.log))
  const own = verdictOf(said.statement, new Date().toISOString())
  show(own === 'valid' ? 'alone' : own, facts(said.statement, `on this device only, ${when(new Date().toISOString())}`))
}

/** Who signed a file whose parts match. `all`: every key of the site was known, so another key isn't the site's. */
const trustOf = (doubt, all) =>
  doubt === null ? 'file_good' : doubt === 'revoked_key' ? 'revoked_key' : all ? 'file_foreign' : 'file_unsure'

async function judgeFile(text) {
  let chain = null
  try {
    chain = JSON.parse(text)
  } catch {
    // not JSON: an audit log, or a statement
  }
  if (isChain(chain)) {
    const { keys, all } = await keysOf(chain.site_id)
    const { flaws, doubt, signatures } = await checkChain(chain, keys !== null && keys.length > 0 ? keys : null)
    const counts = [
      ['Permit', chain.permit_number ?? 'without a number', true],
      ['Signatures', String(signatures)],
      ['Stored documents', String(chain.papers.length)],
    ]
    const judged = keys !== null && keys.length > 0 ? doubt : 'unknown_key'
    return show(flaws.length > 0 ? 'file_bad' : trustOf(judged, all), counts, flaws)
  }
  if (/^\ufeff?seq,at,/.test(text)) {
    const site = /""site_id"":""([0-9a-f-]{36})""/.exec(text.slice(-4000))?.[1] ?? null
    const { keys, all } = site === null ? { keys: null, all: false } : await keysOf(site)
    const { flaws, doubt, entries, head } = await checkAuditLog(text, keys)
    const counts = [['Entries', String(entries)], ...(head === null ? [] : [['Chain ended at', `${head.seq}; ${head.hash}`, true]])]
    return show(flaws.length > 0 ? 'file_bad' : trustOf(doubt, all), counts, flaws)
  }
  const statement = statementIn(text)
  return statement === null ? show('no_statement') : judgeStatement(statement, logHeadIn(text))
}

async function judge(text) {
  const statement = text.length < 4000 ? statementIn(text) : null
  await (statement === null ? judgeFile(text) : judgeStatement(statement, logHeadIn(text)))
}

// Text can always be pasted, and files opened; a code can be scanned if the browser can read one.
$('check').addEventListener('click', () => judge(paste.value))
const scanner = 'BarcodeDetector' in window ? new BarcodeDetector({ formats: ['qr_code'] }) : null
$('file').addEventListener('change', async event => {
  const [file] = event.target.files
  event.target.value = ''
  if (file === undefined) return
  if (!file.type.startsWith('image/')) return judge(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer()))
  if (scanner === null) return show('no_scanner')
  const [code] = await scanner.detect(await createImageBitmap(file)).catch(() => [])
  return code === undefined ? show('no_statement') : judge(code.rawValue)
})

let stream = null
function stopCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop()
  stream = null
  camera.hidden = true
  $('scan').hidden = scanner === null
}
if (scanner !== null && navigator.mediaDevices?.getUserMedia) $('scan').hidden = false
$('stop').addEventListener('click', stopCamera)
$('scan').addEventListener('click', async () => {
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  } catch {
    $('scan').hidden = true
    return
  }
  video.srcObject = stream
  camera.hidden = false
  $('scan').hidden = true
  await video.play()
  const look = async () => {
    if (stream === null) return
    const [code] = await scanner.detect(video).catch(() => [])
    if (code === undefined || statementIn(code.rawValue) === null) return void setTimeout(look, 150)
    stopCamera()
    await judge(code.rawValue)
  }
  look()
})

const opened = () => {
  const statement = statementIn(decodeURI(location.hash.slice(1)).replace(/%25/g, '%')) ?? statementIn(location.hash)
  if (statement === null) return
  const head = logHeadIn(location.hash)
  paste.value = head === null ? statement : `${statement}&log=${head.seq};${head.hash}`
  judge(paste.value)
}
addEventListener('hashchange', opened)
opened()
navigator.serviceWorker?.register('/verify/worker.js', { scope: '/verify' }).catch(() => undefined)
