// The content of the QR code on a permit document: a short statement, signed with the key of its site (Ed25519). The same code writes it on the server
// and reads it in any browser, without a server.

import { isOneOf, keysOf } from '../narrow.ts'
import type { Instant } from '../time.ts'
import { curveOf, SIGNATURES } from './algorithms.ts'

/** States in which a permit can be printed, each with its letter. */
export const STATE_LETTERS = {
  r: 'requested',
  e: 'endorsed',
  a: 'approved',
  s: 'awaiting_countersign',
  i: 'issued',
  h: 'handed_back',
  x: 'expired',
  c: 'closed',
  j: 'rejected',
  w: 'withdrawn',
  k: 'corrections_requested',
} as const
export type PrintedState = (typeof STATE_LETTERS)[keyof typeof STATE_LETTERS]

/** What a document says about its permit: nothing but what is printed on it in plain text. */
export type Statement = {
  /** Short id of the key. */
  kid: string
  site_id: string
  permit_id: string
  site_code: string
  number: string
  state: PrintedState
  /** When the printed content was last changed. */
  as_at: Instant
  issued_at: Instant | null
  start_at: Instant | null
  end_at: Instant | null
  /** SHA-256 of the permit's content in canonical JSON, hex: the hash that a signature would cover. */
  content_hash: string
  /** Hash of the last signature, hex; null before the first. */
  chain_head: string | null
  signatures: number
}

/** First part of every statement; another format would start differently. */
export const FORM = 'W1'

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Decodes base64url text; returns null for anything else. */
export function bytesOf64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(raw, c => c.charCodeAt(0))
  // Two spellings of the same bytes would be two statements with the same meaning.
  return base64url(bytes) === text ? bytes : null
}

const hexBytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
/** Encodes bytes as lower-case hex. */
export const hexOf = (bytes: Uint8Array): string => [...bytes].map(b => b.toString(16).padStart(2, '0')).join('')
const packed = (hex: string) => base64url(hexBytes(hex.replaceAll('-', '')))
const seconds = (at: Instant | null) => (at === null ? '' : Math.floor(Date.parse(at) / 1000).toString(36))
const escaped = (text: string) => encodeURIComponent(text).replaceAll('.', '%2E')

/** Returns a statement as text without its signature: the text that is signed. It needs no escaping in a URL. */
export function textOf(s: Statement): string {
  const letter = Object.entries(STATE_LETTERS).find(([, state]) => state === s.state)?.[0] ?? ''
  return [
    FORM,
    s.kid,
    packed(s.site_id),
    packed(s.permit_id),
    escaped(s.site_code),
    escaped(s.number),
    letter,
    seconds(s.as_at),
    seconds(s.issued_at),
    seconds(s.start_at),
    seconds(s.end_at),
    packed(s.content_hash),
    s.chain_head === null ? '' : packed(s.chain_head),
    s.signatures.toString(36),
  ].join('.')
}

/** A parsed statement, and the text that its signature covers. */
export type Read = { statement: Statement; covered: string; signature: Uint8Array<ArrayBuffer> }

