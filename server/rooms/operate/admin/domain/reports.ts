// Reads raw reports from mail systems: delivery reports (RFC 3464) and complaints (RFC 5965). Only the fields that we need are read.

/** What a report says about one email to one address. */
export type ReportedEmail = {
  type: 'bounce' | 'complaint' | 'delivered'
  email: string
  status: string | null
  diagnostic: string | null
  message_id: string | null
}

type Part = { headers: Map<string, string>; body: string }

/** Reads a report; returns null when the text isn't one. Emails that are still being delivered are left out. */
export function readReport(raw: string): ReportedEmail[] | null {
  const whole = partOf(raw.replace(/\r\n?/g, '\n'))
  const parts = leaves(whole, 0)
  const original = parts.find(part =>
    ['message/rfc822', 'text/rfc822-headers', 'message/global-headers', 'message/global'].includes(typeOf(part)),
  )
  const first = original === undefined ? null : partOf(decoded(original)).headers
  const message_id = idOf(first?.get('message-id'))
  const status = parts.find(part => ['message/delivery-status', 'message/global-delivery-status'].includes(typeOf(part)))
  if (status !== undefined) return deliveries(decoded(status), message_id)
  const feedback = parts.find(part => typeOf(part) === 'message/feedback-report')
  return feedback === undefined ? null : complaints(decoded(feedback), message_id, first)
}

const ACTIONS: Record<string, 'bounce' | 'delivered'> = {
  failed: 'bounce',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
}

function deliveries(text: string, message_id: string | null): ReportedEmail[] {
  // The first group is about the message; each of the others is about one recipient.
  const [, ...groups] = text.split(/\n[ \t]*\n+/).map(group => headersOf(group.trim()))
  return groups.flatMap(fields => {
    const type = ACTIONS[(fields.get('action') ?? '').toLowerCase()]
    // The original recipient is the address that we wrote to; the final recipient may be the address that it was forwarded to.
    const email = addressOf(fields.get('original-recipient')) ?? addressOf(fields.get('final-recipient'))
    if (type === undefined || email === null) return []
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null
    const diagnostic =
      fields
        .get('diagnostic-code')
        ?.replace(/^smtp\s*;\s*/i, '')
        .slice(0, 500) ?? null
    return [{ type, email, status, diagnostic, message_id }]
  })
}

function complaints(text: string, message_id: string | null, original: Map<string, string> | null): ReportedEmail[] {
  const fields = headersOf(text.trim())
  const kind = (fields.get('feedback-type') ?? '').toLowerCase()
  if (kind === '' || kind === 'not-spam') return []
  const named = all(text, 'original-rcpt-to').concat(all(text, 'removal-recipient'))
  const recipients = named.length > 0 ? named : [original?.get('to') ?? '']
  const emails = new Set(recipients.map(bare).filter(email => email !== null))
  return [...emails].map(email => ({ type: 'complaint' as const, email, status: null, diagnostic: kind, message_id }))
}

function partOf(text: string): Part {
  const end = text.search(/\n[ \t]*\n/)
  const head = end < 0 ? text : text.slice(0, end)
  return { headers: headersOf(head), body: end < 0 ? '' : text.slice(end).replace(/^\n[ \t]*\n/, '') }
}

/** Returns the fields by their lower-case names, with folded lines joined. If a field is repeated, the first counts. */
function headersOf(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).trim().toLowerCase()
    if (at > 0 && !headers.has(name)) headers.set(name, line.slice(at + 1).trim())
  }
  return headers
}

const all = (text: string, name: string): string[] =>
  text
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter(line => line.toLowerCase().startsWith(`${name}:`))
    .map(line => line.slice(name.length + 1).trim())

const typeOf = (part: Part): string => (part.headers.get('content-type') ?? 'text/plain').split(';')[0]?.trim().toLowerCase() ?? ''

const DEEPEST = 5

function leaves(part: Part, depth: number): Part[] {
  const boundary = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(part.headers.get('content-type') ?? '')
  const mark = boundary?.[1] ?? boundary?.[2]
  if (!typeOf(part).startsWith('multipart/') || mark === undefined || depth > DEEPEST) return [part]
  const pieces = `\n${part.body}`.split(`\n--${mark}`).slice(1)
  return pieces.filter(piece => !piece.startsWith('--')).flatMap(piece => leaves(partOf(piece.replace(/^[ \t]*\n/, '')), depth + 1))
}

function decoded({ headers, body }: Part): string {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8').replace(/\r\n?/g, '\n')
  if (encoding !== 'quoted-printable') return body
  const joined = body.replace(/=[ \t]*\n/g, '')
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}

/** Returns the address in a field such as `rfc822; ana@example.com`, with the xtext of RFC 3461 decoded. */
function addressOf(field: string | undefined): string | null {
  if (field === undefined) return null
  const value = field.replace(/^[\w-]+\s*;\s*/, '').trim()
  return bare(
    /^original|^rfc822|^utf-8/i.test(field)
      ? value.replace(/\+([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : value,
  )
}

function bare(text: string): string | null {
  const email = (/<([^<>]+)>/.exec(text)?.[1] ?? text).trim()
  return /^[^\s@<>]{1,64}@[^\s@<>]{1,255}$/.test(email) ? email : null
}

const idOf = (field: string | undefined): string | null => /<([^<>\s]{1,300})>/.exec(field ?? '')?.[1] ?? null
