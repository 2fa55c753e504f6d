// Limits on incoming JSON, checked on its text in one pass: nothing traverses a body before its depth and its number of fields are known.
import { isUtf8 } from 'node:buffer'
import { malformed, type Refusal, refuse, tooLarge, unsupportedMedia } from './errors.ts'

/** Maximum size of a JSON body in bytes, and of the form fields that are sent with a file. */
export const BODY_LIMIT = 1024 * 1024
/** Maximum size of a body in bytes if no token is needed. */
export const OPEN_BODY_LIMIT = 16 * 1024
/** Maximum depth of nesting in a body. */
export const DEEPEST = 40
/** Maximum number of fields of a body, in all its objects together. The largest body that people send, an outline of 1,000 points, has a few thousand. */
export const MOST_FIELDS = 20_000
/** Maximum number of unknown fields that a refusal lists; further ones are ignored. */
export const MOST_UNKNOWN = 50

const [QUOTE, BACKSLASH, COLON] = [34, 92, 58]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/** Returns where the text that begins at this quotation mark ends. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = 0
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}

/** Returns the name that this text between quotation marks is; without its escapes, which can write one name in several ways. */
function nameOf(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

/** Returns why this JSON is refused before it is parsed; null if nothing is wrong so far. */
export function jsonFault(json: string): Refusal | null {
  let fields = 0
  /** The names so far of each object that is open here; undefined for an object without any, and for a list. */
  const open: (Set<string> | undefined)[] = []
  let text = { from: 0, to: 0 }
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      text = { from: at + 1, to: endOfText(json, at) }
      at = text.to
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (open.push(undefined) > DEEPEST) return malformed(`The body is nested more than ${DEEPEST} levels deep. Use fewer levels.`)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open.pop()
    else if (code === COLON) {
      if (++fields > MOST_FIELDS)
        return tooLarge(`The body has more than ${MOST_FIELDS.toLocaleString('en')} fields. Send the data in several requests.`)
      const name = nameOf(json.slice(text.from, text.to))
      // Nobody knows which of two values is meant (RFC 8259 §4), and this one name would be no field but what an object inherits from.
      const names = open.at(-1) ?? new Set()
      if (names.has(name)) return malformed(`The body has the field "${name.slice(0, MOST_OF_NAME)}" twice in one object. Send it once.`)
      if (name === '__proto__') return malformed('No field of a body can be called "__proto__". Leave it out.')
      if (open.length > 0) open[open.length - 1] = names.add(name)
    }
  }
  return null
}

const MOST_OF_NAME = 100

/** Returns the text of a JSON body. JSON is UTF-8 (RFC 8259 §8.1): read as anything else, letters with accents would be stored as other characters. */
export function jsonText(bytes: Buffer, content_type: string): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(content_type)?.[1] ?? 'utf-8'
  if (!/^(utf-?8|us-ascii)$/i.test(charset))
    refuse(
      unsupportedMedia(`The body is in the charset "${charset.slice(0, MOST_OF_NAME)}", and JSON is read as UTF-8 only. Send it as UTF-8.`),
    )
  if (!isUtf8(bytes)) refuse(malformed('The body isn’t UTF-8. Send the JSON encoded as UTF-8.'))
  return bytes.toString('utf8')
}

/** Parses JSON text. `part`: its place in the request, for the refusal. */
export function readJson(json: string, part: string): unknown {
  const fault = jsonFault(json)
  if (fault !== null) refuse(fault)
  try {
    return JSON.parse(json)
  } catch {
    return refuse(malformed(`The ${part} isn’t JSON. Correct it and send it again.`))
  }
}