/** Finds the statement in scanned or pasted text: the statement itself, or a URL that contains it. Returns null if there is none. */
export const statementIn = (scanned: string): string | null =>
  /W1(?:\.[A-Za-z0-9_%~!*'()-]*){14}(?![.\w-])/.exec(scanned.trim())?.[0] ?? null

/** Finds the head of the audit log that was printed next to a statement, as `log=seq;hash`. Returns null where there is none. */
export function logHeadIn(scanned: string): { seq: number; hash: string } | null {
  const found = /[&?]log=(\d{1,15})(?:;|%3B)([0-9a-f]{64})(?![0-9a-f])/i.exec(scanned)
  return found === null ? null : { seq: Number(found[1]), hash: found[2] ?? '' }
}

/** Parses a statement; returns null for anything else. It doesn't check the signature. */
export function readStatement(text: string): Read | null {
  const parts = text.split('.')
  if (parts.length !== 15 || parts[0] !== FORM) return null
  const [
    ,
    kid = '',
    site = '',
    permit = '',
    code = '',
    number = '',
    letter = '',
    at = '',
    issued = '',
    start = '',
    end = '',
    content = '',
    head = '',
    count = '',
    signed = '',
  ] = parts
  const id = (packed64: string): string | null => {
    const bytes = bytesOf64(packed64)
    if (bytes === null || bytes.length !== 16) return null
    return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  const hash = (packed64: string): string | null => {
    const bytes = bytesOf64(packed64)
    return bytes?.length === 32 ? hexOf(bytes) : null
  }
  const instant = (text36: string): Instant | null => {
    const value = Number.parseInt(text36, 36)
    return /^[0-9a-z]{1,8}$/.test(text36) && value < 8e9 ? new Date(value * 1000).toISOString() : null
  }
  const words = (escapedText: string): string | null => {
    try {
      return decodeURIComponent(escapedText)
    } catch {
      return null
    }
  }
  const state = isOneOf(keysOf(STATE_LETTERS), letter) ? STATE_LETTERS[letter] : undefined
  const signature = bytesOf64(signed)
  const [site_id, permit_id, as_at, content_hash, site_code, shown] = [
    id(site),
    id(permit),
    instant(at),
    hash(content),
    words(code),
    words(number),
  ]
  const chain_head = head === '' ? null : hash(head)
  if (site_id === null || permit_id === null || as_at === null || content_hash === null || site_code === null || shown === null) return null
  if (state === undefined || signature?.length !== 64 || (head !== '' && chain_head === null) || !/^[A-Za-z0-9_-]{8}$/.test(kid))
    return null
  for (const optional of [issued, start, end]) if (optional !== '' && instant(optional) === null) return null
  if (!/^[0-9a-z]{1,6}$/.test(count)) return null
  const statement: Statement = {
    kid,
    site_id,
    permit_id,
    site_code,
    number: shown,
    state,
    as_at,
    issued_at: instant(issued),
    start_at: instant(start),
    end_at: instant(end),
    content_hash,
    chain_head,
    signatures: Number.parseInt(count, 36),
  }
  return { statement, covered: parts.slice(0, -1).join('.'), signature }
}

/** A public key of a site, as published. */
export type PublicKey = {
  kid: string
  site_id: string
  /** JSON Web Key: `kty` OKP, `crv` Ed25519, `x` (RFC 8037), or `kty` EC, `crv` P-256, `x`, `y` (RFC 7518). */
  jwk: { kty: string; crv: string; x: string; y?: string }
  signs_from: Instant
  signs_until: Instant
  /** When it was revoked: nothing that it signed can be trusted. */
  revoked_at: Instant | null
}

/** Why a statement can't be trusted. Only the server knows `site_erased`: the keys were erased with the site, so nothing that it signed can be checked. */
export type Doubt = 'no_statement' | 'unknown_key' | 'wrong_signature' | 'revoked_key' | 'outside_key' | 'site_erased'

/** Returns whether this key signed a text; false for a key on a curve that isn't known. Throws `NotSupportedError` in a browser without Ed25519. */
export async function signedBy(key: Pick<PublicKey, 'jwk'>, covered: string, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { kty, crv, x, y } = key.jwk
  const curve = curveOf(crv)
  if (curve === null || SIGNATURES[curve].kty !== kty) return false
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x, ...(y === undefined ? {} : { y }) }, SIGNATURES[curve].key, false, [
    'verify',
  ])
  return crypto.subtle.verify(SIGNATURES[curve].verify, imported, signature, new TextEncoder().encode(covered))
}

/** Checks a statement against these keys; returns what it says, or why it can't be trusted. */
export async function believe(
  text: string,
  keys: readonly PublicKey[],
): Promise<{ statement: Statement; doubt: null } | { statement: Statement | null; doubt: Doubt }> {
  const read = readStatement(text)
  if (read === null) return { statement: null, doubt: 'no_statement' }
  const { statement, covered, signature } = read
  const key = keys.find(k => k.kid === statement.kid && k.site_id === statement.site_id)
  if (key === undefined) return { statement, doubt: 'unknown_key' }
  if (!(await signedBy(key, covered, signature))) return { statement, doubt: 'wrong_signature' }
  if (key.revoked_at !== null) return { statement, doubt: 'revoked_key' }
  return { statement, doubt: null }
}

/** The verdict on a document. Only the server knows `superseded`, `stopped`, `alert` and anything else that happened after printing. */
export type Verdict =
  | 'valid'
  | 'not_yet'
  | 'over'
  | 'not_live'
  | 'handed_back'
  | 'expired'
  | 'closed'
  | 'ended'
  | 'superseded'
  | 'stopped'
  | 'alert'

/** Returns the verdict from the document itself at this moment. */
export function verdictOf(s: Pick<Statement, 'state' | 'start_at' | 'end_at'>, now: Instant): Verdict {
  if (s.state === 'closed') return 'closed'
  if (s.state === 'expired') return 'expired'
  if (s.state === 'rejected' || s.state === 'withdrawn') return 'ended'
  if (s.state === 'handed_back') return 'handed_back'
  if (s.state !== 'issued') return 'not_live'
  if (s.end_at !== null && now >= s.end_at) return 'over'
  if (s.start_at !== null && now < s.start_at) return 'not_yet'
  return 'valid'
}
